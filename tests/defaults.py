"""The entry point of a library serves every size that tangram-run serves: it chooses the numbers of
workers itself, and finds the same as tangram-run where the defaults break a constraint.

    python3 tests/defaults.py --tangram build/tangram --tangram-run build/tangram-run --target openmp

For each spectrum of the library, on one of the models of one target, the best plans: the example runs, and so does a
program that calls the entry at every awkward size, as often as tangram-run verifies it there with
the compile-time tunables that the source has.
"""

import json
import pathlib
import re
import shutil

from library import SPECTRUMS, few_bundles_of, manifest_of, share_of, sizes_for, source_of
from pipeline import OPENMP_ENVIRONMENT, ROOT, Pipeline, execute, skip

MODELS = {"openmp": ["cpu", "simple-cpu", "simple-gpu"],
          "opencl": ["h200", "simple-gpu", "gpu", "pocl", "cpu"]}
C_TYPES = {"bool": "bool", "i8": "signed char", "u8": "unsigned char", "i16": "short",
           "u16": "unsigned short", "i32": "int", "u32": "unsigned", "i64": "long",
           "u64": "unsigned long", "f32": "float", "f64": "double"}


def more_arguments(parser):
    parser.add_argument("--target", required=True, choices=["openmp", "opencl"])
    parser.add_argument("--spectrum", help="only this one")


def caller(manifest, header):
    """A program that calls the entry with all extents that it is given, one problem after the other, zeros everywhere, and
    prints what each call returned."""
    opencl = manifest["target"] == "opencl"
    parameters = manifest["signature"]["parameters"]
    extents = list(dict.fromkeys(e for p in parameters for e in p.get("extents", [])))
    lines = [f'#include "{header}"', "#include <stdio.h>", "#include <stdlib.h>",
             "int main(int argc, char **argv) {"]
    if opencl:
        lines += ["  cl_platform_id platform; cl_device_id device;",
                  "  if (clGetPlatformIDs(1, &platform, NULL) || "
                  "clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 2;",
                  "  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);",
                  "  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);"]
    lines += [f"  for (int at = 1; at < argc; at += {len(extents)}) {{"]
    lines += [f"  size_t {e} = strtoul(argv[at + {i}], NULL, 10);" for i, e in enumerate(extents)]
    arguments = ["queue"] if opencl else []
    after = []

    def memory(name, element, count):
        size = f"({count} + 1) * sizeof({C_TYPES[element]})"
        after.extend([f"  clReleaseMemObject({name}_memory);", f"  free({name}_host);"] if opencl else [f"  free({name}_memory);"])
        if opencl:
            return [f"  void *{name}_host = calloc({size}, 1);",
                    f"  cl_mem {name}_memory = clCreateBuffer(context, CL_MEM_READ_WRITE | "
                    f"CL_MEM_COPY_HOST_PTR, {size}, {name}_host, NULL);"]
        return [f"  {C_TYPES[element]} *{name}_memory = calloc({size}, 1);"]

    for p in parameters:
        if p["kind"] == "scalar":
            arguments.append("0")
            continue
        lines += memory(p["name"], p["element"], " * ".join(p["extents"]))
        arguments += [f"{p['name']}_memory", *p["extents"]]
    if manifest["signature"]["result"]:
        lines += memory("result_of_call", manifest["signature"]["result"]["element"], "1")
        arguments.append("result_of_call_memory")
    entry = pathlib.Path(header).stem
    lines += [f"  int status = {entry}({', '.join(arguments)});"]
    if opencl:
        lines += ["  if (status == 0) status = clFinish(queue);"]
    return extents, "\n".join([*lines, '  printf("%d\\n", status);', "  fflush(stdout);", *after, "  }", "  return 0;", "}", ""])


def build(test, bundle, manifest, source, out, *options):
    opencl = manifest["target"] == "opencl"
    done = execute(["cc", "-O1", *(["-DCL_USE_DEPRECATED_OPENCL_1_2_APIS"] if opencl else ["-fopenmp"]),
                    "-I", str(bundle), str(source), "-o", str(out), *map(str, options)])
    return test.check(done.status == 0, f"{source} does not compile:\n{done.err}")


def defaults_of_source(bundle, manifest):
    """--set options for the compile-time tunables, as the source has them."""
    text = (bundle / manifest["files"]["host"]).read_text()
    found = dict(re.findall(r"#define (\w+) (\d+)\n", text))
    return [word for t in manifest["tunables"] if t["kind"] == "compile"
            for word in ("--set", f"{t['name']}={found[t['name']]}")]


