"""The page of a table of a GPU, from what gpu_lines.py measured."""

from . import join, report, rodinia
from .gpu_rows import Table


def cells_of_peer(table: Table, entry: dict) -> list[str]:
    """From the peer's time to the ratio of the first plan."""
    goal = f"{entry['goal']:.2f}"
    if "peer" not in entry:
        return ["-", "-", "-", "-", goal, "-"]
    best, first = entry["ratios"]["best"], entry["ratios"].get("first")
    how = entry["peer"]["how"]
    return [report.milliseconds(entry["peer"]["median"]),
            f"{entry['library']} {how}".strip() if table.libraries else how, f"{best['ratio']:.3f}",
            " to ".join(f"{value:.2f}" for value in best["quartiles"]), goal, f"{first['ratio']:.3f}" if first else "-"]


def cells_of(table: Table, entry: dict) -> list[str]:
    ours = entry["ours"]["best"]
    cells = [entry["title"], entry["shape"], report.milliseconds(ours["median"]), ours.get("rate", "-"),
             *cells_of_peer(table, entry)]
    if table.copies:
        cells.append(f"{ours['of_copy']:.2f}" if "of_copy" in ours else "-")
    for name in table.passes:
        found = entry.get("without", {}).get(name)
        cells.append(f"{found['times']:.2f}" if found else "-")
    return cells


def rodinias_cells(entry: dict, columns: int) -> list[list[str]]:
    """A row of the table for each of Rodinia's programs."""
    ours, first = entry["ours"]["best"], entry["ours"].get("first")
    found = []
    for other in rodinia.timed(entry):
        cells = [entry["title"], entry["shape"], report.milliseconds(ours["median"]), "-",
                 *rodinia.cells(other, ours, entry),
                 f"{rodinia.ratio(other, first)['ratio']:.3f}" if first else "-"]
        found.append(cells + ["-"] * (columns - len(cells)))
    return found


def notes_of(entry: dict) -> list[str]:
    """The best plan, and what else is known of the line."""
    ours = entry["ours"]["best"]
    values = ", ".join(f"{name}={value}" for name, value in ours["tunables"].items())
    notes = [f"- {entry['title']}, {entry['shape']}: `{ours['plan']}` {values}: {', '.join(ours['steps'])}"]
    for other in entry.get("peer", {}).get("others", []):
        notes.append(f"  - also by hand: {other['how']}, {report.milliseconds(other['median'])} ms")
    notes += rodinia.notes(entry)
    if "peer" not in entry:
        notes.append(f"  - no peer: {entry['problem']}")
    return notes


def text(table: Table, data: dict) -> str:
    header = ["benchmark", "shape", "ours ms", "rate", "peer ms", "peer", "ratio", "quartiles", "goal",
              "as it comes", *(["of copy"] if table.copies else []),
              *(f"without {name}" for name in table.passes)]
    cells, plans = [], []
    for entry in data["lines"]:
        if "best" in entry.get("ours", {}):
            cells.append(cells_of(table, entry))
            cells += rodinias_cells(entry, len(header))
            plans += notes_of(entry)
            continue
        cells.append([entry["title"], entry["shape"], *["-"] * 6, f"{entry['goal']:.2f}",
                      *["-"] * (len(header) - 9)])
        plans.append(f"- {entry['title']}, {entry['shape']}: {entry.get('problem')}")
    unverified = [f"{entry['title']} {entry['shape']}" for entry in data["lines"] if "best" in
                  entry.get("ours", {}) and not entry["ours"]["best"]["verified_at_this_size"]]
    said = ("Ratios above 1: ours is faster. `as it comes`: the ratio of the plan that synth takes, "
            "with its defaults. Caches are cold. Every plan was verified at awkward sizes; not verified "
            f"at the size of its line: {', '.join(unverified) or 'none'}.")
    if table.copies:
        said += (" `of copy`: how long memory takes to copy as many bytes as have to move, read and "
                 "written, as a part of our time.")
        wanted: dict[float, list[str]] = {}
        for entry in data["lines"]:
            if "of_copy_goal" in entry:
                wanted.setdefault(entry["of_copy_goal"], []).append(f"{entry['title']} {entry['shape']}")
        said += "".join(f" It is to be {goal:.2f} of {'; '.join(names)}." for goal, names in wanted.items())
    if table.passes:
        said += (" `without`: how many times as long the best plan takes without a pass; `-` where the "
                 "pass changes nothing of it.")
    parts = [report.table(header, cells), said, "The best plans found:\n\n" + "\n".join(plans)]
    if times := join.times([entry for entry in data["lines"] if "best" in entry.get("ours", {})],
                           lambda entry: f"{entry['title']} {entry['shape']}"):
        parts.append(times)
    if data["problems"]:
        parts.append("Left out:\n\n" + "\n".join(f"- {problem}" for problem in data["problems"]))
    return "\n\n".join(parts)
