"""The benchmarks of LIFT and of stencils in codelets/, as tables of CPUs and GPUs have them: what they are, how
their sizes are said, and at which awkward ones plans are verified."""

import dataclasses

from .search import Spectrum

Options = tuple[str, ...]  # of tangram-run

VECTORS = (("--size", "0,1,2,7,33,1000,65537"),)
PRICES = ("--input", "nu=0.6", "--input", "beta=0.5", "--input", "dt=0.015625", "--input", "dx=0.1", "--input", "dy=0.1")
SCORES = ("--input", "same=3", "--input", "other=-1", "--input", "gap=-2")


@dataclasses.dataclass(frozen=True)
class Benchmark:
    name: str
    title: str
    spectrum: Spectrum
    verify: tuple[Options, ...]  # sets of options
    sizes: Options  # of a shape; its numbers stand for {0}, {1}, ...

    def options(self, shape: str) -> Options:
        """Those of a shape: numbers with commas."""
        return tuple(option.format(*shape.split(",")) for option in self.sizes)


def of(name: str, title: str, source: str, verify: tuple[Options, ...], *sizes: str,
       spectrum: str | None = None) -> Benchmark:
    return Benchmark(name, title, Spectrum(source, spectrum or f"{name}<float>"), verify, sizes)


def matrix(name: str, title: str, source: str, spectrum: str | None = None) -> Benchmark:
    """A stencil of a matrix."""
    return of(name, title, source, (("--size", "in=1x1,3x7,33x97,257x131"),), "--size", "in={0}x{1}",
              spectrum=spectrum)


def box(name: str, title: str, source: str) -> Benchmark:
    """A stencil of a box."""
    first = "now" if name == "acoustics" else "in"
    shapes = ",".join(f"{first}={shape}" if number == 0 else shape
                      for number, shape in enumerate(("1x1x1", "3x5x7", "17x33x70")))
    return of(name, title, source, (("--size", shapes),), "--size", f"{first}={{0}}x{{1}}x{{2}}")


BENCHMARKS = {benchmark.name: benchmark for benchmark in (
    of("nbody", "N-Body", "nbody.cpp", (("--size", "bodies=4x1,4x2,4x33,4x300"),), "--size", "bodies=4x{0}"),
    of("md", "MD", "md.cpp", (("--size", "places=3x1,3x5,3x300", "--size", "neighbours_size0=0,1,17"),),
       "--size", "places=3x{0}", "--size", "neighbours_size0={1}"),
    of("distances", "NN, distances", "nn.cpp", VECTORS, "--size", "{0}"),
    of("mriq", "MRI-Q", "mriq.cpp",
       (("--size", "samples=4x0,4x1,4x33", "--size", "voxels=3x1,3x7,3x130"),),
       "--size", "samples=4x{0}", "--size", "voxels=3x{1}"),
    of("black_scholes", "Black-Scholes", "black_scholes.cpp", VECTORS, "--size", "{0}"),
    of("atax", "ATAX", "atax.cpp", (("--size", "a=1x1,3x7,33x97,300x129"),), "--size", "a={0}x{1}"),
    of("gesummv", "GESUMMV", "gesummv.cpp", (("--size", "a=0x5,1x1,3x7,33x97,300x129"),), "--size", "a={0}x{1}"),
    of("heat", "heat, 3 points", "stencil.cpp", VECTORS, "--size", "{0}"),
    of("heat_steps", "heat, 3 points, steps", "rounds.cpp",
       (("--size", "in=0,1,2,3,5,33,1000", "--input", "steps=9", "--input", "c=0.1"),),
       "--size", "in={0}", "--input", "steps={1}", "--input", "c=0.1"),
    of("nw", "Needleman-Wunsch", "nw.cpp", (("--size", "a=0,1,33", "--size", "b=0,1,70", *SCORES),),
       "--size", "a={0}", "--size", "b={1}"),
    of("lud", "LU decomposition", "lud.cpp", (("--size", "a=1x1,2x2,5x5"),), "--size", "a={0}x{0}"),
    of("nearest", "NN, nearest", "nn.cpp", VECTORS, "--size", "{0}"),
    of("option_pricing", "option pricing", "option_pricing.cpp",
       tuple(("--input", f"paths={paths}") for paths in (0, 1, 33, 1000)), "--input", "paths={0}",
       spectrum="option_pricing<float,3,5>"),
    of("locvol", "LocVolCalib", "locvol.cpp",
       (("--size", "strikes=0,1,3", "--size", "logs=1,3,33", "--size", "ys=1,2,17", "--input", "steps=3", *PRICES),),
       "--size", "strikes={0}", "--size", "logs={1}", "--size", "ys={2}", "--input", "steps={3}", *PRICES),
    of("lbm", "lattice Boltzmann, D2Q9", "lbm.cpp",
       (("--size", "wall=1x1,3x7,33x70", "--input", "steps=3", "--input", "omega=0.8"),),
       "--size", "wall={0}x{1}", "--input", "steps={2}", "--input", "omega=0.8"),
    matrix("convolve", "convolution, 17 x 17", "convolution.cpp", "convolve<float,17>"),
    matrix("separable", "separable convolution, 17 x 17", "convolution.cpp", "separable<float,17>"),
    matrix("gaussian", "Gaussian blur, 5 x 5", "gaussian.cpp"),
    matrix("gradient", "gradient", "nine.cpp"),
    matrix("sobel", "Sobel", "nine.cpp"),
    matrix("jacobi", "Jacobi, 5 points", "stencil.cpp"),
    matrix("jacobi9", "Jacobi, 9 points", "nine.cpp"),
    matrix("life", "game of life", "nine.cpp", "life<int>"),
    matrix("hotspot", "Hotspot", "hotspot.cpp"),
    matrix("srad", "SRAD", "srad.cpp"),
    box("heat3", "heat, 7 points", "stencil.cpp"),
    box("jacobi13", "Jacobi, 13 points", "jacobi13.cpp"),
    box("hotspot3", "Hotspot 3D", "hotspot.cpp"),
    box("acoustics", "room acoustics", "acoustics.cpp"),
)}
