"""A library computes the same whatever compiler it is given to, and with whatever flags: the line that example.c tells people,
`cc -O3 -march=native`, fuses products with sums by default, and may take signed arithmetic for what never overflows.

    python3 tests/plain_compilers.py --tangram build/tangram --tangram-run build/tangram-run

A program that rounds otherwise where a product is fused gives the same bytes by GCC and Clang, optimized or not; without what its
source says to them it does not, where the processor has such instructions. And nothing that C leaves undefined is executed: programs
of tests/oracle/expressions.h on numbers at the ends of their types run through a library that traps where it is.
"""

import ctypes
import os
import pathlib
import random
import re
import shutil
import struct

from oracle import TYPES, data_of, programs
from pipeline import Pipeline, execute

FUSED = """#include <tangram.h>
__codelet __tag(loop)
void fused(const Array<1, float> a, const Array<1, float> b, Array<1, float> out) {
  require(b.size() == a.size());
  require(out.size() == a.size());
  for (unsigned i = 0; i < a.size(); ++i) {
    float sum = a[i] * b[i] + 0.1f;
    float difference = a[i] * a[i] - b[i] * b[i];
    out[i] = sum < difference ? sum * difference - a[i] : sum - difference * b[i];
  }
}
__codelet __tag(parts)
void fused(const Array<1, float> a, const Array<1, float> b, Array<1, float> out) {
  __tunable unsigned p;
  map(fused, rows(a, p), rows(b, p), rows(out, p));
}
"""
COMPILERS = {"gcc -O3 -march=native": (), "gcc -O0": (), "gcc -O2 -std=c11": (), "clang-19 -O3 -march=native": ("-fopenmp=libomp",)}
TRAPS = ["-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,float-cast-overflow", "-fsanitize-undefined-trap-on-error"]


def library(test, source, command, more=()):
    out = source.parent / (re.sub(r"\W+", "_", command) + f"{len(more)}.so")
    words = command.split()
    openmp = [] if "-fopenmp=libomp" in more else ["-fopenmp"]
    if words[0].startswith("clang"):
        runtime = sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so"))
        more = [*more, *(f"-L{each.parent}" for each in runtime), *(f"-Wl,-rpath,{each.parent}" for each in runtime)]
    done = execute([*words, *openmp, *more, "-shared", "-fPIC", str(source), "-o", str(out), "-lm"])
    if not test.check(done.status == 0, f"{command}: {done.err}"):
        test.finish()
    return out


def call(path, function, inputs, outputs, counts):
    """What a library's function writes to arrays of so many bytes, in a process of its own; the signal that ended it otherwise."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        memory = [ctypes.create_string_buffer(data, max(1, len(data))) for data in inputs]
        memory += [ctypes.create_string_buffer(size) for size in outputs]
        arguments = [word for each in memory for word in (each, ctypes.c_size_t(counts))]
        getattr(ctypes.CDLL(str(path)), function)(*arguments)
        with os.fdopen(writing, "wb") as out:
            for each in memory[len(inputs):]:
                out.write(each.raw)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as came:
        data = came.read()
    status = os.waitpid(child, 0)[1]
    return data if status == 0 else status


def rounding(test):
    (test.scratch / "fused.cpp").write_text(FUSED)
    bundle = test.synth(str(test.scratch / "fused.cpp"), "fused", "cpu", "openmp", "fused")[0]
    source = random.Random(1)
    count = 20011
    inputs = [struct.pack(f"<{count}f", *(source.uniform(-2, 2) for _ in range(count))) for _ in range(2)]
    found = {}
    for command, more in COMPILERS.items():
        if shutil.which(command.split()[0]):
            found[command] = call(library(test, bundle / "fused.c", command, more), "fused", inputs, [4 * count], count)
            test.check(isinstance(found[command], bytes), f"{command}: ended by {found[command]}")
    wanted = found["gcc -O0"]
    for command, data in found.items():
        test.check(data == wanted, f"{command} gives other numbers than gcc -O0")
    silent = bundle / "silent.c"
    silent.write_text(re.sub(r"#pragma (GCC|clang|STDC) .*", "", (bundle / "fused.c").read_text()))
    test.check(silent.read_text() != (bundle / "fused.c").read_text(), "fused.c says nothing of contraction")
    if re.search(r"\bfma\b", pathlib.Path("/proc/cpuinfo").read_text()):
        test.check(call(library(test, silent, "gcc -O3 -march=native"), "fused", inputs, [4 * count], count) != wanted,
                   "without what the source says nothing is fused: this test tells nothing")
    print(f"rounding: the same bytes by {', '.join(found)}")


def definedness(test):
    chosen = [each for each in programs() if each.name in (
        "int_int_long_0", "int_int_long_20", "int_int_long_40", "unsigned_short_unsigned_short_long_0", "long_long_long_20",
        "float_float_long_0", "double_double_long_20")]
    for program in chosen:
        file = test.scratch / f"{program.name}.cpp"
        file.write_text(program.codelets())
        bundle = test.synth(str(file), "numbers", "cpu", "openmp", program.name)[0]
        inputs, count, _ = data_of(program)
        size = struct.calcsize(TYPES[program.result][1])
        got = call(library(test, bundle / "numbers.c", "gcc -O1", TRAPS), "numbers", inputs, [size * count] * len(program.expressions), count)
        test.check(isinstance(got, bytes), f"{program.name}: ended by {got}: something undefined is executed")
    silent = "int numbers(int *a, unsigned long n, int *b, unsigned long m) { b[m - 1] = a[n - 1] + 2147483647; return 0; }\n"
    (test.scratch / "overflow.c").write_text(silent)
    got = call(library(test, test.scratch / "overflow.c", "gcc -O1", TRAPS), "numbers", [struct.pack("<i", 1)], [4], 1)
    test.check(not isinstance(got, bytes), "an overflow does not trap")
    print(f"nothing undefined in {sum(len(each.expressions) for each in chosen)} programs")


def main():
    test = Pipeline(__doc__, as_shipped=True)
    rounding(test)
    definedness(test)
    test.finish()


if __name__ == "__main__":
    main()
