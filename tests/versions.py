"""A library of several plans serves every size: the emitted host calls the version that its rules say,
tangram-run chooses the same one, every version is right, and one that cannot serve leaves a size to the next.

The host is compiled twice: with its versions, by a program that compares what it computes; and with
versions that do nothing but say that they were called, and refuse when they are told to.
"""

import itertools
import json
import os
import re

from library import sample
from pipeline import OPENMP_ENVIRONMENT, Pipeline, execute, unwatched_leaks

SIZES = [0, 1, 7, 4096, 1000000]
MODELS = {"openmp": ["cpu", "simple-cpu"], "opencl": ["pocl"]}
MOST_ELEMENTS = 1 << 22

# file, spectrum, extents as tangram-run names them, shapes to try
SPECTRUMS = [
    ("sum", "sum", ["in_size"], [(n,) for n in SIZES]),
    ("gemv", "gemv<float>", ["a_size0", "a_size1"],
     [shape for shape in itertools.product(SIZES, SIZES) if shape[0] * shape[1] <= MOST_ELEMENTS]),
]

# How a program calls the library on n extents, by spectrum and target: whole numbers, so that every order
# of additions is exact. `device`, `send` and `fetch` are of the target.
MAIN = """
#include "NAME.h"
#include <stdio.h>
#include <stdlib.h>

DEVICE

static int fill(size_t i, int m) { return (int)(i % (size_t)m) - m / 2; }

/* argv[1]: "plain", or "own" for threads, memory and handle of the caller; then the extents. */
int main(int argc, char **argv) {
  const int own = argv[1][0] == 'o';
  START
  for (int at = 2; at + EXTENTS <= argc; at += EXTENTS) {
    size_t n[EXTENTS];
    for (int e = 0; e < EXTENTS; ++e)
      n[e] = strtoull(argv[at + e], NULL, 10);
    BODY
  }
  return 0;
}
"""

BODY = {
    "sum": """
    int *in = malloc((n[0] + 1) * sizeof *in), wanted = 0, result[1] = {-1};
    for (size_t i = 0; i < n[0]; ++i)
      wanted += in[i] = fill(i, 8);
    BUFFER(in, n[0]) BUFFER(result, 1)
    int status;
    if (own)
      OWN_CALL((n[0]), MEMORY(in), n[0], MEMORY(result))
    else
      status = sum(QUEUE MEMORY(in), n[0], MEMORY(result));
    FETCH(result, 1)
    printf("%d %d\\n", status, result[0] == wanted);
    free(in);""",
    "gemv_float": """
    float *a = malloc((n[0] * n[1] + 1) * sizeof *a), *x = malloc((n[1] + 1) * sizeof *x);
    float *y = malloc((n[0] + 1) * sizeof *y);
    for (size_t i = 0; i < n[0] * n[1]; ++i)
      a[i] = (float)fill(i, 7);
    for (size_t i = 0; i < n[1]; ++i)
      x[i] = (float)fill(i, 5);
    for (size_t i = 0; i < n[0]; ++i)
      y[i] = -1;
    BUFFER(a, n[0] * n[1]) BUFFER(x, n[1]) BUFFER(y, n[0])
    int status;
    if (own)
      OWN_CALL((n[0], n[1], n[1], n[0]), MEMORY(a), n[0], n[1], MEMORY(x), n[1], MEMORY(y), n[0])
    else
      status = gemv_float(QUEUE MEMORY(a), n[0], n[1], MEMORY(x), n[1], MEMORY(y), n[0]);
    FETCH(y, n[0])
    int right = 1;
    for (size_t i = 0; i < n[0]; ++i) {
      float wanted = 0;
      for (size_t j = 0; j < n[1]; ++j)
        wanted += a[i * n[1] + j] * x[j];
      right &= y[i] == wanted;
    }
    printf("%d %d\\n", status, right);
    free(a);
    free(x);
    free(y);""",
}

