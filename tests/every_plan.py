"""Every plan of sum within a bound, for one model and target: equal to the reference, or refused.

All plans run with their defaults at all sizes. With several numbers of partitions every fourth one runs (with
TANGRAM_TEST_EVERYTHING=1 all of them), and settings that cost a compilation each (work-group sizes, lanes, chains) run on
a fixed part of the plans.
"""

from library import EVERYTHING
from pipeline import Pipeline, Tally

SIZES = "0,1,2,3,7,31,32,33,63,64,255,256,257,1000,65537,1000003"
SOME_SIZES = "0,1,7,33,255,1000,65537"
PARTED = 1 if EVERYTHING else 4  # of so many plans one runs with several numbers of partitions
EVERY = 5 if EVERYTHING else 40  # of so many plans one is compiled with other settings too

# What is asked of `tangram synth`. The plans of a bound come best first, and the best of a machine
# with many levels only distribute: loops and splits are asked for by name.
PLANS = {
    "simple-cpu": [["--iterations", "8", "--limit", "127"]],
    "simple-gpu": [["--iterations", "4", "--limit", "130"]],
    "cpu": [
        ["--iterations", "3", "--limit", "22"],
        ["--iterations", "4", "--limit", "60"],
        ["--iterations", "5", "--limit", "20", "--map-rules", "serialize"],
        ["--iterations", "5", "--limit", "20", "--map-rules", "split,distribute"],
    ],
}

LAUNCH = ["--set", "p=1,3,64", "--set", "p_2=1,5"]
COMPILED = {
    "simple-cpu": [],
    "simple-gpu": [["--set", "NUM_THREADS=32,96"], ["--set", "NUM_THREADS=1,7", "--set", "p=3"]],
    "cpu": [["--set", "NUM_LANES=1,7", "--set", "NUM_CHAINS=3"],
            ["--set", "NUM_LANES=33", "--set", "NUM_CHAINS=1", "--set", "p=3"]],
}


def more_arguments(parser):
    parser.add_argument("--model", required=True, choices=sorted(PLANS))
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def synthesize(test, model, target):
    """One bundle for every different plan of the lists."""
    bundles = {}
    for number, options in enumerate(PLANS[model]):
        for bundle in test.synth("codelets/sum.cpp", "sum", model, target, f"plans{number}",
                                 "--plan", "all", "--strategy", "all", *options):
            bundles.setdefault(bundle.name, bundle)
    return list(bundles.values())


def main():
    test = Pipeline(__doc__, more_arguments)
    model, target = test.arguments.model, test.arguments.target
    if target == "opencl":
        test.need_opencl()

    bundles = synthesize(test, model, target)
    test.check(len(bundles) >= 100, f"at least 100 plans are wanted, there are {len(bundles)}")
    tally = Tally(test)
    tally.add(test.verify(bundles, "--size", SIZES))
    defaults = tally.counts.get("verified", 0)
    tally.add(test.verify(bundles[::PARTED], "--size", SOME_SIZES, *LAUNCH))
    for settings in COMPILED[model]:
        tally.add(test.verify(bundles[::EVERY], "--size", SOME_SIZES, *settings))

    print(f"{model} {target}: {len(bundles)} plans, {tally.text()}")
    test.check(defaults >= len(bundles) * 8,
               f"with their defaults the plans served only {defaults} sizes: too many are refused")
    for bundle in bundles:
        test.check(bundle.name in tally.verified or bundle.name in tally.refused,
                   f"plan {bundle.name} was not run")
    test.finish()


if __name__ == "__main__":
    main()
