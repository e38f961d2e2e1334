"""Rules, plans and generated code are what they were: compares them with tests/golden/.

    python3 tests/golden.py --tangram build/tangram            compare
    python3 tests/golden.py --tangram build/tangram --update   write what is there now

Look at the difference before committing an update: generated code is a product, read by people.
"""

import argparse
import difflib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from library import SPECTRUMS, VARIANTS

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = pathlib.Path("tests/golden")
SOURCE = "codelets/sum.cpp"
SUM = [SOURCE, "--spectrum", "sum"]
OPENMP_FILES = ["sum.c", "sum.h", "entry.c", "reference.c", "example.c", "manifest.json"]
OPENCL_FILES = ["sum.cl", "sum_host.c", "sum.h", "example.c", "manifest.json"]

PRINTED = {
    "rules.txt": ["rules", SOURCE],
    "rules.json": ["rules", SOURCE, "--format", "json"],
    "rules-simple-cpu.txt": ["rules", SOURCE, "--hw", "simple-cpu", "--why"],
    "rules-simple-cpu.json": ["rules", SOURCE, "--hw", "simple-cpu", "--format", "json"],
    "rules-simple-gpu.txt": ["rules", SOURCE, "--hw", "simple-gpu", "--why"],
    "rules-simple-gpu.json": ["rules", SOURCE, "--hw", "simple-gpu", "--format", "json"],
    "rules-cpu.txt": ["rules", SOURCE, "--hw", "cpu"],
    "check.txt": ["check", SOURCE],
    "plans-simple-cpu.txt": ["plans", *SUM, "--hw", "simple-cpu", "--derivation"],
    "plans-simple-cpu.json": ["plans", *SUM, "--hw", "simple-cpu", "--format", "json"],
    "plans-simple-cpu.dot": ["plans", *SUM, "--hw", "simple-cpu", "--format", "dot"],
    "plans-simple-gpu.json": ["plans", *SUM, "--hw", "simple-gpu", "--limit", "20",
                              "--format", "json"],
    "plans-simple-gpu.dot": ["plans", *SUM, "--hw", "simple-gpu", "--format", "dot"],
    "plans-simple-gpu-block.json": ["plans", *SUM, "--hw", "simple-gpu", "--level", "B",
                                    "--format", "json"],
}

# name of the folder: model, target, what chooses the plan
GENERATED = {
    "simple-cpu-openmp": ("simple-cpu", "openmp", []),
    "simple-cpu-opencl": ("simple-cpu", "opencl", []),
    "simple-gpu-openmp": ("simple-gpu", "openmp", []),
    "simple-gpu-opencl": ("simple-gpu", "opencl", []),
    "cpu-openmp": ("cpu", "openmp", []),
    "cpu-opencl": ("cpu", "opencl", []),
    "h200-opencl": ("h200", "opencl", []),
    # The cooperative codelet on the block at once: it states how large the input may be.
    "kog-on-block-opencl": ("simple-gpu", "opencl", {"steps": "S_G, devolve(B), compute(kog, VE_B)"}),
    "kog-on-block-openmp": ("simple-gpu", "openmp", {"steps": "S_G, devolve(B), compute(kog, VE_B)"}),
    "serialize-openmp": ("cpu", "openmp", {"has": "serialize("}),
    "serialize-opencl": ("cpu", "opencl", {"has": "serialize("}),
    "split-openmp": ("cpu", "openmp", {"has": "split("}),
    "split-opencl": ("cpu", "opencl", {"has": "split("}),
}

# name of the folder below library/: file, spectrum, model, target, options
LIBRARY = {f"{spectrum.translate({60: '-', 62: None})}-{target}":
           (file, spectrum, model, target, [])
           for file, spectrum in SPECTRUMS + VARIANTS
           for model, target in [("cpu", "openmp"), ("simple-gpu", "opencl")]}
LIBRARY |= {f"{file}-two-dimensions-opencl": (file, spectrum, "pocl", "opencl", ["--dims", "2"])
            for file, spectrum in SPECTRUMS if spectrum in ("gemm<float>", "transpose<int>")}
# Counts in several copies.
LIBRARY["histogram-copies-openmp"] = ("histogram", "histogram", "cpu", "openmp", ["--without", "count_lanes"])
# Windows of larger matrices; sums in the order of the loop.
LIBRARY |= {f"{name}-{target}": (file, spectrum, model, target, [])
            for name, file, spectrum in (("gemm_window-float", "gemm", "gemm_window<float>"),
                                         ("ordered_gemv-float", "ordered", "ordered_gemv<float>"))
            for model, target in (("cpu", "openmp"), ("simple-gpu", "opencl"))}
LIBRARY["ordered_dot-opencl"] = ("ordered", "ordered_dot<float>", "h200", "opencl", ["--without", "ordered_on#1"])
# Hosts that go round.
LIBRARY |= {f"{name}-{target}": ("rounds", spectrum, model, target, [])
            for name, spectrum in (("heat_steps-float", "heat_steps<float>"), ("smooth-int", "smooth<int>"))
            for model, target in (("cpu", "openmp"), ("simple-gpu", "opencl"))}
