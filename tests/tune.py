"""tangram-run tune: it finds what is fastest, survives settings that are wrong, crash or never end,
keeps nothing that is not better, and goes on where it was killed.

    python3 tests/tune.py --tangram build/tangram --tangram-run build/tangram-run --kills 200

Bundles are made here whose time is known: they sleep, for as long as their tunables say.
"""

import json
import os
import pty
import random
import shutil
import signal
import subprocess
import time

from pipeline import OPENMP_ENVIRONMENT, ROOT, Pipeline

# Microseconds of a setting; q is compiled into the bundle.
BOWL = "(1000 + 6000 * distance(p, 3) + 6000 * distance(Q, 1))"
ENTRY = """#include "sum.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static long distance(size_t value, long to) {{
  long log = 0;
  while (value >> (log + 1))
    ++log;
  return labs(log - to);
}}
int tangram_call(void *const *a) {{
  const size_t p = *(const size_t *)a[3];
  const char *log = getenv("TUNE_TEST_LOG");
  if (log) {{
    FILE *file = fopen(log, "a");
    fprintf(file, "%zu %d\\n", p, Q);
    fclose(file);
  }}
  {extra}
  struct timespec t = {{0, 1000L * {cost}}};
  nanosleep(&t, NULL);
  return sum(*(const int *const *)a[0], *(const size_t *)a[1], *(int *const *)a[2], p);
}}
"""
TUNABLES = [
    {"name": "p", "kind": "launch", "default": "2", "min": 1, "max": 64,
     "values": [1, 2, 4, 8, 16, 32, 64], "meaning": "number of tiles"},
    {"name": "Q", "kind": "compile", "default": "1", "min": 1, "max": 4, "values": [1, 2, 4],
     "meaning": "nothing"}]
SETTINGS = 20  # one of 21 breaks the constraint


def more_arguments(parser):
    parser.add_argument("--kills", type=int, default=12, help="how often tuning is killed")
    parser.add_argument("--seed", type=int, default=1)


def sleeper(test, name, cost=BOWL, extra="", plan="00000001"):
    """A bundle that takes `cost` microseconds; `extra` are statements before that."""
    folder = test.scratch / name
    shutil.copytree(ROOT / "runtime/testdata/openmp_sum", folder)
    (folder / "entry.c").write_text(ENTRY.format(cost=cost, extra=extra))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["tunables"] = TUNABLES
    manifest["constraints"] = [{"require": "p * Q <= 128", "reason": "there are 128 of them"}]
    manifest["plan"]["id"] = plan
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def arguments_of(store, *bundles, repeat=3):
    return ["tune", *map(str, bundles), "--store", str(store), "--size", "1000", "--repeat",
            str(repeat), "--warmup", "0", "--time-limit", "2", "--format", "json"]


def tune(test, store, *bundles, more=(), **options):
    done = test.run("tangram-run", *arguments_of(store, *bundles, **options), *more,
                    environment=OPENMP_ENVIRONMENT)
    if done.status != 0:
        test.fail(f"tune: status {done.status}\n{done.err}{done.out}")
        test.finish()
    return json.loads(done.out)["results"]


def exported(test, store):
    return json.loads(test.expect("tangram-run", "store", "export", store).out)


def finds(test):
    """Everything is tried; the best is known; the second time nothing is run."""
    bundle, store = sleeper(test, "bowl"), test.scratch / "bowl.db"
    result = tune(test, store, bundle)[0]
    plan = result["plans"][0]
    test.equal(result["exhaustive"], True, "a small space is measured whole")
    test.equal((plan["settings"], plan["tried"], plan["measured"]), (SETTINGS,) * 3, "settings")
    test.equal(plan["best"]["tunables"], {"Q": 2, "p": 8}, "the fastest setting")
    test.equal(plan["default"]["tunables"], {"Q": 1, "p": 2}, "the default")
    test.equal(plan["compared"], True, "compared at the end")
    before = store.read_bytes()
    again = tune(test, store, bundle)[0]["plans"][0]
    test.equal((again["from_store"], again["best"]), (SETTINGS, plan["best"]), "the second time")
    test.equal(store.read_bytes(), before, "the store after the second time")
    row = test.expect("tangram-run", "time", bundle, "--size", "1500", "--repeat", "1", "--store", store,
                      environment=OPENMP_ENVIRONMENT).out
    test.check("  Q=2 p=8  " in row, f"time --store takes what was chosen nearby: {row}")
    row = test.expect("tangram-run", "verify", bundle, "--size", "1500", "--set", "p=4", "--store",
                      store, environment=OPENMP_ENVIRONMENT).out
    test.check("  Q=2 p=4" in row, f"what is fixed stays: {row}")
    best = test.expect("tangram-run", "store", "best", store).out
    test.check("Q=2 p=8" in best, f"store best: {best}")
    fixed = tune(test, test.scratch / "fixed.db", bundle, more=["--set", "p=16"])[0]["plans"][0]
    test.equal((fixed["settings"], fixed["best"]["tunables"]["p"]), (3, 16), "one tunable fixed")


