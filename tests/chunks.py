"""Parts of given sizes (tests/codelets/chunks.cpp): plans of each spectrum, on machines whose blocks
and threads take the parts in turns, verified; none of them refused for a temporary of unknown size.
"""

from library import EVERYTHING
from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/chunks.cpp"
SIZES = {"sum": "0,1,7,100,1003", "deep": "0,1,99,100,101,1003", "add": "0,1,7,1003",
         "gemm": "1,3,9,20", "turn": "1,9,33"}
MODELS = {"openmp": ["simple-cpu", "cpu"], "opencl": ["simple-gpu", "pocl"]}
PLANS = 12 if EVERYTHING else 3  # of each spectrum and model
# Parts shared out twice, each with a container of its own.
SPLIT_TWICE = {"cpu": "S_P, regroup(next_chunks, P), split(P), distribute(T), split(T), distribute(V), "
                      "distribute(I), select(next_aside, I), ...",
               "gpu": "S_G, regroup(next_chunks, G), split(G), distribute(B), split(B), distribute(T), "
                      "distribute(I), select(next_aside, I), ..."}


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
    model = "cpu" if test.arguments.target == "openmp" else "gpu"
    bundles = test.synth(SOURCE, "next", model, test.arguments.target, "split-twice", "--map-rules",
                         "split,distribute", "--plan", SPLIT_TWICE[model])
    test.check(bundles, f"a container in parts that were shared out twice is refused on {model}")
    tally.add(test.verify(bundles, "--size", "0,1,7,100,1003"))
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= (200 if EVERYTHING else 50), f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
