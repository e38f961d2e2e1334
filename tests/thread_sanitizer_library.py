"""OpenMP plans of the library that share memory, under ThreadSanitizer: no data race.

As thread_sanitizer.py, for codelets with atomics, with containers of their own, with rows of
different lengths, and with chains whose elements wait for each other. Copies of histogram that adds
without atomics, and of a chain that does not wait, show that races are found.
"""

import json
import pathlib
import re

from pipeline import Pipeline
from thread_sanitizer import compile_with, need_tools, run

VERTICES, EDGES = 300, 900

# spectrum: file, its containers (name, element, size, element i), scalars in front, and its output.
PROBLEMS = {
    "histogram": ("histogram", [("in", "int", 1000, "(i * 7 + i / 11) % 13"),
                                ("bins", "int", 13, "i")], [], "bins"),
    "bfs": ("bfs", [("offsets", "int", VERTICES + 1, "i * 3"),
                    ("targets", "int", EDGES, f"(i * i + 5) % {VERTICES}"),
                    ("before", "int", VERTICES, "i % 3 ? 1000000 : 1"),
                    ("after", "int", VERTICES, "0")], [("depth", "int", "1")], "after"),
    # Rows of 0 and 4 elements; small whole numbers, so that every order of summation is exact.
    "spmv<float>": ("spmv", [("values", "float", 2 * VERTICES, "(float)(i % 5)"),
                             ("columns", "int", 2 * VERTICES, "i * 17 % 100"),
                             ("offsets", "int", VERTICES + 1, "i / 2 * 4"),
                             ("x", "float", 100, "(float)(i % 7)"),
                             ("y", "float", VERTICES, "0")], [], "y"),
    "scan<int>": ("scan", [("in", "int", 1000, "(i * 7 + i / 11) % 13"),
                           ("out", "int", 1000, "0")], [], "out"),
    # Every element of the chain writes all of the output.
    "history": ("../tests/codelets/chains", [("in", "unsigned", 100, "i * 7 % 13"),
                                             ("log", "unsigned", 5, "i")], [], "log"),
}

# Model, and options of `tangram synth` for some different plans.
PLANS = [("simple-cpu", []), ("cpu", []), ("cpu", ["--map-rules", "serialize"])]
ATOMIC = ["--without", "privatized", "--without", "histogram#1"]
CHAINED = ["--without", "scan#1", "--without", "scan_scan_add", "--without", "from_zero"]
OWN_PLANS = {
    "histogram": [*PLANS, ("simple-cpu", ATOMIC)],
    "scan<int>": [("simple-cpu", CHAINED),
                  ("simple-cpu", [*CHAINED, "--without", "scan_on#1"]),
                  ("cpu", [*CHAINED, "--without", "scan_on#1"])],
    "history": [("simple-cpu", ["--without", "history#1"])],
}

MAIN = """
#include <stdio.h>

int tangram_call(void *const *a);
int tangram_reference(void *const *a);

ARRAYS
static WANTED_TYPE wanted[OUT_SIZE];

int main(void) {
  for (size_t workers = 1; workers <= 8; workers += 7) {
FILL
    for (int i = 0; i < OUT_SIZE; ++i)
      wanted[i] = OUT[i];
    WANTED_TYPE *wanted_at = wanted;
    void *call[] = {CALL, WORKERS};
    void *reference[] = {REFERENCE};
    int status = tangram_call(call);
    tangram_reference(reference);
    for (int i = 0; i < OUT_SIZE && status == 0; ++i)
      status = wanted[i] == OUT[i] ? 0 : -1;
    if (status != 0) {
      fprintf(stderr, "%zu workers: status %d, or another result than the reference\\n", workers,
              status);
      return 1;
    }
  }
  return 0;
}
"""


