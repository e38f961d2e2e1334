"""NaN and infinities in the library: what docs/codelets/ says of them is so on every plan.

    python3 tests/not_numbers.py --tangram build/tangram --tangram-run build/tangram-run

Sums, minima and maxima keep NaN, the first NaN is the least element, and the nearest of points is none whose distance is NaN.
Plans of OpenMP are compiled into libraries, which are called with all data and several numbers of workers; of OpenCL a few run.
TANGRAM_TEST_EVERYTHING=1: all plans, on more models.
"""

import ctypes
import json
import math
import os
import struct

from pipeline import Pipeline, execute
from oracle import save

EVERYTHING = bool(os.environ.get("TANGRAM_TEST_EVERYTHING"))
NAN, INF = math.nan, math.inf
DATA = {"a tile that begins with NaN": [5, 5, NAN, 1], "NaN first": [NAN, 3, 1, 2, 7],
        "NaN last": [3, 1, 2, 7, 9, 11, NAN], "NaN alone": [NAN], "NaN only": [NAN] * 9, "two of them": [4, NAN, -INF, NAN, 2, 1],
        "ten of -inf": [-INF] * 10, "inf only": [INF] * 7, "both infinities": [1, INF, -INF, 2, 5], "largest": [3.4e38, -3.4e38],
        "inf and numbers": [7, INF, 3, 3, INF, 8, 9, 2, 2], "nothing": [], "long": [float(i % 97) for i in range(1003)] + [NAN, -5.0],
        "long without": [float((i * 37) % 101) for i in range(1003)]}


def as_float(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def least(values, sign):
    """NaN where there is one."""
    return NAN if any(x != x for x in values) else sign * min((sign * x for x in values), default=INF)


def position(values):
    for at, x in enumerate(values):
        if x != x:
            return at
    return values.index(min(values)) if values else 2 ** 32 - 1


MEANINGS = {"minimum": lambda v: least(v, 1), "maximum": lambda v: least(v, -1), "argmin": position,
            "sum": lambda v: NAN if any(x != x for x in v) or {INF, -INF} <= set(v) else sum(v)}
SPECTRUMS = ("minimum", "maximum", "argmin", "sum")


def same(got, wanted):
    return got == wanted or (got != got and wanted != wanted) or (abs(wanted) < INF and abs(got - wanted) <= 1e-4 * abs(wanted))


def library_of(test, bundle, name):
    """The bundle as a library, and how many numbers of workers it takes."""
    out = bundle / "library.so"
    done = execute(["cc", "-O1", "-fopenmp", "-shared", "-fPIC", str(bundle / f"{name}.c"), "-o", str(out), "-lm"])
    if not test.check(done.status == 0, f"{bundle}: {done.err}"):
        return None, 0
    manifest = json.loads((bundle / "manifest.json").read_text())
    return ctypes.CDLL(str(out)), sum(each["kind"] == "launch" for each in manifest["tunables"])


def of_library(library, name, spectrum, values, workers):
    numbers = (ctypes.c_float * max(1, len(values)))(*values)
    result = ctypes.c_uint() if spectrum == "argmin" else ctypes.c_float()
    first = [ctypes.c_uint(0)] if spectrum == "argmin" else []
    function = getattr(library, name + ("_tuned" if workers else ""))
    status = function(*first, numbers, ctypes.c_size_t(len(values)), ctypes.byref(result), *map(ctypes.c_size_t, workers))
    return result.value if status == 0 else None


def openmp(test, spectrum, model):
    name = f"{spectrum}_float"
    limit = () if EVERYTHING else ("--limit", 3)
    bundles = test.synth("codelets/reduce.cpp", f"{spectrum}<float>", model, "openmp", f"{spectrum}-{model}", "--plan", "all", *limit,
                         "--instantiate", f"{spectrum}<float>")
    test.check(bundles, f"{spectrum}: no plan")
    for bundle in bundles:
        library, tunables = library_of(test, bundle, name)
        for what, values in DATA.items() if library else ():
            values = [as_float(x) for x in values]
            for workers in ([[p] * tunables for p in (1, 2, 3, 7)] if tunables else [[]]):
                got = of_library(library, name, spectrum, values, workers)
                if got is None:
                    continue  # not of this size
                test.check(same(got, MEANINGS[spectrum](values)),
                           f"{spectrum}, {model}, {bundle.name}, {workers}, {what}: {got}, expected {MEANINGS[spectrum](values)}")
    return len(bundles)


def opencl(test, spectrum, model):
    limit = 40 if EVERYTHING else 2
    bundles = test.synth("codelets/reduce.cpp", f"{spectrum}<float>", model, "opencl", f"{spectrum}-{model}", "--plan", "all",
                         "--limit", limit, "--instantiate", f"{spectrum}<float>")
    for what, values in DATA.items():
        if not EVERYTHING and what not in ("a tile that begins with NaN", "ten of -inf", "long"):
            continue
        save(test.scratch / "in.npy", "float", b"".join(struct.pack("<f", x) for x in values), len(values))
        for bundle in bundles:
            out = test.scratch / "result.npy"
            out.unlink(missing_ok=True)
            first = ("--input", "from=0") if spectrum == "argmin" else ()
            done = test.run("tangram-run", "run", bundle, "--input", f"in={test.scratch}/in.npy", *first, "--output", f"result={out}",
                            "--repeat", 1, "--warmup", 0)
            if "refused" in done.out:
                continue
            if test.check(out.exists(), f"{spectrum}, {model}, {bundle.name}, {what}: {done.err}{done.out}"):
                got = struct.unpack("<I" if spectrum == "argmin" else "<f", out.read_bytes()[-4:])[0]
                test.check(same(got, MEANINGS[spectrum](values)),
                           f"{spectrum}, {model}, {bundle.name}, {what}: {got}, expected {MEANINGS[spectrum](values)}")
    return len(bundles)


def main():
    test = Pipeline(__doc__)
    devices = test.opencl_devices()
    for spectrum in SPECTRUMS:
        counts = {model: openmp(test, spectrum, model) for model in (("simple-cpu", "cpu") if EVERYTHING else ("simple-cpu",))}
        if devices:
            counts["pocl"] = opencl(test, spectrum, "pocl")
        print(f"{spectrum}: plans of {counts}", flush=True)
    test.finish()


if __name__ == "__main__":
    main()
