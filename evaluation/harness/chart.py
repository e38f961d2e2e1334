"""Draws ratios as bars, in SVG: one is the peer, or the best known."""

import math
import pathlib
from xml.sax.saxutils import escape

LEFT, WIDTH, STEP, TOP = 315, 460, 24, 54
COLOURS = {"best": "#2b6cb0", "first": "#a3bfdc"}


def place(ratio: float, low: float, high: float) -> float:
    """Where on a logarithmic axis."""
    clipped = min(max(ratio, low), high)
    return LEFT + WIDTH * math.log(clipped / low) / math.log(high / low)


def text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(words)}</text>'


def bar(row: dict, y: float, low: float, high: float) -> list[str]:
    """A row has "label", "ratio", "quartiles", "first" (a ratio or None) and "goal"."""
    one = place(1, low, high)
    parts = [text(LEFT - 8, y + 12, row["label"], 'text-anchor="end"')]
    for name, height, top in (("first", 5, y + 13), ("best", 11, y + 2)):
        ratio = row["ratio"] if name == "best" else row["first"]
        if ratio:
            end = place(ratio, low, high)
            parts.append(f'<rect x="{min(one, end):.1f}" y="{top:.1f}" width="{abs(end - one):.1f}" '
                         f'height="{height}" fill="{COLOURS[name]}"/>')
    begin, end = (place(value, low, high) for value in row["quartiles"])
    parts.append(f'<path d="M{begin:.1f} {y + 7.5:.1f}H{end:.1f}" stroke="#1a202c"/>')
    goal = place(row["goal"], low, high)
    parts.append(f'<path d="M{goal:.1f} {y:.1f}v19" stroke="#c53030" stroke-width="2"/>')
    parts.append(text(LEFT + WIDTH + 10, y + 12, f"{row['ratio']:.2f}"))
    return parts


PEERS = ("times as fast as the best peer: wide, the best plan found, with quartiles; narrow, the one that "
         "synth takes; red, the goal")


def draw(title: str, rows: list[dict], path: pathlib.Path, low: float = 0.5, legend: str = PEERS) -> None:
    """Bars of "ratio" (wide) and "first" (narrow) from `low` or less; a red line is the goal."""
    values = [value for row in rows for value in (row["ratio"], row["first"], row["goal"], 1) if value]
    low, high = min(low, *values) / 1.1, max(2.0, *values) * 1.1
    bottom = TOP + STEP * len(rows)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" '
             f'height="{bottom + 30}" font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>',
             text(10, 20, title, 'font-size="14" font-weight="bold"'),
             text(10, 38, legend, 'fill="#4a5568"')]
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 3, 5, 10, 20, 50, 100)
             if low <= tick <= high]
    for tick in ticks:
        x = place(tick, low, high)
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom}" '
                     f'stroke="{"#4a5568" if tick == 1 else "#e2e8f0"}"/>')
        parts.append(text(x, bottom + 16, f"{tick:g}", 'text-anchor="middle"'))
    for number, row in enumerate(rows):
        parts += bar(row, TOP + STEP * number + 2, low, high)
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")
