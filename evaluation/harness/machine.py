"""Describes the machine a figure was measured on. A figure without it means nothing."""

import datetime
import os
import pathlib
import platform
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def first_line(*command: str) -> str | None:
    """First line a command prints, or None where it does not exist or fails."""
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else None


def processor() -> str:
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def caches() -> list[str]:
    """Caches of the first core, as "L1 Data 32K"; what the hypervisor shows, on a virtual machine."""
    found = []
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            level, kind, size = (
                (index / name).read_text().strip() for name in ("level", "type", "size")
            )
        except OSError:
            continue
        found.append(f"L{level} {kind} {size}")
    return found


def memory_gib() -> float | None:
    try:
        for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemTotal:"):
                return round(int(line.split()[1]) / 2**20, 1)
    except OSError:
        pass
    return None


def operating_system() -> str:
    try:
        for line in pathlib.Path("/etc/os-release").read_text().splitlines():
            if line.startswith("PRETTY_NAME="):
                return line.split("=", 1)[1].strip('"')
    except OSError:
        pass
    return platform.system()


def compilers() -> dict[str, str]:
    lines = {
        "cc": first_line(os.environ.get("CC", "cc"), "--version"),
        "c++": first_line("g++", "--version"),
        "clang": first_line("clang++-19", "--version"),
        "nvcc": (first_line("sh", "-c", "nvcc --version | grep release")
                 if shutil.which("nvcc") else None),
    }
    return {name: line for name, line in lines.items() if line}


def tell_openblas() -> None:
    """OpenBLAS 0.3.21 takes processors newer than itself for a Prescott. Programs that are started from
    here have it use the kernels for what the processor can do, unless somebody says otherwise."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text().split("flags", 1)[-1].split("\n", 1)[0].split()
    except OSError:
        return
    kernels = "SkylakeX" if "avx512f" in flags else "Haswell" if {"avx2", "fma"} <= set(flags) else None
    if kernels:
        os.environ.setdefault("OPENBLAS_CORETYPE", kernels)


def gpu() -> str | None:
    return first_line(
        "nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"
    )


def describe() -> dict:
    """Everything about this machine that a reader of a figure wants to know."""
    revision = first_line("git", "-C", str(ROOT), "describe", "--always", "--dirty")
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "revision": revision,
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "caches": caches(),
        "memory_gib": memory_gib(),
        "gpu": gpu(),
        "system": operating_system(),
        "kernel": platform.release(),
        "compilers": compilers(),
        "load_before": os.getloadavg()[0],
    }


def sentence(machine: dict, several: bool = False) -> str:
    """One line of `describe()`, to stand under a table; of several runs, whose dates stand there, the last one's."""
    parts = [f"{'The machine of the last run: ' if several else ''}{machine['processor']}, {machine['cores']} cores"]
    if machine["caches"]:
        parts.append(", ".join(machine["caches"]))
    if machine["memory_gib"]:
        parts.append(f"{machine['memory_gib']} GiB")
    if machine["gpu"]:
        parts.append(machine["gpu"])
    parts.append(machine["system"])
    parts.extend(machine["compilers"].values())
    return "; ".join(parts) + ("." if several else f". Measured {machine['date']}, revision {machine['revision']}.")
