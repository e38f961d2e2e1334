"""Plans in wider numbers (docs/bundle.md): every floating-point spectrum of the library has one beside its best plan, on
every model, with the plan's parameters and tunables; compilers take its C, and both references, without a warning.

    python3 tests/wider_numbers.py --tangram build/tangram --tangram-run build/tangram-run

That they compute what they should is seen wherever a plan is verified (`verify --verify-widened`).
"""

import json
import pathlib
import shutil

from library import EVERYTHING, manifest_of
from pipeline import Pipeline, execute

MODELS = [("cpu", "openmp"), ("pocl", "opencl"), ("simple-gpu", "opencl"), ("h200", "opencl")]
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
WIDER = {"f32": "f64", "f64": "f128"}
# Two helper functions, a chain, floats that another codelet accumulates in, atomic operations, vectors.
SHARE = {"kmeans", "scan", "spmv", "gemm", "hotspot", "mriq"}


def elements_of(manifest):
    signature = manifest["signature"]
    result = signature["result"]
    return [each["element"] for each in signature["parameters"]] + ([result["element"]] if result else [])


def syntax(test, what, *command):
    done = execute([*command, *WARNINGS], None, None, None)
    test.check(done.status == 0, f"{what}: {' '.join(map(str, command))}\n{done.err}")


def check_wide(test, what, bundle, manifest):
    wide = manifest_of(bundle / "wide")
    for field in ("tunables", "spectrum", "plan", "source"):
        names = [each["name"] for each in wide[field]] if field == "tunables" else wide[field]
        wanted = [each["name"] for each in manifest[field]] if field == "tunables" else manifest[field]
        test.equal(names, wanted, f"{what}: {field} in wider numbers")
    for before, after in zip(elements_of(manifest), elements_of(wide), strict=True):
        if before in WIDER:
            test.check(after in (WIDER[before], "f64") or after == before, f"{what}: {before} became {after}")
        else:
            test.equal(after, before, f"{what}: an element that is no floating-point number")
    test.check(elements_of(wide) != elements_of(manifest) or "f32" not in elements_of(manifest),
               f"{what}: nothing is wider")
    for sampled in ([], ["-DTANGRAM_SAMPLE_ROUNDINGS=1"]):
        syntax(test, what, "gcc", "-std=c11", *sampled, bundle / "wide" / "reference.c")
        if wide["target"] == "openmp":
            syntax(test, what, "gcc", "-fopenmp", *sampled, bundle / "wide" / wide["files"]["source"])
    if wide["target"] == "openmp":
        syntax(test, what, "gcc", "-fopenmp", bundle / "wide" / "entry.c")


def main():
    test = Pipeline(__doc__.splitlines()[0])
    made = 0
    for source in sorted(pathlib.Path("codelets").glob("*.cpp")):
        if not EVERYTHING and source.stem not in SHARE:
            continue
        found = json.loads(test.expect("tangram", "check", source, "--format", "json").out)
        for spectrum in [each["name"] for each in found["spectrums"]][: None if EVERYTHING else 2]:
            for model, target in MODELS if EVERYTHING else MODELS[made % 4::4]:
                what = f"{spectrum} on {model}"
                folder = test.scratch / "bundle"
                shutil.rmtree(folder, ignore_errors=True)
                done = test.run("tangram", "synth", source, "--spectrum", spectrum, "--hw", model, "--target",
                                target, "-o", folder, "--plan", "best")
                if done.status != 0:  # what a target cannot express
                    continue
                manifest = manifest_of(folder)
                floats = any(each.startswith("f") for each in elements_of(manifest))
                test.check("wide" in manifest["files"] or not floats,
                           f"{what}: no wider numbers: {manifest.get('wide_refusal')}")
                syntax(test, what, "gcc", "-std=c11", folder / "reference.c")
                if "wide" in manifest["files"]:
                    made += 1
                    check_wide(test, what, folder, manifest)
    test.check(made >= (20 if EVERYTHING else 6), f"only {made} plans in wider numbers")
    print(f"{made} plans in wider numbers")
    test.finish()


if __name__ == "__main__":
    main()
