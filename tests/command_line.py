"""Bad input to both commands: the exit status, the whole message, and nothing on standard output.

0 fine, 1 the input is wrong, 2 the command line is wrong, 3 a check failed.
"""

import array
import json
import pathlib
import re
import shutil
import subprocess

from new_codelet import write_npy
from pipeline import Pipeline

SUM = "codelets/sum.cpp"
PLANS = ["plans", SUM, "--spectrum", "sum", "--hw"]
OPENMP = ["synth", SUM, "--spectrum", "sum", "--hw", "simple-cpu", "--target", "openmp", "-o"]
COMMANDS = "Its commands: check, derive, rules, plans, synth, run, interpret, sketch, compare, init, hw, explain\n"
RUN_COMMANDS = "Its commands: verify, time, run, tune, store, generate, measure, explain\n"


def more(command):
    return f"`{command} --help` says more.\n"


def refuses(test, command, arguments, status, message):
    """`message` is all of standard error; {} in it stands for the scratch folder."""
    done = test.run(command, *arguments)
    what = f"{command} {' '.join(map(str, arguments))}".replace(str(test.scratch), "{}")
    test.equal(done.status, status, f"{what}: exit status")
    test.equal(done.err.replace(str(test.scratch), "{}"), message, f"{what}: message")
    test.equal(done.out, "", f"{what}: standard output")


def synthesizer(test):
    scratch = test.scratch
    broken = scratch / "broken.cpp"
    broken.write_text("#include <tangram.h>\n__codelet\nint f(const Array<1, int> in) {\n"
                      "  return in[0] +;\n}\n")
    cut = scratch / "cut.json"
    cut.write_text(pathlib.Path("hwmodels/simple-cpu.json").read_text()[:300])
    notes = scratch / "notes"
    notes.mkdir()
    (notes / "notes.txt").write_text("not a bundle\n")

    refuses(test, "tangram", ["check", "nowhere.cpp"], 1,
            "nowhere.cpp: error: cannot read the file: No such file or directory\n")
    refuses(test, "tangram", ["check", broken], 1,
            "{}/broken.cpp:4:17: error: expected expression\n"
            "  return in[0] +;\n"
            "                ^\n")
    apart = scratch / "apart.cpp"
    apart.write_text("#include <tangram.h>\n__codelet void turn(Array<1, int> a) { a[0] = a[a.size() - 1]; }\n"
                     "__codelet __coop __tag(lanes) void turn(Array<1, int> a) {\n"
                     "  for (unsigned i = coopIdx(); i < a.size(); i += coopDim())\n    a[i] = a[a.size() - 1 - i];\n}\n")
    done = test.run("tangram", "check", apart)
    test.check(done.status == 0 and done.err == (
        f"{apart}:4:3: warning: no plan can have cooperative codelet 'lanes': lanes that leave a loop at "
        "different times can write in it only what no other lane reads: elements at the loop's variable, which "
        "starts at coopIdx() and advances by coopDim(). Let all lanes run every round, and put what not all do "
        "under an if\n"
        "  for (unsigned i = coopIdx(); i < a.size(); i += coopDim())\n"
        "  ^~~\n"), f"a codelet that cannot run in lockstep: {done.err}")
    meaningless = scratch / "meaningless.cpp"
    meaningless.write_text("#include <tangram.h>\n__codelet void set(int x, Array<1, int> a) { a[0] = x; }\n"
                           "__codelet void twice(int x, Array<1, int> a) {\n  set(x, a);\n  set(x, a);\n}\n")
    done = test.run("tangram", "check", meaningless)
    test.check(done.status == 0 and done.err == (
        f"{meaningless}:3:16: warning: no bundle can be made of spectrum 'twice': it has no autonomous codelet, "
        "which says what the others are to compute\n__codelet void twice(int x, Array<1, int> a) {\n"
        "               ^~~~~\n"), f"a spectrum without a meaning: {done.err}")
    done = test.run("tangram", "synth", meaningless, "--spectrum", "twice", "--hw", "simple-cpu", "--target", "openmp", "-o",
                    scratch / "meaningless")
    test.check(done.status == 1 and "error: spectrum twice has no autonomous codelet to verify the others against" in done.err
               and "none of the plans" not in done.err, f"a bundle of a spectrum without a meaning: {done.err}")
    refuses(test, "tangram", ["plans", SUM, "--spectrum", "sun", "--hw", "simple-cpu"], 1,
            "codelets/sum.cpp: error: unknown spectrum 'sun', did you mean 'sum'?\n")
    generic = "tests/codelets/reduce_by.cpp"
    failed = f"{generic}: error: cannot instantiate "
    refuses(test, "tangram", ["check", "--instantiate", "reduce<int>", generic], 1,
            failed + "'reduce<int>': there is no template 'reduce'\n")
    refuses(test, "tangram", ["plans", generic, "--instantiate", "reduce_by<int, more, lowest>",
                              "--spectrum", "reduce_by", "--hw", "simple-cpu"], 1,
            failed + "'reduce_by<int, more, lowest>': use of undeclared identifier 'more'\n")
    refuses(test, "tangram", ["rules", SUM, "--instantiate", "sum"], 1,
            "codelets/sum.cpp: error: cannot instantiate 'sum': expected a template and its "
            "arguments, as in 'sum<float>'\n")
    refuses(test, "tangram", [*PLANS, "simple-cpo"], 1,
            'unknown hardware model "simple-cpo"; did you mean "simple-cpu"? (the known ones are '
            "c2050, cpu, gpu, h200, i7-3820, k20c, microcontroller, pocl, simple-cpu, simple-gpu; a path to a "
            ".json file names any other)\n")
    for model in ([*PLANS, cut], ["hw", "validate", cut]):
        refuses(test, "tangram", model, 1,
                "{}/cut.json: line 8, column 28: syntax error while parsing object - "
                "unexpected end of input; expected '}'\n")
    unknown = ("error: no plan of sum on simple-cpu within 3 iterations has the id '00000000'\n"
               "note: the plans are 17ebc08c, 5efc8fdb, c4f6756e\n")
    refuses(test, "tangram", [*PLANS, "simple-cpu", "--plan", "00000000"], 1, unknown)
    refuses(test, "tangram", [*OPENMP, scratch / "p", "--plan", "00000000"], 1, unknown)
    refuses(test, "tangram", [*OPENMP, notes], 1,
            "error: {}/notes is no bundle and holds notes.txt; choose another folder, or --force to write into "
            "this one\n")
    test.equal([path.name for path in notes.iterdir()], ["notes.txt"], "what was in the folder")
    refuses(test, "tangram", ["rules", SUM, "--without", "kogg"], 1,
            "codelets/sum.cpp: error: unknown codelet to leave out 'kogg', did you mean 'kog'?\n")
    instance = "reduce<int, plus<int>, zero<int>>"
    refuses(test, "tangram", ["rules", "codelets/histogram.cpp", "--without", f"{instance}:tree,tred"], 1,
            "codelets/histogram.cpp: error: unknown codelet to leave out 'tred', did you mean 'tree'?\n")



