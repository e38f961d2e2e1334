"""Finds plans worth measuring: those predicted to be quick, those of sketches, those ranked first in each
class of plans, and values of their tunables.

A class is what is left when codelets that the plans found so far begin with are left out
(`--without`): plans that are ranked behind hundreds of their siblings get their turn.
"""

import dataclasses
import json
import pathlib
import re
from collections.abc import Iterable, Iterator

from . import machine, processes
from .manifest import Bundle, Taken

TAG = re.compile(r"(?:regroup|select|compute)\((?:\w+:)?([A-Za-z_]\w*),")


@dataclasses.dataclass(frozen=True)
class Spectrum:
    """What is synthesized."""

    source: str  # in codelets/
    name: str  # as --spectrum takes it
    instance: str | None = None  # for --instantiate

    def arguments(self) -> list[str]:
        more = ["--instantiate", self.instance] if self.instance else []
        return [str(machine.ROOT / "codelets" / self.source), "--spectrum", self.name, *more]


@dataclasses.dataclass(frozen=True)
class Effort:
    """How long a search may be."""

    classes: int  # sets of codelets to leave out
    plans: int  # of each class
    keep: int = 64  # candidates that an iteration of planning keeps


def made(tangram: str, spectrum: Spectrum, model: str, target: str, out: pathlib.Path,
         more: list[str]) -> dict:
    """What synth says of what it made: {} where no plan can be expressed."""
    text = processes.output(
        [tangram, "synth", *spectrum.arguments(), "--hw", model, "--target", target, "-o", str(out),
         "--format", "json", *more], limit_s=900, allow=(0, 1))
    return json.loads(text) if text.strip() else {}


def bundles_of(said: dict) -> list[Bundle]:
    return [Bundle(pathlib.Path(plan["bundle"])) for plan in said.get("plans", []) if "bundle" in plan]


def synthesize(tangram: str, spectrum: Spectrum, model: str, target: str, out: pathlib.Path,
               more: list[str]) -> list[Bundle]:
    """Bundles, best ranked first; none where no plan can be expressed."""
    return bundles_of(made(tangram, spectrum, model, target, out, more))


def first_ranked(tangram: str, spectrum: Spectrum, model: str, target: str,
                 folder: pathlib.Path) -> Taken | None:
    """What a user gets who asks for nothing in particular."""
    said = made(tangram, spectrum, model, target, folder / f"first-{model}", [])
    bundles = bundles_of(said)
    return Taken(bundles, said.get("library", {}).get("rules", [])) if bundles else None


def left_out(tangram: str, spectrum: Spectrum, model: str, target: str, folder: pathlib.Path,
             effort: Effort) -> Iterator[tuple[tuple[str, ...], list[Bundle]]]:
    """Each class, by what is left out for it, with its plans."""
    waiting: list[tuple[str, ...]] = [()]
    seen = {()}
    for number in range(effort.classes):
        if not waiting:
            return
        without = waiting.pop(0)
        more = ["--without", ",".join(without)] if without else []
        bundles = synthesize(
            tangram, spectrum, model, target, folder / f"{model}-{number}",
            ["--plan", "all", "--limit", str(effort.plans), "--keep", str(effort.keep), *more])
        if not bundles:
            continue
        yield without, bundles
        for tag in TAG.findall(" ".join(bundles[0].manifest["plan"]["steps"])):
            other = tuple(sorted({*without, tag}))
            if other not in seen:
                seen.add(other)
                waiting.append(other)


def for_sizes(options: Iterable[str]) -> list[str]:
    """Options of tangram-run that say sizes, and values of integers, as `synth` takes both to predict for them."""
    words = iter(options)
    return [word for option, value in zip(words, words)
            if option == "--size" or (option == "--input" and value.partition("=")[2].isdigit())
            for word in ("--for-size", value)]


def predicted(tangram: str, spectrum: Spectrum, model: str, target: str, folder: pathlib.Path,
              sizes: Iterable[tuple[str, ...]]) -> Iterator[list[Bundle]]:
    """Plans predicted to be quick: at typical sizes, and at each of these (options of tangram-run)."""
    for number, size in enumerate([(), *sizes]):
        yield synthesize(
            tangram, spectrum, model, target, folder / f"{model}-predicted-{number}",
            ["--plan", "all", "--strategy", "predict", "--limit", "2" if size else "3",
             *for_sizes(size)])


def sketched(tangram: str, spectrum: Spectrum, model: str, target: str,
             folder: pathlib.Path) -> Iterator[list[Bundle]]:
    """The best plan of each sketch that the library ships for the source."""
    sketches = (machine.ROOT / "codelets" / spectrum.source).with_suffix(".sketches")
    for name in re.findall(r"(?m)^(\w+):", sketches.read_text()) if sketches.exists() else []:
        yield synthesize(tangram, spectrum, model, target, folder / f"{model}-{name}", ["--plan", name])


def candidates(tangram: str, spectrum: Spectrum, models: tuple[str, ...], target: str,
               folder: pathlib.Path, effort: Effort,
               sizes: Iterable[tuple[str, ...]] = ()) -> dict[str, Bundle]:
    """Plans predicted to be quick, those of sketches, and those of all classes, on all models, each
    once, as "MODEL PLAN"."""
    found: dict[str, Bundle] = {}
    plans = set()
    for model in models:
        classes = left_out(tangram, spectrum, model, target, folder, effort)
        for bundles in [*predicted(tangram, spectrum, model, target, folder, sizes),
                        *sketched(tangram, spectrum, model, target, folder),
                        *(bundles for _, bundles in classes)]:
            for bundle in bundles:
                if bundle.plan not in plans:
                    plans.add(bundle.plan)
                    found[f"{model} {bundle.plan}"] = bundle
    return found


def menu(tunable: dict, current: int, workers: int) -> list[int]:
    """Values of a tunable worth trying instead of `current`, the likeliest first."""
    low, high = int(tunable["min"]), int(tunable["max"])
    if tunable.get("values"):
        listed = sorted(int(value) for value in tunable["values"])
        around = sorted(listed, key=lambda value: abs(listed.index(value) - nearest(listed, current)))
    elif tunable["kind"] == "compile":
        around = [current * 2, current // 2, current * 4, current // 4]
    else:
        around = [workers * factor for factor in (1, 2, 4, 8, 16, 64)]
    return [value for value in dict.fromkeys(around) if low <= value <= high and value != current][:5]


def nearest(values: list[int], wanted: int) -> int:
    """Index of the value that is nearest."""
    return min(range(len(values)), key=lambda i: abs(values[i] - wanted))
