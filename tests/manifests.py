"""Every manifest that is written is one that is read, however long what it says of a plan would be.

    python3 tests/manifests.py --tangram build/tangram --tangram-run build/tangram-run
"""

import json
import pathlib

from library import EVERYTHING, SPECTRUMS, VARIANTS, manifest_of, source_of
from pipeline import Pipeline

# The most characters of a rounding depth in a manifest; a reader takes 10,000.
MOST = 2000


def plans_of(test, source, spectrum, model, target, name, *options):
    done = test.run("tangram", "synth", source, "--spectrum", spectrum, "--hw", model, "--target", target, "--plan",
                    "all", "-o", test.scratch / name, "--format", "json", *options)
    return [pathlib.Path(plan["bundle"]) for plan in json.loads(done.out or '{"plans": []}')["plans"]
            if "bundle" in plan]


def check_readable(test, bundles):
    """A question that is refused behind the manifest, before anything is compiled."""
    done = test.run("tangram-run", "verify", *bundles, "--size", "no_such_size=1")
    lines = [each for each in (done.err + done.out).splitlines() if each.startswith("failed")]
    test.equal(len(lines), len(bundles), f"bundles that were looked at\n{done.err}")
    for line in lines:
        test.check("--size no_such_size: expected" in line, line)


def main():
    test = Pipeline(__doc__.splitlines()[0])
    deep = plans_of(test, "tests/codelets/nested_windows.cpp", "pointwise", "cpu", "openmp", "deep", "--limit",
                    "200" if EVERYTHING else "20")
    lengths = [len((manifest_of(each)["rounding"] or {"depth": ""})["depth"]) for each in deep]
    test.check(lengths and 1000 < max(lengths) <= MOST, f"lengths of rounding depths: {lengths}")
    check_readable(test, deep)
    for number, (file, spectrum) in enumerate([*SPECTRUMS, *VARIANTS] if EVERYTHING else SPECTRUMS[::9]):
        for model, target in (("cpu", "openmp"), ("pocl", "opencl")):
            bundles = plans_of(test, source_of(file), spectrum, model, target, f"{number}-{target}", "--limit", "10")
            test.check(bundles, f"no plan of {spectrum} on {model}")
            check_readable(test, bundles)
            wide = [each / "wide" for each in bundles if (each / "wide").exists()]
            if wide:
                check_readable(test, wide)
    test.finish()


if __name__ == "__main__":
    main()
