"""An emitted library is a package: find_package of CMake finds it in its folder and builds it, it can be
built and installed, and then CMake and pkg-config find what was installed.

A project of two files uses it in each of these ways; its program adds numbers up.
"""

import os
import shutil

from pipeline import OPENMP_ENVIRONMENT, Pipeline, execute, need_program, unwatched_leaks

LISTS = """
cmake_minimum_required(VERSION 3.16)
project(application LANGUAGES CXX)
find_package(sum 1.2 REQUIRED)
find_package(sum REQUIRED) # as two parts of a project may
add_executable(application main.cpp)
target_link_libraries(application PRIVATE sum::sum)
"""

MAIN = {"openmp": """
#include <sum.h>
#include <cstdio>

int main() {
  const int in[] = {1, 20, 300};
  int result = 0;
  const int status = sum(in, 3, &result);
  std::printf("%d %d\\n", status, result);
}
""", "opencl": """
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <sum.h>
#include <cstdio>

int main() {
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, nullptr) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr))
    return 2;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  int numbers[] = {1, 20, 300}, result = 0;
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, nullptr);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof result, nullptr, nullptr);
  const int status = sum(queue, in, 3, out);
  clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, &result, 0, nullptr, nullptr);
  std::printf("%d %d\\n", status, result);
}
"""}


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


class Packages:
    def __init__(self, test, bundle, folder):
        self.test, self.bundle, self.folder = test, bundle, folder
        self.folder.mkdir()
        (folder / "main.cpp").write_text(MAIN[test.arguments.target])
        (folder / "CMakeLists.txt").write_text(LISTS)

    def done(self, what, *command, environment=None):
        done = execute([*map(str, command)], environment)
        return self.test.check(done.status == 0 and "warning" not in done.err.lower(),
                               f"{self.folder.name}, {what}: status {done.status}\n{done.out}{done.err}") and done

    def answers(self, program, environment=None):
        done = execute([str(program)], {**OPENMP_ENVIRONMENT, **unwatched_leaks(), **(environment or {})})
        self.test.equal((done.status, done.out), (0, "0 321\n"), f"{program}: {done.err}")

    def cmake(self, name, *options):
        """The application, where CMake finds the library by these options."""
        build = self.folder / name
        if (self.done(f"{name}: configure", "cmake", "-S", self.folder, "-B", build, *options)
                and self.done(f"{name}: build", "cmake", "--build", build)):
            self.answers(build / "application")

    def refused(self, installed):
        """Another interface is none that a project may take."""
        folder = self.folder / "later"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(LISTS.replace("sum 1.2 ", "sum 2 "))
        shutil.copy(self.folder / "main.cpp", folder)
        done = execute(["cmake", "-S", str(folder), "-B", str(folder / "build"), f"-DCMAKE_PREFIX_PATH={installed}"])
        self.test.check(done.status != 0 and "1.2.3" in done.err, f"find_package(sum 2): status {done.status}\n{done.err}")

    def pkg_config(self, name, where):
        environment = {"PKG_CONFIG_PATH": str(where)}
        found = self.done(f"{name}: pkg-config", "pkg-config", "--cflags", "--libs", "sum", environment=environment)
        program = self.folder / name
        if found and self.done(f"{name}: compile", os.environ.get("CXX", "c++"), self.folder / "main.cpp",
                               *found.out.split(), "-o", program):
            self.answers(program)

    def library(self, *options):
        """Builds the library in its folder, and installs it."""
        build, installed = self.bundle / "build", self.folder / "installed"
        return (self.done("configure the library", "cmake", "-S", self.bundle, "-B", build, *options)
                and self.done("build the library", "cmake", "--build", build)
                and self.done("install the library", "cmake", "--install", build, "--prefix", installed)
                and installed)


def main():
    test = Pipeline(__doc__, more_arguments, as_shipped=True)
    target = test.arguments.target
    need_program("cmake", "cmake")
    need_program("pkg-config", "pkg-config")
    if target == "opencl":
        test.need_opencl()
    model = {"openmp": "cpu", "opencl": "pocl"}[target]
    for name, options in (("one", []), ("several", ["--plans", "3"])):
        bundle = test.scratch / f"{name}-bundle"
        test.expect("tangram", "synth", "codelets/sum.cpp", "--spectrum", "sum", "--hw", model, "--target", target,
                    "-o", bundle, "--library-version", "1.2.3", *options)
        packages = Packages(test, bundle, test.scratch / name)
        packages.cmake("by-prefix", f"-DCMAKE_PREFIX_PATH={bundle}")
        if name == "one":
            packages.cmake("by-folder", f"-Dsum_DIR={bundle}", "-DBUILD_SHARED_LIBS=ON")
            shared = {file.name for file in (packages.folder / "by-folder").glob("libsum.so*")}
            test.equal(shared, {"libsum.so", "libsum.so.1", "libsum.so.1.2.3"}, "the shared library's names")
        if installed := packages.library():
            packages.pkg_config("beside", bundle)
            packages.refused(installed)
            packages.cmake("by-installed", f"-DCMAKE_PREFIX_PATH={installed}")
            where = next(installed.rglob("sum.pc"), None)
            if test.check(where, f"no sum.pc in {installed}"):
                packages.pkg_config("from-installed", where.parent)
    test.finish()


if __name__ == "__main__":
    main()
