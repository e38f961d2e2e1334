"""Whatever an author calls spectrums, parameters and tunables: header, host, example and kernels compile, or a message
says which name cannot be and how to choose another one. No symbol of a library is seen by others but its interface's.
Two libraries of one spectrum live in one program.
"""

import json
import os

from library import EVERYTHING
from pipeline import Pipeline, execute

WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-sign-compare", "-Wno-overlength-strings",
            "-DCL_USE_DEPRECATED_OPENCL_1_2_APIS"]
MODELS = {"openmp": "simple-cpu", "opencl": "simple-gpu"}

# Functions of C and POSIX, generated code's own, and words of languages in which libraries are called.
SPECTRUMS = ["write", "read", "source", "min_index", "a", "a$b", "timer", "sem", "status", "handle", "context",
             "preferred", "result", "numpy", "None_", "lambda_", "self", "np", "example"]

# Names that emitted files use themselves: for parameters, variables, functions, members and constants, macros of C,
# functions that they call, keywords of C, Python and OpenCL C.
CONTAINERS = ["queue", "context", "device", "handle", "workspace", "event", "wait_list", "containers", "kernels",
              "temporaries", "launch_kernels", "malloc", "I", "errno", "stdin", "restrict", "kernel", "None",
              "self", "get_global_id", "tangram_workspace", "i", "printf", "platform", "result", "a", "x$y"]
SCALARS = ["status", "bytes", "threads", "before", "waits", "items", "group_size", "n", "b", "numpy", "np", "SIZE",
           "double_", "first", "most", "count"]
TUNABLES = ["bytes", "workspace", "status", "a", "elements", "index", "lock", "value", "SIZE"]

# Refused names: the spectrum's head, its name, and the message.
REFUSED = [("int f(const Array<1, int> f_workspace)", "f",
            "the parameter 'f_workspace' has the name of what the library defines; `--name` gives the library another "
            "name"),
           ("int tangram_f(const Array<1, int> in)", "tangram_f",
            "the library cannot be called 'tangram_f_', which is a name of generated code; `--name` gives the library "
            "another name"),
           ("int _f(const Array<1, int> in)", "_f",
            "the library cannot be called '_f_', which begins with _, as names of compilers and C libraries do; "
            "`--name` gives the library another name")]


def loop(head, name, body=""):
    return f"__codelet {head} {{ int s = 0; for (unsigned i_ = 0; i_ < {name}.size(); ++i_) s += {name}[i_]; " \
           f"{body} return s; }}\n"


def source():
    text = "#include <tangram.h>\n"
    for name in SPECTRUMS:
        text += loop(f"int {name}(const Array<1, int> in)", "in")
    for k in range(0, len(CONTAINERS), 9):
        names = CONTAINERS[k:k + 9]
        arrays = ", ".join(f"const Array<1, int> {name}" for name in names)
        sums = " ".join(f"for (unsigned i_ = 0; i_ < {name}.size(); ++i_) s += {name}[i_];" for name in names[1:])
        text += loop(f"int containers_{k // 9}({arrays})", names[0], sums)
    scalars = ", ".join(f"int {name}" for name in SCALARS)
    text += loop(f"int scalars(const Array<1, int> in, {scalars})", "in", f"s += {' + '.join(SCALARS)};")
    text += "__codelet void output(const Array<1, int> in, Array<1, int> queue) { require(in.size() == queue.size()); " \
            "for (unsigned i_ = 0; i_ < in.size(); ++i_) queue[i_] = in[i_]; }\n"
    text += loop("int total(const Array<1, int> in)", "in")
    for name in TUNABLES:
        text += loop(f"__tag(l) int by_{name}(const Array<1, int> in)", "in")
        text += f"__codelet __tag(t) int by_{name}(const Array<1, int> in) {{ __tunable unsigned {name}; " \
                f"return total(map(total, rows(in, {name}))); }}\n"
    return text


