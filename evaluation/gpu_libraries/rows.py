"""The rows of the GPU table: what is measured, beside which library, and how it is verified."""

import dataclasses
import pathlib

from harness.gpu_rows import Row, Shape, Table
from harness.search import Spectrum

VECTORS = (("--size", "0,1,2,31,33,1000,65537,1000003"),)
MATRICES = (("--size", "0,1,31,129,300"),)
AWKWARD = tuple(f"{m}x{n}" for m, n in ((0, 5), (1, 1), (3, 7), (33, 97), (1000, 129), (5, 4001)))
SPARSE = (("--size", "0,1,2,33,1000,10007"),)
BINS = ("--size", "bins=256")
LOOK = ("--size", "2^20")
STREAMS = tuple({"NUM_CHAINS": chains, "NUM_THREADS": 256, "p": p} for chains, p in ((1, 8192), (4, 8448), (4, 528)))


def points_of(n: int, dimensions: int, clusters: int) -> tuple[str, ...]:
    return ("--size", f"points={n}x{dimensions}", "--size", f"centroids={clusters}x{dimensions}")


def powers(exponents: tuple[int, ...], small: bool, bytes_each: int,
           more: tuple[str, ...] = ()) -> tuple[Shape, ...]:
    def shape(e: int) -> Shape:
        return Shape(str(1 << e), ("--size", str(1 << e), *more), f"2^{e}", bytes_each * 2.0 ** e,
                     tuned_at=("--size", str(1 << min(e, 26)), *more))

    return tuple(shape(e - 8 if small else e) for e in exponents)


def sparse(kind: str, size: int, columns: int, goal: float) -> Shape:
    return Shape(f"{kind},{size}", ("--size", f"x={columns}"), f"{kind}, {columns:,} rows",
                 arrays=("values", "columns", "offsets"), goal=goal)


def graph(kind: str, size: int, vertices: int) -> Shape:
    return Shape(f"{kind},{size}", (), f"{kind}, {vertices:,} vertices",
                 arrays=("offsets", "targets", "distance"))


def rows(small: bool) -> list[Row]:
    """All rows; the small ones are for trying the scripts."""
    def vectors(name: str, title: str, library: str, source: str, spectrum: str,
                exponents: tuple[int, ...], bytes_each: int, goal: float,
                known: tuple[dict[str, int], ...] = ()) -> Row:
        return Row(name, title, library, Spectrum(source, spectrum),
                   powers(exponents, small, bytes_each), VECTORS, goal, LOOK, known=known)

    def gemm(name: str, kind: str, goal: float) -> Row:
        n = 256 if small else 4096
        return Row(name, name.upper(), "cublas", Spectrum("gemm.cpp", f"gemm<{kind}>"),
                   (Shape(str(n), ("--size", str(n)), f"{n}x{n}", 2.0 * n ** 3),), MATRICES, goal,
                   ("--size", "512"), unit="Gflop/s", verify_when_timed=False)

    def gemv(m: int, n: int, goal: float) -> Shape:
        return Shape(f"{m},{n}", ("--size", f"a={m}x{n}"), f"{m}x{n}", 4.0 * (m * n + m + n), goal=goal)

    long = 32768 if small else 524288
    side = 512 if small else 8192
    points = 100 if small else 1000
    hubs = 4096 if small else 1048576
    clouds = 20000 if small else 494020
    return [
        vectors("sum", "sum", "cub", "reduce.cpp", "sum<float>", (24, 26, 28), 4, 1.0, STREAMS),
        vectors("dot", "dot", "cublas", "dot.cpp", "dot<float>", (24, 26, 28), 8, 1.0, STREAMS),
        vectors("axpy", "axpy", "cublas", "axpy.cpp", "axpy<float>", (24, 26, 28), 12, 1.0),
        Row("sgemv", "SGEMV", "cublas", Spectrum("gemv.cpp", "gemv<float>"),
            (gemv(long, 128, 1.15), gemv(128, long, 1.05)), tuple(("--size", f"a={shape}") for shape in AWKWARD), 1.05,
            ("--size", "a=4096x128")),
        gemm("sgemm", "float", 0.60),
        gemm("dgemm", "double", 0.30),
        vectors("scan", "scan, inclusive", "cub", "scan.cpp", "scan<int>", (26, 28), 8, 0.90),
        vectors("exclusive_scan", "scan, exclusive", "cub", "scan.cpp", "exclusive_scan<int>", (26,), 8,
                0.90),
        Row("histogram", "histogram, 256 bins", "cub", Spectrum("histogram.cpp", "histogram"),
            powers((26, 28), small, 4, BINS), (("--size", "0,1,2,33,1000,65537", *BINS),), 1.0,
            (*LOOK, *BINS)),
        vectors("compact", "compact", "cub", "compact.cpp", "compact<int>", (26,), 0, 0.9),
        Row("transpose", "transpose", "cublas", Spectrum("transpose.cpp", "transpose<float>"),
            (Shape(str(side), ("--size", f"in={side}x{side}"), f"{side}x{side}", 8.0 * side * side),),
            tuple(("--size", f"in={shape}") for shape in AWKWARD), 1.0, ("--size", "in=1024x1024")),
        Row("spmv", "SpMV", "cusparse", Spectrum("spmv.cpp", "spmv<float>"),
            (sparse("poisson", points, points * points, 1.2), sparse("irregular", hubs, hubs, 1.0)), SPARSE, 1.0),
        Row("kmeans", "KMeans, one iteration", "by_hand",
            Spectrum("kmeans.cpp", "kmeans<float>", "kmeans<float>"),
            (Shape(f"{clouds},34,5", points_of(clouds, 34, 5), f"{clouds:,} x 34, 5 clusters"),),
            tuple(points_of(*sizes) for sizes in ((1, 1, 1), (33, 3, 2), (1000, 34, 5), (4097, 5, 3))), 1.0,
            points_of(4096, 34, 5), rodinia="kmeans", rodinia_goal=2.0,
            known=tuple({"NUM_THREADS": 128, "GATHER_LANES_D": 40, "p": p} for p in (528, 1056))),
        Row("search", "BFS", "by_hand", Spectrum("rounds.cpp", "search"),
            (graph("random", hubs, hubs), graph("grid", points, points * points)),
            (("--size", "distance=1,2,33,1000,10007"),), 1.0, ("--size", "distance=65536"), rodinia="bfs",
            rodinia_goal=2.0),
        Row("levels", "BFS with queues", "by_hand", Spectrum("rounds.cpp", "levels"),
            tuple(dataclasses.replace(graph(kind, size, vertices), arrays=("offsets", "targets"),
                                      inputs=("--input", "source=0"))
                  for kind, size, vertices in (("random", hubs, hubs), ("grid", points, points * points))),
            (("--size", "distance=1,2,33,1000,10007", "--input", "source=0"),), 1.0,
            ("--size", "distance=65536", "--input", "source=0"), rodinia="bfs", rodinia_goal=2.0),
    ]


TABLE = Table(
    "gpu_libraries", "GPU libraries", "OpenCL bundles beside CUDA's libraries", pathlib.Path(__file__).resolve().parent,
    {"cub": (), "cublas": ("-lcublas",), "cusparse": ("-lcusparse",), "by_hand": ()}, rows)
