"""The lines of the regret tables: those of the tables of libraries, benchmarks whose codelets were
written after the cost model was made, which are held back: nothing in the model may follow from them; and strangers'
programs, which are one loop each (evaluation/strangers), also held back."""

import dataclasses
import sys

from harness import cpu_rows, cpu_table, machine, report
from harness.search import Spectrum
from harness.table_lines import SEARCHES, Committed, committed, module, predicted_on_cpu, predicted_on_gpu, sparse

sys.path.insert(0, str(machine.ROOT / "evaluation" / "strangers"))
import table  # noqa: E402

GPU_HELD_BACK = ("nbody", "mriq", "sobel", "black_scholes")


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


# On a CPU, whose references with error bounds take a minute at the sizes of the lines.
VERIFIED_SMALL = {name: ("--size", "256") for name in ("sgemm", "dgemm", "sgemm_nt", "dgemm_nt")} | {
    "convolve": ("--size", "in=300x300"), "separable": ("--size", "in=300x300"), "nbody": ("--size", "bodies=4x500")}
STEP_AT = 7  # the depth of the step that `bfs` is: of 2^20 vertices of a random graph a fifth are there


def of_search(name: str, shape: str) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Options of tangram-run, arrays of a graph, and what writes them."""
    vertices = int(shape.split(",")[1])
    if name == "levels":
        return ("--size", f"distance={vertices}", "--input", "source=0"), ("offsets", "targets"), shape
    depth = STEP_AT if vertices == 1 << 20 else 2
    return ("--input", f"depth={depth}"), ("offsets", "targets", "before"), f"{shape},{depth}"


def of_cpu_row(row: cpu_rows.Row, scale: str, held_back: bool, best: dict) -> list[Line]:
    found = []
    for number, shape in enumerate(row.shapes[scale][:1] if held_back else row.shapes[scale]):
        matrix, arrays = None, Line.arrays
        if row.name in SEARCHES and shape.startswith("grid"):
            continue
        predict = predicted_on_cpu(row, scale, number)
        if row.name == "spmv":
            options, matrix = sparse(shape)[0], shape
        elif row.name in SEARCHES:
            options, arrays, matrix = of_search(row.name, shape)
        else:
            options = predict
            if row.name == "lud":
                matrix, arrays = f"dominant,{shape}", ("a",)
        found.append(Line(row.name, row.title, cpu_table.shape_text(shape), row.spectrum, options, predict,
                          matrix, arrays, held_back=held_back, committed=best.get((row.name, shape)),
                          slow_reference=VERIFIED_SMALL.get(row.name, ())))
    return found


def strangers(scale: str) -> list[Line]:
    """Loops alone. Those whose containers may not hold any number are left out."""
    found = []
    for row in table.chosen(None):
        if row.data:
            continue
        small = options_of(row, row.checks[-1], True)
        options = small if scale == "small" else options_of(row, row.sizes("divided"), False)
        shape = " ".join(word for word in options if "=" in word)
        found.append(Line(row.key, row.name, shape, Spectrum(f"../evaluation/strangers/{row.file}", row.spectrum),
                          options, options, held_back=True, slow_reference=small))
    return found


def options_of(row: table.Row, sizes: tuple[str, ...], checking: bool) -> tuple[str, ...]:
    """What tangram-run is told: sizes, and values of scalars."""
    pairs = [("--size", size) for size in sizes]
    pairs += [("--input", f"{name}={value}") for name, value in row.numbers(checking).items()]
    return tuple(word for pair in pairs for word in pair)


def cpu_lines(scale: str) -> list[Line]:
    libraries, benchmarks = (committed(report.RESULTS / f"{name}.json") for name in ("cpu_libraries", "cpu_benchmarks"))
    return [line for rows, held_back, best in
            ((module("cpu_libraries").rows(None), False, libraries),
             (module("cpu_benchmarks").rows(), True, benchmarks))
            for row in rows for line in of_cpu_row(row, scale, held_back, best)] + strangers(scale)


def gpu_lines(scale: str) -> list[Line]:
    """Those of one size of each first, so that a run that is short of time has something of each."""
    best = committed(report.RESULTS / "gpu_libraries.json")
    once, again = [], []
    for row in module("gpu_libraries").rows(scale == "small"):
        for number, shape in enumerate(row.shapes):
            predict = predicted_on_gpu(shape)
            usual = min(1, len(row.shapes) - 1) if row.name in ("sum", "dot", "axpy") else 0
            several = row.name in ("sgemv", "spmv")
            (once if several or number == usual else again).append(Line(
                row.name, row.title, shape.title, row.spectrum, (*shape.options, *shape.inputs), predict,
                shape.name if shape.arrays else None, shape.arrays,
                slow_reference=() if row.verify_when_timed else row.small,
                committed=best.get((row.name, shape.title))))
    held_back = [line for row in module("cpu_benchmarks").rows() if row.name in GPU_HELD_BACK
                 for line in of_cpu_row(row, scale, True, {})]
    return once + held_back + again + strangers(scale)


def chosen(lines: list[Line], names: str | None, once: bool) -> list[Line]:
    """The lines of these rows, or of sets of strangers' programs, or the first of each; ValueError names a row that there
    is not."""
    known = dict.fromkeys(line.row for line in lines)
    wanted = names.split(",") if names else list(known)
    if unknown := set(wanted) - set(known) - set(table.SETS):
        raise ValueError(f"no row {', '.join(sorted(unknown))} ({', '.join(known)})")
    found = [line for line in lines if line.row in wanted or line.row.partition("-")[0] in set(wanted) & set(table.SETS)]
    begun: dict[str, Line] = {}
    for line in found:
        begun.setdefault(line.row, line)
    return list(begun.values()) if once else found