def main_of(spectrum, bundle):
    _, containers, scalars, out = PROBLEMS[spectrum]
    manifest = json.loads((bundle / "manifest.json").read_text())
    launched = sum(tunable["kind"] == "launch" for tunable in manifest["tunables"])
    arrays = [f"static {kind} {name}[{size}], *{name}_at = {name};\n"
              f"static size_t {name}_size = {size};" for name, kind, size, _ in containers]
    arrays += [f"static {kind} {name} = {value};" for name, kind, value in scalars]
    fill = [f"    for (int i = 0; i < {size}; ++i)\n      {name}[i] = {value};"
            for name, _, size, value in containers]
    call = [f"&{name}" for name, _, _ in scalars]
    for name, _, _, _ in containers:
        call += [f"&{name}_at", f"&{name}_size"]
    reference = ["&wanted_at" if word == f"&{out}_at" else word for word in call]
    kind, size = next((kind, size) for name, kind, size, _ in containers if name == out)
    return (MAIN.replace("ARRAYS", "\n".join(arrays)).replace("FILL", "\n".join(fill))
            .replace("WANTED_TYPE", kind).replace("OUT_SIZE", str(size)).replace("OUT", out)
            .replace("CALL", ", ".join(call)).replace("REFERENCE", ", ".join(reference))
            .replace("WORKERS", ", ".join(["&workers"] * launched) or "&workers"))


def build(test, compiler, bundle, spectrum, name, source):
    kernel = spectrum.replace("<", "_").replace(">", "") + ".c"
    text = source or (bundle / kernel).read_text()
    return compile_with(test, compiler, bundle, name, {"main.c": main_of(spectrum, bundle),
                                                       kernel: text})


def without_atomics(source):
    """Additions as several threads must not do them."""
    lamed, changes = re.subn(r"atomic_add_i32\((&.*), 1\);", r"*(\1) += 1;", source)
    return lamed if changes else None


def without_waits(source):
    """Elements of a chain at the same time."""
    lamed, changes = re.subn(r" await_flag\(&flags.*;", "", source)
    return lamed if changes else None


def bites(test, compiler, spectrum, model, options, lame):
    """That a copy which `lame` makes worse is reported."""
    file, name = PROBLEMS[spectrum][0], f"{spectrum}-lamed"
    bundle, = test.synth(f"codelets/{file}.cpp", spectrum, model, "openmp", name, *options)
    source = lame((bundle / f"{spectrum}.c").read_text())
    if not test.check(source, f"{spectrum}.c has nothing to lame: the racy copy has to be made otherwise"):
        return
    program = build(test, compiler, bundle, spectrum, f"racy-{spectrum}", source)
    done = run(program)
    test.check(done.status == 66 and "data race" in done.err,
               f"the racy copy was not reported: status {done.status}\n{done.err[:2000]}")


def main():
    compiler = need_tools()
    test = Pipeline(__doc__)
    plans = 0
    for spectrum, (file, *_) in PROBLEMS.items():
        known = set()
        for number, (model, options) in enumerate(OWN_PLANS.get(spectrum, PLANS)):
            for bundle in test.synth(f"codelets/{file}.cpp", spectrum, model, "openmp",
                                     f"{pathlib.Path(file).name}{number}", *options):
                plan = json.loads((bundle / "manifest.json").read_text())["plan"]["id"]
                if plan in known:
                    continue
                known.add(plan)
                program = build(test, compiler, bundle, spectrum, f"{pathlib.Path(file).name}-{plan}", None)
                if not program:
                    continue
                done = run(program)
                test.check(done.status == 0, f"plan {plan} of {spectrum} on {model}: status "
                                             f"{done.status}\n{done.err[:3000]}")
                plans += 1
    print(f"{plans} plans without a race")
    test.check(plans >= 10, "too few plans ran")

    bites(test, compiler, "histogram", "simple-cpu", ATOMIC, without_atomics)
    bites(test, compiler, "history", "simple-cpu", ["--without", "history#1"], without_waits)
    test.finish()


if __name__ == "__main__":
    main()