def budget(test):
    """A few of many, and the same few with the same seed; a tuning that ended early says so."""
    bundle = sleeper(test, "budget")
    results = [tune(test, test.scratch / f"budget{i}.db", bundle, more=["--budget", "9"])[0]
               for i in range(2)]
    test.equal([r["exhaustive"] for r in results], [False, False], "a budget: exhaustive")
    test.check(all(r["plans"][0]["tried"] <= 9 for r in results), "a budget is kept")
    default = results[0]["plans"][0]["default"]
    test.equal(default["tunables"], {"Q": 1, "p": 2}, "a budget: the default is among them")
    test.check(all(r["plans"][0]["best"]["seconds"]["median"] < 0.9 * default["seconds"]["median"]
                   for r in results), f"a budget: {results}")
    short = test.run("tangram-run", *arguments_of(test.scratch / "short.db", bundle), "--seconds",
                     "0.000001", environment=OPENMP_ENVIRONMENT)
    test.equal(short.status, 3, "no time at all")


def nothing_worse(test):
    """Where all are as fast the default stays."""
    bundle = sleeper(test, "flat", cost=20000)
    # A machine that is busy while the default is measured, and idle afterwards, makes others look faster.
    for attempt in range(3):
        plan = tune(test, test.scratch / f"flat{attempt}.db", bundle)[0]["plans"][0]
        if plan["best"]["tunables"] == plan["default"]["tunables"]:
            break
    test.equal(plan["best"]["tunables"], plan["default"]["tunables"], "all as fast, three times")
    worse = sleeper(test, "worse", cost="(p == 2 && Q == 1 ? 1000 : 6000)")
    plan = tune(test, test.scratch / "worse.db", worse)[0]["plans"][0]
    test.equal(plan["best"]["tunables"], {"Q": 1, "p": 2}, "the default is the fastest")


def bad_settings(test):
    """Each costs one candidate: one that is wrong, one that crashes, one that never ends."""
    extra = ("if (p == 8 && Q == 2) { **(int **)a[2] = 7; return 0; }"
             "if (p == 8 && Q == 1) *(volatile int *)8 = 0;"
             "if (p == 8 && Q == 4) for (volatile int i = 0;; ++i) {}"
             "if (p == 16 && Q == 1) return 1;")
    bundle, store = sleeper(test, "bad", extra=extra), test.scratch / "bad.db"
    done = test.run("tangram-run", *arguments_of(store, bundle), environment=OPENMP_ENVIRONMENT)
    test.equal(done.status, 0, f"bad settings: status\n{done.err}")
    plan = json.loads(done.out)["results"][0]["plans"][0]
    test.equal([plan[key] for key in ("wrong", "crashed", "timed_out", "refused", "measured")],
               [1, 1, 1, 1, SETTINGS - 4], "bad settings")
    test.check(plan["best"]["tunables"]["p"] != 8, f"the best is right: {plan['best']}")
    test.check("bad: wrong with Q=2 p=8: result: got 7, expected" in done.err, f"message: {done.err}")
    statuses = {json.dumps(m["tunables"]): m["status"] for m in exported(test, store)["measurements"]}
    test.equal(statuses['{"Q": 4, "p": 8}'], "timed out", "in the store")
    # They are known to be bad: nothing is run, and nothing waited for.
    start = time.monotonic()
    again = tune(test, store, bundle)[0]["plans"][0]
    test.equal(again["from_store"], SETTINGS, "bad settings once more")
    test.check(time.monotonic() - start < 2, "a setting that never ends is not run again")
    never = sleeper(test, "never", extra="return 2;")
    done = test.run("tangram-run", *arguments_of(test.scratch / "never.db", never),
                    environment=OPENMP_ENVIRONMENT)
    test.equal(done.status, 3, "nothing runs: status")
    test.equal(json.loads(done.out)["results"][0]["best"], None, "nothing runs: best")


