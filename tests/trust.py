"""A bundle is a program, and need not be a friend's: what `tangram-run` lets it do, and what it does with its files.

A bundle whose C does in a constructor, in its entry point and in a process that stays behind what an attacker
would; and files and folders of other people where the two commands write theirs.
"""

import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import stat
import subprocess
import time

from pipeline import Pipeline

SUM = "codelets/sum.cpp"
SYNTH = ["synth", SUM, "--spectrum", "sum", "--hw", "simple-cpu", "--target", "openmp"]

# Put at the end of entry.c; ATTEMPTS is a folder of the test, PORT somebody who listens, OWNER the test.
HOSTILE = r"""
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void attempt(const char *when) {
  char name[256];
  snprintf(name, sizeof name, ATTEMPTS "/%s", when);
  int file = open(name, O_WRONLY | O_CREAT, 0600);
  printf("verified  ../good\n{\"runs\": []}\n\033[2J\n");
  fflush(stdout);
  fprintf(stderr, "%s: file %d\n", when, file < 0 ? errno : 0);
  file = open(ATTEMPTS "/mine", O_WRONLY | O_TRUNC);
  fprintf(stderr, "%s: existing %d\n", when, file < 0 ? errno : 0);
  fprintf(stderr, "%s: removed %d\n", when, unlink(ATTEMPTS "/mine") != 0 ? errno : 0);
  snprintf(name, sizeof name, "%s/here", getenv("TMPDIR"));
  fprintf(stderr, "%s: temporary %d\n", when, open(name, O_WRONLY | O_CREAT, 0600) < 0 ? errno : 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int s = socket(AF_INET, SOCK_STREAM, 0);
  fprintf(stderr, "%s: network %d\n", when, connect(s, (struct sockaddr *)&address, sizeof address) != 0 ? errno : 0);
  fprintf(stderr, "%s: signal %d\n", when, kill(OWNER, 0) != 0 ? errno : 0);
  fprintf(stderr, "%s: descriptor %d\n", when, fcntl(INHERITED, F_GETFD) < 0 ? errno : 0);
  fprintf(stderr, "%s: session %d\n", when, getsid(0) == getppid() ? 1 : 0);
}

__attribute__((constructor)) static void loaded(void) {
  attempt("constructor");
  pid_t child = fork();
  if (child == 0) {
    execlp("sleep", "sleep", "4242", (char *)0);
    _exit(1);
  }
  fprintf(stderr, "constructor: child %d\n", (int)child);
}
"""


def landlock():
    """The kernel's version of it; 0: none."""
    import ctypes
    return max(0, ctypes.CDLL(None).syscall(444, None, 0, 1))


def lives(process):
    """Whether it is still the program that the bundle has started."""
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes() == b"sleep\x004242\x00"
    except OSError:
        return False


