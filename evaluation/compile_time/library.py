"""What `synth` of the best plan costs, of every spectrum of codelets/ on every model, and which plan it takes."""

import json
import pathlib
import tempfile

from harness import machine, processes, report

LIMIT_S = 0.5  # what each has to stay under
WORSE = 1.01  # predicted time beside that of an older run


def targets(tangram: str) -> dict[str, str]:
    """Of each model the target that plans are for: OpenMP where it is one."""
    listed = json.loads(processes.output([tangram, "hw", "list", "--format", "json"]))
    models = listed["models"] if isinstance(listed, dict) else listed
    return {model["name"]: "openmp" if model["targets"][0] == "openmp" else "opencl" for model in models}


def spectrums(tangram: str, source: pathlib.Path) -> list[str]:
    """Those the source itself defines, not what it includes; of a template every instance."""
    checked = json.loads(processes.output([tangram, "check", str(source), "--format", "json"]))
    return [spectrum["name"] for spectrum in checked["spectrums"]
            if pathlib.Path(spectrum["location"]["file"]).resolve() == source]


def measure_pair(tangram: str, source: pathlib.Path, spectrum: str, model: str, target: str,
                 runs: int, predict: bool) -> dict:
    row = {"source": source.name, "spectrum": spectrum, "model": model, "target": target}
    about = [str(source), "--spectrum", spectrum, "--hw", model, "--target", target]
    with tempfile.TemporaryDirectory() as folder:
        told = pathlib.Path(folder) / "told.json"
        command = [tangram, "synth", *about, "--format", "json", "-o", f"{folder}/bundle"]
        samples = [processes.sample(command, keep=told, allow=(0, 1)) for _ in range(runs)]
        row |= processes.summary([sample.seconds for sample in samples])
        row["cpu_s"] = min(sample.cpu_s for sample in samples)
        said = told.read_text()
    plans = json.loads(said)["plans"] if said.startswith("{") else []
    row["plan"] = next((plan["id"] for plan in plans if "bundle" in plan), None)
    if predict and row["plan"]:
        listed = json.loads(processes.output([tangram, "plans", *about, "--strategy", "predict", "--limit",
                                              "1", "--format", "json"]))
        row["predicted_s"] = listed["plans"][0].get("seconds")
    return row


def measure(tangram: str, models: list[str], runs: int, predict: bool) -> list[dict]:
    known = targets(tangram)
    for model in models:
        if model not in known:
            raise processes.Failed(f"no model {model} (there are: {', '.join(known)})")
    rows = []
    for source in sorted((machine.ROOT / "codelets").glob("*.cpp")):
        for spectrum in spectrums(tangram, source):
            processes.tell(f"compile_time: {source.name} {spectrum}")
            rows += [measure_pair(tangram, source, spectrum, model, known[model], runs, predict)
                     for model in models or known]
    return rows


def slow(rows: list[dict]) -> list[dict]:
    """Slowest first."""
    return sorted((row for row in rows if row["median"] >= LIMIT_S), key=lambda row: -row["median"])


def compared(rows: list[dict], before: list[dict]) -> list[str]:
    """What became of the plans that an older run took."""
    old = {(row["spectrum"], row["model"]): row for row in before}
    said = []
    for row in rows:
        then = old.get((row["spectrum"], row["model"]))
        if not then or then["plan"] == row["plan"] or not (row.get("predicted_s") and then.get("predicted_s")):
            continue
        ratio = row["predicted_s"] / then["predicted_s"]
        if ratio > WORSE:
            said.append(f"{row['spectrum']} on {row['model']}: {then['plan']} was predicted {ratio:.3f} times as "
                        f"fast as {row['plan']} is")
    return said


def tables(rows: list[dict]) -> str:
    models = list(dict.fromkeys(row["model"] for row in rows))
    cells: dict[str, dict[str, str]] = {}
    for row in rows:
        cells.setdefault(row["spectrum"], {})[row["model"]] = f"{row['median'] * 1e3:.0f}"
    times = report.table(["spectrum", *(f"{model} ms" for model in models)],
                         [[spectrum, *(of.get(model, "-") for model in models)] for spectrum, of in cells.items()])
    above = slow(rows)
    listed = "\n".join(f"- {row['median']:.2f} s ({row['cpu_s']:.2f} s of CPU time): {row['spectrum']} on "
                       f"{row['model']}" for row in above)
    return (f"`synth` of the best plan of each spectrum of the library, {rows[0]['runs']} run(s) each: "
            f"{len(above)} of {len(rows)} take {LIMIT_S} s or more"
            + (f":\n\n{listed}\n\n{times}" if above else f".\n\n{times}"))
