"""What a table of a GPU is made of: rows of shapes, each beside a program of peers in CUDA.

A table is prepared where the synthesizer is (gpu_prepare.py) and measured where the GPU is
(gpu_lines.py). A program of peers, NAME.cu in the table's folder, is called as `NAME ROW REPEATS SHAPE`. It
checks its results, and prints JSON: {"how": the fastest of its ways, "seconds": [...] of each call, with cold
caches}, and where it has other ways, "others": [{"how": ..., "median": seconds}].
"""

import concurrent.futures
import dataclasses
import pathlib
import shutil
from collections.abc import Callable

from . import machine, processes
from .place import matrix_writer
from .search import Spectrum

COPY = "copy_rate"  # the program that copies memory, of all tables: harness/cuda


@dataclasses.dataclass(frozen=True)
class Shape:
    name: str  # as the peer takes it
    options: tuple[str, ...]  # of tangram-run
    title: str
    amount: float = 0  # bytes that have to move, or operations; 0: depends on data
    arrays: tuple[str, ...] = ()  # of a sparse matrix, a graph or another real problem, which is made there
    tuned_at: tuple[str, ...] | None = None  # where trying values takes less time
    problem: str | None = None  # as write_matrix takes it, where it is not the name
    inputs: tuple[str, ...] = ()  # more options of tangram-run: numbers that are not sizes
    goal: float | None = None  # where it is another than that of the row


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    title: str
    library: str  # the program of the peer
    spectrum: Spectrum
    shapes: tuple[Shape, ...]
    verify: tuple[tuple[str, ...], ...]  # sets of options of `tangram-run verify`
    goal: float  # the ratio to the library, or to the best kernel by hand, that is to be reached
    small: tuple[str, ...] = ()  # options of tangram-run for a first look, at slow plans too
    unit: str = "GB/s"  # of the shapes' amounts: 1e9 of them a second
    rodinia: str | None = None  # the peer whose command may be given
    rodinia_goal: float | None = None  # the ratio to Rodinia's programs, where it is another
    verify_when_timed: bool = True  # the reference takes long where the work grows with n^3
    of_copy: float | None = None  # the share of the memory's copy rate to reach
    problems: tuple[str, ...] = ()  # where random numbers are none: they are verified with these, too
    known: tuple[dict[str, int], ...] = ()  # values of tunables that were best in earlier runs: tried before others

    def goals(self, shape: str) -> dict[str, float]:
        """What a line of this row is to reach, by the title of its shape: `goal`, and others where it has them."""
        own = next((one.goal for one in self.shapes if one.title == shape), None)
        more = {"rodinia_goal": self.rodinia_goal, "of_copy_goal": self.of_copy}
        return {"goal": own or self.goal, **{name: value for name, value in more.items() if value}}


@dataclasses.dataclass(frozen=True)
class Table:
    name: str  # of the results' files
    title: str
    chart: str  # its title
    folder: pathlib.Path  # with the sources of the programs
    programs: dict[str, tuple[str, ...]]  # of peers, with what to link
    rows: Callable[[bool], list[Row]]  # all; the small ones are for trying the scripts
    passes: tuple[str, ...] = ()  # left out of the best plan, to see what each is worth
    copies: bool = False  # bytes a second are also said in shares of the copy rate
    libraries: bool = True  # the programs are called what the libraries are

    def needed(self) -> tuple[str, ...]:
        """Names of all programs but tangram-run."""
        return (*self.programs, "write_matrix", *((COPY,) if self.copies else ()))


def chosen(everything: list[Row], names: str | None) -> list[Row]:
    """The rows called by --rows, in this order; ValueError names one that there is not."""
    if names is None:
        return everything
    known = {row.name: row for row in everything}
    if unknown := set(names.split(",")) - set(known):
        raise ValueError(f"no row {', '.join(sorted(unknown))} ({', '.join(known)})")
    return [known[name] for name in names.split(",")]


def build(table: Table, folder: pathlib.Path, architecture: str, limit_s: float = 600) -> None:
    """The programs that `folder` lacks, side by side; those of peers only where there is nvcc."""
    sources = {name: table.folder / f"{name}.cu" for name in table.programs}
    if table.copies:
        sources[COPY] = machine.ROOT / "evaluation" / "harness" / "cuda" / f"{COPY}.cu"
    missing = {name: source for name, source in sources.items() if not (folder / name).exists()}
    commands = [] if (folder / "write_matrix").exists() else [matrix_writer(folder)]
    if shutil.which("nvcc"):
        commands += [["nvcc", "-O3", "-std=c++17", f"-arch={architecture}", "-Xcompiler", "-fopenmp",
                      str(source), "-o", str(folder / name), *table.programs.get(name, ())] for name, source in missing.items()]
    elif missing:
        processes.tell(f"{table.name}: no nvcc here to build the peers with")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda command: processes.output(command, limit_s=limit_s), commands))
