"""Makes the bundles of a table of a GPU, and what else the machine with the GPU has to be brought."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import tempfile

from . import gpu, machine, processes, search
from .gpu_rows import Row, Table, build, chosen
from .manifest import Bundle

WITHOUT = "without"  # the folder of a row's bundles that lack a pass


def kernels(folder: pathlib.Path) -> str:
    return "".join(path.read_text() for path in sorted(folder.glob("*.cl")))


def without_passes(table: Table, row: Row, bundle: Bundle, options: argparse.Namespace) -> None:
    """ROW/without/PASS/PLAN: the same plan without a pass, where that makes other kernels."""
    for name in table.passes:
        out = options.folder / row.name / WITHOUT / name / bundle.plan
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
            made = search.synthesize(options.tangram, row.spectrum, options.hw, "opencl", pathlib.Path(scratch), [
                "--plan", str(bundle.folder / "plan.json"), "--without-pass", name])
            if made and kernels(made[0].folder) != kernels(bundle.folder):
                shutil.copytree(made[0].folder, out)


def bundles(table: Table, row: Row, options: argparse.Namespace) -> dict:
    """Copies this row's bundles to FOLDER/ROW; what synth takes (manifest.Taken), and ids of all."""
    effort = search.Effort(*map(int, options.effort.split(",")))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        first = search.first_ranked(options.tangram, row.spectrum, options.hw, "opencl", folder)
        sizes = [shape.options for shape in row.shapes if not shape.arrays]
        found = search.candidates(options.tangram, row.spectrum, (options.hw,), "opencl", folder, effort,
                                  sizes)
        plans = {bundle.plan: bundle for bundle in (first.bundles if first else []) + list(found.values())}
        for plan, bundle in plans.items():
            shutil.copytree(bundle.folder, options.folder / row.name / plan)
            without_passes(table, row, bundle, options)
    return {"first": first.as_json() if first else None, "plans": list(plans)}


def attempt(table: Table, row: Row, options: argparse.Namespace) -> dict:
    shutil.rmtree(options.folder / row.name, ignore_errors=True)
    try:
        made = bundles(table, row, options)
    except processes.Failed as error:
        made = {"first": None, "plans": [], "problem": str(error)}
    processes.tell(f"prepare: {row.name}: {len(made['plans'])} plans {made.get('problem', '')}")
    return made


def arguments(about: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the bundles go")
    parser.add_argument("--tangram", default=str(machine.ROOT / "build" / "tangram"))
    parser.add_argument("--hw", default="h200")
    parser.add_argument("--effort", default="6,1", help="classes of plans, and plans of each")
    parser.add_argument("--rows", help="only these, by name")
    parser.add_argument("--binaries", action="store_true", help="also tangram-run and the peers")
    parser.add_argument("--headers", type=pathlib.Path, help="also copy headers to this folder")
    return parser.parse_args()


def main(table: Table, about: str) -> int:
    """The command: FOLDER gets plans.json, the bundles, and with --binaries the programs."""
    options = arguments(about)
    try:
        wanted = chosen(table.rows(False), options.rows)
        processes.make_folder(options.folder)
    except (OSError, ValueError) as error:
        processes.tell(f"prepare: {processes.problem(error)}")
        return 2
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        made = dict(zip((row.name for row in wanted),
                        pool.map(lambda row: attempt(table, row, options), wanted)))
    file = options.folder / "plans.json"
    before = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({**before, **made}, indent=2) + "\n")
    if options.binaries:
        shutil.copy2(pathlib.Path(options.tangram).with_name("tangram-run"), options.folder)
        try:
            build(table, options.folder, "sm_90")
        except processes.Failed as error:
            processes.tell(f"prepare: {error}")
            return 1
    if options.headers:
        gpu.copy_dependencies(options.headers)
    size = sum(path.stat().st_size for path in options.folder.rglob("*") if path.is_file())
    print(f"{sum(len(row['plans']) for row in made.values())} bundles of {len(made)} rows, "
          f"{size / 2**20:.1f} MiB, in {options.folder}")
    return 0 if all(row["plans"] for row in made.values()) else 1