# The "sliding" scan of dissertation 8.2.1: a chain whose elements are distributed.
LIBRARY |= {f"sliding_scan-{target}": ("scan", "scan<int>", model, target, [
                "--without", "scan#1", "--without", "scan_scan_add", "--without", "from_zero",
                "--without", "scan_on#1", "--without", "scan_then_total",
                "--without", "by_parts"])
            for model, target in (("simple-cpu", "openmp"), ("simple-gpu", "opencl"))}
# Its groups look back over their predecessors, items hold their parts.
LIBRARY["look_back-opencl"] = ("scan", "scan<int>", "h200", "opencl", [])
# Items carry rows of planes from round to round.
LIBRARY["jacobi13-float-opencl"] = ("jacobi13", "jacobi13<float>", "h200", "opencl",
                                     ["--strategy", "predict"])
# They carry blurred rows.
LIBRARY["gaussian-float-opencl"] = ("gaussian", "gaussian<float>", "h200", "opencl",
                                     ["--strategy", "predict"])
# Groups copy tiles with halos by vectors.
LIBRARY["jacobi9-float-opencl"] = ("nine", "jacobi9<float>", "h200", "opencl",
                                     ["--strategy", "predict"])

# A library of several plans: name of the folder below versions/: file, spectrum, model, target.
VERSIONS = {"gemv-openmp": ("gemv", "gemv<float>", "cpu", "openmp"),
            "gemv-opencl": ("gemv", "gemv<float>", "pocl", "opencl")}


def tangram(command, arguments):
    """What `tangram` prints; another status than 0 ends the test."""
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"tangram {' '.join(map(str, arguments))}\nended with status {done.returncode}:\n"
                 f"{done.stderr}")
    return done.stdout


def plan_options(command, model, target, choice):
    """The options of `synth` for the first plan that a choice names; [] is the first in rank."""
    if not choice:
        return ["--strategy", "thesis"]
    bound = ["--strategy", "all", "--iterations", "3"]
    listed = json.loads(tangram(command, ["plans", *SUM, "--hw", model, "--target", target,
                                          "--format", "json", *bound]))
    for plan in listed["plans"]:
        notation = ", ".join(plan["steps"])
        if notation == choice.get("steps") or choice.get("has", "?") in notation:
            return ["--plan", plan["id"], *bound]
    sys.exit(f"{model} has no plan with {choice}")


def make(command, scratch):
    """Everything that has a golden file: relative path -> text."""
    texts = {name: tangram(command, arguments) for name, arguments in PRINTED.items()}
    for name, (model, target, choice) in GENERATED.items():
        out = scratch / name
        tangram(command, ["synth", *SUM, "--hw", model, "--target", target, "-o", out,
                          *plan_options(command, model, target, choice)])
        for file in OPENMP_FILES if target == "openmp" else OPENCL_FILES:
            texts[f"{name}/{file}"] = (out / file).read_text()
    for name, (file, spectrum, model, target, options) in LIBRARY.items():
        out = scratch / "library" / name
        ranked = [] if "--strategy" in options else ["--strategy", "thesis"]
        tangram(command, ["synth", f"codelets/{file}.cpp", "--spectrum", spectrum, "--hw", model,
                          "--target", target, "-o", out, *ranked, *options])
        for path in [*out.glob("*.cl"), *out.glob("*.c")]:
            if path.name not in ("entry.c", "reference.c", "example.c"):
                texts[f"library/{name}/{path.name}"] = path.read_text()
    for name, (file, spectrum, model, target) in VERSIONS.items():
        out = scratch / "versions" / name
        tangram(command, ["synth", f"codelets/{file}.cpp", "--spectrum", spectrum, "--hw", model,
                          "--target", target, "-o", out, "--plans", "3"])
        for path in out.iterdir():
            if path.is_file():
                texts[f"versions/{name}/{path.name}"] = path.read_text()
    return texts


def update(texts):
    shutil.rmtree(GOLDEN, ignore_errors=True)
    for name, text in texts.items():
        path = GOLDEN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    print(f"{len(texts)} files written to {GOLDEN}")


def compare(texts):
    """Prints every difference; gives how many files differ."""
    different = 0
    stored = {str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*") if path.is_file()}
    for name in sorted(stored - texts.keys()):
        different += 1
        print(f"{GOLDEN / name}: nothing makes this file any more")
    for name, text in texts.items():
        path = GOLDEN / name
        if not path.exists():
            different += 1
            print(f"{path}: missing (write it with tests/golden.py --update)")
        elif path.read_text() != text:
            different += 1
            sys.stdout.writelines(difflib.unified_diff(
                path.read_text().splitlines(keepends=True), text.splitlines(keepends=True),
                str(path), "now"))
    print(f"{len(texts)} files compared, {different} differ")
    return different


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tangram", required=True, help="path of tangram")
    parser.add_argument("--update", action="store_true", help="write the golden files")
    arguments = parser.parse_args()
    command = os.path.abspath(arguments.tangram)
    os.chdir(ROOT)  # paths in what is printed are relative to the source root
    with tempfile.TemporaryDirectory(prefix="tangram-golden-") as scratch:
        texts = make(command, pathlib.Path(scratch))
    if arguments.update:
        update(texts)
        return
    sys.exit(1 if compare(texts) else 0)


if __name__ == "__main__":
    main()
