"""Runs commands of the documentation as somebody would who reads it at the root of the source, but in a scratch folder:
`out/`, `/tmp/` and what else is written lie there, and the folders of the source are links.
"""

import os
import re
import subprocess

from pipeline import OPENMP_ENVIRONMENT, ROOT, Done, unwatched_leaks

LINKS = ["codelets", "docs", "evaluation", "examples", "frontend", "hwmodels", "scripts", "tests"]
SECONDS = 300  # that one command may take
# A time on a page is not compared: one run is enough.
QUICKLY = [(re.compile(r"\btangram run |\btangram-run (?:run|time) "), "--repeat", " --repeat 1 --warmup 0"),
           (re.compile(r"\btangram-run tune "), "--budget", " --budget 6 --repeat 1")]


def shortened(command):
    """With fewer runs, where the page does not say how many."""
    for pattern, option, fewer in QUICKLY:
        if pattern.search(command) and option not in command:
            program, *rest = re.split(r"(?= [|>#])", command, maxsplit=1)
            command = "".join([program, fewer, *rest])
    return command


class Commands:
    """A scratch folder, and the commands of one page in it."""

    def __init__(self, test):
        self.root = test.scratch / f"page{len(list(test.scratch.iterdir()))}"
        (self.root / "tmp").mkdir(parents=True)
        (self.root / "out").mkdir()
        for name in LINKS:
            (self.root / name).symlink_to(ROOT / name)
        self.programs = self.root / "build"
        self.programs.mkdir()
        for name, path in test.commands.items():
            (self.programs / name).symlink_to(path)

    def place(self, path):
        """Where a file of the page lies."""
        return self.root / path.lstrip("/")

    def write(self, path, text, appended):
        place = self.place(path)
        place.write_text(f"{place.read_text()}\n{text}" if appended else text)

    def run(self, command, quickly=True):
        """What stands on the terminal then."""
        shell = re.sub(r"(?<![\w./])/tmp/", f"{self.root}/tmp/", shortened(command) if quickly else command)
        environment = {**os.environ, **OPENMP_ENVIRONMENT, **unwatched_leaks(), "OMP_NUM_THREADS": "2",
                       "PATH": f"{self.programs}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", shell], cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, timeout=SECONDS, env=environment)
        text = done.stdout.replace(f"{self.root}/tmp/", "/tmp/").replace(f"{self.root}/", "").replace(f"{ROOT}/", "")
        return Done(done.returncode, text, "")

    def excerpt(self, path, first, last):
        """Lines of a file, moved left by what they have in common, or what is wrong."""
        place = self.place(path)
        if not place.exists():
            return f"{path} was not made"
        lines = place.read_text().splitlines()
        start = next((i for i, line in enumerate(lines) if first in line), None)
        if start is None:
            return f"no line of {path} contains {first!r}"
        end = next((i for i in range(start + 1, len(lines)) if last and last in lines[i]), None)
        if last and end is None:
            return f"no line of {path} behind {first!r} contains {last!r}"
        chosen = lines[start:end]
        left = min(len(line) - len(line.lstrip()) for line in chosen if line)
        return "\n".join(line[left:] for line in chosen).strip().splitlines()
