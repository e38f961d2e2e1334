"""Products over other operators (tests/codelets/products.cpp): the first plan of each on two models, verified; they go
by vectors, and read what their groups share from copies, as matrix products do.
"""

import re

from library import EVERYTHING, sample
from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/products.cpp"
ROWS = ("distances", "farthest", "apart")  # of b, and not its columns, take part
SPECTRUMS = ("multiply", "shorter", "neighbours", "bytes", "both", "shorter_via", *ROWS)
# Rows of a, of b, columns of a.
SHAPES = ((1, 1, 1), (5, 7, 0), (64, 64, 64), (150, 131, 257))
MODELS = {"openmp": ("cpu", "simple-cpu"), "opencl": ("simple-gpu", "h200")}
VECTOR = {"multiply": r"\+= a.* \* \*\(float16 \*\)&", "shorter": r"select_float16\(", "farthest": r"select_float16\(",
          "apart": r"select_float16\(", "shorter_via": r"select_int16\(.*via_tile",
          "both": r"c_tile\[.* \+= a.* \* \*\(float16 \*\)&.*d_tile\[.* \+= a", "distances": r"\+= \(a.* - \*\(float16 \*\)&"}


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def kernels(bundle):
    return "".join(path.read_text() for path in sorted(bundle.iterdir()) if path.suffix in (".c", ".cl"))


def check_kernels(test, spectrum, text):
    if test.arguments.target == "opencl":
        test.check("__local" in text and "SUM_STEP" in text, f"nothing of {spectrum} is staged: {text}")
    elif spectrum in VECTOR:
        test.check(re.search(VECTOR[spectrum], " ".join(text.split())), f"no vectors of {spectrum}: {text}")


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    tally = Tally(test)
    for number, model in enumerate(MODELS[target]):
        for spectrum in sample(SPECTRUMS, 2, number):
            bundles = test.synth(SOURCE, spectrum, model, target, f"{spectrum}-{model}")
            test.check(bundles, f"no plan of {spectrum} on {model}")
            if model == MODELS[target][-1 if target == "opencl" else 0]:
                check_kernels(test, spectrum, kernels(bundles[0]))
            for rows, others, columns in SHAPES:
                b = f"{others}x{columns}" if spectrum in ROWS else f"{columns}x{others}"
                tally.add(test.verify(bundles, "--size", f"a={rows}x{columns}", "--size", f"b={b}"))
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= (40 if EVERYTHING else 20), f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
