"""What measurements on a machine with a GPU share: tangram-run is compiled there from the checkout,
without LLVM, Clang or CMake. What the system lacks of its dependencies (nlohmann/json.hpp, CLI/CLI.hpp,
CL/cl.h, sqlite3.h, libsqlite3.a) is looked for in $TANGRAM_INCLUDE.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import time

from . import machine, processes


class OutOfTime(Exception):
    """The time limit has come; what was measured so far is all there is."""


class Clock:
    """The time that is left of --limit."""

    def __init__(self, limit_s: float):
        self.end = time.monotonic() + limit_s

    def left(self, at_most: float) -> float:
        remaining = self.end - time.monotonic()
        if remaining < 1:
            raise OutOfTime
        return min(remaining, at_most)


def register_opencl() -> str:
    """Makes NVIDIA's OpenCL driver known to the loader, where a container lacks the entry."""
    vendors = pathlib.Path("/etc/OpenCL/vendors")
    if any("nvidia" in path.read_text() for path in vendors.glob("*.icd")):
        return "NVIDIA's OpenCL driver is registered"
    if shutil.which("nvidia-smi") is None:
        return "no NVIDIA driver here; using what OpenCL there is"
    if os.geteuid() != 0:
        return "NVIDIA's OpenCL driver is not registered, and only root can do that"
    vendors.mkdir(parents=True, exist_ok=True)
    (vendors / "nvidia.icd").write_text("libnvidia-opencl.so.1\n")
    return "registered NVIDIA's OpenCL driver in /etc/OpenCL/vendors"


HEADERS = ("nlohmann", "CLI", "CL")
ARCHIVE = "libsqlite3.a"


def copy_dependencies(folder: pathlib.Path) -> None:
    """Headers, and the archive of SQLite, for a machine that lacks them: its $TANGRAM_INCLUDE."""
    for name in HEADERS:
        shutil.copytree(pathlib.Path("/usr/include") / name, folder / name, dirs_exist_ok=True)
    shutil.copy2("/usr/include/sqlite3.h", folder)
    for archive in pathlib.Path("/usr/lib").glob(f"*/{ARCHIVE}"):
        shutil.copy2(archive, folder)


def dependency_folders() -> list[pathlib.Path]:
    folders = os.environ.get("TANGRAM_INCLUDE", "")
    return [pathlib.Path(folder) for folder in folders.split(":") if folder]


def include_flags() -> list[str]:
    return [f"-I{folder}" for folder in dependency_folders()]


def sqlite_flag() -> str:
    archives = [folder / ARCHIVE for folder in dependency_folders() if (folder / ARCHIVE).exists()]
    return str(archives[0]) if archives else "-lsqlite3"


PARTS = ("ir", "escape", "files", "json", "algebra", "runtime", "driver/run", "driver/text")


def runtime_sources() -> list[str]:
    """What tangram-run is made of: the runtime, its command line, and the vocabulary."""
    parts = sorted(
        str(path.relative_to(machine.ROOT))
        for part in PARTS
        for path in (machine.ROOT / part).rglob("*.cpp")
        if not path.name.endswith("_test.cpp")
    )
    lists = (machine.ROOT / "driver" / "CMakeLists.txt").read_text()
    own = re.search(r"add_executable\(tangram-run ([^)]*)\)", lists)
    return parts + [f"driver/{name}" for name in own[1].split()]


EMBEDDED = re.compile(r"tangram_embed\(\$\{CMAKE_CURRENT_BINARY_DIR\}/(\S+) (\S+)([^)]*)\)")


def write_embedded(folder: pathlib.Path) -> None:
    """Write the headers that cmake/embed_text.cmake makes of files."""
    for part in ("runtime", "driver"):
        lists = (machine.ROOT / part / "CMakeLists.txt").read_text()
        for header, namespace, words in EMBEDDED.findall(lists):
            words = words.replace("${CMAKE_CURRENT_SOURCE_DIR}", str(machine.ROOT / part))
            words = words.replace("${CMAKE_SOURCE_DIR}", str(machine.ROOT)).split()
            texts = [f'inline constexpr const char *{name} = R"EMBEDDED({pathlib.Path(file).read_text()})EMBEDDED";'
                     for name, file in zip(words[::2], words[1::2])]
            (folder / header).parent.mkdir(parents=True, exist_ok=True)
            (folder / header).write_text("\n".join(
                ["#pragma once", f"namespace {namespace} {{", *texts, f"}} // namespace {namespace}", ""]))


def compile_one(source: str, folder: pathlib.Path, clock: Clock) -> str:
    unit = folder / (source.replace("/", "_") + ".o")
    processes.output(
        ["g++", "-std=c++20", "-O2", f"-I{machine.ROOT}", f"-I{folder}", f"-I{folder}/embedded", *include_flags(), "-c",
         str(machine.ROOT / source), "-o", str(unit)], limit_s=clock.left(240))
    return str(unit)


def build_runtime(folder: pathlib.Path, clock: Clock) -> str:
    binary = str(folder / "tangram-run")
    write_embedded(folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        units = list(pool.map(lambda s: compile_one(s, folder, clock), runtime_sources()))
    processes.output(["g++", *units, "-o", binary, sqlite_flag(), "-ldl", "-lm", "-pthread"], limit_s=clock.left(120))
    return binary


def provide(programs: tuple[str, ...], brought: pathlib.Path, folder: pathlib.Path, clock: Clock) -> None:
    """Programs, as far as they were brought, and tangram-run, which is built here where it was not."""
    for name in ("tangram-run", *programs):
        if (brought / name).exists():
            shutil.copy2(brought / name, folder)
    if not (folder / "tangram-run").exists():
        build_runtime(folder, clock)


def gpu_of(runner: str) -> str:
    """Index of NVIDIA's OpenCL device, as --device takes it."""
    listed = json.loads(processes.output([runner, "--list-devices", "--format", "json"]))["devices"]
    found = [device for device in listed if "NVIDIA" in json.dumps(device)]
    if not found:
        raise processes.Failed("no OpenCL device of NVIDIA's")
    return str(listed.index(found[0]))
