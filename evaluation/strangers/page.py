"""The page of what was measured: a line a row, and KernelBench's figures."""

import statistics

from table import SETS

from harness import report

THRESHOLDS = (0, 0.5, 0.95, 1)
MORE = {"kernelbench": "compiled ms", "polybench": "Polly ms", "own": "compiled ms"}
TITLES = {"kernelbench": "KernelBench, level 1, even numbers", "polybench": "PolyBench 4.2", "own": "Other fields"}


def fast(lines: list[dict], times: float) -> float:
    """KernelBench's fast_p: the part of lines that are right and at least so many times as fast as the peer."""
    good = [line for line in lines if line["right"] and (times == 0 or line.get("ratio", 0) >= times)]
    return len(good) / len(lines)


def summary(lines: list[dict]) -> dict:
    """fast_p of the lines that have a peer, their median ratio, and how many there are."""
    compared = [line for line in lines if isinstance(line.get("peer"), dict) and "median" in line["peer"]]
    ratios = [line["ratio"] for line in compared if "ratio" in line]
    return {"rows": len(lines), "right": sum(line["right"] for line in lines), "compared": len(compared),
            **({f"fast_{p:g}": fast(compared, p) for p in THRESHOLDS} if compared else {}),
            **({"median": statistics.median(ratios), "least": min(ratios)} if ratios else {})}


def cells(line: dict) -> list[str]:
    ours, peer = line.get("ours") or {}, line.get("peer") or {}
    more = (peer.get("compiled") or peer.get("polly") or {}).get("median")
    return [line["name"], line["shape"],
            report.milliseconds(ours["seconds"]["median"]) if "seconds" in ours else "-",
            report.milliseconds(peer["median"]) if "median" in peer else "-", peer.get("how", "-"),
            f"{line['ratio']:.3f}" if "ratio" in line else "-",
            report.milliseconds(more) if more else "-",
            "yes" if line["right"] else "no", f"{line.get('synth_s', 0):.2f}"]


def problems(line: dict) -> list[str]:
    """What is to be said of a line."""
    said = [line.get("problem")]
    for name, good in (("verified", "verified"), ("agrees", "agrees")):
        said.append(None if line.get(name, good) == good else f"{name}: {line[name]}")
    for name in ("ours", "peer"):
        part = line.get(name)
        if isinstance(part, dict):
            reason = part.get("problem") or (part.get("reason") if "seconds" not in part and name == "ours" else None)
            said.append(f"{name}: {reason}" if reason else None)
    return [f"- {line['row']}: {' '.join(text.split())[:300]}" for text in said if text]


def called(line: dict) -> dict:
    """The plan that was timed, where a library has several."""
    wanted = (line.get("ours") or {}).get("plan")
    return next((plan for plan in line["plans"] if plan["id"] == wanted), line["plans"][0])


def text(data: dict) -> str:
    parts = []
    for name in SETS:
        lines = [line for line in data["lines"] if line["set"] == name]
        if not lines:
            continue
        found = summary(lines)
        parts.append(f"## {TITLES[name]}")
        parts.append(report.table(["row", "sizes", "ours ms", "peer ms", "peer", "ratio", MORE[name], "right", "synth s"],
                                  [cells(line) for line in lines]))
        figures = ", ".join(f"{key} {value:.2f}" if isinstance(value, float) else f"{key} {value}"
                            for key, value in found.items())
        parts.append(f"{figures}.")
    plans = [f"- {line['row']}: {' '.join(called(line)['steps'])}" for line in data["lines"] if line.get("plans")]
    wrong = [said for line in data["lines"] for said in problems(line)]
    said = ("Each program is the loop alone, as it comes. Ratios above 1: ours is faster. Caches are cold on both sides, PyTorch "
            "is in float32 without TF32. `right`: verified at small odd sizes, and the peer gives the same there. fast_p: the "
            "part of rows that are right and at least p times as fast as the peer.")
    return "\n\n".join([said, *parts, *(["Problems:\n\n" + "\n".join(wrong)] if wrong else []),
                        "The plans:\n\n" + "\n".join(plans)])
