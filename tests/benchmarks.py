"""The benchmarks of LIFT, of Futhark and of stencils among the codelets, and some more: plans of each on several models
verified, some
interpreted, at sizes of which some are smaller than windows and paddings. With TANGRAM_TEST_EVERYTHING=1 all of them,
otherwise every ninth on one model in turn, two plans of each.

    python3 tests/benchmarks.py --tangram build/tangram --tangram-run build/tangram-run --target openmp \\
        [--spectrum NAME] [--plans N] [--models MODEL,...]
"""

import array
import re

from library import EVERYTHING, manifest_of
from new_codelet import write_npy
from pipeline import Pipeline, Tally

IMAGES = ["--size", "in=0x3,3x0,1x1,2x1,3x5,17x23"]
BOXES = ["--size", "in=0x2x3,1x1x1,3x2x7,5x6x11"]
COUNTS = ["--size", "0,1,2,33,1003"]
SCORES = ["--input", "same=3", "--input", "other=-1", "--input", "gap=-2"]
FLOWS = ["--input", "omega=0.8", "--input", "steps=3"]
GRIDS = [word for scalar in ("steps=3", "dt=0.002", "dx=0.1", "dy=0.1") for word in ("--input", scalar)]

# (file, spectrum): what is verified, what is interpreted, options of both.
BENCHMARKS = {
    ("convolution", "convolve<float,17>"): (["--size", "in=0x3,1x1,3x5,20x37"], ["--size", "in=0x3,3x5"]),
    ("convolution", "convolve<float,3>"): (IMAGES, ["--size", "in=0x3,7x9"]),
    ("convolution", "separable<float,17>"): (["--size", "in=0x3,1x1,3x5,20x37"], ["--size", "in=0x3,3x5"]),
    ("convolution", "separable<float,3>"): (IMAGES, ["--size", "in=0x3,7x9"]),
    ("gaussian", "gaussian<float>"): (IMAGES, ["--size", "in=0x3,7x9"]),
    ("nine", "gradient<float>"): (IMAGES, ["--size", "in=0x3,7x9"]),
    ("nine", "sobel<float>"): (IMAGES, ["--size", "in=0x3,7x9"]),
    ("nine", "jacobi9<float>"): (IMAGES, ["--size", "in=0x3,7x9"]),
    ("nine", "life<int>"): (IMAGES, ["--size", "in=0x3,7x9"]),
    ("hotspot", "hotspot<float>"): (IMAGES, ["--size", "in=0x3,7x9"]),
    ("hotspot", "hotspot3<float>"): (BOXES, ["--size", "in=1x1x1,2x3x4"]),
    ("srad", "srad<float>"): (IMAGES, ["--size", "in=0x3,7x9"]),
    ("jacobi13", "jacobi13<float>"): (BOXES, ["--size", "in=1x1x1,2x3x4"]),
    ("acoustics", "acoustics<float>"): (["--size", "open=0x2x3,1x1x1,3x2x7,5x6x11"], ["--size", "open=1x1x1,2x3x4"]),
    ("nbody", "nbody<float>"): (["--size", "bodies=4x0,4x1,4x2,4x33,4x130"], ["--size", "bodies=4x0,4x5"]),
    ("nbody", "nbody4"): (["--size", "bodies_size0=0,1,2,33,130"], ["--size", "bodies_size0=0,5"]),
    ("md", "md<double>"): (["--size", "places=3x0,3x1,3x33,3x130", "--size", "neighbours_size0=0,1,7"],
                           ["--size", "places=3x1,3x7", "--size", "neighbours_size0=2"]),
    ("mriq", "mriq<float>"): (["--size", "samples=4x0,4x1,4x33", "--size", "voxels=3x0,3x1,3x70"],
                              ["--size", "samples=4x3", "--size", "voxels=3x5"]),
    ("mriq", "phi_magnitudes<float>"): (COUNTS, ["--size", "0,5"]),
    ("nn", "distances<float>"): (COUNTS, ["--size", "0,5"]),
    ("nn", "nearest<float>"): (COUNTS, ["--size", "0,5"]),
    ("atax", "atax<float>"): (["--size", "a=0x3,3x0,1x1,5x7,33x40,6x5000"], ["--size", "a=3x5"]),
    ("gesummv", "gesummv<float>"): (["--size", "a=0x3,3x0,1x1,5x7,33x40"], ["--size", "a=3x5"]),
    ("black_scholes", "black_scholes<double>"): (COUNTS, ["--size", "0,5"]),
    ("gemm", "gemm_window<float>"): (
        ["--input", "n=7", "--input", "k=9", "--size", "a=0x9,1x9,5x11,33x40", "--size", "b_size1=7,20", "--size",
         "c_size1=7,25"], ["--size", "a=3x7", "--size", "b_size1=9", "--size", "c_size1=10"]),
    ("ordered", "ordered_gemv<float>"): (["--size", "a=0x3,3x0,1x1,5x7,33x1000"], ["--size", "a=3x5"]),
    ("ordered", "ordered_dot<float>"): (["--size", "0,1,2,33,10003"], ["--size", "0,5"]),
    # Of a matrix of random numbers the bound of errors is known for few rows alone.
    ("lud", "lud<double>"): (["--size", "a=0x0,1x1,2x2,5x5"], ["--size", "a=0x0,1x1,5x5"]),
    ("nw", "nw<int>"): (SCORES + ["--size", "a=0,1,33", "--size", "b=0,1,70"],
                        ["--size", "a=0,5", "--size", "b=1,3"]),
    ("lbm", "lbm<float>"): (["--size", "wall=0x3,3x0,1x1,2x1,3x5,17x23", *FLOWS], ["--size", "wall=0x3,1x1,5x4"]),
    ("locvol", "locvol<double>"): (["--size", "strikes=0,1,5", "--size", "logs=1,3,17", "--size", "ys=2,40", *GRIDS],
                                   ["--size", "strikes=0,2", "--size", "logs=1,4", "--size", "ys=3"]),
    ("locvol", "locvol<float>"): (["--size", "strikes=3", "--size", "logs=2,33", "--size", "ys=1,12", *GRIDS],
                                  ["--size", "strikes=1", "--size", "logs=4", "--size", "ys=3"]),
    ("option_pricing", "option_pricing<float,3,5>"): (["--input", "paths=777"], []),
}
SKETCHES = {("nbody", "nbody<float>"): ["lane_a_body", "tiled", "two_bodies"], ("nbody", "nbody4"): ["tiled4"],
            ("md", "md<float>"): ["many_atoms", "packed"],
            ("mriq", "mriq<float>"): ["many_voxels", "tiled"], ("atax", "atax<float>"): ["rows_once"],
            ("lud", "lud<float>"): ["blocks"]}
