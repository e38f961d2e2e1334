"""random_plans.py finds a codelet that is wrong for some sizes, shrinks it, and its command fails too."""

import re
import subprocess
import sys

from pipeline import ROOT, Pipeline, unwatched_leaks


def main():
    test = Pipeline(__doc__)
    done = subprocess.run(
        [sys.executable, "-B", "tests/random_plans.py", "--tangram", test.commands["tangram"],
         "--tangram-run", test.commands["tangram-run"], "--source", "tests/codelets/unrolled.cpp",
         "--model", "simple-cpu", "--budget", "1", "--seed", "5"],
        capture_output=True, text=True, check=False)
    test.equal(done.returncode, 1, f"exit status\n{done.stdout}{done.stderr}")
    found = re.search(r"FAILED: total simple-cpu openmp, plan ([0-9a-f]{8}): wrong: result: got 0, "
                      r"expected -?\d+\n  found with: .*\n  reproduce:  (.*)\n", done.stdout)
    if test.check(found, f"no failure was reported:\n{done.stdout}"):
        command = found[2]
        # One element is the smallest size whose rest is lost, and needs no tunable and no seed.
        test.check(command.endswith(f"--plan {found[1]} --size in_size=1"), f"not shrunk: {command}")
        again = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True,
                               check=False, env=test.environment(unwatched_leaks()))
        test.equal(again.returncode, 3, f"exit status of {command}\n{again.stdout}{again.stderr}")
        test.check(re.match(rf"wrong     {found[1]}  in_size=1(  \w+=\d+)*: result: got 0, ", again.stdout),
                   f"it says\n{again.stdout}")
    # Where the codelets agree, there is nothing to find.
    bundles = test.synth("tests/codelets/unrolled.cpp", "total", "simple-cpu", "openmp", "total",
                         "--plan", "all", "--strategy", "all", "--derive", "none")
    runs = test.verify(bundles, "--size", "0,4,1000")
    test.equal({run["status"] for run in runs}, {"verified"}, "sizes that are multiples of 4")
    test.finish()


if __name__ == "__main__":
    main()
