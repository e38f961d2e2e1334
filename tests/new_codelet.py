"""Spectrums that the project has never seen go through the whole pipeline.

Each is written to a temporary folder, checked, composed and verified on both targets: nothing in
the commands knows their names. The sources are in tests/codelets/; float and double versions are
made from codelets/sum.cpp.
"""

import array
import json
import pathlib
import random
import re
import struct

from library import EVERYTHING
from pipeline import Pipeline, Tally

SIZES = "0,1,2,7,33,255,257,1000,65537"
CODELETS = pathlib.Path("tests/codelets")
MACHINES = ["simple-cpu", "cpu", "simple-gpu"] if EVERYTHING else ["cpu"]


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def synth_some(test, source, spectrum, model, target, limit):
    return test.synth(source, spectrum, model, target, f"{spectrum}-{source.stem}-{model}",
                      "--plan", "all", "--strategy", "all", "--iterations", "4",
                      "--limit", limit if EVERYTHING else max(4, limit // 3))


def verify_everywhere(test, source, spectrum, limit, *options):
    """Some plans of every machine; all of them must be right at some size."""
    target = test.arguments.target
    tally = Tally(test)
    plans = set()
    for model in MACHINES:
        bundles = synth_some(test, source, spectrum, model, target, limit)
        plans |= {bundle.name for bundle in bundles}
        tally.add(test.verify(bundles, *(options or ("--size", SIZES))))
    print(f"{source.name} {target}: {len(plans)} plans, {tally.text()}", flush=True)
    test.equal(plans - tally.verified, set(), f"plans of {spectrum} that were never right")


def copied(test, name):
    """A source of tests/codelets in the scratch folder."""
    path = test.scratch / name
    path.write_text((CODELETS / name).read_text())
    return path


def new_spectrums(test):
    maximum = copied(test, "maximum.cpp")
    done = test.expect("tangram", "check", maximum)
    test.equal(done.err, "", "check of maximum.cpp has nothing to say")
    for tag in ("tree  cooperative", "tiled  compound", "strided  compound"):
        test.check(f"  {tag}" in done.out, f"check does not list '{tag}':\n{done.out}")
    rules = json.loads(test.expect("tangram", "rules", maximum, "--hw", "simple-gpu",
                                   "--format", "json").out)["rules"]
    test.equal([f"{rule['level']}{rule['number']}" for rule in rules],
               ["G1", "G4", "G5", "B1", "B3", "B4", "B5", "T2"], "rules of maximum")
    verify_everywhere(test, maximum, "maximum", 24)

    verify_everywhere(test, copied(test, "sum_of_squares.cpp"), "sum_of_squares", 8)
    verify_everywhere(test, copied(test, "count_zeros.cpp"), "count_zeros", 8)
    # Borders that no element passes, some pass, and all pass.
    position = copied(test, "position.cpp")
    for border in (-2000, -990, 2000):
        verify_everywhere(test, position, "position", 4, "--size", SIZES, "--input",
                          f"border={border}")


def data_dependent(test):
    """Rows of many lengths, empty ones included, and what is random instead of rows."""
    source = copied(test, "sum_of_rows.cpp")
    random.seed(1)
    ends = [0]
    for _ in range(500):
        ends.append(ends[-1] + random.choice([0, 0, 1, 2, 3, 31, 100]))
    rows = test.scratch / "rows.npy"
    write_npy(rows, "<u4", array.array("I", ends))
    verify_everywhere(test, source, "sum_of_rows", 8, "--input", f"rows={rows}",
                      "--size", f"values={ends[-1]},0,7")
    verify_everywhere(test, source, "sum_of_rows", 8, "--size", "rows=0,1,2,33", "--size",
                      "values=0,1,1000")


def floating(test):
    for name in ("float", "double"):
        source = test.scratch / f"sum_{name}.cpp"
        text = pathlib.Path("codelets/sum.cpp").read_text()
        source.write_text(re.sub(r"\bint\b", name, text))
        verify_everywhere(test, source, "sum", 30 if name == "float" else 10)
    order_is_kept(test)


def order_is_kept(test):
    """Without the codelets that reorder, a float sum is the sequential one, bit by bit."""
    random.seed(7)
    values = array.array("f", (random.uniform(-1000, 1000) for _ in range(30011)))
    total = 0.0
    for value in values:
        # A sum of two floats in double precision, rounded to float, is their float sum.
        total = struct.unpack("<f", struct.pack("<f", total + value))[0]
    data, saved = test.scratch / "in.npy", test.scratch / "result.npy"
    write_npy(data, "<f4", values)

    target = test.arguments.target
    for model in MACHINES:
        bundle, = test.synth(test.scratch / "sum_float.cpp", "sum", model, target,
                             f"sequential-{model}", "--without", "kog,asso_tiled,stride_tiled",
                             "--iterations", "5")
        runs = test.verify([bundle], "--input", f"in={data}", "--output", f"result={saved}")
        test.equal([run["status"] for run in runs], ["verified"], f"sequential sum on {model}")
        test.equal(saved.read_bytes()[-4:], struct.pack("<f", total),
                   f"bits of the sequential float sum on {model}, {target}")
        saved.unlink()


def write_npy(path, dtype, values, shape=None):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape or (len(values),)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + values.tobytes())


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.target == "opencl":
        test.need_opencl()
    new_spectrums(test)
    data_dependent(test)
    floating(test)
    test.finish()


if __name__ == "__main__":
    main()
