"""Local containers that are copied into parts of others (tests/codelets/placed_results.cpp): plans of each spectrum
verified and interpreted (in the gate on one of two models), with the containers where they are copied to and with copies. What that saves in memory
`tangram-run time` says.
"""

import re

from library import EVERYTHING, sample
from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/placed_results.cpp"
SIZES = {"both": ["in=0,1,7,1000"], "nested": ["in=0,1,7,1000"], "exchanged": ["out=0,1,2,7,1000"],
         "by_rows": ["in=0x3,1x1,7x5,20x1000"], "doubled": ["out=0,1,7,1000"], "stored": ["in=0,1,7,1000"]}
SMALL = {"by_rows": "in=3x5"}
PLACED = {"both", "nested", "by_rows", "stored"}  # no plan of them keeps an array apart
# Of two arrays that rounds swap, one is the output where the host goes round itself.
ROUNDS = ("codelets/rounds.cpp", "heat_steps<int>", 3)
MODELS = {"openmp": ["simple-cpu", "cpu"], "opencl": ["simple-gpu", "pocl"]}
PLANS = 12 if EVERYTHING else 2  # of each spectrum and model
STEP = "results-in-place"


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def memory(test, bundle, sizes, *options):
    """Bytes of temporaries at the last of these sizes."""
    run = test.verify([bundle], "--size", sizes, "--repeat", "1", "--warmup", "0", *options, verb="time")[-1]
    test.check(run["memory"]["high_water"] == run["memory"]["arguments"] + run["memory"]["temporaries"],
               f"memory of {bundle}: {run['memory']}")
    return run["memory"]["temporaries"]


def interpreted(test, spectrum, model):
    done = test.run("tangram", "interpret", SOURCE, "--spectrum", spectrum, "--hw", model, "--target",
                    test.arguments.target, "--plan", "all", "--limit", str(min(PLANS, 4)), "--size", SMALL.get(spectrum, "0,1,9"))
    found = re.search(r"(\d+) plans?: (\d+) right, 0 not, 0 refused", done.out)
    test.check(done.status == 0 and found and found[1] == found[2],
               f"{spectrum} on {model} interpreted:\n{done.out}{done.err}")


def exchanged(test, model, tally):
    """Rounds that end in the output, of any number."""
    source, spectrum, plans = ROUNDS
    bundles = test.synth(source, spectrum, model, "openmp", f"rounds-{model}", "--plan", "all", "--strategy", "all",
                         "--limit", str(plans))
    for steps in (0, 1, 2, 5, 8, 11) if EVERYTHING else (0, 1, 8):
        tally.add(test.verify(bundles, "--size", "in=0,1,7,1000", "--input", f"steps={steps}", "--input", "c=1"))
    best = test.synth(source, spectrum, model, "openmp", f"best-{model}", "--without", "heat_steps#1")
    saved = memory(test, best[0], "in=1000", "--input", "steps=3", "--input", "c=1")
    test.equal(saved, 4000, f"bytes of temporaries of {spectrum} on {model}")


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    tally = Tally(test)
    for model in MODELS[target]:
        if target == "openmp":
            exchanged(test, model, tally)
        for spectrum, sizes in sample(SIZES.items(), len(MODELS[target]), MODELS[target].index(model)):
            options = ["--plan", "all", "--strategy", "all", "--limit", str(PLANS)]
            placed = test.synth(SOURCE, spectrum, model, target, f"{spectrum}-{model}", *options)
            copied = test.synth(SOURCE, spectrum, model, target, f"{spectrum}-{model}-copied", *options,
                                "--without-pass", STEP)
            test.check(placed and copied, f"no plan of {spectrum} on {model}")
            tally.add(test.verify(placed, *(word for each in sizes for word in ("--size", each))))
            tally.add(test.verify(copied[:PLANS // 2 if PLANS < 4 else 2], *(word for each in sizes for word in ("--size", each))))
            interpreted(test, spectrum, model)
            if spectrum in PLACED:
                aside = [bundle.name for bundle in placed if memory(test, bundle, sizes[0]) > 0]
                test.check(not aside, f"{spectrum} on {model}: memory aside in {aside}")
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= (200 if EVERYTHING else 40), f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
