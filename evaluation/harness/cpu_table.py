"""The page of a table of a CPU, from what cpu_rows.py measured."""

from . import join, report, rodinia


def shape_text(shape: str) -> str:
    def number(word: str) -> str:
        value = int(word) if word.isdigit() else 0
        power = value.bit_length() - 1
        return f"2^{power}" if value >= 1 << 16 and value == 1 << power else word
    words = [number(word) for word in shape.split(",")]
    return " ".join(words) if not words[0][0].isdigit() else "x".join(words)


def rate(entry: dict) -> str:
    for unit, name in (("gflop_per_s", "Gflop/s"), ("gb_per_s", "GB/s")):
        if unit in entry:
            return f"{entry[unit]:.1f} {name}"
    return "-"


def repetitions(lines: list[dict]) -> str:
    """How often ours and the peers were timed; lines whose calls take long stop early."""
    runs: dict[int, list[str]] = {}
    for line in lines:
        runs.setdefault(line["variants"]["best"]["runs"], []).append(f"{line['title']} {shape_text(line['shape'])}")
    most, *others = sorted(runs, key=lambda number: -len(runs[number])) or [0]
    exceptions = "".join(f"; of {number}: {', '.join(runs[number])}" for number in sorted(others))
    rodinias = {other["runs"] for line in lines for other in rodinia.timed(line)}
    return f"Medians of {most} repetitions{exceptions}." + (
        f" Rodinia's programs ran {max(rodinias)} times." if rodinias else "")


def text(data: dict) -> str:
    cells, plans = [], []
    for line in data["lines"]:
        head = [line["title"], shape_text(line["shape"])]
        if "ratios" not in line or "best" not in line["ratios"]:
            cells.append([*head, "-", "-", "-", "-", "-", "-", f"{line['goal']:.2f}", "-"])
            plans.append(f"- {' '.join(head)}: {line.get('problem', 'no plan could be measured')}")
            continue
        best, first = line["ratios"]["best"], line["ratios"].get("first")
        ours, peer = line["variants"]["best"], line["variants"][line["peer"]]
        cells.append([*head, report.milliseconds(ours["median"]), rate(ours),
                      report.milliseconds(peer["median"]), line["peer"], f"{best['ratio']:.3f}",
                      " to ".join(f"{value:.2f}" for value in best["quartiles"]),
                      f"{line['goal']:.2f}", f"{first['ratio']:.3f}" if first else "-"])
        plan = line["plans"]["best"]
        chosen = "".join(f", {name}={value}" for name, value in plan["chosen"].items())
        plans.append(f"- {' '.join(head)}: `{plan['plan']}`{chosen}: {', '.join(plan['steps'])}")
        plans += rodinia.notes(line)
        for other in rodinia.timed(line):
            as_it_comes = line["variants"].get("first")
            cells.append([*head, report.milliseconds(ours["median"]), "-", *rodinia.cells(other, ours, line),
                          f"{rodinia.ratio(other, as_it_comes)['ratio']:.3f}" if as_it_comes else "-"])
    header = ["benchmark", "shape", "ours ms", "rate", "peer ms", "best peer", "ratio", "quartiles",
              "goal", "as it comes"]
    measured = [line for line in data["lines"] if "best" in line.get("variants", {})]
    said = ("Ratios above 1: ours is faster. `as it comes`: the ratio of the plan that synth takes, with its "
            "defaults. Every plan of ours was verified at awkward sizes, and what it and the peers compute is checked "
            f"at the size of the line. {repetitions(measured)}")
    parts = [report.table(header, cells), said.strip(), "The best plans found:\n\n" + "\n".join(plans)]
    if times := join.times(measured, lambda line: f"{line['title']} {shape_text(line['shape'])}"):
        parts.append(times)
    return "\n\n".join(parts)
