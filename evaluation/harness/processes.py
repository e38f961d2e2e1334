"""Runs child processes, with a time limit, and measures them."""

import contextlib
import dataclasses
import errno
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time


@dataclasses.dataclass
class Sample:
    seconds: float
    peak_mib: float
    cpu_s: float = 0.0  # of all its threads


class Failed(Exception):
    """A command ended badly; the text names it and shows the end of what it said."""


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def problem(error: OSError | ValueError) -> str:
    """In a line: "FILE: No such file or directory"."""
    said = f"{error.filename}: {error.strerror}" if getattr(error, "filename", None) else str(error)
    return said.splitlines()[0] if said else repr(error)


def make_folder(folder: pathlib.Path) -> None:
    """Makes it where it is missing; OSError where it cannot be written."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


def output(command: list[str], limit_s: float = 600, allow: tuple[int, ...] = (0,)) -> str:
    """Standard output of a command that has to succeed. Past the limit it ends, with all that it has started."""
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True, start_new_session=True)
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from None
    with child:
        try:
            out, complaints = child.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            end_all(child)
            raise Failed(f"{' '.join(command)}: no end after {limit_s:.0f} s") from None
        except BaseException:
            end_all(child)
            raise
    if child.returncode not in allow:
        said = (complaints or out).strip()[-2000:]
        raise Failed(f"{' '.join(command)}: exit status {child.returncode}\n{said}")
    return out


def end_all(child: subprocess.Popen) -> None:
    """Ends a child that leads a session of its own, and what it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def sample(command: list[str], keep: pathlib.Path | None = None,
           allow: tuple[int, ...] = (0,)) -> Sample:
    """One run from its start to its end: wall clock, and the peak of its resident memory.

    The peak is the kernel's (getrusage); it cannot show less than this interpreter
    itself occupies when it starts the child, about 10 MiB.
    """
    with open(keep or os.devnull, "wb") as out, open(os.devnull, "rb") as nothing:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=nothing, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in allow:
        raise Failed(f"{' '.join(command)}: exit status {child.returncode}")
    return Sample(seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)


def summary(seconds: list[float]) -> dict:
    """Median, extremes and spread of repeated timings, in seconds."""
    ordered = sorted(seconds)
    quarter = len(ordered) // 4
    return {
        "runs": len(ordered),
        "median": statistics.median(ordered),
        "min": ordered[0],
        "max": ordered[-1],
        "quartiles": [ordered[quarter], ordered[-1 - quarter]],
    }


def reported_seconds(said: str) -> float:
    """The last number on a line that speaks of time, in seconds unless it says ms."""
    found = re.findall(r"(?im)^.*\btime\b.*?([0-9]+\.?[0-9]*(?:e[-+]?[0-9]+)?)\s*(ms)?[^0-9]*?$", said)
    if not found:
        raise Failed(f"the peer says nothing of its time: {said[-300:]}")
    number, unit = found[-1]
    return float(number) * (1e-3 if unit else 1)