MODELS = {"openmp": ["simple-cpu", "cpu"], "opencl": ["simple-gpu"]}


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])
    parser.add_argument("--spectrum", help="only this one")
    parser.add_argument("--plans", type=int, default=3 if EVERYTHING else 2, help="of each spectrum and model")
    parser.add_argument("--models", help="instead of those of the target, by commas")


def interpreted(test, source, spectrum, model, sizes):
    done = test.run("tangram", "interpret", source, "--spectrum", spectrum, "--hw", model, "--target",
                    test.arguments.target, "--plan", "all", "--limit", "2", "--strategy", "all", *sizes)
    found = re.search(r"(\d+) plans?: (\d+) right, 0 not, 0 refused", done.out)
    test.check(done.status == 0 and found and found[1] == found[2],
               f"{spectrum} on {model} interpreted:\n{done.out}{done.err}")


def as_it_comes(test, source, spectrum, model, sizes):
    """The plan that synth takes serves the sizes as it is compiled where nobody says anything."""
    bundles = test.synth(source, spectrum, model, test.arguments.target, f"{spectrum}-{model}-as-it-comes")
    for bundle in bundles:
        defaults = [word for tunable in manifest_of(bundle)["tunables"] if tunable["kind"] == "compile"
                    for word in ("--set", f"{tunable['name']}={tunable['default']}")]
        test.expect("tangram-run", "verify", bundle, *sizes, *defaults)


