"""A library of several spectrums (`synth --spectrum a,b,c`): one header, one handle, one package and one Python module, whose
functions give what those of single libraries do; and what is said where it cannot be made.
"""

import json
import os
import shutil

from pipeline import OPENMP_ENVIRONMENT, Pipeline, execute, unwatched_leaks

SOURCE = """#include <tangram.h>

// y = a x + y
template <class T> __codelet void axpy(T a, const Array<1, T> x, Array<1, T> y) {
  require(x.size() == y.size());
  for (unsigned i = 0; i < y.size(); ++i)
    y[i] = a * x[i] + y[i];
}

__codelet void twice(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == out.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = 2 * in[i];
}

__codelet int total(const Array<1, int> in) {
  int sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += in[i];
  return sum;
}
"""
SPECTRUMS = ("axpy<float>", "twice", "total")
FUNCTIONS = ("axpy_float", "twice", "total")
PROGRAM = """
#include <linear.h>
#include <stdio.h>

int main(void) {
  float x[] = {1, 2, 3}, y[] = {1, 1, 1};
  int n[] = {1, 20, 300}, m[3], s = 0;
  const int failed = axpy_float(2, x, 3, y, 3) || twice(n, 3, m, 3) || total(m, 3, &s);
  printf("%d %g %d\\n", failed, y[2], s);
  return 0;
}
"""
HANDLE = """
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "linear.h"
#include <stdio.h>

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  int numbers[] = {1, 20, 300}, result = 0;
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, NULL);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof numbers, NULL, NULL);
  cl_mem sum = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof result, NULL, NULL);
  linear_handle *handle;
  int status = linear_create(context, device, &handle);
  size_t bytes = 0;
  if (!status)
    status = twice_enqueue(handle->twice, queue, in, 3, out, 3, NULL, 0, NULL, NULL);
  if (!status)
    status = total_workspace(handle->total, 3, &bytes);
  cl_mem workspace = bytes ? clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL) : NULL;
  if (!status)
    status = total_enqueue(handle->total, queue, out, 3, sum, workspace, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, sum, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL);
  linear_destroy(handle);
  linear_destroy(NULL);
  printf("%d %d\\n", status, result);
  return 0;
}
"""
LISTS = """
cmake_minimum_required(VERSION 3.20)
project(application LANGUAGES C)
set(TANGRAM_EXECUTABLE "@TANGRAM@")
include("@ROOT@/cmake/tangram-functions.cmake")
tangram_add_library(linear SOURCE linear.cpp INSTANTIATE "axpy<float>" SPECTRUM "axpy<float>" twice total HW cpu TARGET openmp)
add_executable(application main.c)
target_link_libraries(application PRIVATE linear)
"""
CC = os.environ.get("CC", "cc")


