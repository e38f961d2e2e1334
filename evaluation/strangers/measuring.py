"""One row on one machine: is ours right, does its peer agree, how long do both take."""

import argparse
import json
import pathlib
from collections.abc import Callable

import agreement
import options
from table import Row

from harness import processes
from harness.gpu import Clock

QUICK = 5.0  # seconds for all repetitions of one side


class Place:
    """Where bundles run, and the peers that there are."""

    def __init__(self, given: argparse.Namespace, runner: str, device: tuple[str, ...], clock: Clock, scratch: pathlib.Path):
        self.given, self.runner, self.device, self.clock, self.scratch = given, runner, device, clock, scratch
        self.bundles = given.folder / given.target
        self.torch = self.library = self.polly = None
        self.where = "cpu" if given.target == "openmp" or given.host else "cuda"
        if "torch" in given.peers:
            import peers_torch
            self.torch = peers_torch
        if "by_hand" in given.peers and given.target == "openmp":
            import peers_by_hand
            self.by_hand = peers_by_hand
            self.library = peers_by_hand.build(scratch)
            if (given.folder / "polly.so").exists():
                self.polly = peers_by_hand.load(given.folder / "polly.so")

    def manifest(self, row: Row) -> dict:
        return options.manifest_of(self.bundles / row.key)

    def runs(self, command: str, row: Row, words: list[str], limit_s: float) -> list[dict]:
        text = processes.output([self.runner, command, str(self.bundles / row.key), *self.device, *words, "--format",
                                 "json"], limit_s=self.clock.left(limit_s), allow=(0, 1, 3))
        return json.loads(text)["runs"]

    def peer_of(self, row: Row) -> str | None:
        """PyTorch where it has the row, else a loop by hand."""
        if row.peer and self.torch:
            return "PyTorch"
        return "by hand" if self.library and self.by_hand.has(self.library, row.spectrum) else None


def verified(place: Place, row: Row, manifest: dict) -> str:
    """"verified", or what is wrong at small odd sizes."""
    for sizes in row.checks:
        words = options.options(row, sizes, True, manifest["signature"]["parameters"], place.scratch)
        for run in place.runs("verify", row, [*words, "--data", "ordinary"], 120):
            if run["status"] not in ("verified", "inaccurate"):
                return f"{run['status']} at {' '.join(sizes)}: {run.get('reason')}"
    return "verified"


def agrees(place: Place, row: Row, manifest: dict) -> str:
    """"agrees", or how ours and the peer differ at the first small sizes."""
    import numpy
    command = [place.runner, "run", *place.device]
    inputs, outputs = agreement.results(command, place.bundles / row.key, row, manifest, place.scratch, place.clock.left(120))
    arrays = {name: numpy.load(file) for name, file in inputs.items()}
    last = list(outputs)[-1]
    if place.peer_of(row) == "PyTorch":
        tensors = {python(name): place.torch.tensor_of(array, place.where) for name, array in arrays.items()}
        tensors |= {name: float(value) for name, value in row.numbers(True).items()}
        wanted = place.torch.function(row, tensors)().cpu().numpy()
    else:
        call = hand(place, place.library, row, manifest, list(arrays.values()), True)
        call.run()
        wanted = call.arrays[list(arrays).index(last)]
    return agreement.difference(numpy.load(outputs[last]), wanted) or "agrees"


def python(name: str) -> str:
    """A parameter as expressions call it."""
    return "in_" if name.rstrip("_") == "in" else name.rstrip("_")


def hand(place: Place, library, row: Row, manifest: dict, arrays: list, checking: bool):
    """The function of a library for a row, with arrays of its own."""
    numbers = [float(row.numbers(checking)[parameter["name"]]) for parameter in manifest["signature"]["parameters"]
               if parameter["kind"] == "scalar"]
    return place.by_hand.ByHand(library, row.spectrum, arrays, numbers)


def ours(place: Place, row: Row, manifest: dict) -> dict:
    """What tangram-run measures at the row's sizes: one call first, and more of them where they are quick."""
    words = options.options(row, row.sizes(place.given.scale), False, manifest["signature"]["parameters"], place.scratch)
    words += ["--no-verify", "--cold", "--time-limit", str(place.given.call_limit)]
    run = place.runs("time", row, [*words, "--warmup", "0", "--repeat", "1"], 300)[0]
    if "seconds" in run and run["seconds"]["median"] < 1:
        repeats = max(3, min(place.given.repeats, round(QUICK / max(run["seconds"]["median"], 1e-6))))
        run = place.runs("time", row, [*words, "--warmup", "2", "--repeat", str(repeats)], 300)[0]
    return run


