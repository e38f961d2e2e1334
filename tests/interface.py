"""What applications expect of an emitted library beside its function: memory and threads of their own, and
with OpenCL a handle, a queue with events, and calls by several threads at once.

A C program calls the library and says what went wrong. It is linked so that it sees the library allocate,
build programs and start threads.
"""

import json
import os

from pipeline import OPENMP_ENVIRONMENT, Pipeline, execute, unwatched_leaks

# file, spectrum, function, models, what is passed for an input of n numbers, how many numbers come out
SPECTRUMS = [
    ("codelets/sum.cpp", "sum", "sum", {"openmp": "simple-cpu", "opencl": "simple-gpu"}, "in, n, out", "1"),
    ("codelets/scan.cpp", "scan<int>", "scan_int", {"openmp": "cpu", "opencl": "pocl"}, "in, n, out, n", "n"),
    ("codelets/copy.cpp", "copy<int>", "copy_int", {"openmp": "cpu", "opencl": "simple-gpu"}, "in, n, out, n",
     "n"),
    ("tests/codelets/rounds.cpp", "there_and_back", "there_and_back",
     {"openmp": "simple-cpu", "opencl": "simple-gpu"},
     "in, n, out, n", "n"),
]

COMMON = """
#define _GNU_SOURCE
#include "NAME.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 5000, THREADS = 8, ROUNDS = 30 };
static const size_t sizes[] = {0, 1, 37, 1000, 4999};
enum { SIZES = sizeof sizes / sizeof *sizes };

static atomic_int failures;
static void check(int holds, int line, const char *what) {
  if (!holds) {
    ++failures;
    printf("line %d: %s\\n", line, what);
  }
}
#define CHECK(holds) check(holds, __LINE__, #holds)

static size_t outputs(size_t n) { (void)n; return OUTPUTS; }

static void fill(int *in, size_t n, int seed) {
  for (size_t i = 0; i < n; ++i)
    in[i] = (int)(i * 7 + (size_t)seed) % 31 - 9;
}

static int is_right(const int *in, size_t n, const int *out) {
  const int kind = KIND; /* 0: sum, 1: scan, 2: copy */
  int sum = 0;
  for (size_t i = 0; i < n; ++i) {
    sum += in[i];
    if (kind > 0 && out[i] != (kind == 1 ? sum : in[i]))
      return 0;
  }
  return kind > 0 || out[0] == sum;
}
"""

OPENMP = COMMON + """
#include <omp.h>

static _Thread_local int allocations, threads_wanted;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) { ++allocations; return __real_malloc(bytes); }

void __real_GOMP_parallel(void (*work)(void *), void *data, unsigned threads, unsigned flags);
void __wrap_GOMP_parallel(void (*work)(void *), void *data, unsigned threads, unsigned flags) {
  threads_wanted = omp_get_max_threads();
  __real_GOMP_parallel(work, data, threads, flags);
}

static void one_call(int *in, int *out, size_t n, size_t threads, int seed) {
  fill(in, n, seed);
  size_t bytes = 12345;
  CHECK(NAME_workspace(SIZES_OF threads, &bytes) == 0 && bytes != 12345);
  char *workspace = malloc(bytes + 1);
  workspace[bytes] = 42;
  memset(out, 0x55, (outputs(n) + 1) * sizeof *out);
  if (bytes > 0) {
    CHECK(NAME_on_threads(PASSED, threads, workspace, bytes - 1) == 3 && out[0] == 0x55555555);
    CHECK(NAME_on_threads(PASSED, threads, NULL, bytes) == 3 && out[0] == 0x55555555);
  }
  const int before = omp_get_max_threads();
  allocations = threads_wanted = 0;
  CHECK(NAME_on_threads(PASSED, threads, workspace, bytes) == 0);
  CHECK(allocations == 0);
  CHECK(threads_wanted == 0 || threads_wanted == (threads > 0 ? (int)threads : before));
  CHECK(omp_get_max_threads() == before);
  CHECK(is_right(in, n, out) && workspace[bytes] == 42 && out[outputs(n)] == 0x55555555);
  memset(out, 0x55, outputs(n) * sizeof *out);
  CHECK(NAME(PASSED) == 0 && is_right(in, n, out));
  free(workspace);
}

static void *calls(void *given) {
  const int number = *(int *)given;
  static int numbers[THREADS][2][MOST + 1];
  for (int round = 0; round < ROUNDS; ++round)
    one_call(numbers[number][0], numbers[number][1], sizes[(number + round) % SIZES],
             (size_t)((number + round) % 5), number + round);
  return NULL;
}

int main(void) {
  static int in[MOST + 1], out[MOST + 1];
  one_call(in, out, 1000, 3, 1);
  CHECK(threads_wanted == omp_get_max_threads());
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, calls, &numbers[i]);
  }
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  printf("%d failures\\n", failures);
  return failures > 0;
}
"""