def sketches_and_comparisons(test):
    broken = test.scratch / "broken.sketches"
    (test.scratch / "broken.cpp").write_text("")
    broken.write_text("# fine\nhalf a sketch\n")
    refuses(test, "tangram", [*PLANS, "simple-cpu", "--plan", "S_P, regruop(*)"], 1,
            "error: unknown step 'regruop', did you mean 'regroup'?\n"
            "  S_P, regruop(*)\n"
            "       ^\n")
    refuses(test, "tangram", [*PLANS, "simple-cpu", "--plan", "S_P, devolve(T), compute(kog, SE_T)"],
            1,
            "error: no plan of sum within 3 iterations goes on like this: nothing is "
            "'compute(kog, SE_T)' here\n"
            "  S_P, devolve(T), compute(kog, SE_T)\n"
            "                   ^\n"
            "note: possible here: compute(sum#1, SE_T)\n"
            "codelets/sum.cpp:18:5: note: compose(sum, T): kog: codelet kog is cooperative and needs "
            "vector execution; level T (thread) has scalar execution\n"
            "int sum(const Array<1, int> in) {\n"
            "    ^~~\n")
    refuses(test, "tangram", ["sketch", test.scratch / "broken.cpp"], 1,
            "{}/broken.sketches:2:1: error: expected NAME: SKETCH\nhalf a sketch\n^\n")
    refuses(test, "tangram", ["sketch", SUM, "--spectrum", "sum", "--plan", "17ebc08c"], 2,
            "error: plans are those of a machine: name it with --hw\n")
    compare = ["compare", SUM, "--spectrum", "sum", "--hw"]
    refuses(test, "tangram", [*compare, "cpu:cuda"], 1,
            "error: cpu:cuda: there is no code for cpu on target cuda\n")
    refuses(test, "tangram", [*compare, "cpu", "--store", test.scratch / "none.db"], 1,
            "error: {}/none.db: cannot be opened: No such file or directory\n")
    refuses(test, "tangram", [*compare, "cpu", "-o", test.scratch / "no" / "page.html"], 1,
            "error: cannot write {}/no/page.html: No such file or directory\n")


