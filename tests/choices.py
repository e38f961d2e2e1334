"""Which plans are chosen for strangers' programs (evaluation/strangers), by their own predictions.

    python3 tests/choices.py --tangram build/tangram --tangram-run build/tangram-run

Who knows sizes gets no worse plan than who does not; a search that goes on for long finds little that is better;
products of matrices are cut into tiles and gone through in steps; no prediction is below what memory takes to write the
results; and what limits a plan is said, also in its bundle.
"""

import json
import math
import statistics
import sys

from library import EVERYTHING
from pipeline import ROOT, Pipeline

sys.path[:0] = [str(ROOT / "evaluation" / "strangers"), str(ROOT / "evaluation")]
import table  # noqa: E402

MODEL, TARGET = "h200", "opencl"
BYTES_PER_SECOND = 4.8e12  # of the model's memory
ALIKE = 1.05  # predictions that differ by less are alike: ranks decide
KNOWN_SIZES = ("own-fir_decimate", "kernelbench-34", "kernelbench-50", "polybench-heat-3d")
SEARCHED = ("kernelbench-44", "kernelbench-96", "kernelbench-2")
LONGER = "8"  # times as long
MOST_MISSED = 1.5
PRODUCTS = ("kernelbench-10", "kernelbench-2", "kernelbench-16", "kernelbench-18")


def base(row):
    return [row.source, "--spectrum", row.spectrum, "--hw", MODEL, "--target", TARGET]


def sizes(row):
    values = [f"{name}={value}" for name, value in row.values.items() if value.isdigit()]
    return [word for size in (*row.official, *values) for word in ("--for-size", size)]


def first(test, row, *more, known={}):
    """The plan that is chosen."""
    if (row.key, more) not in known:
        done = test.expect("tangram", "plans", *base(row), "--strategy", "predict", "--limit", "1", "--format", "json", *more)
        known[row.key, more] = json.loads(done.out)["plans"][0]
    return known[row.key, more]


def account(test, row, plan, *more):
    done = test.expect("tangram", "plans", *base(row), "--strategy", "predict", "--why", ", ".join(plan["steps"]),
                       "--format", "json", *more)
    return json.loads(done.out)["plans"][0]


def knowing_sizes_is_no_loss(test, row):
    at_any, known = first(test, row), first(test, row, *sizes(row))
    there = account(test, row, at_any, *sizes(row))["seconds"]
    test.check(known["seconds"] <= ALIKE * there,
               f"{row.key}: {known['seconds']:.3g} s with --for-size, {there:.3g} s for the plan chosen without")
    # The smallest container of these rows is no larger than the result, which is written.
    least = 4 * min(math.prod(shape) for shape in table.extents(row.official).values()) / BYTES_PER_SECOND
    test.check(known["seconds"] >= least, f"{row.key}: {known['seconds']:.3g} s is less than memory takes, {least:.3g} s")


def searches_find_what_there_is(test, rows):
    found = {row.key: first(test, row)["seconds"] / first(test, row, "--effort", LONGER)["seconds"] for row in rows}
    test.check(statistics.median(found.values()) <= ALIKE and max(found.values()) <= MOST_MISSED,
               f"as slow as what a search with --effort {LONGER} finds, times: {found}")


def products_are_tiled(test, row):
    steps = ", ".join(first(test, row)["steps"])
    test.check("derived_step_" in steps and "derived_tile_" in steps, f"{row.key} without tiles: {steps}")


def four_loops_share_groups(test, row):
    """In the order of the source: all orders would be the same elements in 24 ways."""
    def plan(loops):
        cut = [f"regroup(derived_tile_{loop}, {'B.flat' if number else 'G'}), distribute({'B.flat' if number < 3 else 'B'})"
               for number, loop in enumerate(loops)]
        return test.run("tangram", "plans", *base(row), "--strategy", "predict", "--limit", "1",
                        "--plan", ", ".join(["...", *cut, "..."]))
    in_order, turned = plan("noij"), plan("onij")
    test.equal(in_order.status, 0, f"{row.key}: images, channels, rows and columns in groups: {in_order.err}")
    test.check(turned.status == 1 and "nothing is 'distribute(B.flat)' here" in turned.err, f"{row.key}: {turned.err}")


def limits_are_said(test, row):
    done = test.expect("tangram", "synth", *base(row), "-o", test.scratch / row.key)
    text = (test.scratch / row.key / "why.txt").read_text()
    for part in ("What limits it at ", " of the time: ", "What would change it"):
        test.check(part in text, f"{row.key}: why.txt does not say '{part}':\n{text}")
    test.check(5 <= len(text.splitlines()) <= 40, f"{row.key}: why.txt has {len(text.splitlines())} lines")
    test.check(text.splitlines() == account(test, row, first(test, row))["limits"] or "versions" in done.out,
               f"{row.key}: --why says something else than why.txt")


def main():
    test = Pipeline(__doc__, as_shipped=True)
    rows = {row.key: row for row in table.chosen(None)}
    known, searched, products = (names if EVERYTHING else names[:1] for names in (KNOWN_SIZES, SEARCHED, PRODUCTS))
    for name in known:
        knowing_sizes_is_no_loss(test, rows[name])
    searches_find_what_there_is(test, [rows[name] for name in searched])
    for name in products:
        products_are_tiled(test, rows[name])
    four_loops_share_groups(test, rows["kernelbench-56"])
    limits_are_said(test, rows["kernelbench-12"])
    print(f"{len(known) + len(searched) + len(products)} choices")
    test.finish()


if __name__ == "__main__":
    main()
