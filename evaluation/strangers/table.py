"""The rows of the three sets of programs here: kernelbench.json, polybench.json, own.json.

A row names a program, the sizes it is measured and checked at, and what does the same in PyTorch:

    name       what it is called in the set: KernelBench's number, PolyBench's kernel
    file       the source, in this folder
    spectrum   as --spectrum takes it
    official   sizes of containers, "x=32x64x512x512", as `tangram run --size` takes them; the rest follows from `require`s
    divided    the same with a smaller batch, where the official one takes many gigabytes (and minutes to fill)
    checks     several such sets of small odd sizes
    values     of scalar parameters, and check_values where checks have others
    data       of containers that may not hold any number: a kind of arrays.py
    peer       an expression of PyTorch (torch, F, math) over the parameters, which gives what the program does;
               peers_torch.py has the functions that some of them call
    given      values of PyTorch that the peer works on, made before it is timed: "matrix" of a sparse matrix's parts
"""

import dataclasses
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
SETS = ("kernelbench", "polybench", "own")


@dataclasses.dataclass(frozen=True)
class Row:
    set: str
    name: str
    file: str
    spectrum: str
    official: tuple[str, ...]
    checks: tuple[tuple[str, ...], ...]
    divided: tuple[str, ...] = ()
    values: dict[str, str] = dataclasses.field(default_factory=dict)
    check_values: dict[str, str] = dataclasses.field(default_factory=dict)
    data: dict[str, str] = dataclasses.field(default_factory=dict)
    peer: str = ""
    given: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def source(self) -> pathlib.Path:
        return FOLDER / self.file

    @property
    def key(self) -> str:
        """A name for files: kernelbench-42."""
        return f"{self.set}-{self.name.split()[0] if self.set == 'kernelbench' else self.name.replace(' ', '_')}"

    def sizes(self, scale: str) -> tuple[str, ...]:
        """At which the row is measured: "official", or "divided" where there are such."""
        return self.divided if scale == "divided" and self.divided else self.official

    def numbers(self, checking: bool) -> dict[str, str]:
        """Values of scalar parameters."""
        return {**self.values, **(self.check_values if checking else {})}


def extents(sizes: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """{"x": (2, 3)} of ("x=2x3",)."""
    pairs = (size.partition("=") for size in sizes)
    return {name: tuple(int(number) for number in shape.split("x")) for name, _, shape in pairs}


def read(name: str) -> list[Row]:
    """All rows of a set."""
    def row(entry: dict) -> Row:
        lists = {key: tuple(value) for key, value in entry.items() if key in ("official", "divided")}
        return Row(**{**entry, **lists, "set": name, "checks": tuple(map(tuple, entry["checks"]))})
    return [row(entry) for entry in json.loads((FOLDER / f"{name}.json").read_text())["rows"]]


def chosen(names: str | None) -> list[Row]:
    """Rows of all sets; or of those, or the ones, that are named: "polybench,kernelbench-42". ValueError: there is none."""
    everything = [row for name in SETS for row in read(name)]
    if names is None:
        return everything
    known = {row.key for row in everything} | set(SETS)
    if unknown := [name for name in names.split(",") if name not in known]:
        raise ValueError(f"no row {', '.join(unknown)} ({', '.join(sorted(known))})")
    wanted = set(names.split(","))
    return [row for row in everything if row.set in wanted or row.key in wanted]