OPENCL = COMMON + """
static _Thread_local int buffers;
static atomic_int builds;
cl_mem __real_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *status);
cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *status) {
  ++buffers;
  return __real_clCreateBuffer(context, flags, size, host, status);
}
cl_int __real_clBuildProgram(cl_program, cl_uint, const cl_device_id *, const char *,
                             void (CL_CALLBACK *)(cl_program, void *), void *);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             void (CL_CALLBACK *notify)(cl_program, void *), void *data) {
  ++builds;
  return __real_clBuildProgram(program, count, devices, options, notify, data);
}

static cl_context context;
static cl_device_id device;
static NAME_handle *handle;

static cl_mem memory(size_t bytes) {
  return clCreateBuffer(context, CL_MEM_READ_WRITE, bytes + 1, NULL, NULL);
}

struct problem {
  cl_command_queue queue;
  cl_mem in, out;
  int numbers[MOST + 1], results[MOST + 1];
};

static struct problem start(void) {
  struct problem p = {clCreateCommandQueue(context, device, 0, NULL), memory(MOST * sizeof(int)),
                      memory(MOST * sizeof(int)), {0}, {0}};
  return p;
}

static void end(struct problem *p) {
  clReleaseMemObject(p->in);
  clReleaseMemObject(p->out);
  clReleaseCommandQueue(p->queue);
}

static void send(struct problem *p, size_t n, int seed) {
  fill(p->numbers, n, seed);
  memset(p->results, 0x55, sizeof p->results);
  clEnqueueWriteBuffer(p->queue, p->in, CL_TRUE, 0, MOST * sizeof(int), p->numbers, 0, NULL, NULL);
  clEnqueueWriteBuffer(p->queue, p->out, CL_TRUE, 0, MOST * sizeof(int), p->results, 0, NULL, NULL);
}

static int received(struct problem *p, size_t n) {
  clEnqueueReadBuffer(p->queue, p->out, CL_TRUE, 0, MOST * sizeof(int), p->results, 0, NULL, NULL);
  return is_right(p->numbers, n, p->results) && p->results[outputs(n)] == 0x55555555;
}

static void one_call(struct problem *p, size_t n, int seed) {
  const cl_mem in = p->in, out = p->out;
  size_t bytes = 12345;
  CHECK(NAME_workspace(handle, SIZES_OF &bytes) == CL_SUCCESS && bytes != 12345);
  cl_mem workspace = bytes > 0 ? clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL) : NULL;
  send(p, n, seed);
  buffers = 0;
  CHECK(NAME_enqueue(handle, p->queue, PASSED, workspace, 0, NULL, NULL) == CL_SUCCESS);
  CHECK(buffers == 0);
  CHECK(received(p, n));
  if (bytes > 1) {
    cl_mem less = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes - 1, NULL, NULL);
    CHECK(NAME_enqueue(handle, p->queue, PASSED, less, 0, NULL, NULL) < 0);
    CHECK(NAME_enqueue(handle, p->queue, PASSED, NULL, 0, NULL, NULL) < 0);
    clReleaseMemObject(less);
  }
  send(p, n, seed);
  CHECK(NAME(p->queue, PASSED) == CL_SUCCESS && received(p, n));
  if (workspace)
    clReleaseMemObject(workspace);
}

static void *let_go(void *event) {
  const struct timespec moment = {0, 20000000};
  nanosleep(&moment, NULL);
  clSetUserEventStatus(*(cl_event *)event, CL_COMPLETE);
  return NULL;
}

/// The kernels wait for an event, and have one. Where the host asks kernels, enqueue waits for them.
static void events(struct problem *p) {
  const cl_mem in = p->in, out = p->out;
  const size_t n = 1000;
  size_t bytes = 0;
  CHECK(NAME_workspace(handle, SIZES_OF &bytes) == CL_SUCCESS);
  cl_mem workspace = memory(bytes);
  send(p, n, 5);
  cl_event before = clCreateUserEvent(context, NULL), after = NULL;
  pthread_t other;
  if (ASKS)
    pthread_create(&other, NULL, let_go, &before);
  CHECK(NAME_enqueue(handle, p->queue, PASSED, workspace, 1, &before, &after) == CL_SUCCESS && after);
  clFlush(p->queue);
  if (ASKS) {
    pthread_join(other, NULL);
  } else {
    cl_int state = CL_COMPLETE;
    clGetEventInfo(after, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    CHECK(state > CL_RUNNING);
    clSetUserEventStatus(before, CL_COMPLETE);
  }
  CHECK(clWaitForEvents(1, &after) == CL_SUCCESS);
  CHECK(received(p, n));
  clReleaseEvent(before);
  clReleaseEvent(after);
  clReleaseMemObject(workspace);
}

static void *calls(void *given) {
  const int number = *(int *)given;
  struct problem p = start();
  for (int round = 0; round < ROUNDS; ++round)
    one_call(&p, sizes[(number + round) % SIZES], number + round);
  end(&p);
  return NULL;
}

/// More contexts than the functions without a handle remember, and the first one again.
static void contexts(void) {
  cl_context first = context;
  for (int i = 0; i < 7; ++i) {
    context = i < 6 ? clCreateContext(NULL, 1, &device, NULL, NULL, NULL) : first;
    struct problem p = start();
    const cl_mem in = p.in, out = p.out;
    const size_t n = 37;
    send(&p, n, i);
    CHECK(NAME(p.queue, PASSED) == CL_SUCCESS && received(&p, n));
    end(&p);
    if (i < 6)
      clReleaseContext(context);
  }
}

static void too_large(void) {
  CHECK(NAME_create(context, device, &handle) == 1 && handle == NULL && builds == 0);
  struct problem p = start();
  const cl_mem in = p.in, out = p.out;
  const size_t n = 37;
  CHECK(NAME(p.queue, PASSED) == 1 && NAME(p.queue, PASSED) == 1 && builds == 0);
  end(&p);
}

static void all(void) {
  CHECK(NAME_create(context, device, &handle) == CL_SUCCESS && handle && builds == 1);
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, calls, &numbers[i]);
  }
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  CHECK(builds == 2); /* that of the handle and that of the functions that take none */
  struct problem p = start();
  events(&p);
  end(&p);
  contexts();
  NAME_destroy(handle);
  NAME_destroy(NULL);
}

int main(int argc, char **argv) {
  (void)argv;
  cl_platform_id platform;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 2;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  if (argc > 1)
    too_large();
  else
    all();
  clReleaseContext(context);
  printf("%d failures\\n", failures);
  return failures > 0;
}
"""

