"""Whether a program computes what its peer does: both get the same small numbers, from files."""

import json
import pathlib

import options
from table import Row

from harness import processes

CLOSE = 1e-3  # of the largest element: it is the same computation, or it is not


def results(runner: list[str], bundle: pathlib.Path, row: Row, manifest: dict, scratch: pathlib.Path,
            limit_s: float) -> tuple[dict[str, pathlib.Path], dict[str, pathlib.Path]]:
    """Files of what went in and of what came out, at the row's first small sizes."""
    parameters = manifest["signature"]["parameters"]
    shapes = options.shapes(row, row.checks[0], manifest)
    inputs, outputs = {}, {}
    for parameter in parameters:
        if parameter["kind"] == "container":
            name = parameter["name"]
            inputs[name] = options.file_of(row, parameter, shapes, scratch)
            if parameter["access"] != "in":
                outputs[name] = scratch / f"{row.key}-{name}-out.npy"
    if manifest["signature"]["result"]:
        outputs["result"] = scratch / f"{row.key}-result-out.npy"
    words = [f"{name}={value}" for name, value in [*inputs.items(), *row.numbers(True).items()]]
    command = [*runner, str(bundle), "--repeat", "1", "--warmup", "0", "--format", "json",
               *(word for pair in words for word in ("--input", pair)),
               *(word for name, file in outputs.items() for word in ("--output", f"{name}={file}"))]
    run = json.loads(processes.output(command, limit_s=limit_s, allow=(0, 1, 3)))["runs"][0]
    if run["status"] not in ("timed", "verified", "inaccurate"):
        raise processes.Failed(f"{run['status']}: {run.get('reason')}")
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
