"""What tangram-run is called with for a row: sizes, values of scalars, and files of containers that may not hold any number."""

import pathlib

import arrays
from table import Row, extents

from harness.manifest import Expression


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
    known: dict[str, int] = {name: int(value) for name, value in row.numbers(False).items() if value.isdigit()}
    for parameter in containers:
        shape = given.get(parameter["name"].rstrip("_"), ())
        known |= dict(zip(parameter["extents"], shape + (4,) * (len(parameter["extents"]) - len(shape)) if shape else ()))
    waiting = [contract for contract in manifest["shape"] if contract["extent"] not in known]
    while waiting:
        rest = []
        for contract in waiting:
            try:
                known[contract["extent"]] = Expression(contract["equals"]).value(known)
            except ValueError:
                rest.append(contract)
        if len(rest) == len(waiting):
            raise ValueError(f"{row.key}: {rest[0]['extent']} is not known at {' '.join(sizes)}")
        waiting = rest
    return {parameter["name"].rstrip("_"): tuple(known[name] for name in parameter["extents"]) for parameter in containers}
