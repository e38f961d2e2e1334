"""OpenMP plans under ThreadSanitizer: no data race.

The generated source is compiled with -fsanitize=thread by Clang and runs on LLVM's OpenMP runtime,
whose tool Archer tells ThreadSanitizer where threads meet; GCC's runtime does not, and every
barrier in it would look like a race. A copy of a source in which all threads write to one cell
shows that races are found.
"""

import json
import pathlib
import re

from pipeline import Pipeline, execute, need_program, skip

LLVM_LIBRARIES = pathlib.Path("/usr/lib/llvm-19/lib")
PLANS = [("simple-cpu", "5", 7), ("simple-gpu", "3", 8), ("cpu", "3", 8)]

MAIN = """
#include <stdio.h>
#include <stdlib.h>

int tangram_call(void *const *a);
int tangram_reference(void *const *a);

int main(void) {
  static const size_t sizes[] = {0, 1, 37, 1000};
  static int in[1000];
  for (int i = 0; i < 1000; ++i)
    in[i] = i * 7 % 31 - 9;
  int served = 0;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    for (size_t workers = 1; workers <= 8; workers += 7) {
      const int *data = in;
      size_t size = sizes[k];
      int got = 0, wanted = 0;
      int *got_cell = &got, *wanted_cell = &wanted;
      void *call[] = {&data, &size, &got_cell, WORKERS};
      void *reference[] = {&data, &size, &wanted_cell};
      int status = tangram_call(call);
      if (status == 1)
        continue; /* refused */
      tangram_reference(reference);
      if (status != 0 || got != wanted) {
        fprintf(stderr, "size %zu: status %d, %d instead of %d\\n", size, status, got, wanted);
        return 1;
      }
      ++served;
    }
  }
  printf("%d\\n", served);
  return 0;
}
"""


def build(test, compiler, bundle, name, source):
    """The program, or None where it does not compile."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    launched = sum(tunable["kind"] == "launch" for tunable in manifest["tunables"])
    return compile_with(test, compiler, bundle, name, {
        "main.c": MAIN.replace("WORKERS", ", ".join(["&workers"] * launched) or "&workers"),
        "sum.c": source})


def compile_with(test, compiler, bundle, name, sources):
    """The program of these sources and the bundle's others, or None where it does not compile."""
    folder = test.scratch / name
    folder.mkdir()
    for file, text in sources.items():
        # One thread may do the little that there is to do before others begin: each takes its turn.
        (folder / file).write_text(text.replace("schedule(dynamic)", "schedule(static, 1)"))
    # LLVM's libomp by name: -fopenmp alone may find GCC's.
    done = execute([compiler, "-g", "-O1", "-fsanitize=thread", "-fopenmp=libomp",
                    "-I", str(bundle), f"-L{LLVM_LIBRARIES}", f"-Wl,-rpath,{LLVM_LIBRARIES}",
                    *(str(folder / file) for file in sources), str(bundle / "entry.c"),
                    *map(str, bundle.glob("reference.c*")), "-lm", "-o", str(folder / "program")])
    if not test.check(done.status == 0, f"{name} does not compile:\n{done.err}"):
        return None
    return folder / "program"


def run(program):
    return execute([str(program)], {
        "OMP_NUM_THREADS": "4", "OMP_TOOL_LIBRARIES": str(LLVM_LIBRARIES / "libarcher.so"),
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1:exitcode=66:halt_on_error=1"})


def racy(source):
    """The source with one cell, the first, for the results of all threads of its first loop."""
    lamed, changes = re.subn(r"(sum_of_thread)\[thread\] = ", r"\1[0] = ", source, count=1)
    return lamed if changes else None


def need_tools():
    compiler = need_program("clang-19", "clang-19")
    if not (LLVM_LIBRARIES / "libarcher.so").exists():
        skip(f"{LLVM_LIBRARIES}/libarcher.so is not there (Debian package libomp-19-dev)")
    return compiler


def main():
    compiler = need_tools()
    test = Pipeline(__doc__)
    plans = served = 0
    for model, iterations, limit in PLANS:
        for bundle in test.synth("codelets/sum.cpp", "sum", model, "openmp", model, "--plan",
                                 "all", "--strategy", "all", "--iterations", iterations,
                                 "--limit", limit):
            program = build(test, compiler, bundle, f"{model}-{bundle.name}",
                            (bundle / "sum.c").read_text())
            if not program:
                continue
            done = run(program)
            test.check(done.status == 0, f"plan {bundle.name} of {model}, {bundle}: status "
                                         f"{done.status}\n{done.err[:3000]}")
            plans += 1
            served += int(done.out.strip() or 0)
    print(f"{plans} plans, {served} runs without a race")
    test.check(plans >= 20 and served >= 4 * plans, "too few plans ran")

    bundle, = test.synth("codelets/sum.cpp", "sum", "simple-cpu", "openmp", "whole")
    source = racy((bundle / "sum.c").read_text())
    if test.check(source, "sum.c does not store by thread: the racy copy has to be made otherwise"):
        program = build(test, compiler, bundle, "racy", source)
        done = run(program)
        test.check(done.status == 66 and "data race" in done.err,
                   f"the racy copy was not reported: status {done.status}\n{done.err[:2000]}")
    test.finish()


if __name__ == "__main__":
    main()
