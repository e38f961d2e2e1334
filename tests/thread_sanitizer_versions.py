"""A library of three OpenMP versions that eight threads call at once, under ThreadSanitizer: no data race, and
every size from 0 to 10^6 elements that is tried is served and right; up to 10^7 with `scripts/test --all`.

So is one that compares its versions on its first calls.

As thread_sanitizer.py. Each thread calls the plain function, and the one that takes threads and a workspace,
each with an order of its own of small, awkward and very large shapes. A copy of the library whose function
keeps its status in one place for all shows that races are found.
"""

import json

from library import EVERYTHING
from pipeline import Pipeline, execute
from thread_sanitizer import LLVM_LIBRARIES, need_tools, run

MOST = 10_000_000 if EVERYTHING else 1_100_000
SMALL = 60 if EVERYTHING else 15
RACY = 60  # a race is not seen by every call, and the first one ends the program

MAIN = """
#include "gemv_float.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8 };

static float *a, *x;
static const size_t awkward[][2] = {
  {0, 0}, {0, 1}, {1, 0}, {0, MOST}, {MOST, 0}, {1, 1}, {63, 65}, {1024, 1024}, {1023, 513}, {65537, 3}, {3, 65537},
  {1, 1000003}, {1000003, 1}, {100, 9973},
};
/* A thread does one of these. */
static const size_t large[][2] = {{1, MOST}, {MOST, 1}, {MOST / 3163, 3161}, {2, MOST / 2}};
static int calls_of[THREADS];

/* Products add up to a small whole number, and any order of additions is exact. */
static float element(size_t i) { return (float)((int)(i % 7) - 3); }
static float factor(size_t j) { return (float)((int)(j % 5) - 2); }

static int is_right(const float *y, size_t rows, size_t columns) {
  /* 35 neighbours add up to 0. */
  const size_t rest = columns % 35;
  for (size_t i = 0; i < rows; ++i) {
    float wanted = 0;
    for (size_t j = columns - rest; j < columns; ++j)
      wanted += element(i * columns + j) * factor(j);
    if (y[i] != wanted)
      return 0;
  }
  return 1;
}

static void call(int thread, size_t rows, size_t columns) {
  float *y = malloc((rows + 1) * sizeof *y);
  for (int own = 0; own < 2; ++own) {
    for (size_t i = 0; i <= rows; ++i)
      y[i] = -1000;
    int status;
    if (own) {
      const size_t threads = (size_t)thread % 3 + 1;
      size_t bytes = 0;
      status = gemv_float_workspace(rows, columns, columns, rows, threads, &bytes);
      void *workspace = malloc(bytes + 1);
      if (status == 0)
        status = gemv_float_on_threads(a, rows, columns, x, columns, y, rows, threads, workspace, bytes);
      free(workspace);
    } else {
      status = gemv_float(a, rows, columns, x, columns, y, rows);
    }
    if (status != 0 || !is_right(y, rows, columns) || y[rows] != -1000) {
      fprintf(stderr, "thread %d, %zu x %zu, %s: status %d, or wrong\\n", thread, rows, columns,
              own ? "own threads" : "plain", status);
      exit(1);
    }
    ++calls_of[thread];
  }
  free(y);
}

static void *calls(void *given) {
  const int thread = *(int *)given;
  unsigned random = (unsigned)thread * 7919 + 1;
  for (int i = 0; i < SMALL; ++i) {
    random = random * 1664525 + 1013904223;
    const size_t rows = (random >> 8) % (i % 3 == 0 ? 300 : 12);
    random = random * 1664525 + 1013904223;
    call(thread, rows, (random >> 8) % (i % 3 == 1 ? 300 : 12));
  }
  const int count = sizeof awkward / sizeof *awkward;
  for (int i = 0; i < count; ++i) {
    const size_t *shape = awkward[(i + thread * 3) % count];
    call(thread, shape[0], shape[1]);
  }
  if (thread < 4)
    call(thread, large[thread][0], large[thread][1]);
  return NULL;
}

int main(void) {
  a = malloc(MOST * sizeof *a);
  x = malloc(MOST * sizeof *x);
  for (size_t i = 0; i < MOST; ++i) {
    a[i] = element(i);
    x[i] = factor(i);
  }
  pthread_t threads[THREADS];
  int numbers[THREADS], all = 0;
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, calls, &numbers[i]);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    all += calls_of[i];
  }
  printf("%d\\n", all);
  return 0;
}
"""


def build(test, compiler, bundle, versions, name, dispatch, small=SMALL):
    folder = test.scratch / name
    folder.mkdir()
    (folder / "main.c").write_text(MAIN)
    (folder / "gemv_float.c").write_text(dispatch)
    done = execute([compiler, "-g", "-O1", "-fsanitize=thread", "-fopenmp=libomp", f"-DMOST={MOST}", f"-DSMALL={small}", "-I", str(bundle),
                    f"-L{LLVM_LIBRARIES}", f"-Wl,-rpath,{LLVM_LIBRARIES}", str(folder / "main.c"),
                    str(folder / "gemv_float.c"),
                    *(str(bundle / version / f"gemv_float_{version}.c") for version in versions),
                    "-lm", "-o", str(folder / "program")])
    return test.check(done.status == 0, f"{name} does not compile:\n{done.err}") and folder / "program"


def library(test, name, model, *options):
    """A bundle of gemv<float> in three versions, and the text of its function."""
    bundle = test.scratch / f"{name}-bundle"
    test.expect("tangram", "synth", "codelets/gemv.cpp", "--spectrum", "gemv<float>", "--hw", model,
                "--target", "openmp", "--plans", "3", *options, "-o", bundle)
    versions = json.loads((bundle / "manifest.json").read_text())["versions"]
    test.equal(len(versions), 3, f"versions of {name}")
    return bundle, versions, (bundle / "gemv_float.c").read_text()


def races(test, compiler, made, name, racy):
    """The program has no races; the copy that has one is reported."""
    bundle, versions, dispatch = made
    if program := build(test, compiler, bundle, versions, name, dispatch):
        done = run(program)
        test.check(done.status == 0, f"{name}, eight threads: status {done.status}\n{done.err[:3000]}")
        print(f"{name}: {done.out.strip()} calls without a race")
        test.check(int(done.out.strip() or 0) >= 8 * 2 * (SMALL + 10), "too few calls")
    if test.check(racy != dispatch, f"the racy copy of {name} has to be made otherwise"):
        if program := build(test, compiler, bundle, versions, f"{name}-racy", racy, RACY):
            done = run(program)
            test.check(done.status != 0 and "data race" in done.err,
                       f"the racy copy of {name} was not reported: status {done.status}\n{done.err[:2000]}")


def main():
    compiler = need_tools()
    test = Pipeline(__doc__)
    made = library(test, "by-size", "cpu")
    races(test, compiler, made, "by-size",
          made[2].replace("  int status = 1;\n", "  static volatile int status;\n  status = 1;\n"))
    made = library(test, "online", "simple-cpu", "--online")
    races(test, compiler, made, "online", made[2].replace(
        "__atomic_store_n(&own->chosen, gemv_float_fastest(own, first) + 1, __ATOMIC_RELAXED)",
        "own->chosen = gemv_float_fastest(own, first) + 1"))
    test.finish()


if __name__ == "__main__":
    main()
