"""The tables of figures that stand in pages written by hand, from what was measured.

A page has a pair of comments for each table, with a name,

    <!-- figures: NAME -->
    ...
    <!-- end of figures -->

and what stands between them is written anew from the JSON files of evaluation/results. A table of the page has
some of the lines that were measured, under names of its own; which, says evaluation/figures.
"""

import dataclasses
import json
import pathlib
import re

from collections.abc import Callable

from . import processes, rodinia

LIBRARIES = {"cub": "CUB", "cublas": "cuBLAS", "cusparse": "cuSPARSE"}
PARALLEL = {"cuda": "CUDA", "opencl": "OpenCL", "openmp": "OpenMP"}  # by the end of a program's name


@dataclasses.dataclass(frozen=True)
class Line:
    """One line of a page: which line of the results, and what it is called."""

    row: str
    shape: str  # as in the JSON
    title: str


@dataclasses.dataclass(frozen=True)
class Measured:
    """What is shown of a line, wherever it was measured; times in seconds, ratios above 1: ours is faster."""

    ours: dict
    rate: str  # "139 GB/s"; empty where a row has none
    peers: list[tuple[str, float]]  # the best one, then Rodinia's
    best: list[float]  # ratios to these
    first: list[float]  # of the plan that synth takes; empty where it was not measured
    machine: str


def time(seconds: float) -> str:
    """In milliseconds, with three digits or all that stand before the point."""
    scaled = seconds * 1e3
    digits = 0 if scaled >= 100 else 1 if scaled >= 10 else 2 if scaled >= 1 else 3
    return f"{scaled:,.{digits}f} ms"


def ratio(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2f}"


def large(rate: str) -> str:
    """"35,800 Gflop/s" as "35.8 Tflop/s"."""
    value, _, unit = rate.partition(" ")
    number = float(value.replace(",", "")) if value else 0
    return f"{number / 1e3:.1f} Tflop/s" if unit == "Gflop/s" and number >= 1e4 else rate


def beside_rodinia(entry: dict, ours: dict, first: dict | None) -> tuple[list, list, list]:
    """Peers and ratios of Rodinia's programs."""
    others = rodinia.timed(entry)
    peers = [(f"Rodinia ({PARALLEL[other['command'].rsplit('_', 1)[-1]]})", other["median"]) for other in others]
    return (peers, [rodinia.ratio(other, ours)["ratio"] for other in others],
            [rodinia.ratio(other, first)["ratio"] for other in others] if first else [])


def on_gpu(entry: dict, machine: str) -> Measured:
    ours, first = entry["ours"]["best"], entry["ours"].get("first")
    peers, best, as_it_comes = beside_rodinia(entry, ours, first)
    how = entry["peer"]["how"]
    if entry["library"] in LIBRARIES:
        how = f"{LIBRARIES[entry['library']]} {how}".strip()
    return Measured(ours, large(ours.get("rate") or ""), [(how, entry["peer"]["median"]), *peers],
                    [entry["ratios"]["best"]["ratio"], *best],
                    [entry["ratios"]["first"]["ratio"], *as_it_comes] if first else [], machine)


def on_cpu(entry: dict, machine: str) -> Measured:
    ours, first = entry["variants"]["best"], entry["variants"].get("first")
    peers, best, as_it_comes = beside_rodinia(entry, ours, first)
    unit = next((unit for unit in ("gflop_per_s", "gb_per_s") if unit in ours), None)
    rate = f"{ours[unit]:,.0f} {'Gflop/s' if unit == 'gflop_per_s' else 'GB/s'}" if unit else ""
    name = f"`{entry['peer']}`" if "::" in entry["peer"] else entry["peer"]
    return Measured(ours, rate, [(name, entry["variants"][entry["peer"]]["median"]), *peers],
                    [entry["ratios"]["best"]["ratio"], *best],
                    [entry["ratios"]["first"]["ratio"], *as_it_comes] if first else [], machine)