DEVICE = {
    "openmp": ("""#define QUEUE
#define BUFFER(v, count)
#define MEMORY(v) v
#define FETCH(v, count)
#define WORDS(...) __VA_ARGS__
#define OWN_CALL(sizes, ...) { \\
    size_t bytes = 0; \\
    status = NAME_workspace(WORDS sizes, 3, &bytes); \\
    void *workspace = malloc(bytes + 1); \\
    if (status == 0) \\
      status = NAME_on_threads(__VA_ARGS__, 3, workspace, bytes); \\
    free(workspace); \\
  }""", ""),
    "opencl": ("""#define QUEUE queue,
#define BUFFER(v, count) cl_mem v##_memory = clCreateBuffer( \\
    context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, ((count) == 0 ? 1 : (count)) * sizeof *v, v, NULL);
#define MEMORY(v) v##_memory
#define FETCH(v, count) clFinish(queue); \\
  if ((count) != 0) clEnqueueReadBuffer(queue, v##_memory, CL_TRUE, 0, (count) * sizeof *v, v, 0, NULL, NULL);
#define WORDS(...) __VA_ARGS__
#define OWN_CALL(sizes, ...) { \\
    size_t bytes = 0; \\
    status = NAME_workspace(handle, WORDS sizes, &bytes); \\
    cl_mem workspace = bytes > 0 ? clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL) : NULL; \\
    if (status == 0) \\
      status = NAME_enqueue(handle, queue, __VA_ARGS__, workspace, 0, NULL, NULL); \\
    clFinish(queue); \\
    if (workspace) \\
      clReleaseMemObject(workspace); \\
  }""",
               """cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  NAME_handle *handle;
  if (own && NAME_create(context, device, &handle) != CL_SUCCESS)
    return 3;"""),
}

# Arguments: the versions that refuse, as bits; then the extents.
STUB_MAIN = """
#include "NAME.h"
#include <stdio.h>
#include <stdlib.h>

static unsigned refusing;

int called(unsigned version) {
  printf("%u ", version);
  return refusing >> version & 1;
}

int main(int argc, char **argv) {
  refusing = (unsigned)atoi(argv[1]);
  (void)argc;
  int status = NAME(ARGUMENTS);
  printf("-> %d\\n", status);
  return 0;
}
"""


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])


def rule_for(manifest, extents):
    """The number of the version that the rules say."""
    for rule in manifest["rules"]:
        condition = rule.get("when", "1").replace("&&", "and")
        if eval(condition, {}, extents):  # pylint: disable=eval-used
            return manifest["versions"].index(rule["version"])
    raise AssertionError("no rule without a condition")


def compile_program(test, bundle, target, program, sources):
    done = execute([os.environ.get("CC", "cc"), "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror",
                    "-DCL_USE_DEPRECATED_OPENCL_1_2_APIS", "-I", str(bundle), *map(str, sources), "-lm",
                    *(["-fopenmp"] if target == "openmp" else ["-lOpenCL"]), "-o", str(program)])
    return test.check(done.status == 0, f"{program.name} does not compile:\n{done.err}")


def sources_of(bundle, manifest):
    end = "_host.c" if manifest["target"] == "opencl" else ".c"
    name = manifest["spectrum"]
    return [bundle / (name + end),
            *(bundle / v / f"{name}_{v}{end}" for v in manifest["versions"])]


def emitted_host(test, bundle, manifest, shapes):
    """It computes what is right, at every size."""
    name, target = manifest["spectrum"], manifest["target"]
    device, start = DEVICE[target]
    text = MAIN
    for word, value in (("DEVICE", device), ("START", start), ("BODY", BODY[name]), ("NAME", name),
                        ("EXTENTS", str(len(shapes[0])))):
        text = text.replace(word, value)
    main = test.scratch / f"{bundle.name}-main.c"
    main.write_text(text)
    program = test.scratch / f"{bundle.name}-program"
    if not compile_program(test, bundle, target, program, [main, *sources_of(bundle, manifest)]):
        return
    right_answers(test, bundle.name, program, shapes)
    if target == "opencl":
        without_first(test, bundle, manifest, shapes, main)


