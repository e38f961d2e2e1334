"""The rows of the GPU table: what is measured, beside which library, and how it is verified."""

import dataclasses

from harness.search import Spectrum

VECTORS = (("--size", "0,1,2,31,33,1000,65537,1000003"),)
MATRICES = (("--size", "0,1,31,129,300"),)
SPARSE = (("--size", "0,1,2,33,1000,10007"),)


@dataclasses.dataclass(frozen=True)
class Shape:
    name: str  # as the peer takes it
    options: tuple[str, ...]  # of tangram-run
    title: str
    matrix: bool = False  # the three arrays of a sparse matrix, made there, are the input
    tuned_at: tuple[str, ...] | None = None  # where trying values takes less time


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    title: str
    library: str  # the program of the peer: cub, cublas or cusparse
    spectrum: Spectrum
    shapes: tuple[Shape, ...]
    verify: tuple[tuple[str, ...], ...]  # sets of options of `tangram-run verify`
    goal: float
    verify_when_timed: bool = True  # the reference takes long where the work grows with n^3


def powers(*exponents: int, more: tuple[str, ...] = ()) -> tuple[Shape, ...]:
    return tuple(
        Shape(str(1 << e), ("--size", str(1 << e), *more), f"2^{e}",
              tuned_at=("--size", str(1 << min(e, 26)), *more)) for e in exponents)


def square(n: int, container: str = "") -> tuple[Shape, ...]:
    size = f"{container}={n}x{n}" if container else str(n)
    return (Shape(str(n), ("--size", size), f"{n}x{n}"),)


def sparse(kind: str, size: int, columns: int, title: str) -> Shape:
    return Shape(f"{kind},{size}", ("--size", f"x={columns}"), title, matrix=True)


def rows(small: bool) -> list[Row]:
    """All rows; the small ones are for trying the scripts."""
    less = 8 if small else 0
    side = 16 if small else 1

    def gemm(name: str, kind: str, goal: float) -> Row:
        return Row(name, name.upper(), "cublas", Spectrum("gemm.cpp", f"gemm<{kind}>"),
                   square(4096 // side), MATRICES, goal, verify_when_timed=False)

    long = 524288 // side
    gemv = tuple(Shape(f"{m},{n}", ("--size", f"a={m}x{n}"), f"{m}x{n}")
                 for m, n in ((long, 128), (128, long)))
    points = 1000 // (side // 2 or 1)
    irregular = 1048576 >> less
    awkward = ((0, 5), (1, 1), (3, 7), (33, 97), (1000, 129), (5, 4001))
    return [
        Row("sum", "sum", "cub", Spectrum("reduce.cpp", "sum<float>"), powers(24 - less, 26 - less, 28 - less), VECTORS,
            1.0),
        Row("dot", "dot", "cublas", Spectrum("dot.cpp", "dot<float>"), powers(24 - less, 26 - less, 28 - less), VECTORS,
            1.0),
        Row("axpy", "axpy", "cublas", Spectrum("axpy.cpp", "axpy<float>"), powers(24 - less, 26 - less, 28 - less),
            VECTORS, 1.0),
        Row("sgemv", "SGEMV", "cublas", Spectrum("gemv.cpp", "gemv<float>"), gemv,
            tuple(("--size", f"a={m}x{n}") for m, n in awkward), 1.05),
        gemm("sgemm", "float", 0.60),
        gemm("dgemm", "double", 0.30),
        Row("scan", "scan, inclusive", "cub", Spectrum("scan.cpp", "scan<int>"), powers(26 - less, 28 - less),
            VECTORS, 0.90),
        Row("exclusive_scan", "scan, exclusive", "cub", Spectrum("scan.cpp", "exclusive_scan<int>"),
            powers(26 - less), VECTORS, 0.90),
        Row("histogram", "histogram, 256 bins", "cub", Spectrum("histogram.cpp", "histogram"),
            powers(26 - less, 28 - less, more=("--size", "bins=256")),
            (("--size", "0,1,2,33,1000,65537", "--size", "bins=256"),), 1.0),
        Row("compact", "compact", "cub", Spectrum("compact.cpp", "compact<int>"), powers(26 - less), VECTORS,
            0.9),
        Row("transpose", "transpose", "cublas", Spectrum("transpose.cpp", "transpose<float>"),
            square(8192 // side, "in"), tuple(("--size", f"in={m}x{n}") for m, n in awkward), 1.0),
        Row("spmv", "SpMV", "cusparse", Spectrum("spmv.cpp", "spmv<float>"),
            (sparse("poisson", points, points * points, f"Poisson, {points * points:,} rows"),
             sparse("irregular", irregular, irregular, f"irregular, {irregular:,} rows")), SPARSE, 1.0),
    ]


def chosen(names: str | None, small: bool = False) -> list[Row]:
    """The rows called by --rows; ValueError names one that there is not."""
    everything = rows(small)
    if names is None:
        return everything
    known = {row.name: row for row in everything}
    if unknown := set(names.split(",")) - set(known):
        raise ValueError(f"no row {', '.join(sorted(unknown))} ({', '.join(known)})")
    return [known[name] for name in names.split(",")]
