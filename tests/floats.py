"""Floating point in the reference: plans that are right are called right, however often they round
and whatever they decide by a value, and a result that is off by little is called wrong.

    python3 tests/floats.py --tangram build/tangram --tangram-run build/tangram-run --target openmp
"""

import re

from library import EVERYTHING
from pipeline import Pipeline, describe

SOURCE = "tests/codelets/floats.cpp"
MODELS = {"openmp": "cpu", "opencl": "simple-gpu"}
# A constant of the generated source, and a slightly different one. A result changes by 1e-3 at
# most.
# Constants of plans, in their own numbers and in wider ones, and what stands there instead.
BITES = [("grow", r"1\.001\d*", "1.0010005"), ("grown_sum", r"1\.001\d*", "1.00101"),
         ("halved_sum", r"0\.93\d*", "0.9302"), ("decide", r"7\.69\d*", "7.7003")]


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    bundles = {}
    for spectrum in ["grow", "grown_sum", "halved_sum", "decide", "gather", "near"]:
        model = MODELS[target]
        if spectrum == "gather" and target == "opencl":
            model = "k20c"  # simple-gpu adds integers only
        sizes = ["--size", "in=0,1,7,1000,20011"]
        if spectrum == "gather":
            sizes += ["--size", "out=5"]
        bundles[spectrum] = test.synth(SOURCE, spectrum, model, target, spectrum, "--plan", "all",
                                       "--limit", "4" if EVERYTHING else "2")
        runs = test.verify(bundles[spectrum], *sizes)
        for run in runs:
            test.check(run["status"] == "verified", f"{spectrum}: {describe(run)}")
        print(f"{spectrum} {target}: {len(bundles[spectrum])} plans, {len(runs)} runs", flush=True)
    for spectrum, before, after in BITES:
        for bundle in bundles[spectrum][:1]:
            changed = False
            for file in [*bundle.iterdir(), *bundle.glob("wide/*")]:
                if file.suffix in (".c", ".cl") and file.name != "reference.c":
                    text = file.read_text()
                    changed |= bool(re.search(before, text))
                    file.write_text(re.sub(before, after, text))
            test.check(changed, f"{spectrum}: there is no {before}")
            for run in test.verify([bundle], "--size", "in=1000"):
                test.check(run["status"] == "wrong", f"{spectrum} with {after}: {describe(run)}")
    test.finish()


if __name__ == "__main__":
    main()