class Several:
    def __init__(self, test):
        self.test = test
        self.source = test.scratch / "linear.cpp"
        self.source.write_text(SOURCE)

    def command(self, model, target, folder, *options, spectrums=",".join(SPECTRUMS)):
        return ("synth", self.source, "--instantiate", "axpy<float>", "--spectrum", spectrums, "--hw", model, "--target",
                target, "-o", self.test.scratch / folder, *options)

    def done(self, what, *command, environment=None, cwd=None):
        done = execute([*map(str, command)], {**OPENMP_ENVIRONMENT, **unwatched_leaks(), **(environment or {})}, cwd)
        self.test.check(done.status == 0 and "warning" not in done.err.lower(),
                        f"{what}: status {done.status}\n{done.out}{done.err}")
        return done

    def made(self, model, target, *options):
        folder = self.test.scratch / target
        done = self.test.expect("tangram", *self.command(model, target, target, "--format", "json", *options))
        made = json.loads(done.out)
        self.test.equal((made["name"], [each["spectrum"] for each in made["spectrums"]]), ("linear", list(SPECTRUMS)),
                        f"{target}: what was made")
        self.test.check(all((folder / name / "manifest.json").exists() for name in FUNCTIONS),
                        f"{target}: a folder for each function")
        runs = self.test.verify([folder], "--size", "0,1,1000")
        self.test.equal(sorted({(run["spectrum"], run["status"]) for run in runs}),
                        sorted((name, "verified") for name in FUNCTIONS), f"{target}: what is verified")
        return folder

    def example(self, folder):
        """It begins with a comment that says how it is compiled, which has several lines where it is long."""
        text = (folder / "example.c").read_text()
        comment = text[3:text.index(" */")] if text.startswith("/* ") else text[3:text.index("\n")]
        compilation = comment.split(" && ")[0]
        self.done(f"{folder.name}: compile example.c", "sh", "-c", f"{compilation} -Wall -Wextra -Werror", cwd=folder)
        ran = self.done(f"{folder.name}: example", folder / "a.out", cwd=folder)
        self.test.equal(len(ran.out.splitlines()), 3, f"{folder.name}: lines of the example")

    def answers(self, program, wanted="0 7 642\n"):
        self.test.equal(self.done(str(program), program).out, wanted, f"{program}")

    def openmp(self):
        folder = self.made("cpu", "openmp", "--python")
        self.example(folder)
        main = self.test.scratch / "main.c"
        main.write_text(PROGRAM)
        build, installed = folder / "build", self.test.scratch / "installed"
        self.done("configure", "cmake", "-S", folder, "-B", build, "-DBUILD_SHARED_LIBS=ON")
        self.done("build", "cmake", "--build", build)
        self.done("install", "cmake", "--install", build, "--prefix", installed)
        for where in (folder, next(installed.rglob("linear.pc")).parent):
            found = self.done("pkg-config", "pkg-config", "--cflags", "--libs", "linear",
                              environment={"PKG_CONFIG_PATH": str(where)})
            program = self.test.scratch / f"by-{where.name}"
            self.done("compile", CC, main, *found.out.split(), "-o", program)
            library = installed / "lib" if where != folder else build
            self.test.equal(self.done("run", program, environment={"LD_LIBRARY_PATH": str(library)}).out, "0 7 642\n",
                            f"by pkg-config of {where}")
        check = self.test.scratch / "header.cpp"
        check.write_text('#include <linear.h>\n#include <linear.h>\nint main() {}\n')
        self.done("the header in C++", "c++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{installed}/include", check)
        if shutil.which("python3") and execute(["python3", "-c", "import numpy"]).status == 0:
            text = ("import numpy, linear; n = numpy.arange(1000, dtype=numpy.int32); m = n.copy(); "
                    "linear.twice(n, m); print(linear.total(m), linear.__all__)")
            ran = self.done("Python", "python3", "-c", text, environment={"PYTHONPATH": str(folder)})
            self.test.equal(ran.out, "999000 ['axpy_float', 'twice', 'total']\n", "Python")
        again = self.test.run("tangram", *self.command("cpu", "openmp", "openmp", "--plans", "2"))
        self.test.equal(again.status, 0, f"several plans each, into the same folder: {again.err}")
        self.example(folder)

    def project(self):
        folder = self.test.scratch / "project"
        folder.mkdir()
        (folder / "main.c").write_text(PROGRAM)
        shutil.copy(self.source, folder)
        (folder / "CMakeLists.txt").write_text(LISTS.replace("@TANGRAM@", self.test.commands["tangram"])
                                               .replace("@ROOT@", os.getcwd()))
        self.done("tangram_add_library: configure", "cmake", "-S", folder, "-B", folder / "build")
        self.done("tangram_add_library: build", "cmake", "--build", folder / "build")
        self.answers(folder / "build" / "application")
        lists = folder / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("HW cpu", "HW simple-cpu"))
        self.done("tangram_add_library: another model", "cmake", "--build", folder / "build")
        self.answers(folder / "build" / "application")

    def opencl(self):
        folder = self.made("pocl", "opencl")
        self.example(folder)
        (folder / "handle.c").write_text(HANDLE)
        sources = [folder / "linear_host.c", *(folder / name / f"{name}_host.c" for name in FUNCTIONS)]
        self.done("compile handle.c", CC, "-Wall", "-Wextra", "-Werror", folder / "handle.c", *sources, "-lOpenCL", "-pthread",
                  "-o", folder / "handle")
        self.answers(folder / "handle", "0 642\n")

    def together(self):
        """Two libraries of the same spectrums, for two targets, in one program."""
        other = self.test.scratch / "other"
        self.test.expect("tangram", *self.command("pocl", "opencl", other, "--prefix", "gpu_"))
        main = self.test.scratch / "both.c"
        main.write_text('#include "openmp/linear.h"\n#include "other/gpu_linear.h"\n'
                        "int main(void) { return twice == 0 || gpu_twice == 0 || gpu_linear_create == 0; }\n")
        sources = [*(self.test.scratch / "openmp").rglob("*.c"), *other.rglob("*.c")]
        sources = [file for file in sources if "wide" not in file.parts and "build" not in file.parts and
                   file.name not in ("example.c", "reference.c", "entry.c", "handle.c")]
        self.done("two libraries in one program", CC, "-fopenmp", "-Wno-address", main, *sources, "-lOpenCL", "-lm", "-pthread",
                  "-o", self.test.scratch / "both")

    def refusals(self):
        def refused(message, status, *options, **more):
            done = self.test.run("tangram", *self.command("cpu", "openmp", "refused", *options, **more))
            self.test.equal((done.status, done.err.split(" [tangram explain")[0].strip()), (status, message), f"{options}, {more}")
        refused("error: the library and one of its functions would both be called twice; --name NAME gives the library another name",
                1, "--name", "twice")
        refused("error: the libraries twice and twice_tuned would both define twice_tuned; call one otherwise: --name NAME, "
                "--spectrum NAME=SPECTRUM,...", 1, spectrums="twice,twice_tuned=total")
        refused("error: --spectrum: a library of several spectrums takes --plan best, --plan auto or --plans K; tune its "
                "bundles, DIR/NAME, one by one", 2, "--plan", "all")
        refused(f"{self.source}: error: unknown spectrum 'totl', did you mean 'total'?", 1, spectrums="twice,totl")
        named = self.test.run("tangram", *self.command("cpu", "openmp", "own", spectrums="linear=twice,total"))
        self.test.check(named.status == 0 and (self.test.scratch / "own" / "linear_library.h").exists(),
                        f"a function is called as the file: {named.err}")
        named = self.test.run("tangram", *self.command("cpu", "openmp", "named", spectrums="sum_up=total"))
        self.test.check(named.status == 0 and (self.test.scratch / "named" / "sum_up.h").exists(),
                        f"NAME=SPECTRUM of one spectrum: {named.err}")


def main():
    test = Pipeline(__doc__, as_shipped=True)
    several = Several(test)
    several.openmp()
    several.project()
    several.refusals()
    if test.opencl_devices():
        several.opencl()
        several.together()
    test.finish()


if __name__ == "__main__":
    main()
