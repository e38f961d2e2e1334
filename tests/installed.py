"""An installation works from a folder of its own: the library's codelets are found, `tangram init` makes a project that CMake
builds with find_package(tangram) and builds again when a file that its codelets include has changed, each command has a page of
the manual. With TANGRAM_TEST_EVERYTHING a package for Debian is made, too, and unpacked elsewhere."""

import json
import os
import pathlib
import shutil

from pipeline import OPENMP_ENVIRONMENT, Pipeline, execute, need_program


def more_arguments(parser):
    parser.add_argument("--build", required=True, type=pathlib.Path, help="the build folder")


def done(test, what, *command, cwd=None):
    result = execute([*map(str, command)], OPENMP_ENVIRONMENT, cwd)
    test.check(result.status == 0, f"{what}: status {result.status}\n{result.out}{result.err}")
    return result


def library_is_found(test, tangram, folder):
    """Where the source is not in this folder, and no file of the library is."""
    result = done(test, "check of a file of the library", tangram, "check", "codelets/dot.cpp", cwd=folder)
    test.check("dot" in result.out, f"check of a file of the library: {result.out}")
    (folder / "mine.cpp").write_text('#include <tangram.h>\n#include "dot.cpp"\n\n'
                                     "__codelet float length(const Array<1, float> x) { return dot(x, x); }\n")
    result = done(test, "#include of the library", tangram, "plans", "mine.cpp", "--spectrum", "length", "--hw", "simple-cpu",
                  cwd=folder)
    test.check("dot" in result.out, f"#include of the library: {result.out}")


def project(test, tangram, prefix, folder):
    done(test, "init", tangram, "init", folder / "twice")
    refused = execute([str(tangram), "init", str(folder / "twice")])
    test.equal((refused.status, refused.err), (1, f"error: cannot make {folder / 'twice'}: the folder is not empty\n"),
               "init of a folder with files")
    refused = execute([str(tangram), "init", str(folder / "2nd")])
    test.equal(refused.status, 2, "init of what is no name")
    commands = json.loads((folder / "twice" / "compile_commands.json").read_text())
    test.equal([pathlib.Path(each["directory"], each["file"]) for each in commands],
               [folder / "twice" / "twice.cpp", folder / "twice" / "example.c"], "compile_commands.json")
    if shutil.which("clangd"):
        quiet = execute(["clangd", f"--check={folder / 'twice' / 'twice.cpp'}"])
        test.check(quiet.status == 0 and "0 errors" in quiet.err, f"clangd on the codelet: {quiet.err}")
    source, build = folder / "twice" / "twice.cpp", folder / "build"
    source.write_text(source.read_text().replace("#include <tangram.h>", '#include <tangram.h>\n#include "factor.h"')
                      .replace("a * x[i]", "FACTOR * a * x[i]"))
    header = source.with_name("factor.h")
    header.write_text("#define FACTOR 1\n")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    done(test, "configure", "cmake", "-S", source.parent, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", *generator)
    for factor, expected in ((1, "10.5\n21\n31.5\n42\n"), (3, "11.5\n23\n34.5\n46\n")):
        header.write_text(f"#define FACTOR {factor}\n")
        done(test, f"build, factor {factor}", "cmake", "--build", build)
        test.equal(done(test, f"example, factor {factor}", build / "example").out, expected, f"example, factor {factor}")
    options = (build / "twice.tangram.options").read_text().split()
    manifest = json.loads((build / "twice.tangram/manifest.json").read_text())
    test.equal(options, manifest["compile"]["openmp"], "options of the compiler")
    again = done(test, "a build of what has not changed", "cmake", "--build", build)
    test.check("Synthesizing" not in again.out or generator == [], f"a build of what has not changed:\n{again.out}")


def wrong_calls(test, prefix, folder):
    """tangram_add_library says what is missing."""
    for number, (call, message) in enumerate([
            ("tangram_add_library(a SPECTRUM f HW cpu TARGET openmp)", "SOURCE is missing"),
            ("tangram_add_library(a SOURCE a.cpp SPECTRUM f HW cpu TARGET metal)", "expected openmp or opencl"),
            ("tangram_add_library(a b SOURCE a.cpp SPECTRUM f HW cpu TARGET openmp)", "unknown argument b")]):
        wrong = folder / f"wrong{number}"
        wrong.mkdir()
        (wrong / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\nproject(wrong LANGUAGES C)\n"
                                              f"find_package(tangram REQUIRED)\n{call}\n")
        result = execute(["cmake", "-S", str(wrong), "-B", str(wrong / "build"), f"-DCMAKE_PREFIX_PATH={prefix}"])
        test.check(result.status != 0 and message in " ".join(result.err.split()), f"{call}: {result.err}")


def pages(test, prefix):
    names = {page.stem for page in (prefix / "share/man/man1").glob("*.1")}
    for command in ("tangram", "tangram-synth", "tangram-init", "tangram-run", "tangram-run-tune"):
        test.check(command in names, f"no page of the manual for {command}")


def main():
    test = Pipeline(__doc__, more_arguments, as_shipped=True)
    need_program("cmake", "cmake")
    build, prefix = test.arguments.build, test.scratch / "prefix"
    done(test, "install", "cmake", "--install", build, "--prefix", prefix)
    tangram = prefix / "bin/tangram"
    folder = test.scratch / "work"
    folder.mkdir()
    library_is_found(test, tangram, folder)
    project(test, tangram, prefix, folder)
    wrong_calls(test, prefix, folder)
    pages(test, prefix)
    if os.environ.get("TANGRAM_TEST_EVERYTHING") and shutil.which("dpkg-deb"):
        done(test, "package", "cpack", "--config", build / "CPackConfig.cmake", "-G", "DEB", "-B", test.scratch / "package")
        package = next((test.scratch / "package").glob("*.deb"))
        done(test, "unpack", "dpkg-deb", "-x", package, test.scratch / "root")
        elsewhere = test.scratch / "elsewhere"
        elsewhere.mkdir()
        library_is_found(test, test.scratch / "root/usr/bin/tangram", elsewhere)
    test.finish()


if __name__ == "__main__":
    main()
