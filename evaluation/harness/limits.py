"""The lines that do not reach their goals, as they stand in evaluation/limits.md above what is known of them."""

import json
import pathlib
import re

from . import cpu_table, figures, rodinia

ABSENT = "not measured"


def ratio(value: float, goal: float) -> str:
    """With as many digits as show that it is below the goal."""
    return next(text for digits in (2, 3, 4, 5, 6) if float(text := f"{value:.{digits}f}") < goal)


def quartiles(measured: dict) -> str:
    return " to ".join(f"{value:.2f}" for value in measured["quartiles"])


def missed(entry: dict) -> list[list[str]]:
    """What it misses: peer, ratio, quartiles, goal, and the ratio of the plan as it comes."""
    found = []
    best, first = entry.get("ratios", {}).get("best"), entry.get("ratios", {}).get("first")
    if not best:
        return [["-", ABSENT, "-", f"{entry['goal']:.2f}", "-"]]
    ours = (entry.get("variants") or entry["ours"])
    if best["ratio"] < entry["goal"]:
        peer = figures.on_cpu(entry, "") if "variants" in entry else figures.on_gpu(entry, "")
        found.append([peer.peers[0][0], ratio(best["ratio"], entry["goal"]), quartiles(best), f"{entry['goal']:.2f}",
                      f"{first['ratio']:.2f}" if first else "-"])
    goal = rodinia.goal(entry)
    for other in rodinia.timed(entry):
        beside = rodinia.ratio(other, ours["best"])
        if beside["ratio"] < goal:
            found.append([f"Rodinia {other['command']}", ratio(beside["ratio"], goal), quartiles(beside), f"{goal:.2f}",
                          f"{rodinia.ratio(other, ours['first'])['ratio']:.2f}" if "first" in ours else "-"])
    if (of_copy := ours["best"].get("of_copy", 0)) < entry.get("of_copy_goal", 0):
        found.append(["a copy", ratio(of_copy, entry["of_copy_goal"]), "-", f"{entry['of_copy_goal']:.2f}",
                      f"{ours['first']['of_copy']:.2f}" if "of_copy" in ours.get("first", {}) else "-"])
    return found


def is_described(title: str, below: str) -> bool:
    """Whether a row of the tables by hand, in the text below, is of this benchmark."""
    rows = [line.split("|")[1].strip() for line in below.splitlines() if line.startswith("| ")]
    return any(re.search(rf"(^|[,;] ){re.escape(title)}($|[,; ])", row) for row in rows)


def table(folder: pathlib.Path, names: list[str], below: str) -> str:
    """Of these results; `below` is the text of the page that follows."""
    rows = []
    for name in names:
        for entry in json.loads((folder / f"{name}.json").read_text())["lines"]:
            shape = cpu_table.shape_text(entry["shape"]) if name.startswith("cpu_") else entry["shape"]
            rows += [[entry["title"], shape, *cells, "yes" if is_described(entry["title"], below) else "no"]
                     for cells in missed(entry)]
    return figures.markdown(["benchmark", "shape", "beside", "ratio", "quartiles", "goal", "as it comes", "below"], 3, rows)
