"""Vectors as elements (tests/codelets/vectors.cpp, vector_places.cpp, and templates of the library): plans of each spectrum,
verified at awkward sizes. And single elements that are read as vectors where sizes allow it. With
TANGRAM_TEST_EVERYTHING=1 more plans.
"""

from library import EVERYTHING, sample
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
PLANS = 12 if EVERYTHING else 2  # of each spectrum and model
# Sketches: source, spectrum, sketch, sizes of which some are such.
READ_AS_VECTORS = [
    ("codelets/gemv.cpp", "gemv<float>", "many_rows_by_vectors", "a=0x5,1x4,7x8,33x9,65x131,64x128"),
    ("codelets/gemv.cpp", "gemv<double>", "many_rows_by_vectors", "a=7x8,33x10,65x131"),
    ("codelets/dot.cpp", "dot<float>", "by_vectors", "0,1,3,4,1000,65537,1000003")]
FEW_PLANS = 4 if EVERYTHING else 1  # of those that are not of the first source


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    tally = Tally(test)
    for number, (source, spectrums) in enumerate(SPECTRUMS.items()):
        for turn, model in enumerate(MODELS[target]):
            for spectrum, sizes in sample(spectrums.items(), 2, number + turn):
                instance = ["--instantiate", spectrum] if source.startswith("codelets/") else []
                bundles = test.synth(source, spectrum, model, target, f"{number}-{model}-{spectrum}",
                                     "--plan", "all", "--strategy", "all",
                                     "--limit", str(PLANS if number == 0 else FEW_PLANS), *instance)
                test.check(bundles, f"no plan of {spectrum} on {model}")
                tally.add(test.verify(bundles, "--size", sizes))
    for source, spectrum, sketch, sizes in READ_AS_VECTORS if target == "opencl" else []:
        bundles = test.synth(source, spectrum, "pocl", target, f"{spectrum}-{sketch}", "--plan", sketch)
        test.check(bundles, f"no plan of {spectrum} by {sketch}")
        text = "".join(file.read_text() for bundle in bundles for file in bundle.glob("*.cl"))
        test.check("load_float4(" in text or "load_double2(" in text, f"{sketch} of {spectrum} reads no vectors")
        tally.add(test.verify(bundles, "--size", sizes))
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= (250 if EVERYTHING else 50), f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
