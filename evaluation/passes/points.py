"""Which rows of which tables the passes are measured on, unless --rows names others: about 25 on either kind of machine,
each at one size; together they have plans that most passes change."""

import argparse

from harness import cpu_rows, gpu_rows, table_lines
from harness.pass_plans import Point

TITLES = {"passes_cpu": "What passes are worth on a CPU", "passes_gpu": "What passes are worth on a GPU"}
CPU = {
    "cpu_libraries": ("sum", "dot", "scan", "sgemv", "sgemm", "spmv", "kmeans", "levels", "histogram", "compact", "transpose"),
    "cpu_benchmarks": ("nbody", "mriq", "black_scholes", "atax", "nw", "lud", "option_pricing", "locvol", "lbm", "heat_steps",
                       "convolve", "separable", "jacobi", "srad", "heat3", "jacobi13"),
}
GPU = {
    "gpu_libraries": ("sum", "sgemv", "sgemm", "scan", "histogram", "compact", "transpose", "spmv", "kmeans", "search"),
    "gpu_benchmarks": ("jacobi", "heat3", "jacobi13", "separable", "convolve", "gaussian", "srad", "nbody", "md", "mriq",
                       "option_pricing", "lud", "locvol", "lbm", "heat_steps"),
}


def named(names: str | None, tables: dict[str, dict[str, object]], usual: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Tables and their rows, as --rows asks; ValueError names one that there is not."""
    known = {row: table for table, rows in tables.items() for row in rows}
    wanted = names.split(",") if names else [row for rows in usual.values() for row in rows]
    if unknown := set(wanted) - set(known):
        raise ValueError(f"no row {', '.join(sorted(unknown))} ({', '.join(known)})")
    return [(known[row], row) for row in wanted]


def cpu_tables() -> dict[str, cpu_rows.Table]:
    """Those whose programs are built; no peer takes part."""
    return {"cpu_libraries": table_lines.module("cpu_libraries").TABLE,
            "cpu_benchmarks": table_lines.module("cpu_benchmarks").table(with_halide=False)}


def on_cpu(options: argparse.Namespace) -> list[tuple[str, cpu_rows.Row, Point]]:
    """Each with its table: the first shape of a row."""
    tables = {"cpu_libraries": {row.name: row for row in table_lines.module("cpu_libraries").rows(None)},
              "cpu_benchmarks": {row.name: row for row in table_lines.module("cpu_benchmarks").rows()}}
    found = []
    for table, name in named(options.rows, tables, CPU):
        row = tables[table][name]
        found.append((table, row, Point(name, row.title, row.shapes[options.scale][0], row.spectrum,
                                        table_lines.predicted_on_cpu(row, options.scale, 0))))
    return found


def on_gpu(names: str | None, small: bool) -> list[tuple[gpu_rows.Row, gpu_rows.Shape, Point]]:
    """The middle shape of a row, the first of two."""
    tables = {table: {row.name: row for row in table_lines.module(table).rows(small)} for table in GPU}
    found = []
    for table, name in named(names, tables, GPU):
        row = tables[table][name]
        shape = row.shapes[(len(row.shapes) - 1) // 2]
        found.append((row, shape, Point(name, row.title, shape.title, row.spectrum, table_lines.predicted_on_gpu(shape))))
    return found
