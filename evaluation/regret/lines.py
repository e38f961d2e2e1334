"""The lines of the regret tables: those of the tables of libraries, and benchmarks whose codelets were
written after the cost model was made, which are held back: nothing in the model may follow from them."""

import dataclasses
import importlib.util
import json
import pathlib
import types

from harness import cpu_rows, cpu_table, report
from harness.search import Spectrum

HERE = pathlib.Path(__file__).resolve().parent
ELEMENTS = {"poisson,1000": 4_996_000, "irregular,1048576": 33_287_288}  # nonzeros, for predictions
GPU_HELD_BACK = ("nbody", "mriq", "sobel", "black_scholes")


@dataclasses.dataclass(frozen=True)
class Committed:
    """The best of a table of libraries that is committed."""

    notation: str
    tunables: tuple[tuple[str, int], ...]


@dataclasses.dataclass(frozen=True)
class Line:
    row: str
    title: str
    shape: str  # as people read it
    spectrum: Spectrum
    options: tuple[str, ...]  # of tangram-run, for its sizes
    predict: tuple[str, ...]  # likewise, for predictions
    matrix: str | None = None  # or graph, of which the arrays are the input, as write_matrix takes it
    arrays: tuple[str, ...] = ("values", "columns", "offsets")
    held_back: bool = False
    slow_reference: tuple[str, ...] = ()  # verified at these sizes instead: the reference takes too long
    committed: Committed | None = None

    @property
    def name(self) -> str:
        return f"{self.row} {self.shape}"


def module(folder: str) -> types.ModuleType:
    """rows.py of another table."""
    spec = importlib.util.spec_from_file_location(f"{folder}_rows", HERE.parent / folder / "rows.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def committed(table: str) -> dict[tuple[str, str], Committed]:
    """By row and shape."""
    file = report.RESULTS / f"{table}.json"
    found = {}
    for line in json.loads(file.read_text())["lines"] if file.exists() else []:
        best = (line.get("ours") or line.get("plans") or {}).get("best")
        if best:
            values = best.get("tunables", best.get("chosen", {}))
            found[line["row"], line["shape"]] = Committed(", ".join(best["steps"]),
                                                          tuple(sorted(values.items())))
    return found


def sparse(size: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Options of a sparse matrix with its arrays as inputs, and for predictions."""
    count = int(size.split(",")[1]) ** (2 if size.startswith("poisson") else 1)
    elements = ELEMENTS.get(size, 32 * count)
    return (("--size", f"x={count}"),
            ("--size", f"x={count}", "--size", f"y={count}", "--size", f"values={elements}"))


# Of each search on a CPU: a container of as many elements as there are vertices, and what else a run is given.
# `bfs` is a step of one.
SEARCHES = {"bfs": ("before", ()), "levels": ("distance", ("--input", "source=0"))}


def of_cpu_row(row: cpu_rows.Row, scale: str, held_back: bool, best: dict) -> list[Line]:
    found = []
    for number, shape in enumerate(row.shapes[scale][:1] if held_back else row.shapes[scale]):
        matrix, arrays = None, Line.arrays
        if row.name == "spmv":
            options, predict = sparse(shape)
            matrix = shape
        elif row.name in SEARCHES:  # on a graph that tangram-run makes up
            vertices = int(shape.split(",")[1])
            if shape.startswith("grid"):
                continue
            container, more = SEARCHES[row.name]
            predict = ("--size", f"{container}={vertices}", "--size", f"targets={6 * vertices}")
            options = (*predict, *more)
        else:
            options = predict = row.sizes[scale][number]
            if row.name == "lud":
                matrix, arrays = f"dominant,{shape}", ("a",)
        found.append(Line(row.name, row.title, cpu_table.shape_text(shape), row.spectrum, options, predict,
                          matrix, arrays, held_back=held_back, committed=best.get((row.name, shape))))
    return found


def cpu_lines(scale: str) -> list[Line]:
    libraries, benchmarks = committed("cpu_libraries"), committed("cpu_benchmarks")
    return [line for rows, held_back, best in
            ((module("cpu_libraries").rows(None), False, libraries),
             (module("cpu_benchmarks").rows(), True, benchmarks))
            for row in rows for line in of_cpu_row(row, scale, held_back, best)]


def gpu_lines(scale: str) -> list[Line]:
    """Those of one size of each first, so that a run that is short of time has something of each."""
    best = committed("gpu_libraries")
    once, again = [], []
    for row in module("gpu_libraries").rows(scale == "small"):
        for number, shape in enumerate(row.shapes):
            predict = sparse(shape.name)[1] if "values" in shape.arrays else shape.options
            if "targets" in shape.arrays:
                vertices = int(shape.title.split(", ")[1].split()[0].replace(",", ""))
                edges = (4 if shape.name.startswith("grid") else 6) * vertices
                predict = ("--size", f"distance={vertices}", "--size", f"targets={edges}")
            usual = min(1, len(row.shapes) - 1) if row.name in ("sum", "dot", "axpy") else 0
            several = row.name in ("sgemv", "spmv")
            (once if several or number == usual else again).append(Line(
                row.name, row.title, shape.title, row.spectrum, (*shape.options, *shape.inputs), predict,
                shape.name if shape.arrays else None, shape.arrays,
                slow_reference=() if row.verify_when_timed else row.small,
                committed=best.get((row.name, shape.title))))
    held_back = [line for row in module("cpu_benchmarks").rows() if row.name in GPU_HELD_BACK
                 for line in of_cpu_row(row, scale, True, {})]
    return once + held_back + again


def chosen(lines: list[Line], names: str | None, once: bool) -> list[Line]:
    """The lines of these rows, or the first of each; ValueError names a row that there is not."""
    known = dict.fromkeys(line.row for line in lines)
    wanted = names.split(",") if names else list(known)
    if unknown := set(wanted) - set(known):
        raise ValueError(f"no row {', '.join(sorted(unknown))} ({', '.join(known)})")
    found = [line for line in lines if line.row in wanted]
    begun: dict[str, Line] = {}
    for line in found:
        begun.setdefault(line.row, line)
    return list(begun.values()) if once else found
