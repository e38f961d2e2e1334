"""Programs that somebody writes who knows no more than the language page: loops alone, the rows of evaluation/strangers.

    python3 tests/strangers.py --tangram build/tangram --tangram-run build/tangram-run --target openmp [--all | --rows NAMES]

Each is synthesized as it comes, without a warning, and its plan is right at small odd sizes. In the gate
some of every set; --all, or scripts/test --all, takes all of them.
"""

import json
import pathlib
import sys

from library import EVERYTHING
from pipeline import ROOT, Pipeline, Tally

sys.path[:0] = [str(ROOT / "evaluation" / "strangers"), str(ROOT / "evaluation")]
import options  # noqa: E402
import table  # noqa: E402

MODELS = {"openmp": "cpu", "opencl": "pocl"}
SAMPLE = ("kernelbench-50", "polybench-lu", "polybench-correlation", "own-spmm", "own-max_drawdown")


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=list(MODELS))
    parser.add_argument("--all", action="store_true", help="every row")
    parser.add_argument("--rows", help="these: kernelbench-42, own, ...")


def tables_are_whole(test):
    """What the issue counts is there, and every source belongs to a row."""
    rows = table.chosen(None)
    counts = {name: sum(row.set == name for row in rows) for name in table.SETS}
    test.equal(counts, {"kernelbench": 50, "polybench": 30, "own": 20}, "rows of the sets")
    test.equal(len({row.key for row in rows}), len(rows), "names of rows")
    sources = {path for name in table.SETS for path in (table.FOLDER / name).glob("*.cpp")}
    test.equal({row.source for row in rows}, sources, "sources of rows")


def right(test, row, tally):
    target = test.arguments.target
    done = test.expect("tangram", "synth", row.source, "--spectrum", row.spectrum, "--hw", MODELS[target], "--target", target,
                       "--format", "json", "-o", test.scratch / f"{row.key}-{target}")
    test.check("warning" not in done.err, f"{row.key}: synth says\n{done.err}")
    bundles = [pathlib.Path(plan["bundle"]) for plan in json.loads(done.out)["plans"] if "bundle" in plan]
    if not test.check(bundles, f"{row.key}: no plan"):
        return
    parameters = options.manifest_of(bundles[0])["signature"]["parameters"]
    for sizes in row.checks if everything(test) else row.checks[:1]:
        given = options.options(row, sizes, True, parameters, test.scratch)
        runs = test.verify(bundles, *given, "--data", "ordinary")
        tally.add(runs)
        test.equal({run["status"] for run in runs}, {"verified"}, f"{row.key} at {' '.join(sizes)}")


def everything(test):
    return test.arguments.all or EVERYTHING


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.target == "opencl":
        test.need_opencl()
    tables_are_whole(test)
    rows = table.chosen(test.arguments.rows) if test.arguments.rows or everything(test) else [
        row for row in table.chosen(None) if row.key in SAMPLE]
    tally = Tally(test)
    for row in rows:
        right(test, row, tally)
    print(f"{len(rows)} programs, {tally.text()}")
    test.finish()


if __name__ == "__main__":
    main()
