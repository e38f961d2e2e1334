"""The rows of the table of benchmarks: what is measured, at which sizes, and how it is verified."""

from harness.cpu_rows import Row, each
from harness.search import Spectrum

VECTORS = (("--size", "0,1,2,7,33,1000,65537"),)
MATRICES = tuple(("--size", f"in={m}x{n}") for m, n in ((1, 1), (3, 7), (33, 97), (257, 131)))
SCORES = ("--input", "same=3", "--input", "other=-1", "--input", "gap=-2")
BOXES = ((1, 1, 1), (3, 5, 7), (17, 33, 70))


def stencil(name: str, title: str, source: str, full: str, small: str, verify=MATRICES, instance="float",
            spectrum: str | None = None) -> Row:
    """One whose sizes in the table are those of its container of results."""
    first = "now" if name == "acoustics" else "in"
    def shape(sizes: str) -> tuple[tuple[str, str], ...]:
        return (("--size", f"{first}={sizes.replace(',', 'x')}"),)
    return Row(name, title, name, Spectrum(source, spectrum or f"{name}<{instance}>"),
               {"full": (full,), "small": (small,)}, verify,
               sizes={"full": shape(full), "small": shape(small)})


def box(name: str, title: str, source: str) -> Row:
    first = "now" if name == "acoustics" else "in"
    return stencil(name, title, source, "256,256,256", "64,64,64",
                   tuple(("--size", f"{first}={l}x{m}x{n}") for l, m, n in BOXES))


def row(name: str, title: str, source: str, full: str, small: str, verify: tuple[tuple[str, ...], ...],
        *sizes: str) -> Row:
    shapes = {"full": (full,), "small": (small,)}
    return Row(name, title, name, Spectrum(source, f"{name}<float>"), shapes, verify,
               sizes=each(shapes, *sizes))


def rows() -> list[Row]:
    plane = ("4096,4096", "512,512")
    return [
        row("nbody", "N-Body", "nbody.cpp", "16384", "2048", (("--size", "bodies=4x1,4x2,4x33,4x300"),),
            "--size", "bodies=4x{0}"),
        row("md", "MD", "md.cpp", "73728,128", "8192,32",
            (("--size", "places=3x1,3x5,3x300", "--size", "neighbours_size0=0,1,17"),),
            "--size", "places=3x{0}", "--size", "neighbours_size0={1}"),
        row("distances", "NN, distances", "nn.cpp", str(1 << 26), str(1 << 20), VECTORS, "--size", "{0}"),
        row("mriq", "MRI-Q", "mriq.cpp", "1024,32768", "256,4096",
            (("--size", "samples=4x0,4x1,4x33", "--size", "voxels=3x1,3x7,3x130"),),
            "--size", "samples=4x{0}", "--size", "voxels=3x{1}"),
        row("black_scholes", "Black-Scholes", "black_scholes.cpp", str(1 << 24), str(1 << 18), VECTORS,
            "--size", "{0}"),
        row("atax", "ATAX", "atax.cpp", "8192,8192", "512,512",
            tuple(("--size", f"a={m}x{n}") for m, n in ((1, 1), (3, 7), (33, 97), (300, 129))),
            "--size", "a={0}x{1}"),
        row("gesummv", "GESUMMV", "gesummv.cpp", "8192,8192", "512,512",
            tuple(("--size", f"a={m}x{n}") for m, n in ((0, 5), (1, 1), (3, 7), (33, 97), (300, 129))),
            "--size", "a={0}x{1}"),
        row("heat", "heat, 3 points", "stencil.cpp", str(1 << 26), str(1 << 20), VECTORS, "--size", "{0}"),
        row("nw", "Needleman-Wunsch", "nw.cpp", "8192,8192", "512,512",
            (("--size", "a=0,1,33", "--size", "b=0,1,70", *SCORES),), "--size", "a={0}", "--size", "b={1}"),
        stencil("convolve", "convolution, 17 x 17", "convolution.cpp", "2048,2048", "256,256",
                spectrum="convolve<float,17>"),
        stencil("separable", "separable convolution, 17 x 17", "convolution.cpp", *plane,
                spectrum="separable<float,17>"),
        stencil("gaussian", "Gaussian blur, 5 x 5", "gaussian.cpp", *plane),
        stencil("gradient", "gradient", "nine.cpp", *plane),
        stencil("sobel", "Sobel", "nine.cpp", *plane),
        stencil("jacobi", "Jacobi, 5 points", "stencil.cpp", *plane),
        stencil("jacobi9", "Jacobi, 9 points", "nine.cpp", *plane),
        stencil("life", "game of life", "nine.cpp", *plane, instance="int"),
        stencil("hotspot", "Hotspot", "hotspot.cpp", *plane),
        stencil("srad", "SRAD", "srad.cpp", *plane),
        box("heat3", "heat, 7 points", "stencil.cpp"),
        box("jacobi13", "Jacobi, 13 points", "jacobi13.cpp"),
        box("hotspot3", "Hotspot 3D", "hotspot.cpp"),
        box("acoustics", "room acoustics", "acoustics.cpp"),
    ]