def peer(place: Place, row: Row, manifest: dict) -> dict | None:
    """How long the peer takes, where there is one."""
    how = place.peer_of(row)
    if how is None:
        return None
    shapes = options.shapes(row, row.sizes(place.given.scale), manifest)
    parameters = [one for one in manifest["signature"]["parameters"] if one["kind"] == "container"]
    if how == "PyTorch":
        return peer_in_torch(place, row, parameters, shapes)
    import numpy
    random = numpy.random.default_rng(1)

    def array(parameter: dict):
        name = parameter["name"].rstrip("_")
        if name in row.data:
            return numpy.load(options.file_of(row, parameter, shapes, place.scratch))
        kind = {"f32": "f4", "f64": "f8", "i32": "i4", "u32": "u4", "u8": "u1"}[parameter["element"]]
        return (random.random(shapes[name]) * 2 - 1 if kind[0] == "f" else random.integers(0, 255, shapes[name])).astype(kind)
    arrays = [array(parameter) for parameter in parameters]
    call = hand(place, place.library, row, manifest, arrays, False)
    result = {"how": how, **processes.summary(call.times(place.given.repeats, QUICK))}
    if place.polly and place.by_hand.has(place.polly, row.spectrum):
        call = hand(place, place.polly, row, manifest, arrays, False)
        result["polly"] = processes.summary(call.times(place.given.repeats, QUICK))
    return result


def peer_in_torch(place: Place, row: Row, parameters: list[dict], shapes: dict[str, tuple[int, ...]]) -> dict:
    def tensor(parameter: dict):
        name = parameter["name"].rstrip("_")
        if name in row.data:
            import numpy
            return place.torch.tensor_of(numpy.load(options.file_of(row, parameter, shapes, place.scratch)), place.where)
        return place.torch.random_tensor(shapes[name], parameter["element"], place.where)
    # Containers that are only written are not needed, but for their sizes.
    written = {one["name"] for one in parameters if one["access"] != "in"}
    tensors = {python(one["name"]): place.torch.torch.empty(shapes[one["name"].rstrip("_")], device="meta")
               if one["name"] in written else tensor(one) for one in parameters}
    tensors |= {name: float(value) for name, value in row.numbers(False).items()}
    call = place.torch.function(row, tensors)
    result = {"how": "PyTorch", **processes.summary(place.torch.times(call, place.where, place.given.repeats, QUICK))}
    if place.given.compiled:
        try:
            compiled = place.torch.compiled(row, tensors)
            seconds = place.torch.times(compiled, place.where, place.given.repeats, QUICK)
            result["compiled"] = processes.summary(seconds)
        except Exception as error:  # whatever a compiler of graphs says
            result["compiled"] = {"problem": str(error)[-300:]}
    del call, tensors
    place.torch.forget(place.where)
    return result


def judged(place: Place, row: Row) -> dict:
    """Whether the row is right: nothing of it is timed, so that rows may be judged side by side."""
    entry = attempted({}, "verified", lambda: verified(place, row, place.manifest(row)))
    if place.peer_of(row) is not None:
        attempted(entry, "agrees", lambda: agrees(place, row, place.manifest(row)))
    entry["right"] = entry["verified"] == "verified" and entry.get("agrees", "agrees") == "agrees"
    return entry


def timed(place: Place, row: Row) -> dict:
    """How long the peer and ours take, and the ratio."""
    manifest = place.manifest(row)
    entry = attempted({}, "peer", lambda: peer(place, row, manifest))
    attempted(entry, "ours", lambda: ours(place, row, manifest))
    if "seconds" in entry["ours"] and "median" in (entry["peer"] or {}):
        entry["ratio"] = entry["peer"]["median"] / entry["ours"]["seconds"]["median"]
    return entry


def attempted(entry: dict, name: str, part: Callable[[], object]) -> dict:
    """Adds a part's result to a line; a fault of one part leaves the others their turn."""
    try:
        entry[name] = part()
    except (processes.Failed, ValueError, KeyError, RuntimeError, MemoryError, NameError, TypeError) as error:
        said = f"{type(error).__name__}: {error}"[-500:]
        entry[name] = {"problem": said} if name in ("peer", "ours") else said
    return entry


def described(place: Place, row: Row, made: dict) -> dict:
    """What a line begins with."""
    sizes = row.sizes(place.given.scale)
    return {"row": row.key, "set": row.set, "name": row.name, "shape": " ".join(sizes), "divided": sizes != row.official,
            "right": False, **made}
