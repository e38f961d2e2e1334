"""The loops by hand of by_hand/, called through ctypes: one library, in which a function is called like the spectrum it stands
beside (call.h)."""

import ctypes
import pathlib
import time

import numpy

from table import FOLDER

from harness import processes

SOURCES = ("products", "solvers", "grids", "medley", "own")
OPTIONS = ("-std=c++20", "-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-fopenmp")
FLUSHED = 256 << 20  # bytes


class Call(ctypes.Structure):
    _fields_ = [("containers", ctypes.POINTER(ctypes.c_void_p)), ("extents", ctypes.POINTER(ctypes.c_size_t)),
                ("numbers", ctypes.POINTER(ctypes.c_double))]


def build(folder: pathlib.Path, limit_s: float = 300) -> ctypes.CDLL:
    """Compiles the library for this processor."""
    library = folder / "by_hand.so"
    sources = [str(FOLDER / "by_hand" / f"{name}.cpp") for name in SOURCES]
    processes.output(["g++", *OPTIONS, "-shared", "-fPIC", *sources, "-o", str(library)], limit_s=limit_s)
    return load(library)


def load(library: pathlib.Path) -> ctypes.CDLL:
    return ctypes.CDLL(str(library))


class ByHand:
    """A function with arrays of its own."""

    def __init__(self, library: ctypes.CDLL, spectrum: str, arrays: list, numbers: list[float]):
        self.function = getattr(library, spectrum)
        self.arrays = [numpy.ascontiguousarray(array) for array in arrays]
        self.before = [array.copy() for array in self.arrays]
        # A vector of numbers is one element.
        extents = [size for array in self.arrays for size in (*array.shape, 1, 1, 1, 1)[:4]]
        self.kept = ((ctypes.c_void_p * len(self.arrays))(*(array.ctypes.data for array in self.arrays)),
                     (ctypes.c_size_t * len(extents))(*extents), (ctypes.c_double * max(len(numbers), 1))(*numbers))
        self.call = Call(*(ctypes.cast(kept, kind) for kept, (_, kind) in zip(self.kept, Call._fields_)))

    def run(self) -> None:
        self.function(ctypes.byref(self.call))

    def restore(self) -> None:
        """The arrays are what they were at first."""
        for array, before in zip(self.arrays, self.before):
            numpy.copyto(array, before)

    def times(self, repeats: int, limit_s: float) -> list[float]:
        """Seconds of each call with cold caches, fewer than `repeats` where they take longer than the limit together."""
        end = time.monotonic() + limit_s
        seconds: list[float] = []
        self.run()
        while len(seconds) < repeats and (len(seconds) < 3 or time.monotonic() < end):
            self.restore()
            numpy.empty(FLUSHED, "u1").fill(1)
            begin = time.perf_counter()
            self.run()
            seconds.append(time.perf_counter() - begin)
        return seconds


def has(library: ctypes.CDLL, spectrum: str) -> bool:
    return hasattr(library, spectrum)
