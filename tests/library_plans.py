"""Plans of every spectrum of the library, for one model and target: equal to the reference, or
refused.

    python3 tests/library_plans.py --tangram build/tangram --tangram-run build/tangram-run \\
        --model cpu --target openmp [--spectrum NAME] [--limit N]

About eight different plans of each (library.py) at awkward shapes, with their defaults and with all
tunables 3. With --limit N instead the best N plans of the whole space, with 0 all there are.
"""

from library import SPECTRUMS, bundles_of, manifest_of, odd_settings, sizes_for, source_of
from pipeline import Pipeline, Tally


def more_arguments(parser):
    parser.add_argument("--model", required=True)
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])
    parser.add_argument("--spectrum", help="only this one")
    parser.add_argument("--limit", type=int, help="so many plans of the whole space; 0: all")


# A kernel of one of its plans never ends on PoCL 3.1; on every other model, and for Oclgrind, all
# of its plans are right. Asked for by name (--spectrum) it is run all the same.
HANGS = {("pocl", "exclusive_scan<int>")}


def main():
    test = Pipeline(__doc__, more_arguments)
    model, target = test.arguments.model, test.arguments.target
    if target == "opencl":
        test.need_opencl()
    for file, spectrum in SPECTRUMS:
        if test.arguments.spectrum not in (None, spectrum):
            continue
        if (model, spectrum) in HANGS and test.arguments.spectrum is None:
            print(f"{spectrum} {model} {target}: left out, see HANGS")
            continue
        bundles = bundles_of(test, source_of(file), spectrum, model, target, test.arguments.limit)
        if not test.check(bundles, f"{spectrum} on {model} has no plan for {target}"):
            continue
        manifests = [manifest_of(bundle) for bundle in bundles.values()]
        tally = Tally(test)
        tally.add(test.verify(bundles.values(), *sizes_for(manifests[0])))
        if settings := odd_settings(manifests, 3):
            tally.add(test.verify(bundles.values(), *sizes_for(manifests[0]), *settings))
        print(f"{spectrum} {model} {target}: {len(bundles)} plans, {tally.text()}", flush=True)
        for plan in sorted(bundles.keys() - tally.verified):
            print(f"  plan {plan} was never run: {tally.refused.get(plan, 'it failed')}")
        test.check(tally.verified, f"{spectrum} on {model} for {target}: nothing was verified")
    test.finish()


if __name__ == "__main__":
    main()
