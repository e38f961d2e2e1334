"""Meanings that are easy to get wrong (tests/codelets/meanings.cpp): all plans within a bound."""

from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/meanings.cpp"
SPECTRUMS = ("fibonacci_like", "add_all", "views", "greatest")
MODELS = (("simple-cpu", "openmp"), ("cpu", "openmp"), ("simple-gpu", "opencl"))


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.target == "opencl":
        test.need_opencl()
    tally = Tally(test)
    for model, target in MODELS:
        if target != test.arguments.target:
            continue
        for spectrum in SPECTRUMS:
            bundles = test.synth(SOURCE, spectrum, model, target, f"{spectrum}-{model}",
                                 "--plan", "all", "--limit", "20")
            tally.add(test.verify(bundles, "--size", "1,7,33"))
    test.check(tally.counts.get("verified", 0) >= 50, f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
