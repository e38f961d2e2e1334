"""Calls that a library cannot compute end with a status, and compute nothing wrong: containers that share memory,
buffers that are too small, numbers of threads and workers that no machine has, sizes whose product wraps around,
containers of a map of which one is longer. After fork a child goes on with one thread.

Sources are the same bytes from one run to the next, wherever they are made.
"""

import os

from pipeline import OPENMP_ENVIRONMENT, ROOT, Pipeline, execute, unwatched_leaks

OPENMP_SCAN = """
#include "exclusive_scan_int.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CHECK(holds) do { if (!(holds)) { printf("line %d: %s\\n", __LINE__, #holds); failed = 1; } } while (0)
int main(void) {
  int failed = 0, v[2000], w[1000];
  for (int i = 0; i < 2000; ++i)
    v[i] = i;
  CHECK(exclusive_scan_int(v, 1000, v, 1000) == exclusive_scan_int_overlap);
  CHECK(exclusive_scan_int(v, 1000, v + 999, 1000) == exclusive_scan_int_overlap);
  CHECK(exclusive_scan_int(v + 1, 1000, v, 1000) == exclusive_scan_int_overlap);
  for (int i = 0; i < 2000; ++i)
    CHECK(v[i] == i);
  CHECK(exclusive_scan_int(v, 0, v, 0) == exclusive_scan_int_ok);
  CHECK(exclusive_scan_int(v, 1000, v + 1000, 1000) == exclusive_scan_int_ok && v[1999] == 998 * 999 / 2);
  CHECK(exclusive_scan_int(v, 1000, w, 999) == exclusive_scan_int_refused);
  size_t bytes = 0;
  CHECK(exclusive_scan_int_workspace(1000, 1000, 3, &bytes) == exclusive_scan_int_ok);
  void *workspace = malloc(bytes + 1);
  CHECK(exclusive_scan_int_on_threads(v, 1000, v, 1000, 3, workspace, bytes) == exclusive_scan_int_overlap);
  CHECK(bytes == 0 || exclusive_scan_int_on_threads(v, 1000, w, 1000, 3, workspace, bytes - 1) ==
                          exclusive_scan_int_small_workspace);
  CHECK(strcmp(exclusive_scan_int_message(exclusive_scan_int_overlap),
               "a container that is written shares memory with another one") == 0);
  free(workspace);
  return failed;
}
"""

THREADS = """
#include "sum_float.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  const size_t numbers[] = {0, 1, 3, 64, 65, 1000, 100000, (size_t)1 << 31, (size_t)1 << 32, (size_t)1 << 61,
                            (size_t)1 << 62, SIZE_MAX};
  int failed = 0;
  float x[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    float sum = 0;
    size_t bytes = 0;
    int status = sum_float_workspace(10, numbers[i], &bytes);
    void *workspace = malloc(bytes + 1);
    if (status == sum_float_ok)
      status = sum_float_on_threads(x, 10, &sum, numbers[i], workspace, bytes);
    if (status != sum_float_ok || sum != 10) {
      printf("%zu threads: %s, %g\\n", numbers[i], sum_float_message(status), sum);
      failed = 1;
    }
    free(workspace);
    sum = 0;
    status = sum_float_tuned(x, 10, &sum, numbers[i]);
    if (status != sum_float_ok || sum != 10) {
      printf("%zu workers: %s, %g\\n", numbers[i], sum_float_message(status), sum);
      failed = 1;
    }
  }
  return failed;
}
"""

FORK = """
#include "dot_float.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  static float x[4096];
  float product = 0;
  for (int i = 0; i < 4096; ++i)
    x[i] = 1;
  if (dot_float(x, 4096, x, 4096, &product) != dot_float_ok || product != 4096)
    return 1;
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    size_t bytes = 0;
    product = 0;
    int status = dot_float_workspace(4096, 4096, 1, &bytes);
    void *workspace = malloc(bytes + 1);
    if (status == dot_float_ok)
      status = dot_float_on_threads(x, 4096, x, 4096, &product, 1, workspace, bytes);
    _exit(status != dot_float_ok || product != 4096);
  }
  int ended = -1;
  waitpid(child, &ended, 0);
  printf("%s %d\\n", WIFEXITED(ended) ? "exit" : "signal", WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended));
  return ended != 0;
}
"""