def synthesizer_usage(test):
    refuses(test, "tangram", [], 2, "tangram: a command is missing\n" + COMMANDS + more("tangram"))
    refuses(test, "tangram", ["bogus"], 2, "tangram: unknown command 'bogus'\n" + COMMANDS + more("tangram"))
    refuses(test, "tangram", ["snth", SUM], 2,
            "tangram: unknown command 'snth'; did you mean \"synth\"?\n" + COMMANDS + more("tangram"))
    refuses(test, "tangram", ["hw", "sho"], 2,
            "tangram hw: unknown command 'sho'; did you mean \"show\"?\n"
            "Its commands: list, show, validate, detect\n" + more("tangram hw"))
    refuses(test, "tangram", ["synth"], 2, "tangram synth needs FILE, --hw MODEL, --target opencl|openmp|cuda|cuda-warps|c, "
            "--output DIR, which are missing\n" + more("tangram synth"))
    refuses(test, "tangram", ["hw", "show"], 2, "tangram hw show needs MODEL, which is missing\n" + more("tangram hw show"))
    refuses(test, "tangram", [*PLANS, "simple-cpu", "--iterations", "x"], 2,
            "tangram plans: Could not convert: --iterations = x\n" + more("tangram plans"))
    for option, near in [("--sooner", ""), ("--hwe", '; did you mean "--hw"?')]:
        refuses(test, "tangram", [*PLANS, "simple-cpu", option], 2,
                f"tangram plans: unknown option {option}{near}\n" + more("tangram plans"))
    refuses(test, "tangram", [*PLANS, "simple-cpu", "more"], 2,
            "tangram plans: one word too many: 'more'\n" + more("tangram plans"))
    refuses(test, "tangram", [*OPENMP, test.scratch / "q", "--target", "metal"], 2,
            "tangram synth: --target: metal not in {opencl,openmp,cuda,cuda-warps,c}\n" + more("tangram synth"))
    for words in (["synth", SUM, "--hw", "cpu", "--target", "openmp", "--output", ""], ["check", ""], [*PLANS, "", "--iterations", "2"]):
        done = test.run("tangram", *words)
        name = {"synth": "--output", "check": "file", "plans": "--hw"}[words[0]]
        test.equal((done.status, done.err), (2, f"tangram {words[0]}: {name}: expected a path, found ''\n" + more(f"tangram {words[0]}")), f"{words}")
    refuses(test, "tangram", [*OPENMP, test.scratch / "q", "--without-pass", "jam-loops"], 2,
            "tangram synth: --without-pass: jam-loops is called unroll-and-jam now\n" + more("tangram synth"))
    refuses(test, "tangram", ["plans", "codelets/scan.cpp", "--spectrum", "scan<double>", "--hw", "cpu"], 1,
            "codelets/scan.cpp: error: unknown spectrum 'scan<double>': the source makes scan<int>, scan<float>; "
            "--instantiate 'scan<double>' makes this one, too\n")


def completion(test):
    """What the completion of Bash offers."""
    def offered(*words):
        script = f"source scripts/completion/tangram.bash; {' '.join(words)}"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        return done.stdout.split()
    tangram = test.commands["tangram"]
    test.check({"--output", "--help", "--without-pass"} <= set(offered("__tangram_options", tangram, "synth")), "options")
    test.check({"init", "synth"} <= set(offered("__tangram_commands", tangram)), "commands")
    test.check({"scan<int>", "scan<float>"} <= set(offered("__tangram_values", tangram, "--spectrum", "codelets/scan.cpp")),
               "instances")
    test.check({"register-tiles", "deal-parts"} <= set(offered("__tangram_values", tangram, "--without-pass", "''")), "passes")
    if test.opencl_devices():
        test.check("0" in offered("__tangram_values", tangram, "--device", "''"), "devices")


