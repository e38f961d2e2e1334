"""Drives the two commands, for the end-to-end tests of this folder.

A test is a Python program that takes --tangram and --tangram-run (their paths), runs in the
source root, and ends by a status: 0 passed, 1 failed, 77 skipped because something is not
installed. Failures are collected, so that one run shows all of them.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77
NUMBER = re.compile(r" \[tangram(-run)? explain T\d{4}\]$", re.M)

# Few threads more than cores: they are really interleaved, and none of them spins while it waits.
OPENMP_ENVIRONMENT = {"OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive"}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


class Done:
    """What a command said."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


def share(text):
    """"2/8": (2, 8)."""
    number, count = map(int, text.split("/"))
    if not 1 <= number <= count:
        raise ValueError(text)
    return number, count


class Pipeline:
    """The commands, a scratch folder, and what went wrong so far."""

    def __init__(self, description, more_arguments=None, as_shipped=False):
        """`as_shipped`: kernels are compiled with all optimization in the gate, too."""
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--tangram", required=True, help="path of tangram")
        parser.add_argument("--tangram-run", required=True, help="path of tangram-run")
        parser.add_argument("--share", type=share, default=(1, 1), metavar="K/N",
                            help="the Kth of N shares of what it goes over, where tests have shares: for several machines")
        if more_arguments:
            more_arguments(parser)
        self.arguments = parser.parse_args()
        self.commands = {
            "tangram": os.path.abspath(self.arguments.tangram),
            "tangram-run": os.path.abspath(self.arguments.tangram_run),
        }
        self.failures = []
        if not as_shipped and not os.environ.get("TANGRAM_TEST_EVERYTHING"):
            os.environ.setdefault("CC", str(ROOT / "tests" / "quick-cc"))
        os.chdir(ROOT)
        self._scratch = tempfile.TemporaryDirectory(prefix="tangram-test-")
        self.scratch = pathlib.Path(self._scratch.name)

    def shared(self, items):
        """Those of `items` that the share asked for has."""
        number, count = self.arguments.share
        return list(items)[number - 1::count]

    def is_whole(self):
        return self.arguments.share == (1, 1)

    # Running

    def run(self, command, *arguments, environment=None, cwd=None, timeout=None):
        """Runs `tangram` or `tangram-run`; whatever its status is."""
        return execute([self.commands[command], *map(str, arguments)], environment, cwd, timeout)

    def expect(self, command, *arguments, **options):
        """Runs it; a status other than 0 ends the test, with what it said."""
        done = self.run(command, *arguments, **options)
        if done.status != 0:
            self.fail(f"{command} {' '.join(map(str, arguments))}\n"
                      f"ended with status {done.status}:\n{done.err}{done.out}")
            self.finish()
        return done

    def synth(self, source, spectrum, model, target, name, *options):
        """The bundles of the plans that the options choose, best first."""
        out = self.scratch / name
        done = self.expect("tangram", "synth", source, "--spectrum", spectrum, "--hw", model,
                           "--target", target, "--format", "json", "-o", out, *options)
        plans = json.loads(done.out)["plans"]
        for plan in plans:
            if "bundle" not in plan:
                self.check(plan.get("refused"), f"plan {plan['id']} has neither bundle nor reason")
        return [pathlib.Path(plan["bundle"]) for plan in plans if "bundle" in plan]

    def verify(self, bundles, *options, environment=None, verb="verify"):
        """The runs of `tangram-run verify`, as its JSON has them. In the gate each has one kind of data."""
        if verb == "verify" and "--data" not in options and not os.environ.get("TANGRAM_TEST_EVERYTHING"):
            options = (*options, "--data", "ordinary")
        done = self.run("tangram-run", verb, *bundles, "--format", "json", *self.kept_objects(), *options,
                        environment={**OPENMP_ENVIRONMENT, **unwatched_leaks(), **(environment or {})})
        if done.status not in (0, 3):
            self.fail(f"tangram-run {verb} {' '.join(map(str, options))} of {len(bundles)} bundles "
                      f"ended with status {done.status}:\n{done.err}")
            self.finish()
        return json.loads(done.out)["runs"]

    def kept_objects(self):
        """What another call has compiled of the same text is not compiled again."""
        objects = self.scratch / "objects"
        objects.mkdir(exist_ok=True)
        return "--objects", objects

    def opencl_devices(self):
        """What OpenCL devices there are."""
        done = self.run("tangram-run", "--list-devices", "--format", "json",
                        environment=unwatched_leaks())
        return json.loads(done.out)["devices"] if done.status == 0 else []

    def need_opencl(self):
        """An index of an OpenCL device; the test is skipped where there is none."""
        devices = self.opencl_devices()
        if not devices:
            skip("no OpenCL device (Debian package pocl-opencl-icd)")
        return devices

    def environment(self, more=None):
        """What a command of a test sees."""
        return {**os.environ, **(more or {})}

    # Judging

    def fail(self, what):
        print(f"FAILED: {what}", flush=True)
        self.failures.append(what)

    def check(self, holds, what):
        if not holds:
            self.fail(what)
        return holds

    def equal(self, got, wanted, what):
        return self.check(got == wanted, f"{what}\n  expected {wanted!r}\n  found    {got!r}")

    def finish(self):
        if self.failures:
            print(f"{len(self.failures)} failed")
            sys.exit(1)
        print("passed")
        sys.exit(0)


def execute(command, environment=None, cwd=None, timeout=None):
    """Raises subprocess.TimeoutExpired after `timeout` seconds, when there is one."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False,
                          timeout=timeout, env={**os.environ, **(environment or {})})
    # The numbers behind messages are the matter of docs/errors.md, whose examples documentation.py runs.
    return Done(done.returncode, NUMBER.sub("", done.stdout), NUMBER.sub("", done.stderr))


def unwatched_leaks():
    """An OpenCL driver keeps memory until the process ends; that is not ours to report."""
    options = os.environ.get("ASAN_OPTIONS")
    return {"ASAN_OPTIONS": f"{options}:detect_leaks=0" if options else "detect_leaks=0"}


def need_program(name, package):
    path = shutil.which(name)
    if not path:
        skip(f"{name} is not installed (Debian package {package})")
    return path


def describe(run):
    """One line for a run of `tangram-run`."""
    numbers = {**run["extents"], **run["tunables"]}
    text = " ".join(f"{name}={value}" for name, value in numbers.items())
    return f"{run['status']} {run['bundle']} {text}: {run.get('reason', '')}"


class Tally:
    """Counts runs by status, and remembers the plans that were right at least once."""

    def __init__(self, pipeline):
        self.pipeline = pipeline
        self.counts = {}
        self.verified, self.refused = set(), {}

    def add(self, runs):
        """Everything must be verified, or refused with a reason."""
        for run in runs:
            status = run["status"]
            self.counts[status] = self.counts.get(status, 0) + 1
            if status == "verified":
                self.verified.add(run["plan"])
            elif status == "refused" and run.get("reason"):
                self.refused[run["plan"]] = run["reason"]
            else:
                self.pipeline.fail(describe(run))

    def text(self):
        runs = ", ".join(f"{count} {status}" for status, count in sorted(self.counts.items()))
        return f"{runs}; {len(self.verified)} plans verified"
