"""Lines of one table that several runs measured, brought together.

A machine may be lent for less time than a whole table takes: a run with --rows measures a part of it. Each
line is from the last run that measured it, and keeps when that was, and of which revision. What it is to reach is
what its row says now.
"""

from collections.abc import Callable

from . import processes


def joined(order: list[str], runs: list[dict], device: Callable[[dict], str],
           is_measured: Callable[[dict], bool], goals: Callable[[dict], dict[str, float]] = lambda entry: {}) -> dict:
    """The last run's data with the lines of all runs, by the order of rows; Failed: of several devices. `goals` has
    those of a line."""
    found: dict[tuple[str, str], dict] = {}
    for run in runs:
        if device(run) != device(runs[0]):
            raise processes.Failed(f"runs of {device(runs[0])} and of {device(run)} make no table")
        for entry in run["lines"]:
            entry.setdefault("measured", {name: run["machine"][name] for name in ("date", "revision")})
            key = entry["row"], entry["shape"]
            if key not in found or is_measured(entry) or not is_measured(found[key]):
                found[key] = entry
    lines = sorted(({**entry, **goals(entry)} for entry in found.values() if entry["row"] in order),
                   key=lambda entry: order.index(entry["row"]))
    return {**runs[-1], "lines": lines}


def times(lines: list[dict], name: Callable[[dict], str]) -> str:
    """Which lines were measured when, where several runs were joined; a paragraph of the page, empty otherwise."""
    found: dict[str, list[str]] = {}
    for entry in lines:
        if when := entry.get("measured"):
            found.setdefault(f"{when['date']}, revision {when['revision']}", []).append(name(entry))
    listed = "\n".join(f"- {when}: {'; '.join(names)}" for when, names in sorted(found.items()))
    return f"Measured in several runs:\n\n{listed}" if found else ""