def unnamed_spectrum(test):
    """The only spectrum that no other one calls need not be named."""
    test.equal(test.expect("tangram", "plans", SUM, "--hw", "simple-cpu").out,
               test.expect("tangram", *PLANS, "simple-cpu").out, "plans without --spectrum")
    refuses(test, "tangram", ["plans", "codelets/scan.cpp", "--hw", "simple-cpu"], 2,
            "codelets/scan.cpp: error: there are several spectrums, name one with --spectrum: minimum<int>, maximum<float>, "
            "argmin<float>, scan<int>, scan<float>, exclusive_scan<int>\n")
    own = test.scratch / "own.cpp"
    own.write_text("#include <tangram.h>\n__codelet int doubled(int x) { return 2 * x; }\n"
                   "__codelet void all(const Array<1, int> in, Array<1, int> out) {\n"
                   "  require(out.size() == in.size());\n  for (unsigned i = 0; i < in.size(); ++i)\n"
                   "    out[i] = in[i] + 1;\n}\n"
                   "__codelet __tag(each) void all(const Array<1, int> in, Array<1, int> out) { out = map(doubled, in); }\n")
    done = test.expect("tangram", "synth", own, "--hw", "simple-cpu", "--target", "openmp", "-o", test.scratch / "all")
    test.check((test.scratch / "all" / "all.h").exists(), f"synth without --spectrum: {done.out}")


def help_fits(test):
    """No line of help is longer than the terminal is wide, and every command says what its exit statuses are."""
    commands = [("tangram", name) for name in ["", *re.findall(r"\w+", COMMANDS.split(":")[1]), "hw show", "hw detect"]]
    commands += [("tangram-run", name) for name in ["", *re.findall(r"\w+", RUN_COMMANDS.split(":")[1]), "store best"]]
    for command, name in commands:
        for columns in (80, 200):
            done = test.run(command, *name.split(), "--help", environment={"COLUMNS": str(columns)})
            what = f"{command} {name} --help in {columns} columns"
            test.equal(done.status, 0, what)
            long = [line for line in done.out.splitlines() if len(line) > columns]
            test.check(not long, f"{what}: {long}")
            test.check("Exit status" in done.out or "Options handed" in done.out, f"{what}: no exit statuses")


def runtime(test):
    bundle = test.scratch / "bundle"
    test.expect("tangram", *OPENMP, bundle)
    cut = test.scratch / "cut"
    shutil.copytree(bundle, cut)
    text = (bundle / "manifest.json").read_text()
    end = text.index('"openmp"') + 4
    (cut / "manifest.json").write_text(text[:end])
    line, column = text[:end].count("\n") + 1, end - text.rindex("\n", 0, end)
    doubles, short = test.scratch / "doubles.npy", test.scratch / "short.npy"
    write_npy(doubles, "<f8", array.array("d", [1, 2, 3, 4]))
    write_npy(short, "<i4", array.array("i", [1, 2, 3, 4]))
    short.write_bytes(short.read_bytes()[:-5])

    fails(test, [cut], 1,
          "{}/cut/manifest.json: expected a JSON document, found a syntax error at line "
          f"{line}, column {column}: invalid string: missing closing quote; "
          "last read: '\"ope'", "{}/cut")
    fails(test, [test.scratch / "nowhere"], 1,
          "{}/nowhere: cannot be read: No such file or directory", "{}/nowhere")
    fails(test, [bundle, "--input", f"in={doubles}"], 1,
          "in: expected int32, file {}/doubles.npy holds float64", "{}/bundle")
    fails(test, [bundle, "--input", "inn=3"], 2, "--input inn: expected a parameter (in); did you mean in?",
          "{}/bundle")
    for arguments, status, message in [
            (["--input", f"in={short}"], 1,
             "{}/short.npy: truncated: shape (4,) of int32 needs 16 bytes of data, found 11"),
            (["--input", "in=none.npy"], 1, "none.npy: cannot be read: No such file or directory"),
            (["--size", "ten"], 2,
             "--size ten: expected a size such as 1000 or 2^24, found ten"),
            (["--size", "1,,2"], 2,
             "--size 1,,2: expected a size such as 1000 or 2^24, found nothing"),
            (["--set", "q=3"], 2, "--set q: expected a tunable (p); did you mean p?"),
            (["--set", "p=0"], 2, "{}/bundle: --set p=0: expected a value in [1, 4096]")]:
        refuses(test, "tangram-run", ["verify", bundle, *arguments], status,
                f"tangram-run: {message}\n")
    refuses(test, "tangram-run", ["verify", bundle, "--sizes", "3"], 2,
            "tangram-run verify: unknown option --sizes; did you mean \"--size\"?\n" + more("tangram-run verify"))
    refuses(test, "tangram-run", ["frobnicate"], 2,
            "tangram-run: unknown command 'frobnicate'\n" + RUN_COMMANDS + more("tangram-run"))
    refuses(test, "tangram-run", ["verify"], 2,
            "tangram-run verify needs BUNDLE, which is missing\n" + more("tangram-run verify"))


