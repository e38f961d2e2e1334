"""Builds the programs that time libraries, one for each, and what writes matrices."""

import concurrent.futures
import pathlib
import shutil

from harness import processes
from harness.place import matrix_writer

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = {"cub": [], "cublas": ["-lcublas"], "cusparse": ["-lcusparse"], "by_hand": []}


def build(folder: pathlib.Path, architecture: str, limit_s: float = 600) -> None:
    """Those that `folder` lacks, side by side; the libraries' only where there is nvcc."""
    commands = []
    if not (folder / "write_matrix").exists():
        commands.append(matrix_writer(folder))
    if shutil.which("nvcc"):
        commands += [["nvcc", "-O3", "-std=c++17", f"-arch={architecture}", "-Xcompiler", "-fopenmp",
                      str(HERE / f"{name}.cu"), "-o", str(folder / name), *libraries]
                     for name, libraries in LIBRARIES.items() if not (folder / name).exists()]
    elif not all((folder / name).exists() for name in LIBRARIES):
        processes.tell("gpu_libraries: no nvcc here to build the peers with")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda command: processes.output(command, limit_s=limit_s), commands))
