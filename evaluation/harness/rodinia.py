"""Rodinia's programs as peers of a line: built elsewhere, each says what it took by its own clock.

Their commands are given as --rodinia-kmeans and --rodinia-bfs, each as often as there are programs. {shape} in a
command stands for the shape of the line, "random,1048576" say: a program may need other data for each.
"""

import argparse
import pathlib

from collections.abc import Callable

from . import processes, report

RUNS = 3  # each of which may already be the median of several rounds
ABSENT = "Rodinia was not there to measure"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rodinia-kmeans", metavar="COMMAND", action="append", default=[],
                        help="a built peer, which says its time; {shape} is the line's; may be repeated")
    parser.add_argument("--rodinia-bfs", metavar="COMMAND", action="append", default=[], help="likewise")


def commands(options: argparse.Namespace, row: str | None) -> list[str]:
    """Of the peer that this row of a table may have; none where it has none."""
    return getattr(options, f"rodinia_{row}") if row else []


def said(command: str, shape: str, limit: Callable[[], float]) -> dict:
    """What it says in several runs, or why it says nothing: ours are worth measuring all the same."""
    name = pathlib.Path(command.split()[0]).name
    command = command.replace("{shape}", shape)
    try:
        seconds = [processes.reported_seconds(processes.output(["sh", "-c", command], limit_s=limit()))
                   for _ in range(RUNS)]
    except processes.Failed as error:
        processes.tell(f"Rodinia: {error}")
        return {"command": name, "problem": str(error)[-500:]}
    return {"command": name, **processes.summary(seconds)}


def measured(given: list[str], shape: str, limit: Callable[[], float] = lambda: 600) -> list[dict]:
    return [said(command, shape, limit) for command in given]


def ratio(entry: dict, ours: dict) -> dict:
    """How many times as fast ours are, as `summary` has them."""
    low, high = ours["quartiles"]
    return {"ratio": entry["median"] / ours["median"],
            "quartiles": [entry["quartiles"][0] / high, entry["quartiles"][1] / low]}


def timed(line: dict) -> list[dict]:
    """Those that said a time."""
    found = line.get("rodinia")
    return [entry for entry in found if "median" in entry] if isinstance(found, list) else []


def goal(line: dict) -> float:
    """What the ratio to them is to reach."""
    return line.get("rodinia_goal", line["goal"])


def cells(entry: dict, ours: dict, line: dict) -> list[str]:
    """Of a table, from the peer's time to the goal."""
    beside = ratio(entry, ours)
    return [report.milliseconds(entry["median"]), f"Rodinia {entry['command']}", f"{beside['ratio']:.3f}",
            " to ".join(f"{value:.2f}" for value in beside["quartiles"]), f"{goal(line):.2f}"]


def notes(line: dict) -> list[str]:
    """What stands below a table where a program was not there, or failed."""
    found = line.get("rodinia")
    if found is None:
        return []
    if not isinstance(found, list) or not found:
        return [f"  - Rodinia: {ABSENT}"]
    return [f"  - Rodinia {entry['command']}: {entry['problem'].splitlines()[0]}" for entry in found if "problem" in entry]


def reached(line: dict, ours: dict) -> bool:
    return all(ratio(entry, ours)["ratio"] >= goal(line) for entry in timed(line))