WRAPPED = {"openmp": ["malloc", "GOMP_parallel"], "opencl": ["clCreateBuffer", "clBuildProgram"]}


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def program_of(test, case, target, out, sources, options=()):
    """The program that calls the library in a folder; None when it does not compile."""
    _, _, name, _, call, outputs = case
    text = OPENMP if target == "openmp" else OPENCL
    for word, value in (("NAME", name), ("PASSED", call), ("OUTPUTS", outputs),
                        ("SIZES_OF", "n, " if name == "sum" else "n, n, "),
                        ("ASKS", "1" if name == "there_and_back" else "0"),
                        ("KIND", {"sum": "0", "scan_int": "1"}.get(name, "2"))):
        text = text.replace(word, value)
    main = out / "interface.c"
    main.write_text(text)
    program = out / "interface"
    done = execute([os.environ.get("CC", "cc"), "-O2", "-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Werror",
                    "-DCL_USE_DEPRECATED_OPENCL_1_2_APIS", *options, "-I", str(out), str(main),
                    *map(str, sources), *(f"-Wl,--wrap={word}" for word in WRAPPED[target]), "-lm", "-pthread",
                    *(["-fopenmp"] if target == "openmp" else ["-lOpenCL"]), "-o", str(program)])
    ok = test.check(done.status == 0, f"{out.name}: the program does not compile:\n{done.err}")
    return program if ok else None


def run(test, program, what, arguments=()):
    done = execute([str(program), *arguments], {**OPENMP_ENVIRONMENT, **unwatched_leaks()}, timeout=300)
    test.check(done.status == 0 and done.out == "0 failures\n",
               f"{what}: status {done.status}\n{done.out[:2000]}{done.err}")


def c99(test, out, sources):
    """It is C99, but for what a kernel says to its compiler."""
    for source in sources:
        done = execute([os.environ.get("CC", "cc"), "-O1", "-std=c99", "-Wall", "-Wextra", "-Wpedantic",
                        "-Wno-overlength-strings", "-Wno-unknown-pragmas", "-Wno-format", "-Werror",
                        "-DCL_USE_DEPRECATED_OPENCL_1_2_APIS", "-c", str(source), "-o", str(out / "c99.o")])
        test.check(done.status == 0, f"{source.name} in C99:\n{done.err}")


def group_sizes(bundle):
    """-D options that give kernels groups which no device has."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    names = {kernel["group_size"] for kernel in manifest["kernels"]}
    compiled = {t["name"] for t in manifest["tunables"] if t["kind"] == "compile"}
    return [f"-D{name}=16777216" for name in names & compiled]


def main():
    test = Pipeline(__doc__, more_arguments, as_shipped=True)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    end = "_host.c" if target == "opencl" else ".c"
    for case in SPECTRUMS:
        file, spectrum, name, models, *_ = case
        rounds = ["--without", "there_and_back#1"] if name == "there_and_back" else []
        bundle, = test.synth(file, spectrum, models[target], target, name, *rounds)
        sources = [bundle / (name + end)]
        c99(test, bundle, sources)
        if program := program_of(test, case, target, bundle, sources):
            run(test, program, f"{name} for {target}")
        if target == "opencl":
            options = group_sizes(bundle)
            test.check(options, f"{name}: the group size is no tunable")
            if program := program_of(test, case, target, bundle, sources, options):
                run(test, program, f"{name} in groups that the device does not have", ["large"])
    test.finish()


if __name__ == "__main__":
    main()
