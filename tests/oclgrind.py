"""OpenCL plans under Oclgrind's race, memory and initialization checks: no report.

With --library instead: two to four plans of each spectrum of the library, along two dimensions too; of some spectrums
for the model of a large GPU.

With --chains instead: chains that are distributed, of which no element writes what another reads
(Oclgrind does not know that a flag puts the writes of two groups in order).

With --bites instead: the barriers of one generated kernel are taken out one at a time, and each
time Oclgrind must report. So the check sees races, and no barrier is there without need. Nor may what
groups leave for the last one be missing.
"""

import pathlib
import shutil

from chains import distributed
from library import SPECTRUMS, few_bundles_of, manifest_of, odd_settings, share_of, sizes_for, source_of
from pipeline import Pipeline, Tally, describe, need_program, skip

LIBRARY = pathlib.Path("/usr/lib/oclgrind/liboclgrind-rt.so")
SIZES = "1,5,37"
LIBRARY_MODELS = ["simple-gpu", "pocl"]  # each spectrum runs on one of them, or on both: library.py
# Plans for other machines than these: their tiles, chains of registers, and choices of codelets by predicted time.
SHARES = {"h200": [("compact", "compact<int>"), ("gemm", "gemm<float>"), ("gemv", "gemv<float>"), ("histogram", "histogram"),
                   ("kmeans", "kmeans<double>"), ("scan", "scan<int>"), ("spmv", "spmv<float>"),
                   ("transpose", "transpose<int>")]}
LIBRARY_SIZES = {1: [0, 1, 37], 2: [1, 5], 3: [1, 5]}  # by the number of free extents

# What is asked of `tangram synth`, and small settings that keep an interpreter quick.
PLANS = {
    "simple-gpu": ([["--iterations", "4", "--limit", "100"]],
                   ["--set", "NUM_THREADS=8", "--set", "p=3", "--set", "p_2=2"]),
    "cpu": ([["--iterations", "3", "--limit", "22"],
             ["--iterations", "5", "--limit", "10", "--map-rules", "serialize"],
             ["--iterations", "5", "--limit", "10", "--map-rules", "split,distribute"]],
            ["--set", "NUM_LANES=4", "--set", "NUM_CHAINS=2", "--set", "p=3", "--set", "p_2=2"]),
    "simple-cpu": ([["--iterations", "6", "--limit", "31"]], ["--set", "p=3", "--set", "p_2=2"]),
}


def more_arguments(parser):
    parser.add_argument("--model", default="simple-gpu",
                        help="one of " + ", ".join(PLANS) + "; with --library any")
    parser.add_argument("--library", action="store_true")
    parser.add_argument("--spectrum", help="with --library: only this one")
    parser.add_argument("--chains", action="store_true")
    parser.add_argument("--bites", action="store_true")


def under_oclgrind(test, bundles, *options):
    """The runs, and what Oclgrind reported."""
    log = test.scratch / "oclgrind.log"
    log.unlink(missing_ok=True)
    runs = test.verify(bundles, "--memory-checker", *known(options, bundles), environment={
        # Oclgrind 21.10 does not know the instruction freeze, which an optimizer puts in.
        "OCLGRIND_BUILD_OPTIONS": "-cl-opt-disable", "TANGRAM_OPENCL_LIBRARY": str(LIBRARY), "OCLGRIND_DATA_RACES": "1",
        "OCLGRIND_UNINITIALIZED": "1", "OCLGRIND_CHECK_API": "1", "OCLGRIND_LOG": str(log)})
    return runs, log.read_text() if log.exists() else ""


def known(options, bundles):
    """Without the settings of tunables that none of the bundles has."""
    names = {tunable["name"] for bundle in bundles for tunable in manifest_of(bundle)["tunables"]}
    pairs = zip(options, [*options[1:], ""])
    unknown = {at for at, (option, value) in enumerate(pairs)
               if option == "--set" and value.split("=")[0] not in names}
    return [option for at, option in enumerate(options)
            if at not in unknown and at - 1 not in unknown]


def clean(test, model):
    lists, settings = PLANS[model]
    bundles = {}
    for number, options in enumerate(lists):
        for bundle in test.synth("codelets/sum.cpp", "sum", model, "opencl", f"plans{number}",
                                 "--plan", "all", "--strategy", "all", *options):
            bundles.setdefault(bundle.name, bundle)
    runs, report = under_oclgrind(test, bundles.values(), "--size", SIZES, *settings)
    tally = Tally(test)
    tally.add(runs)
    print(f"{model}: {len(bundles)} plans under Oclgrind, {tally.text()}")
    test.check(len(tally.verified) >= 0.9 * len(bundles), "too many plans are refused")
    if not test.check(not report, f"Oclgrind reports\n{report[:4000]}"):
        name_the_plans(test, {bundle: ["--size", SIZES, *settings] for bundle in bundles.values()})


def name_the_plans(test, options):
    """A report does not say which bundle it is about."""
    for bundle, own in options.items():
        if under_oclgrind(test, [bundle], *own)[1]:
            test.fail(f"reported: {manifest_of(bundle)['plan']['id']}")


