"""What was measured of choices, as a table: ratios to the best known, and how well predictions rank."""

import pathlib
import statistics

from . import chart, report
from .rank_correlation import kendall, spearman

NAMES = ("unasked", "first", "tuned", "of 20", "after 50")
GOALS = (("first", 1.25, max, "first-ranked, every line"),
         ("first", 1.10, statistics.median, "first-ranked, median"),
         ("after 50", 1.05, max, "after 50 measurements, every line"))
MANY = 6  # plans that a correlation is said of
MOST = 20  # plans that are measured
SEARCHED = 50  # settings after which the search has to be near the best


def judged(line: dict, which: str) -> dict:
    """Adds "known", the name of the fastest setting, "regret" of all, and "correlation"; `which` of a
    setting's seconds counts, "median" or "min"."""
    settings = line["settings"]
    line["which"] = which
    line["known"] = min(settings, key=lambda name: settings[name][which])
    best = settings[line["known"]][which]
    line["regret"] = {name: each[which] / best for name, each in settings.items()}
    pairs = [(each["predicted"], each["seconds"]) for each in line["candidates"] if each["seconds"]]
    predicted, measured = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    line["correlation"] = None if len(pairs) < MANY else {
        "plans": len(pairs), "spearman": spearman(predicted, measured), "kendall": kendall(predicted, measured)}
    return line


def timed(line: dict) -> int:
    """Plans whose defaults were measured."""
    return sum(each["seconds"] is not None for each in line["candidates"])


def ratio(line: dict, name: str) -> float | None:
    """To the best known; None where nothing was measured, or fewer plans or settings than the name says."""
    if "regret" not in line or (name == "of 20" and timed(line) < MOST) or (
            name == "after 50" and line["measured"] < SEARCHED):
        return None
    return line["regret"].get(name)


