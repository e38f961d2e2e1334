"""What tables that take rows of other tables need to know of them: their rows.py, the sizes to predict plans for, and the
best plans that were measured."""

import dataclasses
import importlib.util
import json
import pathlib
import types

from . import machine
from .cpu_rows import Row
from .gpu_rows import Shape

ELEMENTS = {"poisson,1000": 4_996_000, "irregular,1048576": 33_287_288}  # nonzeros, for predictions
SEARCHES = {"bfs": "before", "levels": "distance"}  # on a CPU, with a container of as many elements as there are vertices


@dataclasses.dataclass(frozen=True)
class Committed:
    """The best plan of a line of a table that was measured."""

    notation: str
    tunables: tuple[tuple[str, int], ...]
    model: str | None = None  # where the table has plans of several


def module(folder: str) -> types.ModuleType:
    """rows.py of a table."""
    spec = importlib.util.spec_from_file_location(
        f"{folder}_rows", machine.ROOT / "evaluation" / folder / "rows.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def committed(file: pathlib.Path) -> dict[tuple[str, str], Committed]:
    """Of a table's JSON, by row and shape."""
    found = {}
    for line in json.loads(file.read_text())["lines"] if file.exists() else []:
        best = (line.get("ours") or line.get("plans") or {}).get("best")
        if best:
            values = best.get("tunables", best.get("chosen", {}))
            model = best["plan"].partition(" ")[0] if " " in best["plan"] else None
            found[line["row"], line["shape"]] = Committed(", ".join(best["steps"]), tuple(sorted(values.items())), model)
    return found


def sparse(size: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Options of a sparse matrix with its arrays as inputs, and for predictions."""
    count = int(size.split(",")[1]) ** (2 if size.startswith("poisson") else 1)
    elements = ELEMENTS.get(size, 32 * count)
    return (("--size", f"x={count}"),
            ("--size", f"x={count}", "--size", f"y={count}", "--size", f"values={elements}"))


def edges(kind: str, vertices: int) -> int:
    """Of a graph, about."""
    return (4 if kind.startswith("grid") else 6) * vertices


def predicted_on_cpu(row: Row, scale: str, number: int) -> tuple[str, ...]:
    """Options of tangram-run that say the sizes of a row's shape, as predictions take them."""
    shape = row.shapes[scale][number]
    if row.name == "spmv":
        return sparse(shape)[1]
    if row.name in SEARCHES:
        kind, size = shape.split(",")
        vertices = int(size) ** (2 if kind == "grid" else 1)
        return ("--size", f"{SEARCHES[row.name]}={vertices}", "--size", f"targets={edges(kind, vertices)}")
    return row.sizes[scale][number]


def predicted_on_gpu(shape: Shape) -> tuple[str, ...]:
    """Likewise of a shape on a GPU."""
    if "values" in shape.arrays:
        return sparse(shape.name)[1]
    if "targets" in shape.arrays:
        vertices = int(shape.title.split(", ")[1].split()[0].replace(",", ""))
        return ("--size", f"distance={vertices}", "--size", f"targets={edges(shape.name, vertices)}")
    return shape.options