def sketches(test):
    """Those of the benchmarks are plans of the H200."""
    if test.arguments.target != "opencl" or test.arguments.spectrum:
        return
    for (file, spectrum), names in SKETCHES.items():
        for name in names:
            bundles = test.synth(f"codelets/{file}.cpp", spectrum, "h200", "opencl", f"{file}-{name}", "--plan", name)
            test.check(len(bundles) == 1, f"sketch {name} of {spectrum}: {len(bundles)} plans")


def blocks_of_lud(test, model):
    """A plan with blocks, of matrices of several blocks whose largest elements lie on the diagonal."""
    bundles = test.synth("codelets/lud.cpp", "lud<double>", model, test.arguments.target, f"lud-blocks-{model}",
                         "--plan", "S_*, regroup(lud_blocks, *), ...")
    for n in (33, 100, 161):
        state, numbers = 1, []
        for k in range(n * n):
            state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
            numbers.append((state >> 40) / (1 << 24) + (n if k % (n + 1) == 0 else 0))
        matrix = test.scratch / f"lud-{n}.npy"
        write_npy(matrix, "<f8", array.array("d", numbers), (n, n))
        for bundle in bundles:
            test.expect("tangram-run", "verify", bundle, "--input", f"a={matrix}")
    # Fewer lanes than a block has rows, as many as the matrix has: nothing is read that no lane has written.
    done = test.run("tangram", "interpret", "codelets/lud.cpp", "--spectrum", "lud<double>", "--hw", model, "--target",
                    test.arguments.target, "--plan",
                    "S_*, regroup(lud_blocks, *), ..., compute(edges#1, *), ..., compute(diagonal_lanes, *)", "--size", "a=5x5")
    test.check(done.status == 0, f"diagonal_lanes on {model} with few lanes:\n{done.out}{done.err}")


def main():
    test = Pipeline(__doc__, more_arguments)
    target, plans = test.arguments.target, test.arguments.plans
    if target == "opencl":
        test.need_opencl()
    models = test.arguments.models.split(",") if test.arguments.models else MODELS[target]
    for file in sorted({file for file, _ in BENCHMARKS}):
        done = test.expect("tangram", "check", f"codelets/{file}.cpp")
        test.check("warning" not in done.out + done.err, f"check of {file}.cpp warns:\n{done.out}{done.err}")
    tally = Tally(test)
    share = 1 if EVERYTHING or test.arguments.spectrum else 9
    for number, ((file, spectrum), (sizes, small)) in enumerate(list(BENCHMARKS.items())[(target == "opencl") % share::share]):
        if test.arguments.spectrum not in (None, spectrum):
            continue
        source = f"codelets/{file}.cpp"
        for model in models if share == 1 else models[number % len(models):][:1]:
            bundles = test.synth(source, spectrum, model, target, f"{spectrum}-{model}", "--plan", "all",
                                 "--strategy", "all", "--limit", str(plans))
            test.check(bundles, f"no plan of {spectrum} on {model}")
            tally.add(test.verify(bundles, *sizes))
            if target == "openmp":
                as_it_comes(test, source, spectrum, model, sizes)
        interpreted(test, source, spectrum, models[0], small)
    if test.arguments.spectrum in (None, "lud<double>"):
        blocks_of_lud(test, "h200" if target == "opencl" else "cpu")
    test.check(tally.verified, f"no spectrum {test.arguments.spectrum}")
    sketches(test)
    print(tally.text())
    test.check(not tally.refused, f"refused: {tally.refused}")
    test.finish()


if __name__ == "__main__":
    main()