OPENCL_SCAN = """
#include "exclusive_scan_int.h"
#include <stdio.h>
#include <string.h>
#define CHECK(holds) do { if (!(holds)) { printf("line %d: %s\\n", __LINE__, #holds); failed = 1; } } while (0)
enum { N = 1024 };
int main(void) {
  int failed = 0;
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_WRITE, 2 * N * sizeof(int), NULL, NULL);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, N * sizeof(int), NULL, NULL);
  const cl_buffer_region halves[] = {{0, N * sizeof(int)}, {N * sizeof(int), N * sizeof(int)}};
  cl_mem first = clCreateSubBuffer(in, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &halves[0], NULL);
  cl_mem second = clCreateSubBuffer(in, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &halves[1], NULL);
  static int numbers[2 * N];
  clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL);
  CHECK(exclusive_scan_int(queue, in, N, in, N) == exclusive_scan_int_overlap);
  CHECK(exclusive_scan_int(queue, in, N, first, N) == exclusive_scan_int_overlap);
  CHECK(exclusive_scan_int(queue, first, N, first, N) == exclusive_scan_int_overlap);
  CHECK(exclusive_scan_int(queue, first, N, second, N) == CL_SUCCESS);
  CHECK(exclusive_scan_int(queue, in, N, second, N) == CL_SUCCESS);
  CHECK(exclusive_scan_int(queue, in, N, out, N) == CL_SUCCESS);
  CHECK(exclusive_scan_int(queue, in, N + 1, out, N + 1) == exclusive_scan_int_small_buffer);
  CHECK(exclusive_scan_int(queue, in, (size_t)1 << 62, out, (size_t)1 << 62) > 0);
  CHECK(exclusive_scan_int(queue, in, N, out, N - 1) == exclusive_scan_int_refused);
  exclusive_scan_int_handle *handle;
  CHECK(exclusive_scan_int_create(context, device, &handle) == CL_SUCCESS);
  size_t bytes = 0;
  CHECK(exclusive_scan_int_workspace(handle, N, N, &bytes) == CL_SUCCESS);
  cl_mem workspace = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes + 1, NULL, NULL);
  CHECK(exclusive_scan_int_enqueue(handle, queue, in, N, in, N, workspace, 0, NULL, NULL) ==
        exclusive_scan_int_overlap);
  CHECK(exclusive_scan_int_enqueue(handle, queue, in, N, out, N, workspace, 0, NULL, NULL) == CL_SUCCESS);
  CHECK(strcmp(exclusive_scan_int_message(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES") == 0);
  clFinish(queue);
  exclusive_scan_int_destroy(handle);
  clReleaseMemObject(workspace);
  clReleaseMemObject(first);
  clReleaseMemObject(second);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return failed;
}
"""

# Windows of two, of which a container has one fewer than elements.
WINDOWS = """
#include <tangram.h>
__codelet __tag(loop) void spread(const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = 0; i < in.size() && i < out.size(); ++i)
    out[i] = i > 0 ? in[i - 1] : in[i];
}
__codelet void two(int x, Array<1, int> w) { require(w.size() == 2); w[0] = x; w[1] = x; }
__codelet __tag(windows) void spread(const Array<1, int> in, Array<1, int> out) { map(two, in, chunks(out, 2)); }
"""

CALL_WINDOWS = """
#include "spread.h"
#include <stdio.h>
int main(void) {
  int in[8] = {1, 2, 3, 4}, out[32];
  for (int i = 0; i < 32; ++i)
    out[i] = -1;
  const int status = spread(in, 8, out, 4), right = spread(in, 2, out, 4);
  for (int i = 4; i < 32; ++i) {
    if (out[i] != -1)
      return 3;
  }
  return status != spread_refused || right != spread_ok || out[3] != 2;
}
"""


