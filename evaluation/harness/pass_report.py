"""What passes are worth: the page and the drawing of what evaluation/passes has measured. A line has "without": by what is
left out (names of passes with + between them) how many "times" as long its plan takes, or a "status" that says why there is no
time. What is not there leaves the code as it is."""

import pathlib
import statistics

from . import chart, join, processes, report
from .pass_plans import NOTHING

DRAWN = ("times as long without a pass, where that changes the code: wide, most; narrow, in the median; with quartiles of the "
         "rows")
LEFT_OUT = "left out"


def begun(plans: dict, machine: dict, scale: str) -> dict:
    """Results before anything is measured."""
    return {"machine": machine, "scale": scale, "passes": plans["passes"], "groups": plans["groups"], "lines": [],
            "problems": []}


def line_of(row: str, title: str, plan: dict) -> dict:
    """What a line says of a plan as pass_plans.py has made it."""
    refused = {name: {"status": "refused", "reason": reason} for name, reason in plan.get("refused", {}).items()}
    said = ("shape", "model", "plan", "steps", "of_results", "tunables", "problem")
    return {"row": row, "title": title, **{name: plan[name] for name in said if name in plan}, "without": refused}


def in_a_line(reason: str) -> str:
    """What says most of what a program has said."""
    said = reason.strip().splitlines() or ["-"]
    return next((line for line in said if "error:" in line), said[-1])


def times(plan: list[float], other: list[float], runs: int) -> dict:
    """Of seconds of both in the same turns."""
    each = processes.summary([o / p for p, o in zip(plan, other)])
    return {"times": statistics.median(other) / statistics.median(plan), "quartiles": each["quartiles"],
            "median": statistics.median(other), "runs": runs}


def status(said: str) -> str:
    """In a word, of what a program or a run says that has failed."""
    for word, means in (("no end after", "too slow"), ("time limit", "too slow"), ("refuses this size", "refused"),
                        ("exit status 3", "wrong")):
        if word in said:
            return means
    return "failed"


def names_of(data: dict) -> dict[str, str]:
    """What is left out, as people read it, by its key in "without"."""
    groups = {"+".join(passes): f"all {name}" for name, passes in data["groups"].items() if len(passes) > 1}
    return {NOTHING: NOTHING, **{name: name for name in data["passes"]}, **groups}


def cell(line: dict, key: str) -> str:
    found = line["without"].get(key)
    if not found:
        return "-"
    return f"{found['times']:.2f}" if "times" in found else found["status"]


def timed(lines: list[dict], key: str) -> list[tuple[float, dict]]:
    """Lines that the passes change, least first."""
    found = [(line["without"][key]["times"], line) for line in lines if "times" in line["without"].get(key, {})]
    return sorted(found, key=lambda pair: pair[0])


def summary(lines: list[dict], key: str, name: str) -> list[str]:
    found = timed(lines, key)
    changed = [line for line in lines if key in line["without"]]
    if not found:
        return [name, str(len(changed)), "-", "-", "-", "-", "-"]
    (least, worst), (most, best) = found[0], found[-1]
    return [name, str(len(changed)), f"{most:.2f}", f"{statistics.median(value for value, _ in found):.2f}", f"{least:.2f}",
            best["row"], worst["row"]]


def tables(data: dict) -> str:
    lines = [line for line in data["lines"] if "median" in line]
    names = names_of(data)
    shown = {key: name for key, name in names.items() if any(key in line["without"] for line in lines)}
    notes = "The plans:\n\n" + "\n".join(map(note, data["lines"]))
    problems = "\n".join(f"- {problem}" for problem in data["problems"])
    if not lines:
        return "\n\n".join(part for part in (notes, problems) if part)
    parts = [
        report.table([LEFT_OUT, "rows", "most", "median", "least", "most on", "least on"],
                     [summary(lines, key, name) for key, name in shown.items()]),
        "How many times as long a plan takes without a pass: 1.30 is 30 per cent longer, and below 1 the pass makes it slower. "
        "`rows`: how many of the plans it changes. `nothing` is the plan beside itself: differences as large as its are noise."]
    parts += [f"`all {name}`: without {', '.join(passes)}." if len(passes) > 1 else
              f"All {name}: {passes[0]} alone." for name, passes in data["groups"].items()]
    if silent := [name for key, name in names.items() if key not in shown and key != NOTHING]:
        parts.append(f"No plan here changes without: {', '.join(silent)}.")
    parts.append(report.table([LEFT_OUT, *(line["row"] for line in lines)],
                              [[name, *(cell(line, key) for line in lines)] for key, name in shown.items()]))
    parts += ["`-`: the code is the same.", notes, join.times(lines, lambda line: f"{line['title']} {line['shape']}"), problems]
    return "\n\n".join(part for part in parts if part)


def note(line: dict) -> str:
    head = f"- {line['row']}: {line['title']}, {line['shape']}"
    if "median" not in line:
        return f"{head}: {in_a_line(line['problem'])}"
    values = "".join(f", {name}={value}" for name, value in line["tunables"].items())
    wrong = "".join(f"; without {key} {found['status']}: {in_a_line(found['reason'])}"
                    for key, found in line["without"].items() if "status" in found)
    return (f"{head}: {report.milliseconds(line['median'])} ms, `{line['plan']}`{values}"
            f"{', the best of a table' if line['of_results'] else ''}: {', '.join(line['steps'])}{wrong}")


def bars(data: dict) -> list[dict]:
    found = []
    for key, name in names_of(data).items():
        if values := [value for value, _ in timed(data["lines"], key)]:
            found.append({"label": f"{name} ({len(values)})", "ratio": values[-1], "first": statistics.median(values),
                          "quartiles": processes.summary(values)["quartiles"], "goal": 1})
    return found


def write(name: str, title: str, data: dict, out: pathlib.Path, said: bool) -> None:
    report.write(name, title, data, tables(data), out, said)
    if drawn := bars(data):
        chart.draw(title, drawn, out / f"{name}.svg", legend=DRAWN)
