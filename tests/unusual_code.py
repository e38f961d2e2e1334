"""Plans of codelets with code that never runs, with loops in loops that have one name, and of one that gives a bool: what is emitted compiles without
warnings by GCC, Clang and PoCL's compiler, where these are installed, and is right. In the gate each codelet on every second model in turn."""

import json
import shutil
import subprocess

from library import EVERYTHING, sample
from pipeline import Pipeline

# Each of these codelets alone, beside the first one.
NEVER = ["empty_ranges", "behind_jumps", "empty_branches", "lanes", "empty_map"]
FEW, MORE = ("4", "6") if EVERYTHING else ("2", "3")  # plans
# source, spectrum, sizes, options of planning
CASES = [
    *(("never", "never", ["--size", "0,1,9"], ["--limit", FEW, "--without", ",".join(t for t in NEVER if t != tag)])
      for tag in NEVER),
    ("shadows", "column_sums", ["--size", "x=34x34", "--set", "p=1"],
     ["--strategy", "all", "--iterations", "5", "--limit", MORE, "--without", "a_column_a_lane,column_chunks"]),
    ("shadows", "column_sums", ["--size", "x=5x37"], ["--limit", MORE]),
    ("answers", "any_above", ["--size", "0,1,9"], ["--limit", FEW]),
]
PLACES = [("cpu", "openmp"), ("simple-cpu", "openmp"), ("pocl", "opencl"), ("microcontroller", "c")]
C_COMPILERS = [["gcc", "-std=c17", "-O2", "-fopenmp"], ["clang-19", "-std=c17", "-O2", "-fopenmp=libgomp"]]
OPENCL_COMPILER = ["clang-19", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-fsyntax-only"]
STRICT = ["-Wall", "-Wextra", "-Werror"]


def compiles(test, compiler, source, output=True):
    if not shutil.which(compiler[0]):
        return
    command = [*compiler, *STRICT, *(["-c", "-o", test.scratch / "object.o"] if output else []), source]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    test.check(done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stderr[:2000]}\n{source.read_text()}")


def judge(test, number, case, model, target):
    name, spectrum, sizes, planning = case
    bundles = test.synth(f"tests/codelets/{name}.cpp", spectrum, model, target, f"{name}-{number}-{model}-{target}",
                         "--plan", "all", *planning)
    for bundle in bundles:
        if target == "openmp":
            for compiler in C_COMPILERS:
                compiles(test, compiler, bundle / f"{spectrum}.c")
        elif target == "c":
            compiles(test, ["gcc", "-std=c99", "-O2"], bundle / f"{spectrum}.c")
        else:
            compiles(test, OPENCL_COMPILER, bundle / f"{spectrum}.cl", output=False)
    for run in test.verify(bundles, *sizes):
        test.check(run["status"] in ("verified", "refused"), f"{name} on {model}: {json.dumps(run)[:600]}")


def main():
    test = Pipeline(__doc__)
    places = [place for place in PLACES if place[1] != "opencl" or test.opencl_devices()]
    for number, case in enumerate(CASES):
        for model, target in sample(places, 2, number):
            if target == "c" and case[0] != "answers":
                continue
            judge(test, number, case, model, target)
    test.finish()


main()