def library(test, model):
    if model in SHARES and not test.arguments.spectrum:
        spectrums = SHARES[model]
    else:
        number = LIBRARY_MODELS.index(model) if model in LIBRARY_MODELS else 0
        spectrums = share_of(test, SPECTRUMS, number, len(LIBRARY_MODELS))
    for file, spectrum in spectrums:
        bundles = few_bundles_of(test, source_of(file), spectrum, model, "opencl").values()
        manifests = [manifest_of(bundle) for bundle in bundles]
        sizes = sizes_for(manifests[0], LIBRARY_SIZES)
        runs, report = under_oclgrind(test, bundles, *sizes, *odd_settings(manifests, 4))
        tally = Tally(test)
        tally.add(runs)
        print(f"{spectrum} {model}: {len(bundles)} plans under Oclgrind, {tally.text()}", flush=True)
        test.check(tally.verified, f"{spectrum}: nothing was verified")
        if not test.check(not report, f"{spectrum}: Oclgrind reports\n{report[:4000]}"):
            name_the_plans(test, {bundle: [*sizes, *odd_settings([manifest], 4)]
                                  for bundle, manifest in zip(bundles, manifests)})


def chains(test, model):
    for spectrum in ("digits", "scan<int>", "scan<double>"):
        bundles = distributed(test, spectrum, model, "opencl")[:4]
        runs, report = under_oclgrind(test, bundles, "--size", "0,1,37",
                                      *odd_settings([manifest_of(bundle) for bundle in bundles], 4))
        tally = Tally(test)
        tally.add(runs)
        print(f"chain {spectrum} {model}: {len(bundles)} plans under Oclgrind, {tally.text()}")
        test.check(tally.verified, f"{spectrum}: nothing was verified")
        test.check(not report, f"{spectrum}: Oclgrind reports\n{report[:4000]}")


def without_each(statement, test, bundle, *options):
    """(file, line number, what was reported and how it ended) with each call of this name taken out."""
    for source in sorted(bundle.glob("*.cl")):
        if source.stem.endswith("_pocl"):
            continue  # Oclgrind is not PoCL, so it runs the other file.
        lines = source.read_text().splitlines(keepends=True)
        calls = [number for number, line in enumerate(lines) if line.lstrip().startswith(f"{statement}(")]
        for number in calls:
            lamed = test.scratch / f"without-line-{number + 1}"
            shutil.copytree(bundle, lamed)
            (lamed / source.name).write_text("".join(lines[:number] + lines[number + 1:]))
            runs, report = under_oclgrind(test, [lamed], *options)
            shutil.rmtree(lamed)
            yield source.name, number + 1, runs, report


def bites(test):
    bundle, = test.synth("codelets/sum.cpp", "sum", "simple-gpu", "opencl", "whole")
    count = 0
    settings = ["--size", "37", "--set", "NUM_THREADS=8", "--set", "p=3"]
    for file, line, runs, report in without_each("barrier", test, bundle, *settings):
        count += 1
        test.check("data race" in report,
                   f"the barrier of line {line} of {file} was taken out, and Oclgrind did not "
                   f"report a race\n{report}{''.join(describe(run) for run in runs)}")
    test.check(count, "the kernel has no barrier to take out")
    print(f"{count} barriers taken out one at a time")
    # To Oclgrind what groups leave by atomic exchanges has a value before (--memory-checker): a wrong one.
    stores = list(without_each("atomic_store_i32", test, bundle, *settings))
    test.equal([run["status"] for _, _, runs, _ in stores for run in runs], ["wrong"],
               "what groups leave for the last one, taken out")


def library_bites(test, model):
    for file, spectrum in share_of(test, SPECTRUMS, 0, 1):
        bundle, = test.synth(source_of(file), spectrum, model, "opencl", f"whole-{file}-{spectrum}")
        manifest = manifest_of(bundle)
        sizes = sizes_for(manifest, {1: [37, 300], 2: [37], 3: [13]})
        count, missed = 0, []
        for name, line, runs, report in without_each("barrier", test, bundle, *sizes,
                                                     *odd_settings([manifest], 4)):
            count += 1
            if "data race" not in report and all(run["status"] == "verified" for run in runs):
                missed.append(f"{name}:{line}")
        print(f"{spectrum} {model}: {count} barriers, not missed: {' '.join(missed) or 'none'}",
              flush=True)


def main():
    test = Pipeline(__doc__, more_arguments)
    need_program("oclgrind", "oclgrind")
    if not LIBRARY.exists():
        skip(f"{LIBRARY} is not there (Debian package oclgrind)")
    if test.arguments.bites and test.arguments.library:
        library_bites(test, test.arguments.model)
    elif test.arguments.bites:
        bites(test)
    elif test.arguments.chains:
        chains(test, test.arguments.model)
    elif test.arguments.library:
        library(test, test.arguments.model)
    else:
        clean(test, test.arguments.model)
    test.finish()


if __name__ == "__main__":
    main()