def right_answers(test, name, program, shapes):
    for mode in ("plain", "own"):
        done = execute([str(program), mode, *(str(n) for shape in shapes for n in shape)],
                       {**OPENMP_ENVIRONMENT, **unwatched_leaks()})
        answers = done.out.splitlines()
        test.check(done.status == 0 and len(answers) == len(shapes),
                   f"the host of {name}, {mode}, ends with status {done.status}\n{done.err}")
        for shape, answer in zip(shapes, answers):
            test.equal(answer, "0 1", f"{name}, {mode}, called with {shape}: status, right")


def without_first(test, bundle, manifest, shapes, main):
    """A version whose groups the device does not have is passed over."""
    first = manifest["versions"][0]
    own = json.loads((bundle / first / "manifest.json").read_text())
    compiled = {t["name"] for t in own["tunables"] if t["kind"] == "compile"}
    options = [f"-D{name}=16777216" for name in {k["group_size"] for k in own["kernels"]} & compiled]
    if not test.check(options, f"{bundle.name}: the group size of {first} is no tunable"):
        return
    name = manifest["spectrum"]
    object_file = test.scratch / f"{bundle.name}-first.o"
    done = execute([os.environ.get("CC", "cc"), "-c", "-DCL_USE_DEPRECATED_OPENCL_1_2_APIS", *options,
                    str(bundle / first / f"{name}_{first}_host.c"), "-o", str(object_file)])
    test.check(done.status == 0, f"{first} in larger groups does not compile:\n{done.err}")
    sources = [object_file if first in path.name else path for path in sources_of(bundle, manifest)]
    program = test.scratch / f"{bundle.name}-without-first"
    if compile_program(test, bundle, "opencl", program, [main, *sources]):
        right_answers(test, f"{bundle.name} without {first}", program, shapes)


def whole_lines(header):
    """Declarations that go on in another line, each as one."""
    return re.sub(r"\n {4,}", " ", header)


def stubs(test, bundle, manifest, names, shapes):
    """Which versions are called, when some of them refuse."""
    name, target, versions = manifest["spectrum"], manifest["target"], manifest["versions"]
    end = "_host.c" if target == "opencl" else ".c"
    texts = []
    for number, version in enumerate(versions):
        header = whole_lines((bundle / version / f"{name}_{version}.h").read_text())
        for declared in re.finditer(rf"^(?:int|void) ({name}_{version}\w*)\((.*)\);$", header, re.MULTILINE):
            unused = "".join(f" (void){p.split()[-1].lstrip('*')};" for p in declared[2].split(","))
            value = f"called({number})" if declared[1] == f"{name}_{version}" else "0"
            answer = "" if declared[0].startswith("void") else f" return {value};"
            texts.append(f"{declared[0][:-1]} {{{unused}{answer} }}\n")
    stub = test.scratch / f"{bundle.name}-stubs.c"
    stub.write_text("".join(f'#include "{bundle}/{v}/{name}_{v}.h"\n' for v in versions)
                    + "int called(unsigned version);\n" + "".join(texts))
    header = whole_lines((bundle / f"{name}.h").read_text())
    parameters = re.search(rf"^int {name}\((.*)\);$", header, re.MULTILINE)[1].split(", ")
    known = {"x_size": "a_size1", "y_size": "a_size0"}
    words = []
    for parameter in parameters:
        last = parameter.split()[-1].lstrip("*")
        last = known.get(last, last)
        words.append(f"strtoull(argv[{names.index(last) + 2}], NULL, 10)" if last in names else "0")
    main = test.scratch / f"{bundle.name}-stub-main.c"
    main.write_text(STUB_MAIN.replace("ARGUMENTS", ", ".join(words)).replace("NAME", name))
    program = test.scratch / f"{bundle.name}-stubs"
    if not compile_program(test, bundle, target, program, [main, stub, bundle / (name + end)]):
        return
    count = len(versions)
    for shape in shapes:
        first = rule_for(manifest, dict(zip(names, shape)))
        for refusing in {0, 1 << first, (1 << count) - 1, (1 << count) - 1 & ~1}:
            called, status = [], 1
            for i in range(count):
                if status == 1:
                    called.append((first + i) % count)
                    status = refusing >> called[-1] & 1
            done = execute([str(program), str(refusing), *map(str, shape)])
            test.equal(done.out, " ".join(map(str, called)) + f" -> {status}\n",
                       f"{bundle.name} with {shape}, refusing {refusing:b}")