def fails(test, arguments, status, reason, bundle):
    """What is wrong with one bundle is a result too: the others go on."""
    done = test.run("tangram-run", "verify", *arguments, "--format", "json")
    test.equal(done.status, status, f"verify {arguments}: exit status")
    test.equal(done.err.replace(str(test.scratch), "{}"),
               f"tangram-run: {bundle}: failed: {reason}\n", f"verify {arguments}: message")
    runs = json.loads(done.out)["runs"]
    test.equal([(run["status"], run["reason"].replace(str(test.scratch), "{}")) for run in runs],
               [("failed", reason)], f"verify {arguments}: results")


def devices(test):
    """A device that is not there, and no OpenCL at all."""
    bundle = test.scratch / "kernels"
    test.expect("tangram", "synth", SUM, "--spectrum", "sum", "--hw", "simple-gpu", "--target",
                "opencl", "-o", bundle)
    for device in ("zx9000", "99"):
        done = test.run("tangram-run", "verify", bundle, "--device", device)
        wanted = f"failed    {bundle}: --device {device}: there is no such device; expected "
        test.check(done.out.startswith(wanted) or "no OpenCL" in done.out,
                   f"--device {device}: message\n{done.out}")
        test.check(done.status in (2, 3), f"--device {device}: exit status {done.status}")
    done = test.run("tangram-run", "verify", bundle,
                    environment={"TANGRAM_OPENCL_LIBRARY": "/nowhere/libOpenCL.so"})
    test.check("/nowhere/libOpenCL.so" in done.out and done.status in (1, 3),
               f"no OpenCL library: status {done.status}\n{done.out}")


def crashes(test):
    """A plan that crashes is named, by its id while its folder is temporary; the others go on."""
    source = test.scratch / "far.cpp"
    source.write_text("#include <tangram.h>\n__codelet\nint f(const Array<1, int> in) {\n"
                      "  return in[0];\n}\n__codelet __tag(far)\n"
                      "int f(const Array<1, int> in) {\n"
                      "  return in[in.size() + 1000000000];\n}\n")
    arguments = ["run", source, "--spectrum", "f", "--hw", "simple-cpu", "--target", "openmp",
                 "--plan", "all", "--size", "33"]
    reason = ("  in_size=33: ended by signal 11 (Segmentation fault); a codelet may index outside "
              "a container")
    for kept in (None, test.scratch / "kept"):
        done = test.run("tangram", *arguments, *(["-o", kept] if kept else []))
        lines = done.out.splitlines()
        failed = [line for line in lines if line.startswith("failed ")]
        folder = re.escape(f"{kept}/") if kept else ""
        test.equal(done.status, 3, "a crash: exit status")
        test.check(failed and all(re.fullmatch(f"failed    {folder}[0-9a-f]{{8}}"
                                               f"{re.escape(reason)}", line) for line in failed),
                   f"a crash: results\n{done.out}")
        test.check(any(line.startswith("verified ") for line in lines),
                   f"a crash: the others\n{done.out}")
        test.equal(done.err, "" if kept else "note: add -o DIR to keep the bundle\n",
                   "a crash: message")


def results_only(test):
    """Results on standard output, everything else on standard error."""
    done = test.expect("tangram", *OPENMP, test.scratch / "fine")
    test.equal(done.err, "", "synth: standard error")
    done = test.expect("tangram-run", "verify", test.scratch / "fine", "--size", "5",
                       "--format", "json")
    test.equal(done.err, "", "verify: standard error")
    test.equal(json.loads(done.out)["summary"],
               {"verified": 1, "timed": 0, "wrong": 0, "inaccurate": 0, "not_comparable": 0, "refused": 0,
                "failed": 0}, "summary")
    # A wrong kernel is found out, and says so by its status.
    source = test.scratch / "fine" / "sum.c"
    source.write_text(source.read_text().replace("+= in[", "-= in["))
    done = test.run("tangram-run", "verify", test.scratch / "fine", "--size", "5",
                    "--format", "json")
    test.equal(done.status, 3, "a wrong kernel: exit status")
    test.equal(json.loads(done.out)["summary"]["wrong"], 1, "a wrong kernel: summary")
    commands = {"tangram": [test.arguments.tangram, "hw", "list"],
                "tangram-run": [test.arguments.tangram_run, "verify", test.scratch / "fine", "--size", "5"]}
    for command, words in commands.items():
        with open("/dev/full", "wb") as full:
            done = subprocess.run(list(map(str, words)), stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False)
        test.check(done.returncode in (1, 3), f"{command} on a full disk: {done.returncode}")
        test.check("cannot write the results to standard output" in done.stderr,
                   f"{command} on a full disk: {done.stderr}")
    for command in ("tangram", "tangram-run"):
        done = test.expect(command, "--version")
        test.equal(done.out, f"{command} 0.1.0\n", "version")