def bundle_does_what_it_may(test):
    [bundle] = test.synth(SUM, "sum", "simple-cpu", "openmp", "hostile")
    attempts = test.scratch / "attempts"
    attempts.mkdir()
    listener = socket.create_server(("127.0.0.1", 0))
    kept = 200
    os.dup2(os.open("/dev/null", os.O_RDONLY), kept)
    entry = (bundle / "entry.c").read_text()
    (bundle / "entry.c").write_text(
        f'#define _GNU_SOURCE\n#define ATTEMPTS "{attempts}"\n#define PORT {listener.getsockname()[1]}\n'
        f"#define OWNER {os.getpid()}\n#define INHERITED {kept}\n" + entry + HOSTILE)

    def run(*options):
        (attempts / "mine").write_text("mine")
        done = subprocess.run([test.commands["tangram-run"], "verify", bundle, "--size", "100", *options],
                              capture_output=True, text=True, check=False, timeout=120, pass_fds=[kept])
        said = dict(line.removeprefix("bundle: constructor: ").rsplit(" ", 1)
                    for line in done.stderr.splitlines() if line.startswith("bundle: constructor: "))
        children = [int(line.rsplit(" ", 1)[1]) for line in done.stderr.splitlines() if ": constructor: child " in line]
        return done, {what: int(number) for what, number in said.items()}, children

    done, said, children = run("--verbose")
    test.check(done.returncode == 0 and done.stdout.count("\n") == 1 and done.stdout.startswith("verified "),
               f"only verdicts stand on standard output: {done.stdout}")
    test.check("\x1b" not in done.stdout + done.stderr and "bundle: verified  ../good" in done.stderr,
               f"what a bundle prints is marked: {done.stderr}")
    test.check("sandbox: " in done.stderr, f"--verbose: {done.stderr}")
    test.equal((said.get("descriptor"), said.get("session"), said.get("temporary")), (9, 0, 0),
               f"descriptors are closed, the session is its own, TMPDIR can be written: {said}")
    version = landlock()
    if version >= 1:
        test.equal((said["file"], said["removed"], (attempts / "mine").read_text()), (13, 13, "mine"),
                   f"files of others: {said}")
        test.equal([path.name for path in attempts.iterdir()], ["mine"], "what a bundle has made")
    if version >= 4:
        test.equal(said["network"], 13, f"the network: {said}")
    if version >= 6:
        test.equal(said["signal"], 1, f"signals: {said}")
    time.sleep(0.2)
    test.check(children and not any(lives(child) for child in children), f"processes that a bundle has left: {children}")
    done, said, children = run("--no-sandbox", "--verbose")
    test.check(said.get("file") == 0 and said.get("network") == 0 and "sandbox: none" in done.stderr,
               f"--no-sandbox: {said} {done.stderr}")
    for child in filter(lives, children):
        os.kill(child, signal.SIGKILL)


def limits(test):
    """Processes, files and memory without end."""
    for name, code in {"memory": "for (;;) { char *p = malloc(1 << 28); if (!p) break; memset(p, 1, 1 << 12); }",
                       "file": 'FILE *f = tmpfile(); if (f) for (int i = 0; i < 8192; ++i) { static char b[1 << 20]; '
                               "if (!fwrite(b, sizeof b, 1, f)) break; }",
                       "output": 'for (int i = 0; i < 1000000; ++i) puts("noise noise noise noise noise");'}.items():
        if name == "file":
            continue # four gibibytes: by hand
        [bundle] = test.synth(SUM, "sum", "simple-cpu", "openmp", f"limits-{name}")
        entry = (bundle / "entry.c").read_text()
        (bundle / "entry.c").write_text("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" + entry +
                                        f"\n__attribute__((constructor)) static void loaded(void) {{ {code} }}\n")
        done = test.run("tangram-run", "verify", bundle, "--size", "100", timeout=120)
        test.check(done.status in (0, 3) and len(done.err) < 1 << 22, f"{name}: {done.status} {done.err[-500:]}")
        test.check(not done.out.count("noise"), f"{name}: noise on standard output")


def sets(test):
    """A list of bundles names folders below its own."""
    out = test.scratch / "set"
    test.expect("tangram", *SYNTH, "--tune-set", "2", "-o", out)
    file = out / "tune-set.json"
    listed = json.loads(file.read_text())
    first = listed["bundles"][0]
    (out / "link").symlink_to(out / first)
    for path in ("../set/" + first, str(out / first), "link", "./" + first, ""):
        file.write_text(json.dumps({**listed, "bundles": [path]}))
        done = test.run("tangram-run", "tune", out, "--store", test.scratch / "t.db", "--size", "10", "--budget", "1")
        test.check(done.status == 1 and "folders of bundles below" in done.err, f"{path}: {done.status} {done.err}")


