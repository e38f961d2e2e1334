"""Vectors as elements (tests/codelets/vectors.cpp): plans of each spectrum, verified at awkward sizes; and every codelet
agrees with the first one of its spectrum.
"""

from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/vectors.cpp"
SIZES = "0,1,7,1000"
SPECTRUMS = {"total<float4>": SIZES, "total<int2>": SIZES, "total<double3>": SIZES, "move": SIZES,
             "shift": SIZES, "smooth": SIZES, "multiply": "0,1,7,40"}
MODELS = {"openmp": ["simple-cpu", "cpu"], "opencl": ["simple-gpu", "pocl"]}
PLANS = 12  # of each spectrum and model


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    tally = Tally(test)
    for model in MODELS[target]:
        for number, (spectrum, sizes) in enumerate(SPECTRUMS.items()):
            bundles = test.synth(SOURCE, spectrum, model, target, f"{number}-{model}", "--plan", "all",
                                 "--strategy", "all", "--limit", str(PLANS))
            test.check(bundles, f"no plan of {spectrum} on {model}")
            tally.add(test.verify(bundles, "--size", sizes))
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= 250, f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