def timing(test):
    """A row says what it does not know: whether a result is right, how many bytes moved."""
    bundle = test.scratch / "timed"
    test.expect("tangram", *OPENMP, bundle)
    short = ["--repeat", "1", "--warmup", "0"]
    row = test.expect("tangram-run", "time", bundle, "--size", "100", *short, "--no-verify").out
    test.check("  not verified  median " in row and " GB/s" in row, f"time --no-verify: {row}")
    test.check(" GB/s, " in row and " of memory" in row, f"memory of a call: {row}")
    row = test.expect("tangram-run", "time", bundle, "--size", "100", *short, "--cold").out
    test.check("  cold caches  median " in row, f"time --cold: {row}")
    gather = test.scratch / "gather"
    test.expect("tangram", "synth", "codelets/spmv.cpp", "--spectrum", "spmv<float>", "--hw", "simple-cpu",
                "--target", "openmp", "-o", gather)
    row = test.expect("tangram-run", "time", gather, "--size", "100", *short).out
    test.check("median" in row and "GB/s" not in row, f"time of a gather: {row}")


def plans_of_targets(test):
    """What `plans` lists for a target `synth` knows for it; without one it says which it does not."""
    listing = [*PLANS, "gpu", "--limit", "2", "--format", "json"]
    free = json.loads(test.run("tangram", *listing).out)["plans"]
    test.equal([plan["targets"] for plan in free], [["cuda-warps"], ["cuda-warps"]],
               "targets of plans with warps")
    test.equal(test.run("tangram", *PLANS, "gpu", "--limit", "2").err,
               "note: for opencl: none of these plans; --target opencl lists all that are\n"
               "note: for cuda: none of these plans; --target cuda lists all that are\n"
               "note: for cuda-warps: all of these plans\n"
               "note: dropped, because others are before them in rank: 54 of 118 candidates in "
               "iteration 2, 49,136 of 49,200 candidates in iteration 3, 2,560,000 of 2,560,064 "
               "candidates in iteration 4, 551,186 of 551,250 candidates in iteration 5; --keep N "
               "keeps more than 64\n", "notes")
    test.check(test.run("tangram", *PLANS, "gpu", "--limit", "1").out.startswith(
        f"1  {free[0]['id']}  not for opencl, cuda\n"), "the mark of a plan with warps")
    other = test.run("tangram", "synth", SUM, "--spectrum", "sum", "--hw", "gpu", "--target", "opencl",
                     "--plan", free[0]["id"], "-o", test.scratch / "other")
    test.equal((other.status, other.err.splitlines()[1:]), (1, [
        f"error: plan {free[0]['id']} is for target cuda-warps; this synthesis is for opencl",
        "note: `tangram plans --target opencl` lists those it can take"]), "a plan of another target")
    for plan in json.loads(test.run("tangram", *listing, "--target", "opencl").out)["plans"]:
        made = test.run("tangram", "synth", SUM, "--spectrum", "sum", "--hw", "gpu", "--target",
                        "opencl", "--plan", plan["id"], "-o", test.scratch / plan["id"])
        test.equal(made.status, 0, f"synth --plan {plan['id']}: exit status")


