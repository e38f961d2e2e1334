"""The loop of a program as plain C, for a compiler that makes it parallel by itself: arrays of C99 with variable extents, signed
counters, nothing else changed. For programs of numbers and containers of numbers, as those of polybench/ are.

    void gemm(double alpha, const Array<2, double> a, ...)     static void gemm_loop(long a_0, long a_1, ..., double alpha,
                                                                                     const double (*restrict a)[a_1], ...)

The function beside it, called like the spectrum, takes what a loop by hand takes (by_hand/call.h).
"""

import pathlib
import re
import tempfile

from table import Row

from harness import processes

POLLY = ("-O3", "-fno-math-errno", "-mllvm", "-polly", "-mllvm", "-polly-parallel")

HEAD = """#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

struct Call {
  void *const *containers;
  const size_t (*extents)[4];
  const double *numbers;
};
"""
FUNCTION = re.compile(r"__codelet\s+void (\w+)\(([^)]*)\)\s*\{(.*)\n\}", re.S)
CONTAINER = re.compile(r"(const )?Array<(\d), ([\w ]+)> (\w+)")


def function(row: Row) -> str:
    """The C of a row's program; ValueError where it is none of these."""
    source = re.sub(r"//.*", "", row.source.read_text())
    found = FUNCTION.search(source)
    if not found or "constexpr" in source or "float4" in source:
        raise ValueError(f"{row.key}: no loop of numbers alone")
    name, parameters, body = found.groups()
    body = re.sub(r"^ *require\(.*?\);\n", "", body, flags=re.S | re.M)
    body = re.sub(r"(\w+)\.size\((\d?)\)", lambda match: f"{match[1]}_{match[2] or 0}", body)
    body = body.replace("unsigned", "long")
    sizes, numbers, arrays, passed_sizes, passed_numbers, passed_arrays = [], [], [], [], [], []
    for parameter in re.split(r",\s*(?![^<]*>)", " ".join(parameters.split())):
        container = CONTAINER.fullmatch(parameter)
        if not container:
            passed_numbers.append(f"call->numbers[{len(numbers)}]")
            numbers.append(parameter.replace("unsigned", "long"))
            continue
        constant, rank, element, array = container.groups()
        number = len(arrays)
        extents = [f"{array}_{d}" for d in range(int(rank))]
        sizes += [f"long {extent}" for extent in extents]
        passed_sizes += [f"call->extents[{number}][{d}]" for d in range(int(rank))]
        inner = "".join(f"[{extent}]" for extent in extents[1:])
        pointer = f"(*restrict {array}){inner}" if inner else f"*restrict {array}"
        arrays.append(f"{constant or ''}{element} {pointer}")
        passed_arrays.append(f"call->containers[{number}]")
    return (f"static void {name}_loop({', '.join(sizes + numbers + arrays)}) {{{body}\n}}\n\n"
            f"void {name}(const struct Call *call) {{\n"
            f"  {name}_loop({', '.join(passed_sizes + passed_numbers + passed_arrays)});\n}}\n")


def build_polly(rows: list[Row], library: pathlib.Path, clang: str, processor: str) -> list[str]:
    """A library of those that Polly takes; each is compiled by itself, since one that makes the compiler crash (`correlation` that
    of LLVM 19) would take the others with it. What was left out is said."""
    left_out = []
    with tempfile.TemporaryDirectory() as name:
        units = []
        for row in rows:
            unit = pathlib.Path(name) / row.spectrum
            unit.with_suffix(".c").write_text(HEAD + "\n" + function(row))
            try:
                processes.output([clang, *POLLY, f"-march={processor}", "-fPIC", "-c", f"{unit}.c", "-o", f"{unit}.o"], limit_s=120)
                units.append(f"{unit}.o")
            except processes.Failed:
                left_out.append(row.key)
        processes.output(["cc", "-shared", *units, "-o", str(library), "-lgomp", "-lm"])
    return left_out
