"""Halide's kernels of the table of benchmarks, each pipeline with a schedule by hand and one by an autoscheduler, where
Halide is installed."""

import argparse
import concurrent.futures
import pathlib

from . import cpu_rows, machine, processes

FOLDER = machine.ROOT / "evaluation" / "cpu_benchmarks" / "halide"
HALIDE = pathlib.Path("/usr/include/halide14/Halide.h")
PLUGINS = pathlib.Path("/usr/lib/x86_64-linux-gnu/halide14")
AUTOSCHEDULERS = ("adams2019", "mullapudi2016")


def vectors_of(processor: str) -> str:
    """What Halide calls a processor that g++ knows by this name."""
    if processor == "native":
        return "host"
    said = processes.output(["g++", f"-march={processor}", "-dM", "-E", "-x", "c", "/dev/null"]).split()
    known = (("__SSE4_1__", "sse41"), ("__AVX__", "avx"), ("__F16C__", "f16c"), ("__FMA__", "fma"), ("__AVX2__", "avx2"),
             ("__AVX512F__", "avx512"), ("__AVX512BW__", "avx512_skylake"), ("__AVX512VBMI__", "avx512_cannonlake"))
    return "-".join(["x86-64-linux", *(feature for macro, feature in known if macro in said)])


def autoscheduled(maker: str, name: str, folder: pathlib.Path, target: str, cores: int) -> None:
    """NAME_auto.o by the first autoscheduler that copes with it."""
    for scheduler in AUTOSCHEDULERS:
        try:
            processes.output(["env", f"LD_LIBRARY_PATH={PLUGINS}", maker, name, str(folder / f"{name}_auto.o"), target,
                              scheduler, str(cores)], limit_s=300)
            return
        except processes.Failed as error:
            processes.tell(f"cpu_benchmarks: Halide: {name}: {scheduler}: {str(error)[-300:]}")


def objects(folder: pathlib.Path, options: argparse.Namespace) -> list[str]:
    """Halide's kernels and what they need of it, where Halide is installed."""
    if not HALIDE.exists():
        return []
    maker, target = str(folder / "make-halide"), vectors_of(options.processor)
    processes.output(["g++", "-std=c++20", "-O1", str(FOLDER / "make.cpp"), "-l:libHalide14.so.0",
                      "-o", maker], limit_s=300)
    processes.output([maker, "runtime", str(folder / "runtime.o"), target])
    names = processes.output([maker, "names"]).split()
    if options.rows and not options.prepare:  # what is prepared may be asked for another row
        names = [name for name in names if name in options.rows.split(",")]
    with concurrent.futures.ThreadPoolExecutor(cpu_rows.WORKERS) as pool:
        made = [pool.submit(processes.output, [maker, name, str(folder / f"{name}.o"), target, "by_hand"], limit_s=300)
                for name in names]
        made += [pool.submit(autoscheduled, maker, name, folder, target, options.cores) for name in names]
        for each in made:
            each.result()
    return [str(file) for file in sorted(folder.glob("*.o")) if not file.name.endswith("-unit.o")]


def cores(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cores", type=int, default=cpu_rows.WORKERS,
                        help="of the machine that Halide's autoscheduler chooses for (default: those here)")
