"""Whether a program computes what its peer does: both get the same small numbers, from files."""

import json
import pathlib

import options
from table import Row

from harness import processes

CLOSE = 1e-3  # of the largest element: it is the same computation, or it is not


def shapes_of(parameters: list[dict], extents: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """Of all containers, components of vectors included."""
    return {parameter["name"].rstrip("_"): tuple(extents[name] for name in parameter["extents"])
            for parameter in parameters if parameter["kind"] == "container"}


def results(runner: list[str], bundle: pathlib.Path, row: Row, signature: dict, scratch: pathlib.Path,
            limit_s: float) -> tuple[dict[str, pathlib.Path], dict[str, pathlib.Path]]:
    """Files of what went in and of what came out, at the row's first small sizes."""
    parameters = signature["parameters"]
    sizes = row.checks[0]
    base = [*runner, "time", str(bundle), "--no-verify", "--repeat", "1", "--format", "json"]
    made = options.options(row, sizes, True, parameters, scratch)
    run = json.loads(processes.output([*base, *made], limit_s=limit_s, allow=(0, 1, 3)))["runs"][0]
    if "extents" not in run or run["status"] not in ("timed", "verified"):
        raise processes.Failed(f"{run['status']}: {run.get('reason')}")
    shapes = shapes_of(parameters, run["extents"])
    inputs, outputs, words = {}, {}, []
    for parameter in parameters:
        if parameter["kind"] == "scalar":
            continue
        name = parameter["name"]
        inputs[name] = options.file_of(row, parameter, shapes, scratch)
        words += ["--input", f"{name}={inputs[name]}"]
        if parameter["access"] != "in":
            outputs[name] = scratch / f"{row.key}-{name}-out.npy"
    if signature["result"]:
        outputs["result"] = scratch / f"{row.key}-result-out.npy"
    for name, value in row.numbers(True).items():
        words += ["--input", f"{name}={value}"]
    for name, file in outputs.items():
        words += ["--output", f"{name}={file}"]
    command = [*runner, "run", str(bundle), "--repeat", "1", "--warmup", "0", "--format", "json"]
    said = json.loads(processes.output([*command, *words], limit_s=limit_s, allow=(0, 1, 3)))["runs"][0]
    if said["status"] not in ("timed", "verified"):
        raise processes.Failed(f"{said['status']}: {said.get('reason')}")
    return inputs, outputs


def difference(got, wanted) -> str | None:
    """What differs between two arrays of NumPy's, in words."""
    if got.size != wanted.size:
        return f"{got.size} elements, {wanted.size} expected"
    got, wanted = got.reshape(-1).astype("f8"), wanted.reshape(-1).astype("f8")
    if not got.size:
        return None
    apart = abs(got - wanted)
    bound = CLOSE * max(abs(wanted).max(), 1e-30)
    if (apart <= bound).all():
        return None
    place = int(apart.argmax())
    return f"element {place}: {got[place]:g}, {wanted[place]:g} expected"
