"""Numbers mean on every target what they mean in C++: tests of codelets against an oracle that shares nothing with them.

The oracle is the first codelet of a spectrum as it stands, compiled as plain C++ by `g++ -fwrapv -ffp-contract=off` with a
header of a few dozen lines (tests/oracle/tangram.h). Both are given numbers at the ends of their types, around what floats
can hold, NaN, infinities, zeros of both signs, and random bits; results are compared byte for byte (NaN is NaN, whatever its
sign and payload). Programs are expressions of all operators (tests/oracle/expressions.h) of all types, and codelets of the library.

    python3 tests/oracle.py --tangram build/tangram --tangram-run build/tangram-run        a sample
    TANGRAM_TEST_EVERYTHING=1 python3 tests/oracle.py ...                                  all of them

What a program is given is split into sets, each a value of x and all that y has; a pair that is counted is a program, one
expression, and a set.
"""

import ctypes
import dataclasses
import os
import pathlib
import random
import re
import shutil
import struct

from pipeline import ROOT, Pipeline, execute, skip

HERE = ROOT / "tests" / "oracle"
EVERYTHING = bool(os.environ.get("TANGRAM_TEST_EVERYTHING"))
TARGETS = (("cpu", "openmp"), ("pocl", "opencl"))
AT_A_TIME = 20  # expressions of a codelet

# C++: NumPy's name, struct's letter
TYPES = {"signed char": ("|i1", "b"), "unsigned char": ("|u1", "B"), "short": ("<i2", "h"), "unsigned short": ("<u2", "H"),
         "int": ("<i4", "i"), "unsigned": ("<u4", "I"), "long": ("<i8", "q"), "unsigned long": ("<u8", "Q"),
         "float": ("<f4", "f"), "double": ("<f8", "d")}
INTEGERS = [name for name in TYPES if name not in ("float", "double")]
MIXED = [("int", "unsigned"), ("short", "unsigned short"), ("int", "long"), ("unsigned", "long"), ("unsigned long", "int"),
         ("signed char", "int"), ("unsigned char", "short"), ("long", "unsigned char")]

LANGUAGE = """#include <tangram.h>
#include <cmath>
#define QUOTIENT(a, b) ((a) / (b))
#define REMAINDER(a, b) ((a) % (b))
#define LEFT(a, b) ((a) << (b))
#define RIGHT(a, b) ((a) >> (b))
#define TO(type, x) ((type)(x))
"""


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    x: str
    y: str
    result: str
    expressions: tuple[str, ...]

    def arrays(self):
        return [("xs", "const ", self.x), ("ys", "const ", self.y),
                *((f"out{number}", "", self.result) for number in range(len(self.expressions)))]

    def parameters(self):
        return ", ".join(f"{const}Array<1, {kind}> {name}" for name, const, kind in self.arrays())

    def loop(self):
        """The first codelet, which is plain C++ as well."""
        names = [name for name, _, _ in self.arrays()]
        requires = "".join(f"  require({name}.size() == xs.size());\n" for name in names[1:])
        body = "".join(f"    out{number}[i] = ({expression});\n" for number, expression in enumerate(self.expressions))
        return (f"__codelet __tag(loop)\nvoid numbers({self.parameters()}) {{\n{requires}"
                f"  for (unsigned i = 0; i < xs.size(); ++i) {{\n    {self.x} x = xs[i];\n    {self.y} y = ys[i];\n{body}  }}\n}}\n")

    def codelets(self):
        rows = ", ".join(f"rows({name}, p)" for name, _, _ in self.arrays())
        return (f"{LANGUAGE}#define TYPE {self.x}\n{self.loop()}\n__codelet __tag(parts)\nvoid numbers({self.parameters()}) {{\n"
                f"  __tunable unsigned p;\n  map(numbers, {rows});\n}}\n")

    def oracle(self):
        arguments = ", ".join(f"Array<1, {kind}>(static_cast<{kind} *>(a[{number}]), &n)"
                              for number, (_, _, kind) in enumerate(self.arrays()))
        return (f'#include "tangram.h"\n#define TYPE {self.x}\n{self.loop()}\n'
                f'extern "C" void oracle(void **a, std::size_t n) {{ numbers({arguments}); }}\n')


