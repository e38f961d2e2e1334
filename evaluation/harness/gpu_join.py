"""Joins what several runs of a table of a GPU measured.

    evaluation/gpu_libraries/join OUT RUN.json...
    evaluation/gpu_benchmarks/join OUT RUN.json...

OUT gets the JSON, the page and the chart of all lines, each from the last RUN that measured it; all runs have
to be of one kind of device. How: join.py.
"""

import argparse
import json
import pathlib

from . import gpu_lines, join, processes
from .gpu_rows import Table


def gpu(run: dict) -> str:
    return run["machine"].get("gpu", "no GPU")


def is_measured(entry: dict) -> bool:
    return "best" in entry.get("ours", {})


def joined(table: Table, runs: list[dict]) -> dict:
    """One run's data, whose lines stand in the order of the table's rows; Failed: of several devices."""
    rows = {row.name: row for row in table.rows(False)}
    order = list(rows)
    data = join.joined(order, runs, gpu, is_measured, lambda entry: rows[entry["row"]].goals(entry["shape"]))
    missing = [name for name in order if all(entry["row"] != name for entry in data["lines"])]
    return {**data, "problems": [f"{name}: not measured" for name in missing]}


def main(table: Table, about: str) -> int:
    """The command; status 2 where a file cannot be read, or is of another device."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("runs", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    try:
        data = joined(table, [json.loads(file.read_text()) for file in options.runs])
    except (OSError, ValueError, KeyError, processes.Failed) as error:
        processes.tell(f"join: {processes.problem(error)}")
        return 2
    gpu_lines.write(table, data, options.out, True)
    return 0
