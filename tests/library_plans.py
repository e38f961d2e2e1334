"""Plans of every spectrum of the library, for one model and target: equal to the reference, or
refused at some of them.

    python3 tests/library_plans.py --tangram build/tangram --tangram-run build/tangram-run \\
        --model cpu --target openmp [--spectrum NAME] [--limit N]

About eight different plans of each, in the gate six (library.py) at awkward shapes, with their defaults and with all
tunables 3. With --limit N instead the best N plans of the whole space, with 0 all there are.
"""

import os

from library import (SPECTRUMS, VARIANTS, bundles_of, manifest_of, odd_settings, share_of, sizes_for,
                     source_of)
from pipeline import Pipeline, Tally


# Each spectrum is verified on one of them, or on all: library.py.
MODELS = ["simple-cpu", "simple-gpu", "cpu", "pocl"]
def more_arguments(parser):
    parser.add_argument("--model", required=True)
    parser.add_argument("--target", required=True, choices=["openmp", "opencl", "cuda", "cuda-warps", "c"])
    parser.add_argument("--emulator", help="for cuda: the library that stands in for the driver and NVRTC")
    parser.add_argument("--spectrum", help="only this one")
    parser.add_argument("--limit", type=int, help="so many plans of the whole space; 0: all")


# Tilings of tilings whose parts are taken one after the other take so many steps as the product of
# their numbers of parts; with the defaults, 64 each, the deepest would run for days.
DEEP = 4
FEW_PARTS = {"p": 3, "NUM_ITEMS": 4, "NUM_THREADS": 4, "NUM_LANES": 4}


def is_deep(manifest):
    return sum(step.startswith("serialize(") for step in manifest["plan"]["steps"]) >= DEEP


def few_parts(manifest):
    return [word for tunable in manifest["tunables"] if tunable["name"] in FEW_PARTS
            for word in ("--set", f"{tunable['name']}={FEW_PARTS[tunable['name']]}")]


def main():
    test = Pipeline(__doc__, more_arguments, as_shipped=True)
    model, target = test.arguments.model, test.arguments.target
    if target == "opencl":
        test.need_opencl()
    if test.arguments.emulator:
        os.environ["TANGRAM_CUDA_LIBRARY"] = os.environ["TANGRAM_NVRTC_LIBRARY"] = test.arguments.emulator
    number = MODELS.index(model) if model in MODELS else 0
    count = {"openmp": 1, "c": 2}.get(target, 5) * len(MODELS)  # the compilers of the others take longer
    for file, spectrum in share_of(test, SPECTRUMS + VARIANTS, number, count):
        if target == "cuda-warps" and "double" in spectrum:
            continue  # its wider numbers have 128 bits, which OpenMP computes, and OpenMP has no warps
        bundles = bundles_of(test, source_of(file), spectrum, model, target, test.arguments.limit)
        if not test.check(bundles, f"{spectrum} on {model} has no plan for {target}"):
            continue
        manifests = {bundle: manifest_of(bundle) for bundle in bundles.values()}
        sizes = sizes_for(next(iter(manifests.values())))
        deep = {bundle for bundle, manifest in manifests.items() if is_deep(manifest)}
        usual = [bundle for bundle in manifests if bundle not in deep]
        tally = Tally(test)
        tally.add(test.verify(usual, *sizes))
        if settings := odd_settings([manifests[bundle] for bundle in usual], 3):
            tally.add(test.verify(usual, *sizes, *settings))
        for bundle in deep:
            tally.add(test.verify([bundle], *sizes, *few_parts(manifests[bundle])))
        print(f"{spectrum} {model} {target}: {len(bundles)} plans, {tally.text()}", flush=True)
        for plan in sorted(bundles.keys() - tally.verified):
            test.fail(f"{spectrum} on {model} for {target}: plan {plan} was never run: "
                      f"{tally.refused.get(plan, 'it failed')}")
    test.finish()


if __name__ == "__main__":
    main()
