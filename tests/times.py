"""Measures every test by itself and keeps what it took in tests/times.tsv: wall-clock and processor seconds.

    python3 tests/times.py                      all tests of build/, one after the other
    python3 tests/times.py -R 'stencils|tiles'  only those whose names match; the other lines stay
    python3 tests/times.py --new                only those that the list lacks

Processor seconds include all processes that a test starts and waits for; they hold on a busy machine too. A
test is of the `gate`, or `long`: then only `scripts/test --all` runs it.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests/times.tsv"
HEADING = "test\thalf\twall\tprocessor\n"
LONG = "long"
SKIPPED = 77


class Test:
    """As CTest knows it."""

    def __init__(self, described):
        properties = {each["name"]: each["value"] for each in described.get("properties", [])}
        self.name, self.command = described["name"], described.get("command", [])
        self.half = LONG if LONG in properties.get("LABELS", []) else "gate"
        self.folder = properties.get("WORKING_DIRECTORY")
        self.limit = float(properties.get("TIMEOUT", 1500))
        self.environment = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))


def tests_of(build):
    done = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    return [Test(each) for each in json.loads(done.stdout)["tests"]]


def read():
    """Lines of the list, by the name of the test."""
    lines = LIST.read_text().splitlines()[1:] if LIST.exists() else []
    return {line.split("\t")[0]: line.split("\t") for line in lines}


def write(lines):
    LIST.write_text(HEADING + "".join("\t".join(lines[name]) + "\n" for name in sorted(lines)))


def interruptible():
    """As on a terminal, also where this runs in the background of a shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def measure(test):
    """Its exit status, wall-clock and processor seconds."""
    with tempfile.TemporaryFile("w+") as said:
        start = time.monotonic()
        child = subprocess.Popen(test.command, cwd=test.folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said, preexec_fn=interruptible,
                                 env={**os.environ, **test.environment})
        _, status, used = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, SKIPPED):
            said.seek(0)
            print(said.read()[-2000:])
    return child.returncode, wall, used.ru_utime + used.ru_stime


def measure_all(tests, new):
    failed = []
    for test in tests:
        if new and test.name in read():  # another process may have measured it meanwhile
            continue
        if not test.command:
            print(f"{test.name} is not built", flush=True)
            continue
        status, wall, processor = measure(test)
        print(f"{test.name}: {wall:.1f} s, {processor:.1f} s of processors"
              f"{', skipped' if status == SKIPPED else '' if status == 0 else f', FAILED with status {status}'}", flush=True)
        if status == 0:
            lines = read()
            lines[test.name] = [test.name, test.half, f"{wall:.1f}", f"{processor:.1f}"]
            write(lines)
        elif status != SKIPPED:
            failed.append(test.name)
    return failed


def total():
    for half in ("gate", LONG):
        chosen = [line for line in read().values() if line[1] == half]
        wall, processor = (sum(float(line[column]) for line in chosen) for column in (2, 3))
        print(f"{half}: {len(chosen)} tests, {processor / 60:.1f} minutes of processors, {wall / 60:.1f} one after the other")


def check(tests):
    """Texts of what is wrong with the list."""
    lines, names = read(), {test.name: test for test in tests}
    wrong = [f"{name} is no test" for name in sorted(lines.keys() - names.keys())]
    wrong += [f"{name} is said to be {lines[name][1]} and is {test.half}" for name, test in sorted(names.items())
              if name in lines and lines[name][1] != test.half]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default="build", help="build folder (default: build)")
    parser.add_argument("-R", dest="only", default="", help="only tests whose names match")
    parser.add_argument("--half", choices=["gate", LONG], help="only this half")
    parser.add_argument("--new", action="store_true", help="only tests that the list does not have yet")
    parser.add_argument("--sum", action="store_true", help="measure nothing: how long gate and all take by the list")
    parser.add_argument("--check", action="store_true", help="measure nothing: is the list one of the tests there are?")
    options = parser.parse_args()
    os.chdir(ROOT)
    if options.sum:
        total()
        return
    tests = tests_of(options.build)
    if options.check:
        wrong = check(tests)
        print("\n".join(wrong))
        sys.exit(1 if wrong else 0)
    failed = measure_all([test for test in tests if re.search(options.only, test.name)
                          and options.half in (None, test.half)], options.new)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