def runtime(test, bundle, manifest, names, shapes):
    """tangram-run finds all versions right, and runs the one that the rules say, where it serves."""
    for shape in shapes:
        sizes = [word for name, n in zip(names, shape) for word in ("--size", f"{name}={n}")]
        every = test.verify([bundle], *sizes)
        by_version = {run["version"]: run["status"] for run in every}
        test.equal(sorted(by_version), sorted(manifest["versions"]), f"versions verified at {shape}")
        test.check("verified" in by_version.values() and
                   set(by_version.values()) <= {"verified", "refused"},
                   f"{bundle.name} at {shape}: {every}")
        chosen, = test.verify([bundle], *sizes, "--versions", "chosen")
        first = rule_for(manifest, dict(zip(names, shape)))
        order = manifest["versions"][first:] + manifest["versions"][:first]
        serving = [version for version in order if by_version[version] == "verified"]
        test.equal((chosen["version"], chosen["plan"], chosen["status"]),
                   (serving[0], serving[0], "verified"), f"{bundle.name} at {shape}")


def library(test, file, spectrum, names, shapes, model, target):
    out = test.scratch / f"{file}-{model}-{target}"
    done = test.expect("tangram", "synth", f"codelets/{file}.cpp", "--spectrum", spectrum, "--hw", model,
                       "--target", target, "--plans", "3", "-o", out, "--format", "json")
    said = json.loads(done.out)
    manifest = json.loads((out / "manifest.json").read_text())
    if manifest["version"] == 1:  # one plan is predicted to be best everywhere
        test.check(model != MODELS[target][0], f"{spectrum} on {model} has one version only")
        runs = test.verify([out], *(word for shape in shapes for word in ("--size", f"{shape[0]}")))
        test.check(all(run["status"] == "verified" for run in runs), f"{spectrum} on {model}: {runs}")
        return
    test.equal([plan["id"] for plan in said["plans"]], manifest["versions"], "versions that synth says")
    test.equal(said["library"]["rules"], manifest["rules"], "rules that synth says")
    test.check(said["library"]["relative_time"]["mean"] <= said["library"]["first_alone"]["mean"],
               f"several versions are predicted to be worse than one: {said['library']}")
    emitted_host(test, out, manifest, shapes)
    stubs(test, out, manifest, names, shapes)
    runtime(test, out, manifest, names, shapes)
    print(f"{spectrum} on {model} for {target}: {len(manifest['versions'])} versions, "
          f"{len(manifest['rules'])} rules, {len(shapes)} shapes")


def unasked(test):
    """Where nobody says plans or sizes, a plan that is bad at some typical sizes comes with others."""
    synth = ["synth", "codelets/gemv.cpp", "--spectrum", "gemv<float>", "--hw", "h200", "--target", "opencl"]
    for name, more, several in (("auto", [], True), ("best", ["--plan", "best"], False),
                                ("sized", ["--for-size", "a=4096x4096"], False)):
        out = test.scratch / f"unasked-{name}"
        said = json.loads(test.expect("tangram", *synth, *more, "-o", out, "--format", "json").out)
        manifest = json.loads((out / "manifest.json").read_text())
        test.equal((manifest["version"] == 2, "library" in said), (several, several), f"gemv, {name}")
    said = json.loads(test.expect("tangram", *synth[:1], "codelets/sum.cpp", "--spectrum", "sum", "--hw", "cpu",
                                  "--target", "openmp", "-o", test.scratch / "unasked-sum", "--format", "json").out)
    test.equal(len(said["plans"]), 1, "sum needs one plan")