def predictions(test):
    """The plan that `synth` takes is the first that is predicted; sizes are checked before."""
    listing = [*PLANS, "cpu", "--target", "openmp", "--strategy", "predict"]
    plans = json.loads(test.expect("tangram", *listing, "--format", "json").out)["plans"]
    test.check(all(" ms: " in plan["why"] for plan in plans), f"reasons: {plans[0]['why']}")
    made = test.expect("tangram", "synth", SUM, "--spectrum", "sum", "--hw", "cpu", "--target", "openmp",
                       "-o", test.scratch / "predicted", "--format", "json").out
    test.equal(json.loads(made)["plans"][0]["id"], plans[0]["id"], "what synth takes")
    refuses(test, "tangram", [*listing, "--for-size", "out=3"], 2,
            "error: --for-size: sum has no container, extent or integer 'out', only in, in_size\n")
    refuses(test, "tangram", [*PLANS, "cpu", "--strategy", "thesis", "--for-size", "3"], 2,
            "error: --for-size is for predictions: --strategy predict\n")
    product = ["codelets/gemm.cpp", "--spectrum", "gemm", "--hw", "cpu"]
    shape = "error: {0} a=4096,128: expected 2 extents, found 1; an x joins the extents of a shape: {0} a=4096x128\n"
    openmp = [*product, "--target", "openmp"]
    for command, option in ((["plans", *product], "--for-size"), (["compare", *product], "--for-size"),
                            (["synth", *openmp, "-o", test.scratch / "sizes"], "--for-size"),
                            (["interpret", *openmp], "--size"), (["check", "--equiv", *product[:3]], "--size")):
        refuses(test, "tangram", [*command, option, "a=4096,128"], 2, shape.format(option))
    for size, message in (("A=3x3", ": gemm<float> has no container, extent or integer 'A'; did you mean a?"),
                          ("a=3x", " a=3x: expected a size such as 1000 or 2^24, found 3x"),
                          ("a=-1x3", " a=-1x3: expected a size such as 1000 or 2^24, found -1x3"),
                          ("=3", " =3: expected a size such as 1000 or 2^24, found =3; a name stands before the =: "
                                 "--for-size NAME=3"),
                          ("a=4x4,b=3x3", " a=4x4,b=3x3: expected a size such as 1000 or 2^24, found b=3x3; each container "
                                          "has a --for-size of its own: --for-size b=3x3"),
                          ("a=4x4x4", " a=4x4x4: expected 2 extents, found 3; an x joins the extents of a shape: "
                                      "--for-size a=4x4"),
                          ("a_size0=4x4", " a_size0=4x4: expected 1 extent, found 2; write --for-size a_size0=4")):
        refuses(test, "tangram", ["plans", *product, "--for-size", size], 2, f"error: --for-size{message}\n")
    no_plan = "codelets/gemm.cpp:6:6: error: no plan of gemm<float> serves a size that was asked for: "
    for sizes, message in ((["a=99999999999x99999999999"], "a: shape (99999999999, 99999999999) does not fit in memory"),
                           (["a=4x4", "--for-size", "b=3x3"], "expected b_size0 == a_size1, found b_size0 = 3 (--for-size b) "
                                                              "and a_size1 = 4 (--for-size a)")):
        for command in (["plans", *product], ["synth", *openmp, "-o", test.scratch / "sizes"]):
            done = test.run("tangram", *command, "--for-size", *sizes)
            test.equal((done.status, done.err.splitlines()[0], done.out), (1, no_plan + message, ""), f"{command[0]} {sizes}")
    listed = test.expect("tangram", *PLANS, "cpu", "--strategy", "predict", "--format", "json").out
    test.equal(json.loads(listed)["plans"][0]["id"], plans[0]["id"], "the first plan for the first target of the model")
    named = ["synth", SUM, "--spectrum", "sum", "--hw", "cpu", "--target", "openmp", "--plan", plans[0]["id"],
             "--for-size", "1000000", "-o", test.scratch / "named", "--format", "json"]
    test.equal(json.loads(test.expect("tangram", *named).out)["plans"][0]["id"], plans[0]["id"], "an id beside sizes")


