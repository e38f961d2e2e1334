"""Cooperative codelets (tests/codelets/cooperative_*.cpp): each in lockstep means what the sequential
codelet beside it means, on every model that has lanes, with few lanes and many; with TANGRAM_TEST_EVERYTHING=1 each with all numbers of
lanes, otherwise every second one with half of them.

With --target oclgrind: under Oclgrind's race, memory and initialization checks.
"""

import json

from library import EVERYTHING, manifest_of, odd_settings, sample
from oclgrind import under_oclgrind
from pipeline import Pipeline, Tally, need_program

SOURCES = ("conditions", "memory", "loops", "exchange", "rounds")
SIZES = "0,1,2,3,5,8,33,64"
# Of each target: models, and how many lanes they are tried with.
MODELS = {
    "openmp": {"simple-gpu": (1, 3, 8, 64), "cpu": (3, 8)},
    "opencl": {"simple-gpu": (3, 8, 64)},
    "oclgrind": {"simple-gpu": (3, 8)},
}


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=MODELS)
    parser.add_argument("--spectrum", help="only this one")
    parser.add_argument("--source", help="only this one of " + ", ".join(SOURCES))


def spectrums_of(test, source):
    """Those whose second codelet is cooperative."""
    done = test.expect("tangram", "check", source, "--format", "json")
    return [spectrum["name"] for spectrum in json.loads(done.out)["spectrums"]]


def on_lanes(test, bundles, lanes, target, name):
    settings = odd_settings([manifest_of(bundle) for bundle in bundles], lanes)
    if target != "oclgrind":
        return test.verify(bundles, "--size", SIZES, *settings)
    runs, report = under_oclgrind(test, bundles, "--size", "1,2,5,8", *settings)
    test.check(not report, f"{name} on {lanes} lanes: Oclgrind reports\n{report[:4000]}")
    return runs


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    if target == "oclgrind":
        need_program("oclgrind", "oclgrind")
    everything = EVERYTHING or test.arguments.spectrum
    for file in SOURCES:
        if test.arguments.source not in (None, file):
            continue
        source = f"tests/codelets/cooperative_{file}.cpp"
        chosen = enumerate(spectrums_of(test, source))
        if not test.arguments.spectrum:
            chosen = sample(chosen, 2)
        for number, spectrum in test.shared(chosen):
            if test.arguments.spectrum not in (None, spectrum):
                continue
            tally = Tally(test)
            for model, numbers in MODELS[target].items():
                bundles = test.synth(source, spectrum, model, target.replace("oclgrind", "opencl"),
                                     f"{spectrum}-{model}", "--plan", "all", "--limit", "6" if everything else "3")
                of_lanes = [bundle for bundle in bundles
                            if "VE_" in " ".join(manifest_of(bundle)["plan"]["steps"])]
                if not test.check(of_lanes, f"{spectrum} on {model}: no plan uses lanes"):
                    continue
                for lanes in numbers if everything else numbers[number // 2 % 2::2]:
                    tally.add(on_lanes(test, of_lanes, lanes, target, f"{spectrum} {model}"))
            print(f"{file} {spectrum}: {tally.text()}", flush=True)
            test.check(tally.verified, f"{spectrum}: nothing was verified")
    test.finish()


if __name__ == "__main__":
    main()