def spectrums():
    return (SPECTRUMS + [f"containers_{k}" for k in range(-(-len(CONTAINERS) // 9))] + ["scalars", "output"]
            + [f"by_{name}" for name in TUNABLES])


def compiler(*words):
    return execute([os.environ.get("CC", "cc"), *map(str, words)])


def compiles(test, what, bundle, manifest):
    """Header, host, example and kernels, in the languages that they are for."""
    files = manifest["files"]
    ways = [("c99", "c", [files[role] for role in ("host", "example", "entry") if role in files]),
            ("c11", "c", [files["header"]]), ("c++17", "c++", [files["header"]])]
    for standard, language, names in ways:
        done = compiler("-fsyntax-only", f"-std={standard}", *WARNINGS, "-fopenmp", "-x", language,
                        *(bundle / name for name in names))
        test.check(done.status == 0, f"{what} in {standard}:\n{done.err}")


def symbols(test, what, bundle, manifest):
    """Its interface's, which begin with the library's name."""
    name = manifest["files"]["header"][:-2]
    made = bundle / "library.o"
    done = compiler("-O0", "-w", "-fopenmp", "-c", bundle / manifest["files"]["host"], "-o", made)
    listed = execute(["nm", "--defined-only", "--extern-only", "--format=posix", str(made)])
    found = {line.split()[0] for line in listed.out.splitlines()}
    ends = {"", "_tuned", "_workspace", "_workspace_tuned", "_on_threads", "_create", "_destroy", "_enqueue",
            "_enqueue_tuned", "_message"}
    test.check(done.status == 0 and found and found <= {name + end for end in ends},
               f"{what} defines {sorted(found)}\n{done.err}")


def every_name(test, file, target, wanted):
    for spectrum in wanted:
        what = f"{spectrum} for {target}"
        bundle, = test.synth(file, spectrum, MODELS[target], target, f"{target}-{spectrum}", "--plan", "best",
                             "--derive", "none")
        manifest = json.loads((bundle / "manifest.json").read_text())
        compiles(test, what, bundle, manifest)
        if not spectrum.startswith("by_"):
            symbols(test, what, bundle, manifest)


def macros(test, file):
    """A tunable of a map that is not distributed is a macro."""
    for name in TUNABLES:
        bundle, = test.synth(file, f"by_{name}", "cpu", "openmp", f"macro-{name}", "--plan", "best", "--map-rules",
                             "serialize", "--without", "l")
        manifest = json.loads((bundle / "manifest.json").read_text())
        compiles(test, f"by_{name} as a macro", bundle, manifest)
        kinds = {tunable["name"]: tunable["kind"] for tunable in manifest["tunables"]}
        test.check(kinds.get(f"T_{name.upper()}") == "compile", f"by_{name}: no tunable is a macro: {kinds}")


def refusals(test):
    for head, spectrum, message in REFUSED:
        file = test.scratch / f"refused{spectrum}.cpp"
        name = head.split("> ")[1].rstrip(")")
        file.write_text("#include <tangram.h>\n" + loop(head, name))
        done = test.run("tangram", "synth", file, "--spectrum", spectrum, "--hw", "simple-cpu", "--target", "openmp",
                        "--plan", "best", "-o", test.scratch / "refused")
        test.check(done.status == 1 and message in done.err, f"{head}: status {done.status}, {done.err}")
    for words, message in ((["--name", "write"], "'write', which is a function of the C library"),
                           (["--name", "2d"], "'2d', which is no name that C has for a function"),
                           (["--prefix", "tangram_"], "'tangram_sum', which is a name of generated code"),
                           (["--name", "copy", "--python"], "'copy', which is a module that it or NumPy imports")):
        done = test.run("tangram", "synth", "codelets/sum.cpp", "--spectrum", "sum", "--hw", "simple-cpu",
                        "--target", "openmp", "-o", test.scratch / "refused", *words)
        test.check(done.status == 1 and f"error: the library cannot be called {message}" in done.err,
                   f"{words}: status {done.status}, {done.err}")


TOGETHER = """
#include "sum.h"
#include "other_sum.h"
#include "device_sum.h"
#include <stdio.h>
int main(void) {
  int in[100], a = 0, b = 0;
  for (int i = 0; i < 100; ++i)
    in[i] = i;
  if (sum(in, 100, &a) != sum_ok || other_sum(in, 100, &b) != other_sum_ok)
    return 1;
  printf("%d %d %s %s\\n", a, b, device_sum_message(device_sum_ok), sum_message(-1000));
  return device_sum_message(1) == NULL;
}
"""


def together(test):
    """Two plans and two targets of one spectrum, in one program; and several versions under a name of their own."""
    made = [test.synth("codelets/sum.cpp", "sum", "simple-cpu", "openmp", "one", "--plan", "best")[0],
            test.synth("codelets/sum.cpp", "sum", "cpu", "openmp", "two", "--plan", "best", "--prefix", "other_")[0],
            test.synth("codelets/sum.cpp", "sum", "simple-gpu", "opencl", "three", "--plan", "best", "--name",
                       "device_sum")[0]]
    main = test.scratch / "together.c"
    main.write_text(TOGETHER)
    program = test.scratch / "together"
    done = compiler("-O1", *WARNINGS, "-Wno-maybe-uninitialized", "-fopenmp", *(word for each in made for word in ("-I", each)), main,
                    made[0] / "sum.c", made[1] / "other_sum.c", made[2] / "device_sum_host.c", "-lOpenCL", "-lm",
                    "-pthread", "-o", program)
    if test.check(done.status == 0, f"libraries in one program:\n{done.err}"):
        done = execute([str(program)])
        test.equal(done.out, "4950 4950 success an unknown status\n", "libraries in one program")
    out = test.scratch / "versions"
    test.expect("tangram", "synth", "codelets/gemv.cpp", "--spectrum", "gemv<float>", "--hw", "cpu", "--target",
                "openmp", "--plans", "2", "--name", "product", "-o", out)
    test.check((out / "product.h").exists() and "int product(" in (out / "product.c").read_text(),
               "--name of several versions")


def verify_compiles(test):
    """A header, host or example that does not compile is found by verify."""
    for target, role, wrong in (("openmp", "header", "\n#ifdef __cplusplus\nint class_;\nint class;\n#endif\n"),
                                ("openmp", "example", "\nint no_semicolon\n"), ("opencl", "host", "\nint x = y;\n")):
        bundle, = test.synth("codelets/sum.cpp", "sum", MODELS[target], target, f"broken-{target}-{role}", "--plan",
                             "best")
        name = json.loads((bundle / "manifest.json").read_text())["files"][role]
        file = bundle / name
        file.write_text(file.read_text() + wrong)
        done = test.run("tangram-run", "verify", bundle, "--size", "100")
        standard = {"header": "C++17", "host": "C11", "example": "C99"}[role]
        test.check(done.status == 3 and f"{name} does not compile as {standard}" in done.out + done.err,
                   f"a broken {role} for {target}: status {done.status}\n{done.out}{done.err}")


def main():
    test = Pipeline(__doc__)
    file = test.scratch / "names.cpp"
    file.write_text(source())
    for target in MODELS:
        # Names of parameters are checked on both targets, each name of a spectrum and, in the gate, of a tunable on one.
        half = [name for i, name in enumerate(SPECTRUMS) if i % 2 == (target == "opencl")]
        others = [name for i, name in enumerate(spectrums()[len(SPECTRUMS):])
                  if EVERYTHING or not name.startswith("by_") or i % 2 == (target == "opencl")]
        every_name(test, file, target, half + others)
    macros(test, file)
    refusals(test)
    together(test)
    if test.opencl_devices():
        verify_compiles(test)
    test.finish()


if __name__ == "__main__":
    main()
