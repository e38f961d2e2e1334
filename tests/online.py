"""A library that compares its versions on its first calls (synth --plans K --online).

With versions that do nothing but let a clock of the test go on: each is called once, then three times in turns, a
slow one less often, and then the fastest for ever; classes of sizes are apart, and in a class times are compared
by element; what refuses or fails is not chosen; a program and the environment can fix the choice; the
workspace is enough for all. With its own versions every call is right, and an OpenCL queue that waits for
the caller is not waited for.
"""

import json
import os
import re

from pipeline import OPENMP_ENVIRONMENT, Pipeline, execute, unwatched_leaks
from versions import BODY, DEVICE, MAIN, compile_program, more_arguments, rule_for, sources_of, whole_lines

MODELS = {"openmp": "simple-cpu", "opencl": "pocl"}
SHAPES = [(0, 0), (1, 1), (7, 300), (300, 7), (64, 64), (100, 90), (70, 120)]
CALLS = 14  # of each shape: more than are compared

# Commands: "call ROWS COLUMNS", "choose HOW", "chosen ROWS COLUMNS", "workspace ROWS COLUMNS".
CLOCK_MAIN = """#define _POSIX_C_SOURCE 199309L
#include "gemv_float.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long long nanoseconds = 5;
static size_t rows, columns;

int clock_gettime(clockid_t clock, struct timespec *now) {
  (void)clock;
  now->tv_sec = nanoseconds / 1000000000;
  now->tv_nsec = nanoseconds % 1000000000;
  return 0;
}

int called(unsigned version);
int called(unsigned version) {
  static const int few[] = {10, 20, 100}, many[] = {50, 20, 10}, close[] = {12, 10, 200};
  const int *each = rows < 64 ? few : rows < 1024 ? many : close;
  const int refuses = columns == 5 && version == 1, fails = columns == 6 && version == 0;
  nanoseconds += (refuses || fails) ? 1 : (long long)each[version] * (long long)(rows * columns);
  if (!refuses)
    printf("%u", version);
  return refuses ? 1 : fails ? 2 : 0;
}

int main(int argc, char **argv) {
  for (int at = 1; at < argc;) {
    const char *command = argv[at++];
    rows = strtoull(argv[at++], NULL, 10);
    if (strcmp(command, "choose") == 0) {
      printf("=%d", gemv_float_choose(atoi(argv[at - 1])));
      continue;
    }
    columns = strtoull(argv[at++], NULL, 10);
    if (strcmp(command, "call") == 0) {
      if (gemv_float(NULL, rows, columns, NULL, columns, NULL, rows) != 0)
        printf("!");
    } else if (strcmp(command, "threads") == 0) {
      (void)gemv_float_on_threads(NULL, rows, columns, NULL, columns, NULL, rows, 8, NULL, 0);
    } else if (strcmp(command, "workspace") == 0) {
      size_t bytes = 1;
      printf("(%d", gemv_float_workspace(rows, columns, columns, rows, 2, &bytes));
      printf(" %zu)", bytes);
    } else {
      printf("<%d>", gemv_float_chosen(rows, columns, columns, rows, 0));
    }
  }
  return 0;
}
"""

# Does not end where the library waits for a queue that waits for this program. Says the version chosen.
EVENTS_MAIN = """
#include "gemv_float.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  gemv_float_handle *handle;
  if (gemv_float_create(context, device, &handle) != CL_SUCCESS)
    return 3;
  const size_t n = 64;
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, n * n * 4, NULL, NULL);
  cl_mem x = clCreateBuffer(context, CL_MEM_READ_WRITE, n * 4, NULL, NULL);
  cl_mem y = clCreateBuffer(context, CL_MEM_READ_WRITE, n * 4, NULL, NULL);
  const float zero = 0;
  clEnqueueFillBuffer(queue, a, &zero, 4, 0, n * n * 4, 0, NULL, NULL);
  clEnqueueFillBuffer(queue, x, &zero, 4, 0, n * 4, 0, NULL, NULL);
  size_t bytes;
  if (gemv_float_workspace(handle, n, n, n, n, &bytes) != 0)
    return 4;
  cl_mem workspace = bytes > 0 ? clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL) : NULL;
  for (int i = 0; i < 20; ++i) {
    const int blocked = i == 0 || i == 7;
    cl_event gate = clCreateUserEvent(context, NULL);
    if (gemv_float_enqueue(handle, queue, a, n, n, x, n, y, n, workspace, (cl_uint)blocked, blocked ? &gate : NULL,
                           NULL) != CL_SUCCESS)
      return 5;
    clSetUserEventStatus(gate, CL_COMPLETE);
    clReleaseEvent(gate);
    printf("%d ", gemv_float_chosen(handle, n, n, n, n));
  }
  clFinish(queue);
  if (workspace)
    clReleaseMemObject(workspace);
  gemv_float_destroy(handle);
  return 0;
}
"""


