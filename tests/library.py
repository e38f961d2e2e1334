"""The library as the end-to-end tests see it: its spectrums, and a few different plans of each."""

import json
import os
import pathlib

from random_shapes import allowed, free_extents

# One instance of each template.
SPECTRUMS = [
    ("axpy", "axpy<float>"), ("bfs", "bfs"), ("compact", "compact<int>"), ("copy", "copy<float>"),
    ("dot", "dot<double>"), ("gemm", "gemm<float>"), ("gemv", "gemv<float>"),
    ("histogram", "histogram"), ("kmeans", "kmeans<double>"), ("reduce", "minimum<int>"),
    ("reduce", "argmin<float>"), ("scan", "scan<int>"), ("scan", "exclusive_scan<int>"),
    ("spmv", "spmv<float>"), ("stencil", "heat<float>"), ("stencil", "jacobi<float>"),
    ("stencil", "heat3<float>"), ("transpose", "transpose<int>"),
]

# Those that hand one of these another view of a container, or add to what it gives.
VARIANTS = [("gemm", "gemm_nt<float>"), ("gemm", "gemm_scaled<float>")]

# Beside the best plan, and the best without each of its codelets: loops, parts of parts, and
# workers along two dimensions.
OTHERS = [["--map-rules", "serialize"], ["--map-rules", "split,distribute"], ["--dims", "2"]]

# Of each free extent, by how many there are.
SIZES = {0: [], 1: [0, 1, 37, 300], 2: [0, 1, 37], 3: [0, 1, 13]}


# What takes long goes over all of the library with `scripts/test --all`, over a share of it otherwise.
EVERYTHING = os.environ.get("TANGRAM_TEST_EVERYTHING") == "1"


def sample(items, every, first=0):
    """All of them with `scripts/test --all`; in the gate one of `every`, from number `first` on."""
    items = list(items)
    return items if EVERYTHING else items[first % every::every]


def share_of(test, spectrums, number, count):
    """What test `number` takes of spectrums that `count` tests share, or the one that --spectrum names; the test fails
    where that is none."""
    if test.arguments.spectrum:
        found = [each for each in spectrums if each[1] == test.arguments.spectrum]
        test.check(found, f"no spectrum {test.arguments.spectrum} ({', '.join(name for _, name in spectrums)})")
        return found
    return spectrums if EVERYTHING else spectrums[number % count::count]


def source_of(file):
    return f"codelets/{file}.cpp"


class Synth:
    """Synthesizes plans of one spectrum; `bundles` has those that came out, by id."""

    def __init__(self, test, source, spectrum, model, target):
        self.test, self.name = test, f"{spectrum} on {model} for {target}"
        self.command = ["synth", source, "--spectrum", spectrum, "--hw", model, "--target", target,
                        "--format", "json"]
        self.out = test.scratch / f"{spectrum}-{model}-{target}"
        self.out.mkdir()
        self.bundles = {}
        self.calls = 0

    def __call__(self, *options):
        """The steps of the first plan."""
        self.calls += 1
        done = self.test.run("tangram", *self.command, "-o", self.out / str(self.calls), *options)
        plans = json.loads(done.out)["plans"] if done.out else []
        # Without some codelet there may be no plan, or none that the target can express.
        self.test.check(done.status == 0 or (done.status == 1 and options),
                        f"synth of {self.name} {' '.join(options)}: status {done.status}\n{done.err}")
        for plan in plans:
            if "bundle" in plan:
                self.bundles.setdefault(plan["id"], pathlib.Path(plan["bundle"]))
        return plans[0]["steps"] if plans else []


def bundles_of(test, source, spectrum, model, target, limit=None):
    """Different plans' bundles, by id. With a limit: so many plans of the whole space, best
    first, and all for 0."""
    synth = Synth(test, source, spectrum, model, target)
    if limit is not None:
        synth("--plan", "all", "--strategy", "all", *(["--limit", str(limit)] if limit else []))
        return synth.bundles
    tags = tags_of(synth())
    for tag in tags if EVERYTHING else tags[:3]:
        synth("--without", tag)
    for options in OTHERS:
        synth(*options)
    return synth.bundles


def few_bundles_of(test, source, spectrum, model, target):
    """The best plan's bundle and those of OTHERS, by id."""
    synth = Synth(test, source, spectrum, model, target)
    for options in [[], *OTHERS]:
        synth(*options)
    return synth.bundles


def tags_of(steps):
    """The codelets that a plan uses, in order of use."""
    tags = []
    for step in steps:
        if step.startswith(("compute(", "regroup(")):
            tag = step.split("(", 1)[1].rstrip(")").split(",")[0]
            if tag not in tags:
                tags.append(tag)
    return tags


def manifest_of(bundle):
    return json.loads((bundle / "manifest.json").read_text())


def sizes_for(manifest, sizes=None):
    """The --size options for all combinations of awkward sizes."""
    extents = free_extents(manifest)
    numbers = (sizes or SIZES).get(len(extents), [1, 5])
    return [word for extent in extents
            for word in ("--size", f"{extent}={','.join(map(str, numbers))}")]


def odd_settings(manifests, number):
    """--set options that give this number to every tunable for which all of them allow it."""
    tunables = {}
    for manifest in manifests:
        for tunable in manifest["tunables"]:
            tunables.setdefault(tunable["name"], []).append(tunable)
    return [word for name, ones in tunables.items() if all(allowed(one, number) for one in ones)
            for word in ("--set", f"{name}={number}")]
