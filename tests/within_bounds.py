"""No program takes memory or time without a bound, and no number ends a command.

Programs that are short and large to look at (programs/large.py), and ones with numbers at the ends of their types, are
checked, planned and synthesized with 2 GiB of memory and some seconds: each command ends by itself, with one of the
statuses that it has. With TANGRAM_TEST_EVERYTHING=1 larger ones and many more; --programs and --seed by hand.
"""

import os
import random
import resource
import subprocess

from pipeline import Pipeline
from programs.large import KINDS, extremes

MEMORY = 2 << 30
SECONDS = 20  # of a processor, for what takes a tenth of one
EVERYTHING = os.environ.get("TANGRAM_TEST_EVERYTHING") == "1"
STATUSES = (0, 1, 3)
# Few processors are told of the same program: what differs is the target.
PLACES = [("cpu", "openmp"), ("h200", "opencl"), ("pocl", "opencl")]
# Found by numbers at the ends of their types, made short.
FOUND = {
    "a size that differs by 2^63": "require(out.size() == in.size() + 9223372036854775808u);",
    "a size that is less by 2^63 - 1": "require(out.size() == in.size() - 9223372036854775807);",
    "a size that is a quotient": "require(out.size() == in.size() / (-9223372036854775807 - 1));",
    "a size that is at least 2^63": "require(out.size() >= 9223372036854775808u);",
    "a size that is a remainder": "require(out.size() == in.size() % (long)-1);",
    "a size times 2^63": "require(out.size() == in.size() * 9223372036854775808u);",
    "a size that is shifted": "require(out.size() == in.size() << 63);",
    "the largest size": "require(in.size() == 18446744073709551615u);",
}


def found(require):
    return (f"#include <tangram.h>\n__codelet void f(const Array<1, int> in, Array<1, int> out) {{\n  {require}\n"
            "  for (unsigned i = 0; i < out.size(); ++i)\n    out[i] = in[i];\n}\n"
            "__codelet __tag(tiles) void f(const Array<1, int> in, Array<1, int> out) {\n  __tunable unsigned p;\n"
            "  map(f, rows(in, p), rows(out, p));\n}\n")


def confined():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def ends(test, command, what):
    done = subprocess.run([test.commands["tangram"], *map(str, command)], capture_output=True, text=True, check=False,
                          errors="replace", preexec_fn=confined, env=test.environment())
    said = done.stderr.lower()
    test.check(done.returncode in STATUSES and "internal error" not in said and "bad_alloc" not in said,
               f"{what}: tangram {' '.join(map(str, command))}\nended with status {done.returncode}\n{done.stderr[-400:]}")
    return done.returncode == 0


def judge(test, name, text, places):
    source = test.scratch / f"{name.replace(' ', '_')}.cpp"
    source.write_text(text)
    before = len(test.failures)
    if not ends(test, ["check", source], name):
        accepted = False
    else:
        accepted = True
        for model, target in places:
            where = ["--spectrum", "f", "--hw", model, "--target", target]
            ends(test, ["synth", source, *where, "-o", test.scratch / f"{name}-{target}"], name)
    if len(test.failures) > before:
        print(text, flush=True)
    return accepted


def large_programs(test):
    sizes = (3, 12, 40) if EVERYTHING else (14,)
    places = PLACES if EVERYTHING else PLACES[:2]
    for name, program in KINDS.items():
        few = places if EVERYTHING or name != "vectors" else places[1:]  # its plans are predicted for seconds
        for size in sizes:
            test.check(judge(test, f"{name}-{size}", program(size), few), f"{name} of {size} is accepted")


def extreme_numbers(test, programs, seed):
    for name, require in FOUND.items():
        judge(test, name, found(require), PLACES[:1])
    accepted = sum(judge(test, f"extremes-{seed}-{k}", extremes(random.Random(f"{seed}-{k}")), PLACES[:1])
                   for k in range(programs))
    print(f"{accepted} of {programs} programs of seed {seed} with numbers at the ends of their types are accepted")


def more_arguments(parser):
    parser.add_argument("--programs", type=int, default=400 if EVERYTHING else 8, help="with extreme numbers")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30) if EVERYTHING else 1)


def main():
    test = Pipeline(__doc__.split("\n", maxsplit=1)[0], more_arguments)
    large_programs(test)
    extreme_numbers(test, test.arguments.programs, test.arguments.seed)
    test.finish()


main()
