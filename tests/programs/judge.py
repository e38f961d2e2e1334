"""Judges a source: what the commands say of it, as findings.

First `tangram check`, which has to accept it. Then the interpreter, where the binary has one, for every
plan; then plans on this machine.
"""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass, replace

ENVIRONMENT = {"OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive", "ASAN_OPTIONS": "detect_leaks=0"}
BOUNDS_CC = pathlib.Path(__file__).resolve().parent / "bounds-cc"
OCLGRIND = pathlib.Path("/usr/lib/oclgrind/liboclgrind-rt.so")
OCLGRIND_ENVIRONMENT = {
    # Oclgrind 21.10 does not know the instruction freeze, which an optimizer puts in.
    "OCLGRIND_BUILD_OPTIONS": "-cl-opt-disable", "TANGRAM_OPENCL_LIBRARY": str(OCLGRIND),
    "OCLGRIND_DATA_RACES": "1", "OCLGRIND_UNINITIALIZED": "1", "OCLGRIND_CHECK_API": "1"}
INTERPRETED_ONLY = ("cuda",)  # there is no code for it yet
CALL_SECONDS = 20  # that a plan may take for one size
COMMAND_SECONDS = 300


@dataclass(frozen=True)
class Finding:
    """Something that should not be. `place`: spectrum, model and target; `plan`: an id or ""."""
    category: str
    message: str
    place: tuple
    plan: str = ""
    options: tuple = ()
    by: str = "run"
    planning: tuple = ()
    codelets: frozenset = frozenset()  # of a plan that is refused

    def shape(self):
        """The message without what differs from program to program."""
        lines = self.message.strip().splitlines() or [""]
        text = next((line for line in lines[1:] if "error:" in line), lines[0])
        text = re.sub(r"0x[0-9a-f]+", "N", text)
        text = re.sub(r"\S+\.(cpp|c|cl):\d+:\d+", "PLACE", text)
        text = re.sub(r"/\S+", "PATH", text)
        text = re.sub(r"\b[0-9a-f]{8}\b", "ID", text)
        text = re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", text)
        text = re.sub(r"'[^']*'|\"[^\"]*\"", "'X'", text)
        text = re.sub(r"\b[a-z_]+N\b", "X", text)
        return f"{self.category}: {text[:160]}"

    def sizes(self):
        """As a trial has them."""
        return tuple((word.split("=")[0], tuple(map(int, word.split("=")[1].split(","))))
                     for option, word in zip(self.options, self.options[1:]) if option == "--size")

    def settings(self):
        return {word.split("=")[0]: word.split("=")[1]
                for option, word in zip(self.options, self.options[1:]) if option in ("--set", "--tunable")}

    def seed(self):
        return next((int(word) for option, word in zip(self.options, self.options[1:])
                     if option == "--seed"), 1)

    def key(self):
        if self.category in ("wrong", "interpreter: wrong"):  # the values say nothing
            return f"{self.category} {self.place[2]}"
        if self.by == "interpret" and self.category.startswith("interpreter"):
            return self.category
        return self.shape()