def several_plans(test):
    """Bundles are compared with each other; a folder stands for those in it."""
    slow = sleeper(test, "set/slow", cost=f"({BOWL} + 9000)", plan="0000000a")
    fast = sleeper(test, "set/fast", plan="0000000b")
    result = tune(test, test.scratch / "set.db", slow, fast, more=["--budget", "24"])[0]
    test.equal(result["best"], "0000000b", "the best plan")
    test.equal(result["plans"][1]["best"]["tunables"], {"Q": 2, "p": 8}, "its best setting")
    folder = tune(test, test.scratch / "folder.db", slow.parent)[0]
    test.equal([plan["plan"] for plan in folder["plans"]], ["0000000b", "0000000a"], "by name")
    (slow.parent / "tune-set.json").write_text(
        json.dumps({"format": "tangram-tune-set", "version": 1, "bundles": ["slow"]}))
    manifest = json.loads((slow / "manifest.json").read_text())
    manifest["constraints"].append({"require": "in_size > 1000", "reason": "it is for more"})
    (slow / "manifest.json").write_text(json.dumps(manifest))
    refused = tune(test, test.scratch / "refused.db", slow, fast, more=["--budget", "1"])[0]
    test.check(refused["plans"][0]["refusal"].startswith("it is for more: in_size > 1000 does not hold"),
               f"a bundle that cannot serve the size: {refused['plans'][0]}")
    test.equal(refused["best"], "0000000b", "the others go on")
    manifest["constraints"].pop()
    (slow / "manifest.json").write_text(json.dumps(manifest))
    listed = tune(test, test.scratch / "listed.db", slow.parent, more=["--budget", "2"])[0]
    test.equal([plan["plan"] for plan in listed["plans"]], ["0000000a"], "as it is listed")


def merged(test):
    """Two machines, one store."""
    bundle = sleeper(test, "merged")
    mine, theirs = test.scratch / "mine.db", test.scratch / "theirs.db"
    tune(test, mine, bundle, more=["--set", "Q=1"], repeat=1)
    tune(test, theirs, bundle, more=["--set", "Q=4"], repeat=1)
    done = test.expect("tangram-run", "store", "merge", mine, theirs)
    test.check(done.out.startswith(f"{theirs}: 6 added, "), done.out)
    everything = exported(test, mine)["measurements"]
    test.equal(len(everything), 13, "both")
    test.equal(tune(test, mine, bundle, repeat=1)[0]["plans"][0]["from_store"], 13, "what was merged is not run")


def tune_sets(test):
    """What `synth --tune-set` writes, tuned as a whole."""
    out = test.scratch / "tuneset"
    done = test.expect("tangram", "synth", "codelets/sum.cpp", "--spectrum", "sum", "--hw", "cpu",
                       "--target", "openmp", "--tune-set", "3", "-o", out, "--format", "json")
    ids = [plan["id"] for plan in json.loads(done.out)["plans"]]
    test.equal(len(set(ids)), 3, "three plans")
    test.equal(json.loads((out / "tune-set.json").read_text())["bundles"], ids, "the list")
    best = test.expect("tangram", "synth", "codelets/sum.cpp", "--spectrum", "sum", "--hw", "cpu",
                       "--target", "openmp", "-o", test.scratch / "one", "--format", "json")
    test.equal(ids[0], json.loads(best.out)["plans"][0]["id"], "the first is what synth takes")
    sources = {(out / plan / "sum.c").read_text().split("{", 1)[1] for plan in ids}
    test.equal(len(sources), 3, "they differ in what they do")
    result = tune(test, test.scratch / "tuneset.db", out, more=["--budget", "9", "--size", "100000"])[0]
    test.equal(sorted(plan["plan"] for plan in result["plans"]), sorted(ids), "tuned")
    test.check(result["best"] in ids, "one of them is the best")


def progress(test):
    """On a terminal the best so far is shown; in a pipe nothing is."""
    bundle = sleeper(test, "shown")
    command = [test.commands["tangram-run"], *arguments_of(test.scratch / "shown.db", bundle)]
    reader, terminal = pty.openpty()
    tuning = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal,
                              env={**os.environ, **OPENMP_ENVIRONMENT})
    os.close(terminal)
    shown = ""
    try:
        while more := os.read(reader, 4096):
            shown += more.decode()
    except OSError:  # the other end is closed
        pass
    os.close(reader)
    results = json.loads(tuning.stdout.read())["results"]
    test.equal(tuning.wait(), 0, "on a terminal: status")
    test.check(f"[2/{SETTINGS}] best " in shown and "comparing, best " in shown, f"progress: {shown!r}")
    test.check(shown.endswith("\r\033[K"), f"it goes: {shown[-80:]!r}")
    test.equal(results[0]["best"], "00000001", "on a terminal: results")