def example(test, target):
    """The library's own example, built as its first line says but for this machine's flags."""
    out = test.scratch / "example"
    model = MODELS[target][0]
    test.expect("tangram", "synth", "codelets/gemv.cpp", "--spectrum", "gemv<float>", "--hw", model,
                "--target", target, "--plans", "3", "-o", out)
    command = []
    for line in (out / "example.c").read_text().splitlines():
        command += line.removeprefix("/*").removeprefix("//").removesuffix("\\").split()
        if not line.endswith("\\"):
            break
    command = command[:command.index("&&")]
    done = execute([*command, "-Wall", "-Wextra", "-Werror", "-o", str(out / "program")], cwd=out)
    if test.check(done.status == 0, f"the example does not compile as it says:\n{done.err}"):
        done = execute([str(out / "program")], {**OPENMP_ENVIRONMENT, **unwatched_leaks()})
        test.check(done.status == 0 and "y[0] = " in done.out, f"the example: {done.out}{done.err}")


def measured(test):
    """Versions and thresholds that come from a store: what is called was as fast there as the best, nearly."""
    bundles, store, out = test.scratch / "set", test.scratch / "set.db", test.scratch / "measured"
    request = ["synth", "codelets/sum.cpp", "--spectrum", "sum", "--hw", "cpu", "--target", "openmp"]
    test.expect("tangram", *request, "--tune-set", "3", "-o", bundles)
    test.expect("tangram-run", "tune", bundles, "--store", store, "--size", "100,100000", "--budget", "3",
                "--repeat", "3")
    times = {}  # by size and plan, of defaults
    exported = json.loads(test.expect("tangram-run", "store", "export", store).out)
    for one in exported["measurements"]:
        if one["default"] and one["status"] == "measured":
            times.setdefault(one["extents"]["in_size"], {})[one["plan"]] = one["seconds"]["median"]
    test.equal(sorted(times), [100, 100000], "sizes that were measured")
    done = test.expect("tangram", *request, "--plans", "2", "--store", store, "-o", out, "--format", "json")
    said = json.loads(done.out)
    manifest = json.loads((out / "manifest.json").read_text())
    if manifest["version"] == 1:  # one plan was fastest at both
        called = {size: said["plans"][0]["id"] for size in times}
    else:
        test.equal((said["library"]["times"], said["library"]["sizes"]), ("measured", 2), "what the rules go by")
        called = {size: manifest["versions"][rule_for(manifest, {"in_size": size})] for size in times}
    for size, plan in called.items():  # another version or rule has to gain a hundredth in the mean
        best = min(times[size].values())
        test.check(times[size][plan] <= 1.03 * best, f"{plan} is called at {size}, of {times[size]}")
    runs = test.verify([out], "--size", "0,1,100,100000")
    test.check(all(run["status"] == "verified" for run in runs), f"{runs}")
    refused = test.run("tangram", *request, "--plans", "2", "--store", store, "--store-device", "none", "-o", out)
    test.equal((refused.status, refused.err),
               (1, f"error: {store}: nothing was measured of sum and openmp on none\n"), "a device that is not there")


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
    for number, model in enumerate(MODELS[target]):
        for file, spectrum, names, shapes in sample(SPECTRUMS, len(MODELS[target]), number):
            library(test, file, spectrum, names, shapes, model, target)
    example(test, target)
    if target == "openmp":
        measured(test)
        unasked(test)
    test.finish()


if __name__ == "__main__":
    main()
