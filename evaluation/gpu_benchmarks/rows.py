"""The rows of the GPU's table of benchmarks: what is measured, beside which kernels by hand."""

import pathlib
from collections.abc import Callable

from harness.benchmarks import BENCHMARKS, SCORES
from harness.gpu_rows import Row, Shape, Table

STENCIL_GOAL = 0.85  # of the copy rate: Jacobi and heat
TAPS = 17  # of the convolutions, in each dimension


def rows(small: bool) -> list[Row]:
    """All rows; the small ones are for trying the scripts."""
    def row(name: str, library: str, full: str, look: str, amount: Callable[..., float], unit: str = "GB/s",
            goal: float = 1.0, verify_when_timed: bool = True, of_copy: float | None = None,
            arrays: tuple[str, ...] = (), problem: str | None = None, problems: tuple[str, ...] = (),
            more: tuple[str, ...] = (), known: tuple[dict[str, int], ...] = ()) -> Row:
        """`amount`: bytes or operations, by the shape's numbers."""
        of = BENCHMARKS[name]
        shape = look if small else full
        numbers = [int(number) for number in shape.split(",")]
        power = numbers[0].bit_length() - 1
        title = f"2^{power}" if numbers == [1 << power] and power >= 16 else shape.replace(",", "x")
        made = Shape(shape, of.options(shape), title, amount(*numbers), arrays,
                     problem=f"{problem},{numbers[0]}" if problem else None, inputs=more)
        return Row(name, of.title, library, of.spectrum, (made,), of.verify, goal, (*of.options(look), *more), unit,
                   verify_when_timed=verify_when_timed, of_copy=of_copy, problems=problems, known=known)

    def vector(name: str, bytes_each: int, **more) -> Row:
        return row(name, "elements", str(1 << 26), str(1 << 20), lambda n: bytes_each * n, **more)

    def flat(name: str, bytes_each: int, **more) -> Row:
        return row(name, "matrices", "8192,8192", "512,512", lambda m, n: bytes_each * m * n, **more)

    def solid(name: str, bytes_each: int, **more) -> Row:
        return row(name, "boxes", "512,512,256", "64,64,64", lambda l, m, n: bytes_each * l * m * n, **more)

    def convolution(name: str, each: int, goal: float, **more) -> Row:
        return row(name, "convolutions", "4096,4096", "256,256", lambda m, n: each * m * n, "Gflop/s", goal=goal,
                   verify_when_timed=False, **more)

    def tiles(name: str, rows: int, columns: int, threads: int) -> dict[str, int]:
        return {f"{name}_TILES_T": rows, f"{name}_TILES_U": columns, "NUM_THREADS": threads}

    return [
        flat("jacobi", 8, of_copy=STENCIL_GOAL),
        solid("heat3", 8, of_copy=STENCIL_GOAL),
        vector("heat", 8, of_copy=STENCIL_GOAL, known=({"NUM_THREADS": 256, "p": 65536},)),
        flat("jacobi9", 8, of_copy=STENCIL_GOAL),
        solid("jacobi13", 8, of_copy=STENCIL_GOAL),
        convolution("separable", 4 * TAPS, 1.3, known=(tiles("SEPARABLE", 64, 64, 256),)),
        convolution("convolve", 2 * TAPS * TAPS, 1.0,
                    known=(tiles("CONVOLVE", 32, 128, 256), tiles("CONVOLVE", 16, 128, 128))),
        flat("hotspot", 12, known=(tiles("HOTSPOT", 16, 128, 128),)),
        solid("hotspot3", 12, known=(tiles("HOTSPOT3", 4, 2, 128), tiles("HOTSPOT3", 8, 2, 128))),
        flat("srad", 20, verify_when_timed=False,  # in two steps; images are positive, the data given are not
             known=({**tiles("CONDUCTIONS", 16, 128, 128), **tiles("DIFFUSE", 16, 128, 128)},)),
        solid("acoustics", 16, known=(tiles("ACOUSTICS", 2, 8, 128),)),
        flat("gaussian", 8, known=(tiles("GAUSSIAN", 16, 512, 256),)),
        flat("gradient", 8),
        flat("sobel", 8),
        flat("life", 8),
        row("nbody", "elements", "65536", "2048", lambda n: 20 * n * n, "Gflop/s", verify_when_timed=False,
            known=({"BODY_BLOCKS_B": 512, "NUM_THREADS": 256}, {"BODY_BLOCKS_B": 256, "NUM_THREADS": 128})),
        row("md", "elements", "294912,128", "8192,32", lambda n, near: 4 * n * (near + 6),
            more=("--input", "cutoff=1", "--input", "lj1=1.5", "--input", "lj2=2")),
        row("mriq", "elements", "2048,262144", "256,4096", lambda samples, voxels: 14 * samples * voxels,
            "Gflop/s", verify_when_timed=False),
        vector("distances", 12),
        row("black_scholes", "elements", str(1 << 24), str(1 << 18), lambda n: 20 * n,
            arrays=("prices", "strikes", "years"), problem="options",
            more=("--input", "rate=0.02", "--input", "volatility=0.3")),
        row("atax", "products", "8192,8192", "512,512", lambda m, n: 4 * m * n, known=({"NUM_THREADS": 512, "p": 132},)),
        row("gesummv", "products", "8192,8192", "512,512", lambda m, n: 8 * m * n),
        row("lud", "rounds", "2048", "256", lambda n: 2 / 3 * n ** 3, "Gflop/s", arrays=("a",), problem="dominant",
            problems=("dominant,33", "dominant,97"),
            known=({"TILE_M": 64, "TILE_N": 64, "TILE_M_2": 8, "TILE_N_2": 4, "NUM_THREADS": 128},)),
        vector("nearest", 8),
        row("option_pricing", "options", str(1 << 20), str(1 << 14), lambda paths: paths, "Gpaths/s",
            verify_when_timed=False),
        row("locvol", "options", "256,256,256,64", "8,32,32,8", lambda strikes, m, n, steps: strikes * m * n * steps,
            "Gpoints/s", verify_when_timed=False),
        row("lbm", "steps", "2048,2048,16", "256,256,4", lambda m, n, steps: 76 * m * n * steps,
            verify_when_timed=False, arrays=("wall", "cells"), problem="lattice"),
        row("heat_steps", "steps", f"{1 << 26},100", f"{1 << 20},10", lambda n, steps: n * steps, "Gpoints/s",
            verify_when_timed=False),
        row("nw", "rounds", "4096,4096", "512,512", lambda n, m: 4 * (n + m + 1) * (n + 1), more=SCORES),
    ]


TABLE = Table(
    "gpu_benchmarks", "Benchmarks on a GPU", "OpenCL bundles beside kernels by hand, in CUDA",
    pathlib.Path(__file__).resolve().parent,
    {"matrices": (), "boxes": (), "convolutions": (), "elements": (), "products": ("-lcublas",), "rounds": (),
     "options": (), "steps": ()},
    rows, passes=("index-set-splitting", "stage-windows", "unrolling", "vectorized-access"), copies=True, libraries=False)