class Judge:
    def __init__(self, tangram, tangram_run, scratch):
        self.tangram, self.tangram_run = os.path.abspath(tangram), os.path.abspath(tangram_run)
        self.scratch = pathlib.Path(scratch)
        status, help_, _ = self.execute([self.tangram, "interpret", "--help"])
        self.has_interpreter = status == 0 and "interpret" in help_
        self.has_oclgrind = OCLGRIND.exists() and bool(shutil.which("oclgrind"))
        self.counts = {"plans": 0, "runs": 0, "interpreted": 0, "long": 0, "under Oclgrind": 0}
        self.refusals = {}
        self.counting = True  # not what is only looked at again
        self.call_seconds = CALL_SECONDS

    def execute(self, command, environment=None, seconds=COMMAND_SECONDS):
        """Status (a name for a signal or a timeout), output, errors."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds,
                                  env={**os.environ, **ENVIRONMENT, **(environment or {})})
        except subprocess.TimeoutExpired:
            return "timeout", "", f"took more than {seconds} s"
        status = done.returncode
        if status < 0:
            status = signal.Signals(-status).name
        return status, done.stdout, done.stderr

    def count(self, what, number=1):
        if self.counting:
            self.counts[what] += number

    def refused(self, reason):
        if not self.counting:
            return
        shape = Finding("refused", reason, ()).shape().split(": ", 1)[1]
        self.refusals[shape] = self.refusals.get(shape, 0) + 1

    # The whole

    def check(self, source):
        """Is the source accepted?"""
        status, _, errors = self.execute([self.tangram, "check", str(source)])
        if status == 0:
            return []
        category = "refused by check" if status == 1 else "tangram check ends badly"
        return [Finding(category, first_error(errors) or str(status), ("", "", ""), by="check")]

    def place(self, source, spectrum, model, target, trial):
        """Findings for one machine and target."""
        where = (spectrum, model, target)
        found = self.interpret(source, where, trial) if self.has_interpreter else []
        if target not in INTERPRETED_ONLY:
            found = found or self.run(source, where, trial)
        return [replace(finding, planning=trial.planning) for finding in found]

    def interpret(self, source, where, trial):
        spectrum, model, target = where
        options = [*trial.planning, "--plan", trial.plan or "all", *([] if trial.plan else [
            "--limit", str(trial.limit)]), *trial.interpreted()]
        status, out, errors = self.execute([
            self.tangram, "interpret", str(source), "--spectrum", spectrum, "--hw", model, "--target",
            target, *options, "--format", "json"])
        if not out.strip():
            if status == 1 and "refused" in errors:
                return []  # `run` looks at that
            return [Finding("tangram interpret ends badly", f"{status} {first_error(errors)}", where,
                            by="interpret", options=trial.interpreted(), plan=trial.plan)]
        found = []
        for plan in json.loads(out)["plans"]:
            for run in plan.get("runs", []):
                self.count("interpreted")
                if run["status"] in ("right", "refused", "undefined"):
                    continue
                own = [word for name, size in run["extents"].items() if name in trial.free
                       for word in ("--size", f"{name}={size}")]
                own += [word for name, value in run["tunables"].items()
                        for word in ("--tunable", f"{name}={value}")]
                own += ["--seed", str(trial.seed)]
                reports = run.get("reports") or [{"kind": run["status"], "message": run.get("reason") or ""}]
                if any(report["kind"] == "endless" for report in reports) and self.ends(
                        source, where, (*trial.planning, "--plan", plan["id"], *own)):
                    self.count("long")
                    continue
                for report in reports:
                    found.append(Finding(f"interpreter: {report['kind']}", f"{report['message']}\n  at "
                                         f"{report.get('line')}: {report.get('statement')}", where, plan["id"],
                                         tuple(own), "interpret"))
        return found

    def ends(self, source, where, options):
        """Whether ten times as many operations are enough: many workers take many."""
        spectrum, model, target = where
        out = self.execute([self.tangram, "interpret", str(source), "--spectrum", spectrum, "--hw", model, "--target",
                            target, *options, "--steps", "4000000000", "--format", "json"])[1]
        return bool(out.strip()) and '"endless"' not in out

    def synth(self, source, where, trial):
        """(bundles, findings)"""
        spectrum, model, target = where
        out = self.scratch / "bundles"
        if not trial.together:
            shutil.rmtree(out, ignore_errors=True)
        if trial.sample and not trial.plan:
            return self.sampled(source, where, trial)
        options = ["--plan", trial.plan] if trial.plan else ["--plan", "all", "--limit", str(trial.limit)]
        status, text, errors = self.execute([
            self.tangram, "synth", str(source), "--spectrum", spectrum, "--hw", model, "--target", target,
            *trial.planning, *options, "-o", str(out / trial.plan), "--format", "json"])
        if not text.strip():
            if status == 1 and "refused" in errors:
                self.refused(errors)
                return [], [Finding("plan refused", first_error(errors), where, trial.plan, by="synth")]
            return [], [Finding("tangram synth ends badly", f"{status} {first_error(errors)}", where,
                                trial.plan, by="synth")]
        bundles, found = [], []
        for plan in json.loads(text)["plans"]:
            self.count("plans")
            if "bundle" in plan:
                bundles.append(plan["bundle"])
            else:
                self.refused(plan.get("refused") or "no reason")
                found.append(Finding("plan refused", plan.get("refused") or "no reason", where, plan["id"],
                                     by="synth", codelets=codelets(plan["steps"])))
        return bundles, found

    def never(self, source, where, trial, found):
        """Without plans that are refused although the target can express others with the same codelets:
        a target may do so, with a reason."""
        found = [finding for finding in found if not is_of_the_machine(finding)]
        if trial.plan or not any(finding.codelets for finding in found):
            return found
        spectrum, model, target = where
        out = self.scratch / "wider"
        shutil.rmtree(out, ignore_errors=True)
        _, text, _ = self.execute([
            self.tangram, "synth", str(source), "--spectrum", spectrum, "--hw", model, "--target", target,
            *trial.planning, "--plan", "all", "--limit", "40", "-o", str(out), "--format", "json"])
        expressed = set()
        for plan in json.loads(text)["plans"] if text.strip() else []:
            expressed |= codelets(plan["steps"]) if "bundle" in plan else set()
        return [finding for finding in found if not finding.codelets or finding.codelets - expressed]

    def sampled(self, source, where, trial):
        """As `synth`, of plans from the whole list and not only the best."""
        spectrum, model, target = where
        status, text, errors = self.execute([
            self.tangram, "plans", str(source), "--spectrum", spectrum, "--hw", model, "--target", target,
            *trial.planning, "--limit", "200", "--format", "json"])
        if status != 0:
            return [], [Finding("tangram plans ends badly", f"{status} {first_error(errors)}", where, by="plans")]
        plans = [plan["id"] for plan in json.loads(text)["plans"]]
        chosen = random.Random(trial.seed).sample(plans, min(trial.limit, len(plans)))
        shutil.rmtree(self.scratch / "bundles", ignore_errors=True)
        bundles, found = [], []
        for plan in chosen:
            own = self.synth(source, where, replace(trial, plan=plan, together=True))
            bundles, found = bundles + own[0], found + own[1]
        return bundles, found

    def run(self, source, where, trial):
        bundles, found = self.synth(source, where, trial)
        found = self.never(source, where, trial, found)
        if not bundles:
            return found
        runs, more = self.verify(bundles, where, trial)
        return found + more + self.judged(runs, where, trial)

    def verify(self, bundles, where, trial, environment=None, more=()):
        options = trial.options(settings_for(bundles, trial.settings))
        command = [self.tangram_run, "verify", *bundles, "--format", "json", "--time-limit",
                   str(self.call_seconds), *options, *more]
        status, text, errors = self.execute(command, {"CC": str(BOUNDS_CC), **(environment or {})},
                                            COMMAND_SECONDS * 2)
        if status in (0, 3) and text.strip():
            try:
                return json.loads(text)["runs"], []
            except json.JSONDecodeError:  # something else is on standard output
                status, errors = f"{status}, and no JSON", text[:2000]
        if len(bundles) > 1:  # which one?
            runs, found = [], []
            for bundle in bundles:
                own = self.verify([bundle], where, trial, environment, more)
                runs, found = runs + own[0], found + own[1]
            return runs, found
        plan = trial.plan or pathlib.Path(bundles[0]).name
        return [], [Finding("tangram-run ends badly", f"{status} {first_error(errors)}", where,
                            plan if re.fullmatch("[0-9a-f]{8}", plan) else "", options)]

    def judged(self, runs, where, trial):
        found, by_plan = [], {}
        for run in runs:
            self.count("runs")
            status, plan = run["status"], run["plan"]
            by_plan.setdefault(plan, []).append(run)
            if status in ("wrong", "failed"):
                sizes = [word for name, size in run["extents"].items()
                         for word in ("--size", f"{name}={size}") if name in trial.free]
                settings = [word for name, value in trial.settings.items()
                            for word in ("--set", f"{name}={value}") if name in run["tunables"]]
                category = "out of bounds" if "Illegal instruction" in run.get("reason", "") else status
                found.append(Finding(category, run.get("reason") or "", where, plan,
                                     (*sizes, *settings, "--seed", str(trial.seed))))
            elif status == "refused":
                self.refused(run.get("reason") or "no reason")
        for plan, own in by_plan.items():
            if all(run["status"] == "refused" for run in own) and not trial.settings and not trial.plan:
                found.append(Finding("refused at every size", own[-1].get("reason") or "no reason", where,
                                     plan, trial.options()))
        return found

    def oclgrind(self, source, where, trial):
        """Races, accesses out of bounds and uninitialized reads of OpenCL kernels."""
        bundles, _ = self.synth(source, where, trial)
        log = self.scratch / "oclgrind.log"
        log.unlink(missing_ok=True)
        if not bundles:
            return []
        self.count("under Oclgrind", len(bundles))
        runs, found = self.verify(bundles, where, trial, {**OCLGRIND_ENVIRONMENT, "OCLGRIND_LOG": str(log)},
                                  ["--memory-checker"])
        report = log.read_text() if log.exists() else ""
        if report.strip():
            found.append(Finding("Oclgrind", report.strip(), where, trial.plan, trial.options(), "oclgrind"))
        return found


def is_of_the_machine(finding):
    """A refusal of what the machine's file does not list: no plan could do otherwise."""
    return finding.category == "plan refused" and finding.message.startswith("the atomic operations of level")


