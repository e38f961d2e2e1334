"""Writes results: JSON with the machine's description, and a table for readers."""

import json
import pathlib

from . import machine

RESULTS = machine.ROOT / "evaluation" / "results"


def table(header: list[str], rows: list[list[str]]) -> str:
    """A Markdown table whose columns line up in plain text too; numbers to the right."""
    cells = [header] + rows
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    numeric = [
        bool(rows) and all(row[column][:1].isdigit() or row[column] in ("", "-") for row in rows)
        for column in range(len(header))
    ]

    def line(row: list[str]) -> str:
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric)
        )
        return "| " + " | ".join(padded) + " |"

    rule = "| " + " | ".join(
        "-" * (width - 1) + (":" if right else "-") for width, right in zip(widths, numeric)
    ) + " |"
    return "\n".join([line(header), rule] + [line(row) for row in rows])


def milliseconds(seconds: float) -> str:
    scaled = seconds * 1e3
    digits = 1 if scaled >= 100 else 2 if scaled >= 10 else 3
    return f"{scaled:.{digits}f}"


def write(name: str, title: str, data: dict, tables: str, folder: pathlib.Path = RESULTS,
          said: bool = True) -> None:
    """Writes NAME.json and NAME.md, and prints the tables if they are to be `said`. `data` must hold
    "machine"."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(data, indent=2) + "\n")
    several = any(isinstance(line.get("measured"), dict) for line in data.get("lines", []))  # runs were joined
    page = f"# {title}\n\n{tables}\n\n{machine.sentence(data['machine'], several)}\n"
    (folder / f"{name}.md").write_text(page)
    if said:
        print(page)