def variants(entry: dict, title: str, machine: str) -> Measured:
    """Of the tables of one computation, cpu_sum and cpu_gemm: the fastest of ours, and of the others."""
    def fastest(ours: bool) -> dict:
        return min((each for each in entry["variants"] if each["ours"] == ours and "bandwidth" not in each["name"]),
                   key=lambda each: each["median"])
    ours, peer = fastest(True), fastest(False)
    unit = "gflop_per_s" if "gflop_per_s" in ours else "gb_per_s"
    rate = f"{ours[unit]:,.0f} Gflop/s" if unit == "gflop_per_s" else f"{ours[unit]:.1f} GB/s"
    return Measured(ours, rate, [(peer["name"], peer["median"])], [peer["median"] / ours["median"]], [], machine)


def processor(data: dict) -> str:
    return re.sub(r"\(R\)| Processor", "", data["machine"]["processor"])


class Results:
    """The JSON files of a folder, and lines of them by row and shape."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def lines(self, name: str) -> dict[tuple[str, str], Measured | None]:
        """None stands for lines that were not measured, with their peers."""
        data = json.loads((self.folder / f"{name}.json").read_text())
        machine = processor(data)
        if name == "cpu_gemm":
            return {(run["kind"], str(run["size"])): variants(run, name, machine)
                    for run in data["runs"] if not run["without"]}
        if name == "cpu_sum":
            return {("sum", str(size["elements"])): variants(size, name, machine) for size in data["sizes"]}
        one = on_cpu if name.startswith("cpu_") else on_gpu
        return {(entry["row"], entry["shape"]):
                one(entry, machine) if "peer" in entry and "best" in entry.get("ratios", {}) else None
                for entry in data["lines"]}

    def of_copy(self, name: str) -> dict[tuple[str, str], float]:
        data = json.loads((self.folder / f"{name}.json").read_text())
        return {(entry["row"], entry["shape"]): entry["ours"]["best"]["of_copy"] for entry in data["lines"]
                if "of_copy" in entry.get("ours", {}).get("best", {})}


def found(results: Results, name: str, lines: list[Line]) -> list[tuple[Line, Measured | None]]:
    """Failed: a line is not in the results."""
    measured = results.lines(name)
    for line in lines:
        if (line.row, line.shape) not in measured:
            raise processes.Failed(f"{name}.json has no line {line.row} {line.shape}")
    return [(line, measured[line.row, line.shape]) for line in lines]


def markdown(header: list[str], left: int, rows: list[list[str]]) -> str:
    """A table whose first columns are to the left."""
    rule = ["---" if at < left else "---:" for at in range(len(header))]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (header, rule, *rows)).replace("|  |", "| |")


def table(results: Results, name: str, lines: list[Line], peer: str, with_rate: bool, with_copy: bool = False) -> str:
    """What, ours, the peers, ratios of the best plan and of the one as it comes."""
    copies = results.of_copy(name) if with_copy else {}
    rows = []
    for line, measured in found(results, name, lines):
        if measured is None:
            rows.append([line.title, *["-"] * 4, *([""] if with_copy else [])])
            continue
        cells = [line.title,
                 time(measured.ours["median"]) + (f", {measured.rate}" if with_rate and measured.rate else ""),
                 "; ".join(f"{name}: {time(seconds)}" for name, seconds in measured.peers),
                 "; ".join(map(ratio, measured.best)), "; ".join(map(ratio, measured.first)) or "-"]
        if with_copy:
            at = line.row, line.shape
            cells.append(f"{copies[at]:.2f}" if at in copies else "")
        rows.append(cells)
    header = ["what", "ours, best", peer, "ratio, best", "as it comes", *(["of copy"] if with_copy else [])]
    return markdown(header, 1, rows)


def written(page: str, tables: dict[str, Callable[[], str]]) -> str:
    """The page with its tables as they have to be; Failed: one of them is not there."""
    for name, text in tables.items():
        between = re.compile(rf"(<!-- figures: {re.escape(name)} -->\n)(?:.*?)(<!-- end of figures -->)", re.S)
        if len(between.findall(page)) != 1:
            raise processes.Failed(f"not one table '<!-- figures: {name} -->' ... '<!-- end of figures -->'")
        made = text()
        page = between.sub(lambda found, made=made: found[1] + made + found[2], page)
    return page
