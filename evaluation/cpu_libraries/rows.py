"""The rows of the CPU table: what is measured, at which sizes, and how it is verified."""

import argparse
import pathlib

from harness import machine, rodinia
from harness.cpu_rows import Row, Table, each
from harness.search import Spectrum

VECTORS = (("--size", "0,1,2,7,33,1000,65537,1000003"),)
MATRIX_VECTOR = tuple(("--size", f"a={m}x{n}")
                      for m, n in ((0, 5), (1, 1), (3, 7), (33, 97), (1000, 129), (5, 4001)))
MATRICES = (("--size", "0,1,2,33,97,130"),)
SPARSE = (("--size", "0,1,2,33,1000,10007"),)
POINTS = tuple(("--size", f"points={n}x{d}", "--size", f"centroids={k}x{d}")
               for n, d, k in ((1, 1, 1), (33, 3, 2), (1000, 34, 5), (4097, 5, 3)))


GRAPHS = {"full": ("random,1048576", "grid,1000"), "small": ("random,32768", "grid,100")}
KMEANS = {"full": ("494020,34,5",), "small": ("20000,34,5",)}


def vectors(name: str, title: str, source: str, spectrum: str, powers: tuple[int, ...]) -> Row:
    shapes = {"full": tuple(str(1 << power) for power in powers), "small": (str(1 << 20),)}
    return Row(name, title, name, Spectrum(source, spectrum), shapes, VECTORS, alike=True,
               sizes=each(shapes, "--size", "{0}"))


def gemv(name: str, kind: str) -> Row:
    shapes = {"full": ("524288,128", "128,524288"), "small": ("8192,128", "128,8192")}
    return Row(name, name.upper(), name, Spectrum("gemv.cpp", f"gemv<{kind}>"), shapes, MATRIX_VECTOR,
               sizes=each(shapes, "--size", "a={0}x{1}"))


def gemm(name: str, kind: str, spectrum: str, title: str) -> Row:
    shapes = {"full": ("1024", "2048"), "small": ("256",)}
    return Row(name, title, name, Spectrum("gemm.cpp", f"{spectrum}<{kind}>"), shapes, MATRICES, goal=0.80,
               alike=True, sizes=each(shapes, "--size", "{0}"))


def transform(name: str, title: str, source: str, spectrum: str, full: int, small: int,
              verify: tuple[tuple[str, ...], ...], *options: str) -> Row:
    shapes = {"full": (str(full),), "small": (str(small),)}
    return Row(name, title, name, Spectrum(source, spectrum), shapes, verify,
               sizes=each(shapes, *(options or ("--size", "{0}"))))


def rows(matrix: str | None) -> list[Row]:
    """All rows; `matrix` is the file of a real sparse matrix, where there is one."""
    spmv = Spectrum("spmv.cpp", "spmv<double>")
    real = (matrix,) if matrix else ()
    return [
        vectors("sum", "sum", "reduce.cpp", "sum<float>", (24, 28)),
        vectors("dot", "dot", "dot.cpp", "dot<float>", (24, 28)),
        vectors("axpy", "axpy", "axpy.cpp", "axpy<float>", (24, 28)),
        vectors("scan", "scan, inclusive", "scan.cpp", "scan<int>", (24, 27)),
        vectors("exclusive_scan", "scan, exclusive", "scan.cpp", "exclusive_scan<int>", (24, 27)),
        gemv("sgemv", "float"),
        gemv("dgemv", "double"),
        gemm("sgemm", "float", "gemm", "SGEMM"),
        gemm("dgemm", "double", "gemm", "DGEMM"),
        gemm("sgemm_nt", "float", "gemm_nt", "SGEMM, B transposed"),
        gemm("dgemm_nt", "double", "gemm_nt", "DGEMM, B transposed"),
        Row("spmv", "SpMV", "spmv", spmv,
            {"full": (*real, "poisson,1000", "irregular,1048576"),
             "small": (*real, "poisson,100", "irregular,16384")}, SPARSE),
        Row("kmeans", "KMeans, one iteration", "kmeans",
            Spectrum("kmeans.cpp", "kmeans<float>", "kmeans<float>"),
            KMEANS, POINTS, goal=1.5, rodinia="kmeans",
            sizes=each(KMEANS, "--size", "points={0}x{1}", "--size", "centroids={2}x{1}")),
        Row("bfs", "BFS", "bfs", Spectrum("bfs.cpp", "bfs"), GRAPHS, SPARSE, rodinia="bfs"),
        Row("levels", "BFS with queues", "levels", Spectrum("rounds.cpp", "levels"), GRAPHS,
            (("--size", "distance=1,2,33,1000,10007", "--input", "source=0"),), rodinia="bfs"),
        transform("histogram", "histogram, 256 bins", "histogram.cpp", "histogram", 1 << 26, 1 << 20,
                  (("--size", "0,1,2,7,33,1000,65537", "--size", "bins=256"),), "--size", "{0}", "--size",
                  "bins=256"),
        transform("compact", "compact", "compact.cpp", "compact<int>", 1 << 26, 1 << 20, VECTORS),
        transform("transpose", "transpose", "transpose.cpp", "transpose<float>", 8192, 1024,
                  tuple(("--size", f"in={m}x{n}")
                        for m, n in ((0, 5), (1, 1), (3, 7), (33, 97), (1000, 129), (257, 1031))),
                  "--size", "in={0}x{0}"),
    ]


def more_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=pathlib.Path, default=machine.ROOT.parent / "shared" / "data",
                        help="folder with bcsstk13.mtx")
    rodinia.add_options(parser)


def asked_for(options: argparse.Namespace) -> list[Row]:
    matrix = options.data / "bcsstk13.mtx"
    return rows(str(matrix) if matrix.exists() else None)


TABLE = Table(
    "cpu_libraries", "CPU libraries", "OpenMP bundles beside CPU libraries", asked_for,
    compile=("-I/usr/include/eigen3",), link=("-lopenblas", "-ltbb"), carried=("libtbb.so.12",), options=more_options)