def expressions(name):
    """Those of a list in tests/oracle/expressions.h."""
    text = (HERE / "expressions.h").read_text()
    listed = re.search(rf"#define {name}\(E\)(.*?)(?:\n\n|\Z)", text, re.DOTALL)[1]
    return [line.rstrip("\\").strip()[2:-1] for line in listed.splitlines() if line.strip().startswith("E(")]


def programs():
    made = []

    def add(x, y, result, texts, before=()):
        for first in range(0, len(texts), AT_A_TIME):
            name = re.sub(r"\W+", "_", f"{x}_{y}_{result}_{first}")
            made.append(Program(name, x, y, result, (*before, *texts[first:first + AT_A_TIME])))

    for x, y in [(each, each) for each in INTEGERS] + MIXED:
        add(x, y, "long", expressions("INTEGER_EXPRESSIONS"))
    for kind in ("float", "double"):
        # Where nothing decides by a sum, products may be fused with it (docs/language.md).
        add(kind, kind, kind, expressions("FLOAT_EXPRESSIONS"), ("floor(x * y + x)",))
        add(kind, kind, "long", expressions("DECISIONS"))
    return made


def extremes(kind):
    if kind in ("float", "double"):
        digits = 24 if kind == "float" else 53
        largest = (2 - 2.0 ** (1 - digits)) * 2.0 ** (127 if kind == "float" else 1023)
        smallest = 2.0 ** (-149 if kind == "float" else -1074)
        least = [0.0, smallest, smallest * 2.0 ** (digits - 1), 0.1, 0.5, 1.0, 1.5, 2.5, 3.7, 100.0, 127.0, 128.5, 255.9,
                 256.0, 32767.5, 65535.0, 2.0 ** 31 - 128, 2.0 ** 31, 2.0 ** 32, 2.0 ** 53, 2.0 ** 63, 2.0 ** 64, 1e30,
                 largest, float("inf")]
        return [*least, *(-each for each in least), float("nan")]
    bits = 8 * struct.calcsize(TYPES[kind][1])
    signed = not kind.startswith("unsigned")
    low, high = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if signed else (0, 2 ** bits - 1)
    near = {low, low + 1, low // 2, -46341, -46340, -129, -128, -32, -7, -2, -1, 0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 127, 128,
            255, 256, 32767, 65535, 46340, 46341, 65536, 2 ** 31 - 1, 2 ** 31, high // 2, high // 2 + 1, high - 1, high}
    return sorted(each for each in near if low <= each <= high)


def random_numbers(kind, count, source):
    letter = TYPES[kind][1]
    size = struct.calcsize(letter)
    numbers = struct.unpack(f"<{count}{letter}", source.randbytes(size * count))
    # Numbers that are near each other, of which sums and comparisons say more than of random bits.
    return [source.uniform(-300, 300) if kind in ("float", "double") and each % 2 else number
            for each, number in enumerate(numbers)]


def data_of(program):
    """Sets of pairs, one after the other."""
    source = random.Random(program.name)
    pairs = [(x, y) for x in extremes(program.x) for y in extremes(program.y)]
    sets = len(extremes(program.x)) + 1
    pairs += zip(random_numbers(program.x, 997, source), random_numbers(program.y, 997, source))
    xs, ys = zip(*pairs)
    return [pack(program.x, xs), pack(program.y, ys)], len(xs), sets


def pack(kind, values):
    letter = TYPES[kind][1]
    if letter == "f":
        return b"".join(struct.pack("<f", value) if abs(value) < 3.4028236e38 or value != value or abs(value) == float("inf")
                        else struct.pack("<I", 0x7f7fffff) for value in values)
    return struct.pack(f"<{len(values)}{letter}", *values)


def save(path, kind, data, count):
    header = f"{{'descr': '{TYPES[kind][0]}', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def load(path):
    content = path.read_bytes()
    return content[10 + struct.unpack("<H", content[8:10])[0]:]


def same_nan(kind, data):
    """NaN in one way: neither C++ nor a processor says which of them it is."""
    if kind not in ("float", "double"):
        return data
    letter = TYPES[kind][1]
    values = struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)
    if all(value == value for value in values):
        return data
    nan = struct.pack("<" + letter, float("nan"))
    size = len(nan)
    return b"".join(data[size * i:size * (i + 1)] if value == value else nan for i, value in enumerate(values))