def tuning(test):
    """Stores and bundles that cannot be used, and options that make no sense."""
    bundle, store = test.scratch / "tuned", test.scratch / "tuning.db"
    test.expect("tangram", *OPENMP, bundle)
    (test.scratch / "text.db").write_text("this is no database" * 100)
    (test.scratch / "empty.db").write_text("")
    (test.scratch / "nothing").mkdir()
    tune = ["tune", bundle, "--size", "100", "--store"]
    refuses(test, "tangram-run", ["tune", bundle], 2,
            "tangram-run tune needs --store FILE, which is missing\n" + more("tangram-run tune"))
    refuses(test, "tangram-run", [*tune, test.scratch / "text.db"], 1,
            "tangram-run: {}/text.db: is no SQLite database: file is not a database\n")
    refuses(test, "tangram-run", [*tune, test.scratch / "none" / "a.db"], 1,
            "tangram-run: {}/none/a.db: cannot be opened: No such file or directory\n")
    for arguments, status, message in [
            (["tune", test.scratch / "nothing"], 1,
             "{}/nothing: expected a bundle or a folder of bundles, found neither manifest.json nor a "
             "bundle in it"),
            (["tune", test.scratch / "nowhere"], 1, "{}/nowhere: cannot be read: No such file or directory"),
            (["tune", bundle, "--set", "p=1,2"], 2,
             "--set: expected one value of a tunable, found several: tune chooses among all that are not fixed"),
            (["tune", bundle, "--set", "q=1"], 2, "--set q: expected a tunable (p); did you mean p?"),
            (["tune", bundle, "--set", "p=0"], 2, "{}/tuned: --set p=0: expected a value in [1, 4096]"),
            (["tune", bundle, "--size", "inn=3"], 2,
             "--size inn: expected a container or an extent (in, in_size); did you mean in?")]:
        refuses(test, "tangram-run", [*arguments, "--store", store], status, f"tangram-run: {message}\n")
    refuses(test, "tangram-run", [*tune, store, "--budget", "0"], 2,
            "tangram-run tune: --budget: expected a number from 1 to 100000000, found 0\n" + more("tangram-run tune"))
    refuses(test, "tangram-run", ["store"], 2,
            "tangram-run store: a command is missing\nIts commands: show, best, export, merge\n" + more("tangram-run store"))
    for command in ("show", "best", "export"):
        refuses(test, "tangram-run", ["store", command, test.scratch / "none.db"], 1,
                "tangram-run: {}/none.db: cannot be opened: No such file or directory\n")
        refuses(test, "tangram-run", ["store", command, test.scratch / "empty.db"], 1,
                "tangram-run: {}/empty.db: is empty: nothing has been measured yet\n")
    refuses(test, "tangram-run", ["time", bundle, "--store", test.scratch / "text.db"], 1,
            "tangram-run: {}/text.db: is no SQLite database: file is not a database\n")
    refuses(test, "tangram-run", ["store", "merge", test.scratch / "new.db", test.scratch / "text.db"], 1,
            "tangram-run: {}/text.db: is no SQLite database: file is not a database\n")
    test.check(not (test.scratch / "new.db").exists(), "a merge that fails makes no store")
    refuses(test, "tangram", [*OPENMP, test.scratch / "x", "--tune-set", "2", "--plan", "all"], 2,
            "tangram synth: --plan excludes --tune-set\n" + more("tangram synth"))
    refuses(test, "tangram", [*OPENMP, test.scratch / "x", "--plans", "2", "--plan", "all"], 2,
            "tangram synth: --plan excludes --plans\n" + more("tangram synth"))
    refuses(test, "tangram", [*OPENMP, test.scratch / "x", "--plans", "2", "--tune-set", "2"], 2,
            "tangram synth: --tune-set excludes --plans\n" + more("tangram synth"))
    refuses(test, "tangram", [*OPENMP, test.scratch / "x", "--plans", "0"], 2,
            "tangram synth: --plans: Value 0 not in range 1 to 16\n" + more("tangram synth"))
    refuses(test, "tangram-run", ["time", bundle, "--versions", "some"], 2,
            "tangram-run time: --versions: some not in {all,chosen}\n" + more("tangram-run time"))
    refuses(test, "tangram", [*OPENMP, test.scratch / "x", "--store", test.scratch / "none.db"], 1,
            "error: {}/none.db: cannot be opened: No such file or directory\n")
    done = test.expect("tangram-run", *tune, store, "--budget", "3", "--repeat", "1")
    test.equal(done.err, "", "tune: standard error")
    lines = done.out.splitlines()
    test.check(lines[0].startswith("sum  in_size=100  on ") and lines[-1].startswith("best: "),
               f"tune: results\n{done.out}")


def main():
    test = Pipeline(__doc__)
    synthesizer(test)
    sketches_and_comparisons(test)
    synthesizer_usage(test)
    help_fits(test)
    unnamed_spectrum(test)
    completion(test)
    runtime(test)
    devices(test)
    crashes(test)
    results_only(test)
    timing(test)
    plans_of_targets(test)
    predictions(test)
    tuning(test)
    test.finish()


if __name__ == "__main__":
    main()
