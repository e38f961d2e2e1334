"""What tangram-run is called with for a row: sizes, values of scalars, and files of containers that may not hold any number."""

import json
import pathlib

import arrays
from table import Row, extents

from harness.manifest import Expression


def manifest_of(bundle: pathlib.Path) -> dict:
    """A bundle's manifest; of several plans that of the first one, whose signature is that of all."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    return manifest_of(bundle / manifest["versions"][0]) if "versions" in manifest else manifest


def options(row: Row, sizes: tuple[str, ...], checking: bool, parameters: list[dict], scratch: pathlib.Path) -> list[str]:
    """Options of `tangram-run verify`, `time`, `run`; `parameters` are those of a manifest's signature. Files go to scratch,
    and stay there for the next call with the same sizes."""
    shapes = extents(sizes)
    words = []
    for name, value in row.numbers(checking).items():
        words += ["--input", f"{name}={value}"]
    for parameter in parameters:
        name = parameter["name"]
        if name.rstrip("_") in row.data:
            words += ["--input", f"{name}={file_of(row, parameter, shapes, scratch)}"]
    given = {name for name in row.data}
    for name, shape in shapes.items():
        if name not in given:
            words += ["--size", f"{called(name, parameters)}={'x'.join(map(str, shape))}"]
    return words


def called(name: str, parameters: list[dict]) -> str:
    """A parameter as manifests call it, who add a `_` to names that other languages have a use for."""
    return next((parameter["name"] for parameter in parameters if parameter["name"].rstrip("_") == name), name)


def file_of(row: Row, parameter: dict, shapes: dict[str, tuple[int, ...]], scratch: pathlib.Path) -> pathlib.Path:
    """The file with the numbers of a container, which is made where it is not there yet."""
    name = parameter["name"].rstrip("_")
    kind = row.data.get(name, "any")
    shape = shapes[name] + (4,) * (parameter["rank"] - len(shapes[name]))  # a vector's components are a dimension
    file = scratch / f"{row.key}-{name}-{'x'.join(map(str, shape))}.npy"
    if not file.exists():
        arrays.write(file, kind, parameter["element"], shape, shapes, seed=sum(map(ord, name)))
    return file


def shapes(row: Row, sizes: tuple[str, ...], manifest: dict) -> dict[str, tuple[int, ...]]:
    """Of all containers, components of vectors included: those that are given, and what requirements make of them."""
    given = extents(sizes)
    containers = [parameter for parameter in manifest["signature"]["parameters"] if parameter["kind"] == "container"]
    known: dict[str, int] = {}
    for parameter in containers:
        shape = given.get(parameter["name"].rstrip("_"), ())
        known |= dict(zip(parameter["extents"], shape + (4,) * (len(parameter["extents"]) - len(shape)) if shape else ()))
    wanted = [name for parameter in containers for name in parameter["extents"]]
    while missing := [name for name in wanted if name not in known]:
        found = {}
        for contract in manifest["shape"]:
            found |= follows(contract["extent"], Expression(contract["equals"]), known)
        if not found:
            raise ValueError(f"{row.key}: {missing[0]} is not known at {' '.join(sizes)}")
        known |= found
    return {parameter["name"].rstrip("_"): tuple(known[name] for name in parameter["extents"]) for parameter in containers}


def follows(name: str, equals: Expression, known: dict[str, int]) -> dict[str, int]:
    """What an equation says of the one size in it that is not known, where there is one: sums grow with each of theirs."""
    unknown = {token for token in equals.tokens if token.isidentifier() and token not in ("min", "max")} - known.keys()
    if name not in known:
        return {} if unknown else {name: equals.value(known)}
    if len(unknown) != 1:
        return {}
    (size,) = unknown

    def value(candidate: int) -> int:
        try:
            return equals.value({**known, size: candidate})
        except ValueError:  # below zero
            return -1
    low, high = 0, 1 << 40
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if value(middle) < known[name] else (low, middle)
    return {size: low} if value(low) == known[name] else {}