def try_bundle(test, bundle, name):
    manifest = manifest_of(bundle)
    header = manifest["files"]["header"]
    extents, text = caller(manifest, header)
    source, program = bundle / "caller.c", bundle / "caller"
    source.write_text(text)
    example, host = bundle / "example", bundle / "host.o"
    libraries = ["-lm", *(["-lOpenCL"] if manifest["target"] == "opencl" else [])]
    if not (build(test, bundle, manifest, bundle / manifest["files"]["host"], host, "-c") and
            build(test, bundle, manifest, source, program, host, *libraries) and
            build(test, bundle, manifest, bundle / "example.c", example, host, *libraries)):
        return 0, 0
    sizes = sizes_for(manifest)
    runs = test.verify([bundle], *sizes, *defaults_of_source(bundle, manifest))
    done = execute([str(program), *[str(run["extents"][e]) for run in runs for e in extents]], OPENMP_ENVIRONMENT)
    given = done.out.splitlines()
    test.check(done.status == 0 and len(given) == len(runs),
               f"{name} {bundle.name}: the program ends with {done.status} after {len(given)} of {len(runs)} calls: {done.err}")
    served = 0
    for run, status in zip(runs, given):
        if run["status"] == "verified":
            served += 1
            test.equal(status, "0", f"{name} {bundle.name} {run['extents']}: the entry, tangram-run {run['tunables']}")
        elif run["status"] == "refused" and "does not hold" in run["reason"]:
            test.equal(status, "1", f"{name} {bundle.name} {run['extents']}: the entry, tangram-run {run['reason']}")
    if served:
        done = execute([str(example)], OPENMP_ENVIRONMENT)
        test.check(done.status == 0, f"{name} {bundle.name}: the example ends with {done.status}: "
                                     f"{done.out}{done.err}")
    return served, len(runs)


def models_with_expressions(test, target):
    """Worker counts over every fact that the target knows, and one that OpenMP does not."""
    name, level = ("simple-cpu", 1) if target == "openmp" else ("simple-gpu", 1)
    facts = ["min(threads, 8)", "max(1, compute_units * 2) % 100"]
    if target == "opencl":
        facts += ["min(max_group_size, 16) + local_memory / 16384"]
    for number, text in enumerate([*facts, "min(max_group_size, 8)"]):
        model = json.loads((ROOT / "hwmodels" / f"{name}.json").read_text())
        model["levels"][level]["workers"]["default"] = text
        file = test.scratch / f"{name}-{number}.json"
        file.write_text(json.dumps(model))
        out = test.scratch / f"expressions-{number}"
        done = test.run("tangram", "synth", source_of("reduce"), "--spectrum", "minimum<int>", "--hw",
                        file, "--target", target, "-o", out)
        if target == "openmp" and "max_group_size" in text:
            # Another plan, or none.
            test.check(done.status != 0 or text not in (out / "manifest.json").read_text(),
                       f"{text}: there is a bundle for {target}")
        elif test.check(done.status == 0, f"{text}: {done.err}"):
            served, total = try_bundle(test, out, text)
            test.check(served == total > 0, f"{text}: {served} of {total} served")


def main():
    test = Pipeline(__doc__, more_arguments)
    target = test.arguments.target
    if target == "opencl":
        test.need_opencl()
        if not shutil.which("cc") or execute(["cc", "-E", "-include", "CL/cl.h", "-x", "c",
                                              "/dev/null"]).status != 0:
            skip("no OpenCL headers (Debian package ocl-icd-opencl-dev)")
    models_with_expressions(test, target)
    places = [(other, model) for other, models in MODELS.items() for model in models]
    for number, (own, model) in enumerate(places):
        for file, spectrum in share_of(test, SPECTRUMS, number, 3 * len(places)) if own == target else []:
            bundles = few_bundles_of(test, source_of(file), spectrum, model, target)
            served = total = 0
            for bundle in bundles.values():
                few, all_of = try_bundle(test, bundle, f"{spectrum} on {model}")
                served, total = served + few, total + all_of
            print(f"{spectrum} {model} {target}: {len(bundles)} plans, {served} of {total} served",
                  flush=True)
    test.finish()


if __name__ == "__main__":
    main()
