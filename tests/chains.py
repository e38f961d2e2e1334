"""Chains that are distributed (tests/codelets/chains.cpp): plans of each spectrum, with fewer and
with more elements than workers, verified; one of them many times over, for races and for waits that
do not end (ctest's timeout).
"""

from library import EVERYTHING, manifest_of, sample
from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/chains.cpp"
SPECTRUMS = ("digits", "scan<int>", "scan<float>", "scan<double>", "scan<long>", "scan<short>",
             "both", "history")
MODELS = {"openmp": ["simple-cpu", "cpu"], "opencl": ["simple-gpu", "pocl"]}
PLANS = 3 if EVERYTHING else 2  # of each spectrum and model
AGAIN = 200  # runs of one plan, of as many sizes


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def hands_over(bundle):
    """Whether a chain is distributed in the plan: its elements wait for flags, or look at states."""
    return any(buffer["name"].startswith(("flags", "states"))
               for buffer in manifest_of(bundle)["buffers"])


def distributed(test, spectrum, model, target):
    """Plans whose chain is distributed."""
    name = "".join(c if c.isalnum() else "_" for c in spectrum)
    bundles = test.synth(SOURCE, spectrum, model, target, f"{name}-{model}", "--plan", "all",
                         "--strategy", "all", "--limit", "40" if EVERYTHING else "16")
    bundles = [bundle for bundle in bundles if hands_over(bundle)]
    test.check(bundles, f"no plan of {spectrum} on {model} distributes a chain")
    return bundles


def workers(bundles, number):
    """As many for every map of the plans."""
    names = {tunable["name"] for bundle in bundles for tunable in manifest_of(bundle)["tunables"]
             if tunable["kind"] == "launch"}
    return [word for name in sorted(names) for word in ("--set", f"{name}={number}")]


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.target == "opencl":
        test.need_opencl()
    target = test.arguments.target
    tally = Tally(test)
    for number, model in enumerate(MODELS[target]):
        for spectrum in sample(SPECTRUMS, 2, number):
            bundles = distributed(test, spectrum, model, target)[:PLANS]
            for number, sizes in ((1, "1,37"), (3, "0,2,37"), (64, "1,130")):
                tally.add(test.verify(bundles, "--size", sizes, *workers(bundles, number)))
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= (250 if EVERYTHING else 80), f"too few runs: {tally.counts}")

    again = Tally(test)
    bundles = distributed(test, "both", MODELS[target][0], target)[:1]
    again.add(test.verify(bundles, "--size", ",".join(map(str, range(900, 900 + AGAIN))),
                          *workers(bundles, 16)))
    print(f"one plan again: {again.text()}")
    test.equal(again.counts, {"verified": AGAIN}, "runs of one plan")
    test.finish()


if __name__ == "__main__":
    main()