def compiled(test, folder, name, text):
    (folder / f"{name}.cpp").write_text(text)
    library = folder / f"lib{name}.so"
    done = execute(["g++", "-std=c++17", "-O1", "-w", "-fwrapv", "-ffp-contract=off", "-fno-builtin", "-shared", "-fPIC",
                    f"-I{HERE}", str(folder / f"{name}.cpp"), "-o", str(library)])
    if not test.check(done.status == 0, f"g++ {name}:\n{done.err}"):
        test.finish()
    return ctypes.CDLL(str(library))


def by_the_oracle(library, inputs, outputs, count):
    """What the function `oracle` writes to arrays of so many bytes."""
    memory = [ctypes.create_string_buffer(data, len(data)) for data in inputs]
    memory += [ctypes.create_string_buffer(size) for size in outputs]
    arguments = (ctypes.c_void_p * len(memory))(*(ctypes.addressof(each) for each in memory))
    library.oracle(arguments, ctypes.c_size_t(count))
    return [each.raw for each in memory[len(inputs):]]


def differences(program, target, number, got, wanted, inputs):
    """The first element that differs, in words."""
    letter = TYPES[program.result][1]
    size = struct.calcsize(letter)
    for at in range(len(wanted) // size):
        if got[size * at:size * (at + 1)] != wanted[size * at:size * (at + 1)]:
            def number_at(kind, data):
                step = struct.calcsize(TYPES[kind][1])
                return struct.unpack("<" + TYPES[kind][1], data[step * at:step * (at + 1)])[0]
            return (f"{target}: {program.expressions[number]} of {program.x} x = {number_at(program.x, inputs[0])!r} and "
                    f"{program.y} y = {number_at(program.y, inputs[1])!r} is {number_at(program.result, got)!r}, "
                    f"in C++ {number_at(program.result, wanted)!r}")
    return f"{target}: {program.expressions[number]}: {len(got)} bytes, expected {len(wanted)}"


def judged(test, program, targets):
    """How many pairs agree on all targets."""
    folder = test.scratch / program.name
    folder.mkdir()
    inputs, count, sets = data_of(program)
    size = struct.calcsize(TYPES[program.result][1])
    library = compiled(test, folder, "oracle", program.oracle())
    wanted = [same_nan(program.result, data)
              for data in by_the_oracle(library, inputs, [count * size] * len(program.expressions), count)]
    source = folder / "numbers.cpp"
    source.write_text(program.codelets())
    for name, kind, data in zip(("xs", "ys"), (program.x, program.y), inputs):
        save(folder / f"{name}.npy", kind, data, count)
    right = set(range(len(program.expressions)))
    for model, target in targets:
        outputs = [folder / f"{target}{number}.npy" for number in range(len(program.expressions))]
        # Whether it is verified is not asked here: NaN is a result as any other.
        done = test.run("tangram", "run", source, "--spectrum", "numbers", "--hw", model, "--target", target, "--repeat", 1,
                        "--warmup", 0, "--input", f"xs={folder}/xs.npy", "--input", f"ys={folder}/ys.npy",
                        *(word for number, path in enumerate(outputs) for word in ("--output", f"out{number}={path}")),
                        environment={"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"})
        if not test.check(all(path.exists() for path in outputs), f"{program.name} on {target}: {done.err}{done.out}"):
            return 0
        for number, path in enumerate(outputs):
            got = same_nan(program.result, load(path))
            if not test.check(got == wanted[number],
                              f"{program.name}: {differences(program, target, number, got, wanted[number], inputs)}"):
                right.discard(number)
    shutil.rmtree(folder)
    return len(right) * sets


def main():
    test = Pipeline(__doc__, as_shipped=True)
    if not shutil.which("g++"):
        skip("g++ is not installed")
    targets = [each for each in TARGETS if each[1] != "opencl" or test.opencl_devices()]
    all_of_them = programs()
    chosen = all_of_them if EVERYTHING else [
        program for program in all_of_them
        if program.name in ("int_int_long_0", "int_int_long_20", "short_short_long_40", "float_float_float_20", "float_float_long_0")]
    chosen = test.shared(chosen)
    pairs = sum(judged(test, program, targets) for program in chosen)
    print(f"{len(chosen)} codelets of {sum(len(program.expressions) for program in chosen)} programs, {pairs} pairs of a program "
          f"and a set of numbers agree on {', '.join(target for _, target in targets)}")
    test.finish()


if __name__ == "__main__":
    main()
