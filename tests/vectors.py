"""Vectors as elements (tests/codelets/vectors.cpp, vector_places.cpp, and templates of the library): plans of each spectrum,
verified at awkward sizes.
"""

from pipeline import Pipeline, Tally

SIZES = "0,1,7,1000"
BOXES = "0,1,7,40"
# source: {spectrum: sizes}
SPECTRUMS = {
    "tests/codelets/vectors.cpp": {
        "total<float4>": SIZES, "total<int2>": SIZES, "total<double3>": SIZES, "move": SIZES, "shift": SIZES,
        "smooth": SIZES, "multiply": BOXES},
    "tests/codelets/vector_places.cpp": {
        "flip": SIZES, "scale": BOXES, "mix": SIZES, "steps": SIZES, "blur": BOXES, "count": SIZES},
    "codelets/reduce.cpp": {"reduce<float4,plus<float4>,zero<float4>>": SIZES},
    "codelets/transpose.cpp": {"transpose<float4>": BOXES},
    "codelets/stencil.cpp": {"jacobi<float2>": BOXES},
    "codelets/gemm.cpp": {"gemm<float2>": "0,1,7,20"},
}
MODELS = {"openmp": ["simple-cpu", "cpu"], "opencl": ["simple-gpu", "pocl"]}
PLANS = 12  # of each spectrum and model
FEW_PLANS = 4  # of those that are not of the first source


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    tally = Tally(test)
    for number, (source, spectrums) in enumerate(SPECTRUMS.items()):
        for model in MODELS[target]:
            for spectrum, sizes in spectrums.items():
                instance = ["--instantiate", spectrum] if source.startswith("codelets/") else []
                bundles = test.synth(source, spectrum, model, target, f"{number}-{model}-{spectrum}",
                                     "--plan", "all", "--strategy", "all",
                                     "--limit", str(PLANS if number == 0 else FEW_PLANS), *instance)
                test.check(bundles, f"no plan of {spectrum} on {model}")
                tally.add(test.verify(bundles, "--size", sizes))
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= 250, f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