def library(test, target, name):
    bundle = test.scratch / name
    test.expect("tangram", "synth", "codelets/gemv.cpp", "--spectrum", "gemv<float>", "--hw", MODELS[target],
                "--target", target, "--plans", "3", "--online", "-o", bundle)
    manifest = json.loads((bundle / "manifest.json").read_text())
    test.equal((manifest.get("online"), len(manifest["versions"])), (True, 3), "the manifest")
    return bundle, manifest


def clocked(test, bundle, manifest):
    """The library above versions that only let the clock go on."""
    name = "gemv_float"
    texts = []
    for number, version in enumerate(manifest["versions"]):
        header = whole_lines((bundle / version / f"{name}_{version}.h").read_text())
        for declared in re.finditer(rf"^int ({name}_{version}\w*)\((.*)\);$", header, re.MULTILINE):
            names = [p.split()[-1].lstrip("*") for p in declared[2].split(",")]
            unused = "".join(f" (void){each};" for each in names)
            if declared[1].endswith("_workspace"):
                answer = f" *bytes = {(300, 700, 500)[number]}; return a_size1 == 5 && {number} == 1;"
            else:
                answer = f" return called({number});"
            texts.append(f"{declared[0][:-1]} {{{unused}{answer} }}\n")
    stub = test.scratch / "clocked-versions.c"
    stub.write_text("".join(f'#include "{bundle}/{v}/{name}_{v}.h"\n' for v in manifest["versions"])
                    + "int called(unsigned version);\n" + "".join(texts))
    main = test.scratch / "clocked-main.c"
    main.write_text(CLOCK_MAIN)
    program = test.scratch / "clocked"
    return program if compile_program(test, bundle, "openmp", program,
                                      [main, stub, bundle / "gemv_float.c"]) else None


def call(rows, columns, times=1):
    return ["call", rows, columns] * times


def choices(test, bundle, manifest):
    program = clocked(test, bundle, manifest)
    if not program:
        return

    def says(what, wanted, *commands, environment=None):
        done = execute([str(program), *map(str, commands)], environment)
        test.equal(done.out, wanted, what)

    preferred = {shape: rule_for(manifest, {"a_size0": shape[0], "a_size1": shape[1]})
                 for shape in ((32, 32), (32, 2), (128, 40))}
    few, many = "012" "012" "010" "010" + 4 * "0", "012" "012" "212" "212" + 4 * "2"
    says("few rows", few + "<0>", *call(32, 32, 16), "chosen", 32, 32)
    says("many rows", many + "<2>", *call(128, 40, 16), "chosen", 128, 40)
    says("classes are apart", "01" "0" "2" "<-1>", *call(32, 32, 2), *call(32, 64), *call(33, 33), "chosen", 32, 32)
    says("threads are apart", "0011", *call(32, 32), "threads", 32, 32, *call(32, 32), "threads", 32, 32)
    # The second one takes less for an element, and is always called with twice as many.
    turns = [word for i in range(12) for word in call(1024, 63 if i % 3 == 1 else 32)]
    says("times are of an element", "012012" "011011" "11", *turns, *call(1024, 40, 2))
    says("one that refuses", "022" "020" "020" "020" "00<0>", *call(32, 5, 14), "chosen", 32, 5)
    # In its turn comes the one that the rule prefers.
    turn = "211" if rule_for(manifest, {"a_size0": 32, "a_size1": 6}) == 2 else "112"
    says("one that fails", "0!12" + turn + "111" "111" "11<1>", *call(32, 6, 14), "chosen", 32, 6)
    says("the workspace of all", "(0 700)(0 500)", "workspace", 32, 32, "workspace", 32, 5)
    says("fixed to one", "=0" "111" "<1>", "choose", 1, *call(32, 32, 3), "chosen", 32, 32)
    by_size = str(preferred[32, 32])
    says("by sizes", "=0" + 3 * by_size + f"<{by_size}>" "=0" "012", "choose", -2, *call(32, 32, 3), "chosen", 32, 32,
         "choose", -1, *call(32, 32, 3))
    says("no such version", "=1=1" "012", "choose", 3, "choose", -3, *call(32, 32, 3))
    says("off by the environment", 3 * by_size, *call(32, 32, 3), environment={"TANGRAM_ONLINE": "off"})
    says("fixed by the environment", "222" "=0" "00", *call(32, 32, 3), "choose", 0, *call(32, 32, 2),
         environment={"TANGRAM_ONLINE": "2"})
    for word in ("7", "OFF", "2x", "-1", "99999999999999999999"):
        says(f"{word} in the environment", 3 * by_size, *call(32, 32, 3), environment={"TANGRAM_ONLINE": word})
    says("on by the environment", "012", *call(32, 32, 3), environment={"TANGRAM_ONLINE": "on"})
    # 620 classes are more than the table has places for: those that have none go by sizes.
    many_classes = [word for rows in range(31) for columns in range(20) for word in call(1 << rows, 1 << columns, 2)]
    done = execute([str(program), *map(str, many_classes)])
    pairs = [done.out[i:i + 2] for i in range(0, len(done.out), 2)]
    test.equal((len(pairs), pairs.count("01")), (620, 512), "classes that have a place")


