"""The codelets of the library and of the tests are right, and `tangram check` says nothing about them.

    python3 tests/no_warnings.py --tangram build/tangram

A warning here is a false one, or a mistake in a codelet. (What has to be warned about is tested beside
the analyses: composer/analysis/partition_check_test.cpp, composer/analysis/coverage_test.cpp.)
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tangram", required=True)
    parser.add_argument("--tangram-run", help="not used; given to every test")
    arguments = parser.parse_args()
    sources = sorted([*ROOT.glob("codelets/*.cpp"), *ROOT.glob("tests/codelets/*.cpp")])
    failed = 0
    for source in sources:
        done = subprocess.run([arguments.tangram, "check", str(source)], capture_output=True,
                              text=True, check=False)
        if done.returncode != 0 or done.stderr:
            failed += 1
            print(f"{source.relative_to(ROOT)}: status {done.returncode}\n{done.stderr}")
    print(f"{len(sources)} files checked, {failed} with warnings or errors")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
