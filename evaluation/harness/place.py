"""Where bundles are run: tangram-run, the device, and the time that is left."""

import dataclasses
import json
import math
import pathlib
import tempfile
import time

from collections.abc import Callable

from . import machine, processes, search
from .gpu import Clock
from .manifest import Bundle

TRIED = 3  # values of a tunable


@dataclasses.dataclass
class Place:
    runner: str  # tangram-run
    clock: Clock
    device: tuple[str, ...] = ()  # options that name it
    cold: bool = False  # caches are emptied before every run that counts
    workers: int = 1  # groups or threads that the device works on side by side
    warmup: int = 1
    fastest: bool = False  # the fastest of runs counts, not the median: where others are at work
    limit_s: float = 240  # of one process
    measured: int = 0  # settings so far

    def records(self, command: str, bundles: list[Bundle], options: list[str]) -> list[dict]:
        text = processes.output(
            [self.runner, command, *(str(bundle.folder) for bundle in bundles), *self.device, *options,
             "--format", "json"], limit_s=self.clock.left(self.limit_s), allow=(0, 1, 3))
        return json.loads(text)["runs"]

    def seconds(self, run: dict) -> float:
        return run["seconds"]["min" if self.fastest else "median"]

    def times(self, bundles: list[Bundle], inputs: list[str], repeats: int,
              settings: dict[str, list[int]] | None = None, verify: bool = False) -> list[dict]:
        """What tangram-run says of each, as it comes."""
        more = [word for name, values in (settings or {}).items()
                for word in ("--set", f"{name}={','.join(map(str, values))}")]
        runs = self.records("time", bundles, [
            *inputs, *more, *(["--cold"] if self.cold else []), "--warmup", str(self.warmup), "--repeat",
            str(repeats), *([] if verify else ["--no-verify"])])
        self.measured += len(runs)
        return runs

    def timed(self, bundles: list[Bundle], inputs: list[str], repeats: int,
              settings: dict[str, list[int]] | None = None, verify: bool = False) -> list[dict]:
        """What could be timed, fastest first. A wrong result ends the line."""
        runs = self.times(bundles, inputs, repeats, settings, verify)
        for run in runs:
            if run["status"] == "wrong":
                raise processes.Failed(f"{run['plan']} is wrong: {run['reason']}")
        return sorted((run for run in runs if "seconds" in run), key=self.seconds)

    def tuned(self, bundle: Bundle, inputs: list[str], best: dict, repeats: int = 3,
              note: Callable[[dict], None] = lambda run: None, until: float = math.inf) -> dict:
        """The fastest run found by changing one tunable after the other, none after the time `until`
        (time.monotonic()); `note` gets all."""
        for tunable in bundle.manifest["tunables"]:
            if time.monotonic() > until:
                break
            name = tunable["name"]
            current = best["tunables"][name]
            values = search.menu(tunable, current, self.workers)[:TRIED]
            settings = {other: [value] for other, value in best["tunables"].items() if other != name}
            if values:
                runs = self.timed([bundle], inputs, repeats, {**settings, name: values})
                best = min([best, *runs], key=self.seconds)
                for run in runs:
                    note(run)
        return best


def matrix_writer(folder: pathlib.Path) -> list[str]:
    """The command that builds the program which writes matrices."""
    return ["g++", "-std=c++20", "-O2", str(machine.ROOT / "evaluation" / "harness" / "write_matrix.cpp"),
            "-o", str(folder / "write_matrix")]


def write_matrix(program: pathlib.Path, shape: str, kind: str, folder: pathlib.Path, limit_s: float,
                 arrays: tuple[str, ...] = ("values", "columns", "offsets")) -> list[str]:
    """Options of tangram-run for a matrix, "poisson,1000" say, a graph, with the depth of a step as in "random,1000,3", or
    another problem; the arrays are written once. FOLDER is there when all of them are."""
    if not folder.exists():
        what, size, *more = shape.split(",")
        more += [] if kind == "float" else [kind]
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as name:
            begun = pathlib.Path(name) / "arrays"
            begun.mkdir()
            processes.output([str(program), what, size, str(begun), *more], limit_s=limit_s)
            begun.rename(folder)
    return [word for name in arrays
            for word in ("--input", f"{name}={folder / name}.npy")]