def right_answers(test, bundle, manifest, target):
    """Every call is right, also while versions are compared."""
    device, start = DEVICE[target]
    text = MAIN
    for word, value in (("DEVICE", device), ("START", start), ("BODY", BODY["gemv_float"]), ("NAME", "gemv_float"),
                        ("EXTENTS", "2")):
        text = text.replace(word, value)
    main = test.scratch / f"right-{target}.c"
    main.write_text(text)
    program = test.scratch / f"right-{target}"
    if not compile_program(test, bundle, target, program, [main, *sources_of(bundle, manifest)]):
        return
    for mode in ("plain", "own"):
        shapes = [str(n) for _ in range(CALLS) for shape in SHAPES for n in shape]
        done = execute([str(program), mode, *shapes], {**OPENMP_ENVIRONMENT, **unwatched_leaks()})
        test.equal((done.status, done.out.split("\n")), (0, ["0 1"] * CALLS * len(SHAPES) + [""]),
                   f"{target}, {mode}: status and right, of each call")


def events(test, bundle, manifest):
    main = test.scratch / "events.c"
    main.write_text(EVENTS_MAIN)
    program = test.scratch / "events"
    if not compile_program(test, bundle, "opencl", program, [main, *sources_of(bundle, manifest)]):
        return
    done = execute([str(program)], unwatched_leaks(), timeout=120)
    said = done.out.split()
    # Two calls have to wait for events and are not timed: the 14th is the last of the 12 that are.
    test.check(done.status == 0 and said[:13] == ["-1"] * 13 and len(set(said[13:])) == 1 and said[13] in "012",
               f"calls that wait: status {done.status}, {said}")


def command_line(test):
    synth = ["synth", "codelets/gemv.cpp", "--spectrum", "gemv<float>", "--hw", "simple-cpu", "--target", "openmp"]
    done = test.run("tangram", *synth, "--online", "-o", test.scratch / "none")
    test.check(done.status == 2 and "--online requires --plans" in done.err, f"--online alone: {done.err}")
    out = test.scratch / "single"
    done = test.run("tangram", *synth, "--plans", "1", "--online", "-o", out)
    test.check(done.status == 0 and "note: --online: there is only one plan" in done.err, f"one plan: {done.err}")


def main():
    test = Pipeline(__doc__, more_arguments, as_shipped=True)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    bundle, manifest = library(test, target, "library")
    if target == "openmp":
        choices(test, bundle, manifest)
        command_line(test)
    else:
        events(test, bundle, manifest)
    right_answers(test, bundle, manifest, target)
    runs = test.verify([bundle], "--size", "a=0x3,64x64,300x7")
    test.check(runs and all(run["status"] in ("verified", "refused") for run in runs), f"tangram-run: {runs}")
    test.finish()


if __name__ == "__main__":
    main()