def codelets(steps):
    """That take part in a plan."""
    return frozenset(re.findall(r"(?:regroup|select|compute)\(([^,]+),", " ".join(steps)))


def settings_for(bundles, settings):
    """Those that a bundle has and all that have them allow."""
    tunables = {}
    for bundle in bundles:
        for tunable in json.loads((pathlib.Path(bundle) / "manifest.json").read_text())["tunables"]:
            tunables.setdefault(tunable["name"], []).append(tunable)
    return {name: value for name, value in settings.items() if name in tunables and all(
        one["min"] <= int(value) <= one["max"] and int(value) in (one.get("values") or [int(value)])
        for one in tunables[name])}


def first_error(text):
    for line in text.splitlines():
        if "error:" in line:
            return line.split("error:", 1)[1].strip()
    return text.strip()[:300]


@dataclass(frozen=True)
class Trial:
    """With what a source is tried."""
    sizes: tuple = ()      # (name, (size, ...))
    settings: object = None
    seed: int = 1
    limit: int = 6
    plan: str = ""
    planning: tuple = ()
    sample: bool = False    # of all plans, not the best
    together: bool = False  # keep the bundles there are

    def __post_init__(self):
        object.__setattr__(self, "settings", dict(self.settings or {}))

    @property
    def free(self):
        return {name for name, _ in self.sizes}

    def options(self, settings=None):
        words = []
        for name, sizes in self.sizes:
            words += ["--size", f"{name}=" + ",".join(map(str, sizes))]
        for name, value in (self.settings if settings is None else settings).items():
            words += ["--set", f"{name}={value}"]
        return (*words, "--seed", str(self.seed))

    def interpreted(self):
        return tuple("--tunable" if word == "--set" else word for word in self.options())
