"""The rows of the table of benchmarks: what is measured, and at which sizes."""

import argparse

from harness import halide, processes
from harness.benchmarks import BENCHMARKS
from harness.cpu_rows import Row, Table, each


def row(name: str, full: str | tuple[str, ...], small: str) -> Row:
    of = BENCHMARKS[name]
    shapes = {"full": (full,) if isinstance(full, str) else full, "small": (small,)}
    return Row(name, of.title, name, of.spectrum, shapes, of.verify, sizes=each(shapes, *of.sizes))


def rows() -> list[Row]:
    plane = ("4096,4096", "512,512")
    cube = ("256,256,256", "64,64,64")
    return [
        row("nbody", ("16384", "131072"), "2048"),
        row("md", "73728,128", "8192,32"),
        row("distances", str(1 << 26), str(1 << 20)),
        row("mriq", "1024,32768", "256,4096"),
        row("black_scholes", str(1 << 24), str(1 << 18)),
        row("atax", "8192,8192", "512,512"),
        row("gesummv", "8192,8192", "512,512"),
        row("heat", str(1 << 26), str(1 << 20)),
        row("nw", "8192,8192", "512,512"),
        row("heat_steps", f"{1 << 24},100", f"{1 << 18},10"),
        row("lud", "2048", "256"),
        row("nearest", str(1 << 26), str(1 << 20)),
        row("option_pricing", str(1 << 20), str(1 << 14)),
        row("locvol", ("128,256,32,64", "256,256,256,64"), "8,32,32,8"),
        row("lbm", "2048,2048,16", "128,256,4"),
        row("convolve", ("2048,2048", "8192,8192"), "256,256"),
        *(row(name, *plane) for name in ("separable", "gaussian", "gradient", "sobel", "jacobi", "jacobi9", "life",
                                         "hotspot", "srad")),
        *(row(name, *cube) for name in ("heat3", "jacobi13", "hotspot3", "acoustics")),
    ]


def asked_for(options: argparse.Namespace) -> list[Row]:
    if not halide.HALIDE.exists() and not options.prepared:
        processes.tell("cpu_benchmarks: Halide is left out: libhalide14-0-dev is not installed")
    return rows()


def table(with_halide: bool) -> Table:
    return Table(
        "cpu_benchmarks", "Benchmarks on a CPU", "OpenMP bundles beside loops by hand and Halide", asked_for,
        compile=("-fno-math-errno", "-fno-trapping-math", f"-DWITH_HALIDE={int(with_halide)}"), link=("-lopenblas",),
        objects=halide.objects if with_halide else lambda folder, options: [], options=halide.cores)