CHECKED = """
#include "spmv_float.h"
#include <stdio.h>
#define CHECK(holds) do { if (!(holds)) { printf("line %d: %s\\n", __LINE__, #holds); failed = 1; } } while (0)
int main(void) {
  int failed = 0, columns[] = {0, 1, 2}, offsets[] = {0, 1, 1, 3};
  const float values[] = {1, 2, 3}, x[] = {1, 1, 1};
  float y[3] = {7, 7, 7};
  CHECK(spmv_float(values, 3, columns, 3, offsets, 4, x, 3, y, 3) == spmv_float_ok && y[2] == 5);
  columns[1] = 3;
  CHECK(spmv_float(values, 3, columns, 3, offsets, 4, x, 3, y, 3) == spmv_float_bad_data && y[2] == 5);
  columns[1] = -1;
  CHECK(spmv_float(values, 3, columns, 3, offsets, 4, x, 3, y, 3) == spmv_float_bad_data);
  columns[1] = 1;
  for (int i = 0; i < 4; ++i) {
    const int kept = offsets[i];
    offsets[i] = i == 3 ? 4 : 2;
    CHECK(i == 2 || spmv_float(values, 3, columns, 3, offsets, 4, x, 3, y, 3) == spmv_float_bad_data);
    offsets[i] = kept;
  }
  CHECK(spmv_float(values, 3, columns, 3, offsets, 4, x, 3, y, 3) == spmv_float_ok);
  return failed;
}
"""

CHECKED_OPENCL = """
#include "histogram.h"
#include <stdio.h>
int main(void) {
  enum { N = 1000, BINS = 16 };
  static unsigned numbers[N];
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_mem bins = clCreateBuffer(context, CL_MEM_READ_WRITE, BINS * sizeof(unsigned), NULL, NULL);
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, NULL);
  const int right = histogram(queue, in, N, bins, BINS);
  numbers[700] = BINS;
  clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL);
  const int wrong = histogram(queue, in, N, bins, BINS);
  printf("%s, %s\\n", histogram_message(right), histogram_message(wrong));
  clFinish(queue);
  clReleaseMemObject(in);
  clReleaseMemObject(bins);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return right != histogram_ok || wrong != histogram_bad_data;
}
"""

# Ranges of floating-point numbers, of scalars and of elements.
CHECKED_RANGES = """
#include "black_scholes_float.h"
#include <math.h>
enum { N = 100 };
static float prices[N], strikes[N], years[N], calls[N], puts[N];
static int priced(float rate, float price) {
  for (int i = 0; i < N; ++i)
    prices[i] = strikes[i] = years[i] = 1;
  prices[70] = price;
  return black_scholes_float(rate, 0.5F, prices, N, strikes, N, years, N, calls, N, puts, N);
}
int main(void) {
  return priced(0.1F, 2) != black_scholes_float_ok || priced(1, 2) != black_scholes_float_bad_data ||
         priced(NAN, 2) != black_scholes_float_bad_data || priced(0.1F, 0) != black_scholes_float_bad_data ||
         priced(0.1F, NAN) != black_scholes_float_bad_data;
}
"""

# Where each element is read by the round that writes it, a container may be another one.
IN_PLACE = """
#include "twice.h"
#include <stdlib.h>
int main(void) {
  const size_t sizes[] = {0, 1, 7, 63, 64, 1000, 100003};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    const size_t n = sizes[k];
    int *v = malloc((n + 2) * sizeof *v);
    for (size_t i = 0; i <= n; ++i)
      v[i] = (int)i;
    if (twice(v, n, v, n) != twice_ok)
      return 1;
    for (size_t i = 0; i < n; ++i) {
      if (v[i] != 2 * (int)i)
        return 2;
    }
    if (n > 1 && twice(v, n, v + 1, n) != twice_overlap)
      return 3;
    free(v);
  }
  return 0;
}
"""

TWICE = """
#include <tangram.h>
__codelet void twice(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == out.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i] + in[i];
}
__codelet __tag(parts) void twice(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(twice, rows(in, p), rows(out, p));
}
"""


def run_program(test, what, text, bundle, sources, libraries, environment=None):
    main = test.scratch / f"{what}.c"
    main.write_text(text)
    program = test.scratch / f"{what}-program"
    done = execute([os.environ.get("CC", "cc"), "-O1", "-g", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Werror",
                    "-DCL_USE_DEPRECATED_OPENCL_1_2_APIS", "-I", str(bundle), str(main),
                    *(str(bundle / source) for source in sources), *libraries, "-o", str(program)])
    if not test.check(done.status == 0, f"{what} does not compile:\n{done.err}"):
        return
    done = execute([str(program)], {**OPENMP_ENVIRONMENT, **unwatched_leaks(), **(environment or {})}, timeout=120)
    test.check(done.status == 0, f"{what}: status {done.status}\n{done.out}{done.err}")


