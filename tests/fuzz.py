"""Each reader of what comes from outside, for a minute under libFuzzer with sanitizers (TANGRAM_TEST_EVERYTHING=1).

Builds the targets of tests/fuzz in a tree of its own (build/fuzz), which takes long the first time. What ends a
reader is printed with the file that does it; made small (-minimize_crash=1), it belongs into tests/fuzz/corpus.

    python3 tests/fuzz.py --tangram build/tangram --tangram-run build/tangram-run --reader model --seconds 600
"""

import os
import pathlib
import shutil
import subprocess

from pipeline import ROOT, Pipeline, need_program, skip

FLAGS = "-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
CORPUS = ROOT / "tests" / "fuzz" / "corpus"


def arguments(parser):
    parser.add_argument("--reader", action="append", help="only this one, with or without TANGRAM_TEST_EVERYTHING")
    parser.add_argument("--seconds", type=int, default=60, help="for each")


def build(test, readers):
    tree = pathlib.Path(test.arguments.tangram).resolve().parent / "fuzz"
    compiler = need_program("clang++-19", "clang-19")
    commands = [["cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
                 "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_FLAGS={FLAGS}", "-DTANGRAM_FUZZ=ON"],
                ["cmake", "--build", tree, "--target", *(f"fuzz_{reader}" for reader in readers)]]
    for command in commands:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            test.fail(f"{' '.join(map(str, command))}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
            test.finish()
    return tree / "fuzz"


def main():
    test = Pipeline(__doc__, arguments)
    readers = test.arguments.reader or sorted(folder.name for folder in CORPUS.iterdir())
    if not test.arguments.reader and os.environ.get("TANGRAM_TEST_EVERYTHING") != "1":
        skip("takes a minute a reader: TANGRAM_TEST_EVERYTHING=1")
    targets = build(test, readers)
    for reader in readers:
        corpus = test.scratch / reader
        shutil.copytree(CORPUS / reader, corpus)
        found = pathlib.Path(test.arguments.tangram).resolve().parent / "fuzz" / f"found-{reader}-"
        done = subprocess.run([targets / f"fuzz_{reader}", corpus, f"-max_total_time={test.arguments.seconds}",
                               "-max_len=8192", "-timeout=20", "-rss_limit_mb=3000", "-print_final_stats=1",
                               f"-artifact_prefix={found}"], capture_output=True, text=True, check=False,
                              env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=0"})
        runs = [line for line in done.stderr.splitlines() if "number_of_executed_units" in line]
        print(reader, *runs, flush=True)
        test.check(done.returncode == 0, f"{reader}:\n{done.stderr[-4000:]}")
    test.finish()


if __name__ == "__main__":
    main()