def tuned_library(test):
    """What was found stands in what `synth --store` writes."""
    store, out = test.scratch / "library.db", test.scratch / "library"
    options = ["codelets/sum.cpp", "--spectrum", "sum", "--hw", "simple-cpu", "--target", "openmp"]
    test.expect("tangram", "synth", *options, "-o", out)
    plan = json.loads((out / "manifest.json").read_text())["plan"]["id"]
    # A choice that no default is: 3 threads.
    tune(test, store, out, more=["--set", "p=3"])
    tuned = test.scratch / "tuned"
    test.expect("tangram", "synth", *options, "-o", tuned, "--store", store, "--for-size", "1000")
    manifest = json.loads((tuned / "manifest.json").read_text())
    test.equal(manifest["plan"]["id"], plan, "the plan")
    test.equal([t["default"] for t in manifest["tunables"] if t["name"] == "p"], ["3"], "its default")
    row = test.expect("tangram-run", "verify", tuned, "--size", "1000", environment=OPENMP_ENVIRONMENT).out
    test.check("  p=3" in row, f"what runs: {row}")
    main = test.scratch / "main.c"
    main.write_text('#include "sum.h"\n#include <stdio.h>\nint main(void) { int a[] = {1, 2, 3, 4}, r;\n'
                    '  return sum(a, 4, &r) || r != 10; }\n')
    program = test.scratch / "main"
    subprocess.run(["cc", "-fopenmp", "-I", tuned, main, tuned / "sum.c", "-o", program], check=True)
    test.equal(subprocess.run([program], check=False).returncode, 0, "the library")
    source = (tuned / "sum.c").read_text()
    test.check(source != (out / "sum.c").read_text() and "3" in source, "the host code has the default")
    done = test.run("tangram", "synth", "codelets/scan.cpp", "--spectrum", "scan<int>", "--hw",
                    "simple-cpu", "--target", "openmp", "-o", test.scratch / "none", "--store", store)
    test.equal((done.status, done.err.splitlines()[-1]),
               (1, f"error: {store}: nothing was chosen for scan_int and openmp"), "nothing chosen")


def started(log):
    return {tuple(map(int, line.split())) for line in log.read_text().splitlines()} if log.exists() else set()


def stored(test, store):
    if not store.exists():
        return {}
    done = test.run("tangram-run", "store", "export", store)
    if done.err == f"tangram-run: {store}: is empty: nothing has been measured yet\n":
        return {}
    if not test.equal((done.status, done.err), (0, ""), "a store after a kill"):
        test.finish()
    return {(m["tunables"]["p"], m["tunables"]["Q"]): m for m in json.loads(done.out)["measurements"]}


def kills(test):
    """Killed at random: at most the setting that was being run is lost, and the end is the same."""
    rng = random.Random(test.arguments.seed)
    bundle = sleeper(test, "killed")
    temporary = test.scratch / "temporary"
    temporary.mkdir()
    unfinished = 0
    for number in range(test.arguments.kills):
        store, log = test.scratch / f"killed{unfinished}.db", test.scratch / f"killed{unfinished}.log"
        environment = {**os.environ, **OPENMP_ENVIRONMENT, "TUNE_TEST_LOG": str(log),
                       "TMPDIR": str(temporary)}
        before = stored(test, store)
        tuning = subprocess.Popen([test.commands["tangram-run"], *arguments_of(store, bundle), "--no-sandbox"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment,
                                  start_new_session=True)
        time.sleep(rng.uniform(0, 2.0))
        ended = tuning.poll() is not None
        tuning.send_signal(signal.SIGKILL)
        tuning.wait()
        time.sleep(0.02)  # what it had started ends with it
        after = stored(test, store)
        lost = started(log) - set(after)
        test.check(len(lost) <= 1, f"kill {number}: lost {sorted(lost)}")
        test.check(set(before) <= set(after), f"kill {number}: {sorted(set(before) - set(after))} gone")
        bad = [m for m in after.values() if m["status"] != "measured"]
        test.check(not bad, f"kill {number}: {bad}")
        # Every third store is taken to its end.
        if ended or number % 3 == 2:
            plan = tune(test, store, bundle)[0]["plans"][0]
            test.equal(plan["from_store"], len(after), f"kill {number}: what is not run again")
            test.equal(plan["best"]["tunables"], {"Q": 2, "p": 8}, f"kill {number}: the end")
            unfinished += 1
    print(f"{test.arguments.kills} kills, {unfinished} tunings taken to their end")


def main():
    test = Pipeline(__doc__, more_arguments, as_shipped=True)
    finds(test)
    budget(test)
    nothing_worse(test)
    bad_settings(test)
    several_plans(test)
    merged(test)
    tune_sets(test)
    progress(test)
    tuned_library(test)
    kills(test)
    test.finish()


if __name__ == "__main__":
    main()
