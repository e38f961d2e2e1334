"""Parts of given sizes (tests/codelets/chunks.cpp): plans of each spectrum, on machines whose blocks
and threads take the parts in turns, verified; none of them refused for a temporary of unknown size.
"""

from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/chunks.cpp"
SIZES = {"sum": "0,1,7,100,1003", "deep": "0,1,99,100,101,1003", "add": "0,1,7,1003",
         "gemm": "1,3,9,20", "turn": "1,9,33"}
MODELS = {"openmp": ["simple-cpu", "cpu"], "opencl": ["simple-gpu", "pocl"]}
PLANS = 12  # of each spectrum and model


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.target == "opencl":
        test.need_opencl()
    tally = Tally(test)
    for model in MODELS[test.arguments.target]:
        for spectrum, sizes in SIZES.items():
            bundles = test.synth(SOURCE, spectrum, model, test.arguments.target,
                                 f"{spectrum}-{model}", "--plan", "all", "--strategy", "all",
                                 "--limit", str(PLANS))
            test.check(bundles, f"no plan of {spectrum} on {model}")
            tally.add(test.verify(bundles, "--size", sizes))
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= 200, f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