OPENMP = ["-fopenmp", "-lm"]
OPENCL = ["-lOpenCL", "-pthread", "-lm"]


def openmp(test):
    for model in ("simple-cpu", "cpu"):
        scan, = test.synth("codelets/scan.cpp", "exclusive_scan<int>", model, "openmp", f"scan-{model}", "--plan", "best")
        run_program(test, f"in-place-{model}", OPENMP_SCAN, scan, ["exclusive_scan_int.c"],
                    [*OPENMP, "-fsanitize=address,undefined", "-fno-sanitize-recover"])
        total, = test.synth("codelets/reduce.cpp", "sum<float>", model, "openmp", f"sum-{model}", "--plan", "best")
        run_program(test, f"threads-{model}", THREADS, total, ["sum_float.c"], OPENMP)
        product, = test.synth("codelets/dot.cpp", "dot<float>", model, "openmp", f"dot-{model}", "--plan", "best")
        run_program(test, f"fork-{model}", FORK, product, ["dot_float.c"], OPENMP)
        checked, = test.synth("codelets/spmv.cpp", "spmv<float>", model, "openmp", f"spmv-{model}", "--plan", "best",
                              "--checked")
        run_program(test, f"checked-{model}", CHECKED, checked, ["spmv_float.c"], OPENMP)
    ranges, = test.synth("codelets/black_scholes.cpp", "black_scholes<float>", "simple-cpu", "openmp", "ranges", "--plan",
                         "best", "--checked")
    run_program(test, "checked-ranges", CHECKED_RANGES, ranges, ["black_scholes_float.c"], OPENMP)
    file = test.scratch / "twice.cpp"
    file.write_text(TWICE)
    twice, = test.synth(file, "twice", "simple-cpu", "openmp", "twice", "--plan", "best")
    test.check("out may be in." in (twice / "twice.h").read_text(), "the header does not say that out may be in")
    run_program(test, "twice", IN_PLACE, twice, ["twice.c"], OPENMP)
    file = test.scratch / "windows.cpp"
    file.write_text(WINDOWS)
    windows, = test.synth(file, "spread", "simple-cpu", "openmp", "windows", "--plan", "best", "--without", "loop")
    run_program(test, "windows", CALL_WINDOWS, windows, ["spread.c"], OPENMP)
    runs = test.verify([windows], "--size", "in=8", "--size", "out=4")
    test.check([run["status"] for run in runs] == ["refused"] and "of one length" in runs[0]["reason"],
               f"windows that are fewer: {runs}")


def opencl(test):
    scan, = test.synth("codelets/scan.cpp", "exclusive_scan<int>", "simple-gpu", "opencl", "scan-opencl", "--plan", "best")
    checked, = test.synth("codelets/histogram.cpp", "histogram", "simple-gpu", "opencl", "checked-opencl", "--plan",
                          "best", "--checked")
    run_program(test, "checked-opencl", CHECKED_OPENCL, checked, ["histogram_host.c"], OPENCL)
    run_program(test, "buffers", OPENCL_SCAN, scan, ["exclusive_scan_int_host.c"], OPENCL)


def contents(bundle):
    return {str(file.relative_to(bundle)): file.read_bytes() for file in bundle.rglob("*") if file.is_file()}


def same_bytes(test):
    """From two folders, by relative and absolute paths."""
    for target, model in (("openmp", "cpu"), ("opencl", "simple-gpu")):
        made = []
        for place, file in ((ROOT, "codelets/spmv.cpp"), (test.scratch, ROOT / "codelets/spmv.cpp")):
            out = test.scratch / f"same-{target}-{len(made)}"
            done = test.run("tangram", "synth", file, "--spectrum", "spmv<float>", "--hw", model, "--target", target,
                            "-o", out, "--plan", "best", cwd=place)
            test.check(done.status == 0, f"synth in {place}: {done.err}")
            made.append(contents(out))
        for name in made[0]:
            test.check(made[0][name] == made[1].get(name), f"{name} for {target} depends on where it was made")
            test.check(str(ROOT).encode() not in made[1].get(name, b""), f"{name} for {target} names {ROOT}")


def main():
    test = Pipeline(__doc__)
    openmp(test)
    if test.opencl_devices():
        opencl(test)
    same_bytes(test)
    test.finish()


if __name__ == "__main__":
    main()
