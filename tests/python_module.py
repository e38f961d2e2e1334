"""The Python module of a library computes with NumPy arrays and says what it cannot take."""

import os
import sys

from pipeline import OPENMP_ENVIRONMENT, Pipeline, execute, need_program, skip

# spectrum and options: file, name, what is done with the module
CASES = {
    "sum": ("sum", [], """
import sum as module
numbers = numpy.arange(1000, dtype=numpy.int32)
for threads in (None, 1, 3):
    got = module.sum(numbers, threads=threads)
    equal(got, 499500)
    equal(got.dtype, numpy.dtype("int32"))
equal(module.sum(numpy.empty(0, numpy.int32)), 0)
equal(module.sum(numbers[::1]), 499500)
numbers.flags.writeable = False
equal(module.sum(numbers), 499500)
raises(TypeError, "in: expected a NumPy array of int32, found list", module.sum, [1, 2])
raises(TypeError, "in: expected elements of type int32, found float64", module.sum, numpy.zeros(3))
raises(TypeError, "in: expected elements of type int32, found >i4", module.sum, numpy.zeros(3, ">i4"))
raises(ValueError, "in: expected 1 dimension, found 2", module.sum, numpy.zeros((2, 2), numpy.int32))
raises(ValueError, "in: expected an array without gaps, row by row (numpy.ascontiguousarray makes one)",
       module.sum, numbers[::2])
raises(ValueError, "threads: expected 1 or more, found 0", module.sum, numbers, threads=0)
"""),
    "several": ("gemv<float>", ["--plans", "3"], """
import gemv_float as module
a = numpy.arange(35, dtype=numpy.float32).reshape(5, 7)
x = numpy.arange(7, dtype=numpy.float32)
for threads in (None, 2):
    y = numpy.zeros(5, numpy.float32)
    equal(module.gemv_float(a, x, y, threads=threads), None)
    equal(y.tolist(), (a @ x).tolist())
raises(ValueError, "gemv_float: no call with these sizes or numbers of workers can be served: a (5, 7), x (5,), y (5,)", module.gemv_float, a, x[:5], y)
raises(ValueError, "gemv_float: no call with these sizes or numbers of workers can be served: a (5, 7), x (5,), y (5,)", module.gemv_float, a, x[:5], y, threads=2)
raises(ValueError, "a: expected an array without gaps, row by row (numpy.ascontiguousarray makes one)",
       module.gemv_float, numpy.asfortranarray(a), x, y)
y.flags.writeable = False
raises(ValueError, "y: expected an array that can be written, found one that is read-only",
       module.gemv_float, a, x, y)
"""),
    "scalars": ("argmin<float>", [], """
import argmin_float as module
numbers = numpy.array([3, 1, 2], numpy.float32)
equal(module.argmin_float(10, numbers), 11)
equal(module.argmin_float(numpy.int64(10), numbers, threads=2), 11)
raises(TypeError, "from: expected a whole number, found float", module.argmin_float, 1.5, numbers)
raises(OverflowError, "from: expected 0 to 4294967295 (uint32), found -1", module.argmin_float, -1, numbers)
"""),
    "floats": ("axpy<float>", [], """
import axpy_float as module
x, y = numpy.ones(100, numpy.float32), numpy.ones(100, numpy.float32)
module.axpy_float(0.5, x, y)
equal(y.tolist(), [1.5] * 100)
raises(TypeError, "a: expected a number, found list", module.axpy_float, [1], x, y)
"""),
    "vectors": ("nbody4", [], """
import nbody4 as module
bodies = numpy.array([[0, 0, 0, 1], [4, 0, 0, 8]], numpy.float32)  # x, y, z, mass
speeds, new_bodies, new_speeds = (numpy.zeros((2, 4), numpy.float32) for _ in range(3))
module.nbody4(2, 9, bodies, speeds, new_bodies, new_speeds)  # pulls of mass * 4 / (16 + 9) ** 1.5
numpy.testing.assert_allclose(new_speeds, [[0.512, 0, 0, 0], [-0.064, 0, 0, 0]], rtol=1e-5)
numpy.testing.assert_allclose(new_bodies, [[1.024, 0, 0, 1], [3.872, 0, 0, 8]], rtol=1e-5)
wide = numpy.zeros((2, 3), numpy.float32)
raises(ValueError, "nbody4: no call with these sizes or numbers of workers can be served: dt = 2, softening = 9, bodies (2, 3), speeds (2, 4), new_bodies (2, 4), "
       "new_speeds (2, 4)", module.nbody4, 2, 9, wide, speeds, new_bodies, new_speeds)
"""),
}
FILES = {"sum": "sum", "gemv<float>": "gemv", "argmin<float>": "reduce", "axpy<float>": "axpy",
         "nbody4": "nbody"}

CHECKS = """
import numpy

def equal(got, wanted):
    assert got == wanted, f"expected {wanted!r}, found {got!r}"

def raises(kind, message, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind as error:
        assert str(error) == message, f"expected {message!r}, found {str(error)!r}"
        return
    raise AssertionError(f"expected {kind.__name__}: {message}")
"""


def python_with_numpy():
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and execute([python, "-c", "import numpy"]).status == 0:
            return python
    return skip("no NumPy (Debian package python3-numpy)")


def main():
    test = Pipeline(__doc__)
    python = python_with_numpy()
    need_program("cmake", "cmake")
    for name, (spectrum, options, text) in CASES.items():
        out = test.scratch / name
        test.expect("tangram", "synth", f"codelets/{FILES[spectrum]}.cpp", "--spectrum", spectrum, "--hw", "cpu",
                    "--target", "openmp", "-o", out, "--python", *options)
        environment = {**OPENMP_ENVIRONMENT, "PYTHONPATH": str(out), "PYTHONDONTWRITEBYTECODE": "1"}
        if name == "sum":
            done = execute([python, "-c", "import sum"], environment)
            test.check(done.status == 1 and f"ImportError: expected libsum.so in {out} or {out}/build; make it by: "
                       f"cmake -S {out} -B {out}/build -DBUILD_SHARED_LIBS=ON && cmake --build {out}/build" in done.err,
                       f"without a library: {done.err}")
        for command in (["cmake", "-S", out, "-B", out / "build", "-DBUILD_SHARED_LIBS=ON"],
                        ["cmake", "--build", out / "build"]):
            done = execute([*map(str, command)])
            test.check(done.status == 0, f"{name}: {done.out}{done.err}")
        done = execute([python, "-W", "error", "-c", CHECKS + text], environment)
        test.check(done.status == 0 and not done.err, f"{name}: status {done.status}\n{done.out}{done.err}")
    done = test.run("tangram", "synth", "codelets/sum.cpp", "--spectrum", "sum", "--hw", "simple-gpu",
                    "--target", "opencl", "-o", test.scratch / "no", "--python")
    test.equal((done.status, done.err), (2, "error: --python: expected --target openmp, found opencl\n"),
               "--python for OpenCL")
    test.finish()


if __name__ == "__main__":
    main()