def folders(test):
    """What is in a bundle's folder and not of it stays."""
    out = test.scratch / "kept"
    test.expect("tangram", *SYNTH, "-o", out)
    (out / "build").mkdir()
    (out / "build" / "sum.o").write_text("built")
    (out / "notes").write_text("years of work")
    test.expect("tangram", *SYNTH, "--python", "-o", out)
    test.expect("tangram", *SYNTH, "-o", out)
    test.check((out / "build" / "sum.o").read_text() == "built" and (out / "notes").read_text() == "years of work" and
               not (out / "sum.py").exists(), f"what is left: {sorted(p.name for p in out.iterdir())}")
    other = ["synth", "codelets/dot.cpp", "--spectrum", "dot<float>", "--hw", "simple-cpu", "--target", "openmp", "-o", out]
    done = test.run("tangram", *other)
    test.check(done.status == 1 and "holds a bundle of sum, not of dot_float" in done.err, f"another spectrum: {done.err}")
    test.expect("tangram", *other, "--force")
    test.check((out / "notes").exists() and (out / "dot_float.c").exists() and not (out / "sum.c").exists(), "--force")
    test.expect("tangram-run", "verify", out, "--size", "10")
    # Killed at any time, there is the old bundle or the new one, and what it left goes.
    for milliseconds in (30, 60, 90, 120):
        process = subprocess.Popen([test.commands["tangram"], *other], stdout=subprocess.DEVNULL)
        time.sleep(milliseconds / 1000)
        process.kill()
        process.wait()
        test.expect("tangram-run", "verify", out, "--size", "10")
    test.expect("tangram", *other)
    test.equal([p.name for p in test.scratch.iterdir() if p.name.startswith(".tangram")], [], "leftovers")


def files(test):
    """Devices, links, full disks and folders that are not ours to change."""
    null = os.stat("/dev/null")
    compare = ["compare", SUM, "--spectrum", "sum", "--hw", "simple-cpu", "-o"]
    save = ["plans", SUM, "--spectrum", "sum", "--hw", "simple-cpu", "--save"]
    output = ["verify", test.scratch / "good", "--size", "9", "--output"]
    test.expect("tangram", *SYNTH, "-o", test.scratch / "good")
    ways = {"compare": lambda file: ("tangram", *compare, file), "plans": lambda file: ("tangram", *save, file),
            "verify": lambda file: ("tangram-run", *output, f"result={file}")}
    for name, words in ways.items():
        test.expect(*words("/dev/null"))
        test.check(stat.S_ISCHR(os.stat("/dev/null").st_mode) and os.stat("/dev/null").st_ino == null.st_ino,
                   f"/dev/null after {name}")
        done = test.run(*words("/dev/full"))
        test.check(done.status != 0 and "No space left on device" in done.err + done.out, f"{name} /dev/full: {done.err}")
        target = test.scratch / f"{name}-target"
        target.write_text("old")
        link = test.scratch / f"{name}-link"
        link.symlink_to(target.name)
        test.expect(*words(link))
        test.check(link.is_symlink() and target.read_bytes() != b"old", f"a link after {name}")
        target.write_text("old")
        done = subprocess.run(list(map(str, (test.commands[words(target)[0]], *words(target)[1:]))), capture_output=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)), check=False)
        test.check(done.returncode in (1, 3) and b"File too large" in done.stderr + done.stdout and
                   target.read_text() == "old", f"{name} on a full disk: {done}")
    test.check(not list(test.scratch.glob(".tangram-unfinished-*")), "leftovers of full disks")
    done = subprocess.run([test.commands["tangram"], *map(str, SYNTH), "-o", str(test.scratch / "good")], capture_output=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)), check=False)
    test.check(done.returncode == 1 and b"File too large" in done.stderr, f"synth on a full disk: {done}")
    test.expect("tangram-run", "verify", test.scratch / "good", "--size", "10")


def main():
    test = Pipeline(__doc__)
    bundle_does_what_it_may(test)
    limits(test)
    sets(test)
    folders(test)
    files(test)
    test.finish()


if __name__ == "__main__":
    main()