def number(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def lines_table(lines: list[dict]) -> str:
    cells = []
    for line in lines:
        head = [line["title"], line["shape"]]
        if "regret" not in line:
            cells.append([*head, *["-"] * (len(NAMES) + 5)])
            continue
        settings, which = line["settings"], line["which"]
        first = settings.get("first")
        correlation = line["correlation"] or {}
        cells.append([*head, report.milliseconds(settings[line["known"]][which]),
                      report.milliseconds(first[which]) if first else "-",
                      *(number(ratio(line, name)) for name in NAMES), str(line["measured"]),
                      number(correlation.get("spearman")), number(correlation.get("kendall"))])
    return report.table(["benchmark", "shape", "best ms", "first ms", *NAMES, "measured", "Spearman",
                         "Kendall"], cells)


def extent(counts: list[int]) -> str:
    return " to ".join(str(count) for count in sorted({min(counts), max(counts)}))


def counts_sentence(lines: list[dict]) -> str:
    """Of how many plans and settings the lines are."""
    measured = [line for line in lines if "regret" in line]
    if not measured:
        return ""
    return (f"Of each line {extent([timed(line) for line in measured])} plans were measured with their defaults, "
            f"with {extent([line['measured'] for line in measured])} measurements of settings in all. `of {MOST}` and "
            f"`after {SEARCHED}` are filled where there were that many.")


def goals_table(lines: list[dict]) -> str:
    """Goals over the lines that were measured; how many these are is said where others are left."""
    cells = []
    for name, goal, of, title in GOALS:
        values = [value for line in lines if (value := ratio(line, name)) is not None]
        reached = [f"{sum(value <= goal for value in values)} of {len(values)}"] if values else []
        left = [f"{len(values)} of {len(lines)} lines measured so far"] if len(values) < len(lines) else []
        cells.append([title, number(goal), number(of(values) if values else None), "; ".join(reached + left)])
    return report.table(["goal", "at most", "is", "lines that reach it"], cells)


def correlations_table(lines: list[dict]) -> str:
    """By spectrum: the median over its lines."""
    by_spectrum: dict[str, list[dict]] = {}
    for line in lines:
        if line.get("correlation"):
            by_spectrum.setdefault(line["spectrum"], []).append(line["correlation"])
    if not by_spectrum:
        return "No line has enough plans."
    def middle(those: list[dict], name: str) -> str:
        values = [each[name] for each in those if each[name] is not None]
        return number(statistics.median(values) if values else None)
    everything = [each for those in by_spectrum.values() for each in those]
    cells = [[spectrum, str(sum(each["plans"] for each in those)), middle(those, "spearman"),
              middle(those, "kendall")]
             for spectrum, those in [*by_spectrum.items(), ("all, median of lines", everything)]]
    return report.table(["spectrum", "plans", "Spearman", "Kendall"], cells)


def plans_list(lines: list[dict]) -> str:
    found = []
    for line in lines:
        head = f"{line['title']}, {line['shape']}"
        if "regret" not in line:
            found.append(f"- {head}: {line.get('problem')}")
            continue
        for name in dict.fromkeys(("first", line["known"])):
            if name in line["settings"]:
                each = line["settings"][name]
                values = "".join(f" {key}={value}" for key, value in each["tunables"].items())
                found.append(f"- {head}, {'first' if name == 'first' else 'best'}: `{each['plan']}`{values}: "
                             f"{', '.join(each['steps'])}")
    return "\n".join(found)


def tables(data: dict) -> str:
    parts = []
    for held_back, title in ((False, ""), (True, "## Held back\n\nThe codelets of these were written after "
                                                 "the cost model was made; nothing in it follows from them.")):
        lines = [line for line in data["lines"] if line["held_back"] == held_back]
        if lines:
            parts += [title, lines_table(lines), counts_sentence(lines), goals_table(lines),
                      correlations_table(lines)]
    parts.append(
        "Ratios of times to the best known, of the same run; 1 is the best. `unasked`: the plan that synth takes "
        "where nobody names sizes; `first`: the one ranked first for these sizes, with its defaults; `tuned`: "
        "with values found for its tunables; `of 20`: the fastest of 20 plans with defaults; `after 50`: "
        "the fastest of the first 50 settings measured. Correlations are of predicted and measured "
        "times of the plans with their defaults. "
        + ("The fastest of all runs of a setting counts: others were at work on the machine."
           if any(line.get("which") == "min" for line in data["lines"]) else "Medians."))
    parts.append("The plans:\n\n" + plans_list(data["lines"]))
    if wrong := [f"- {line['title']}, {line['shape']}: `{each['plan']}`: {each['problem']}"
                 for line in data["lines"] for each in line.get("candidates", []) if each.get("problem")]:
        parts.append("Left out:\n\n" + "\n".join(wrong))
    if data.get("problems"):
        parts.append("\n".join(data["problems"]))
    return "\n\n".join(part for part in parts if part)


def write(name: str, title: str, data: dict, folder: pathlib.Path, said: bool) -> None:
    """NAME.json, NAME.md and NAME.svg."""
    report.write(name, title, data, tables(data), folder, said)
    bars = []
    for line in data["lines"]:
        first = ratio(line, "first")
        if first is not None:
            settings = line["settings"]
            best = settings[line["known"]][line["which"]]
            bars.append({"label": f"{line['title']}, {line['shape']}", "goal": 1.25, "ratio": first,
                         "first": ratio(line, "after 50"),
                         "quartiles": [value / best for value in settings["first"]["quartiles"]]})
    if bars:
        narrow = f"narrow, the best of {SEARCHED} settings; " if any(bar["first"] for bar in bars) else ""
        chart.draw(title, bars, folder / f"{name}.svg", low=1,
                   legend="times as long as the best known: wide, the plan ranked first, with quartiles; "
                          f"{narrow}red, the goal")


def met(data: dict) -> bool:
    """Whether the goals are reached; a line that was not measured for one reaches none."""
    for name, goal, of, _ in GOALS:
        values = [ratio(line, name) for line in data["lines"]]
        if not values or None in values or of(values) > goal:
            return False
    return True
