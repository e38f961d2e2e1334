"""Tiles of chosen sizes (tests/codelets/tiles.cpp): what staging, register tiles and the order of
loops make of plans, with tiles that divide each other and the sizes and tiles that do not, executed
worker by worker and verified on the target.
"""

import itertools
import json

from library import EVERYTHING, sample
from pipeline import Pipeline, Tally

SOURCE = "tests/codelets/tiles.cpp"
SPECTRUMS = ["subtract", "tropical", "outer", "triangular", "times_transposed", "neighbours",
             "changing", "biased"]
WITHOUT = {name: ["--without", f"{name}#1"] for name in ("neighbours", "changing")}
MODELS = {"openmp": ["cpu", "i7-3820"], "opencl": ["h200", "pocl"]}
INTERPRETED = {"TILE_M": "4,6", "TILE_M_2": "2", "TILE_N": "32", "TILE_N_2": "16,5",
               "STEP_K": "3"}
VERIFIED = [{}, {"TILE_M": 24, "TILE_M_2": 4, "TILE_N": 32, "TILE_N_2": 16, "STEP_K": 8},
            {"TILE_M": 7, "TILE_M_2": 3, "TILE_N": 33, "TILE_N_2": 5, "STEP_K": 2}]
SIZES, FEWER = "0,1,16,50", "1,50"  # as tunables are by default, with others
# Other tunables are verified on the first model, and with `scripts/test --all` on all.


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def interpret(test, spectrum, model):
    fixed = itertools.chain.from_iterable(
        ("--tunable", f"{name}={values}") for name, values in INTERPRETED.items())
    for size in ("3", "17"):
        done = test.run("tangram", "interpret", SOURCE, "--spectrum", spectrum, "--hw", model,
                        "--target", test.arguments.target, "--plan", "all", "--limit", "3", "--size",
                        size, *fixed, *WITHOUT.get(spectrum, []))
        test.check(done.status == 0, f"{spectrum} on {model} in the interpreter, size {size}: "
                                     f"status {done.status}\n{done.out}{done.err}")


def settings_of(bundle, wanted):
    """The part of `wanted` that the plan has tunables for."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    names = {tunable["name"] for tunable in manifest["tunables"]}
    return [word for name, value in wanted.items() if name in names
            for word in ("--set", f"{name}={value}")]


def arrays_of_lanes(test, tally):
    """Large tiles of lanes' own are no copies of each lane, and too large ones are refused."""
    bundle = test.scratch / "by_way_of"
    done = test.run("tangram", "synth", SOURCE, "--spectrum", "by_way_of", "--hw", "cpu", "--target", "openmp",
                    "--plan", "S_P, regroup(way_tiles, P), split(P), distribute(T), distribute(V), select(own_tile, V), *",
                    "-o", bundle)
    if not test.check(done.status == 0, f"by_way_of: {done.err}"):
        return
    for p, q in ((132, 256), (512, 1000)):
        tally.add(test.verify([bundle], "--size", "x=0x0,300x1100", "--set", f"WAY_TILES_P={p}", "--set",
                              f"WAY_TILES_Q={q}"))
    refused = test.run("tangram-run", "verify", bundle, "--size", "x=9x9", "--set", "WAY_TILES_P=1024", "--set",
                       "WAY_TILES_Q=1024")
    test.check(refused.status != 0 and "4194304 bytes" in refused.out + refused.err,
               f"a stack of 8 MB: {refused.out}{refused.err}")


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.target == "opencl":
        test.need_opencl()
    tally = Tally(test)
    places = [(model, spectrum) for number, model in enumerate(MODELS[test.arguments.target])
              for spectrum in sample(SPECTRUMS, 2, number)]
    for model, spectrum in places:
        interpret(test, spectrum, model)
        bundles = test.synth(SOURCE, spectrum, model, test.arguments.target, f"{spectrum}-{model}",
                             "--plan", "all", "--limit", "2", *WITHOUT.get(spectrum, []))
        test.check(bundles, f"no plan of {spectrum} on {model}")
        first = model == MODELS[test.arguments.target][0]
        for bundle, wanted in itertools.product(bundles, VERIFIED if first or EVERYTHING else VERIFIED[:1]):
            tally.add(test.verify([bundle], "--size", FEWER if wanted else SIZES,
                                  *settings_of(bundle, wanted)))
    if test.arguments.target == "openmp":
        arrays_of_lanes(test, tally)
    print(tally.text())
    test.check(tally.counts.get("verified", 0) >= (150 if EVERYTHING else 70), f"too few runs: {tally.counts}")
    test.finish()


if __name__ == "__main__":
    main()
