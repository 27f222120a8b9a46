"""Make the logs of this folder anew, with the tools themselves, and take out what is of the machine.

::

    python -m venv venv && venv/bin/pip install inspect-ai==0.3.285 lm-eval==0.4.13
    npm install --prefix node promptfoo@0.118.17
    venv/bin/python -m tests.data.logs.make node/node_modules/promptfoo/dist/src/main.js

No model is asked: inspect_ai has ``mockllm/model``, lm-evaluation-harness ``dummy``, promptfoo ``echo``.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from tests.data.logs.questions import ANSWERS, QUESTIONS

HERE = Path(__file__).parent
TEAMS = sorted({team for _, team, _ in QUESTIONS})
CHOICES = "ABC"


def main(promptfoo: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            HF_HOME=folder, HF_HUB_OFFLINE="1", INSPECT_LOG_DIR=folder, PROMPTFOO_CONFIG_DIR=folder, HOME=folder
        )
        place = Path(folder)
        make_inspect(place)
        make_lm_eval(place)
        make_promptfoo(place, promptfoo)


def make_inspect(place: Path) -> None:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import choice, match
    from inspect_ai.solver import generate, multiple_choice

    samples = [
        Sample(id=f"q{number}", input=question, target=team, metadata={"language": language})
        for number, (question, team, language) in enumerate(QUESTIONS, 1)
    ]
    task = Task(samples, solver=generate(), scorer=match(), name="teams")
    for system, answers in ANSWERS.items():
        again = [*answers[1:], answers[0]] if system == "second" else answers
        log = run_inspect(task, [*answers, *again], place / system, "json", epochs=2)
        (HERE / f"inspect-{system}.json").write_text(text_of(scrubbed_log(json.loads(log.read_text("utf-8")))), "utf-8")
    samples = [
        Sample(input=question, choices=TEAMS, target=CHOICES[TEAMS.index(team)]) for question, team, _ in QUESTIONS
    ]
    task = Task(samples, solver=multiple_choice(), scorer=choice(), name="teams-by-letter")
    letters = [f"ANSWER: {CHOICES[TEAMS.index(each)]}" if each in TEAMS else each for each in ANSWERS["second"]]
    log = run_inspect(task, letters, place / "letters", "eval", epochs=1)
    repack(log, HERE / "inspect-choice.eval")


def run_inspect(task: Any, answers: list[str], place: Path, form: str, epochs: int) -> Path:
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it fetches a tokenizer
    model = get_model("mockllm/model", custom_outputs=outputs)
    logs = evaluate(
        task,
        model=model,
        epochs=epochs,
        log_dir=str(place),
        log_format=form,
        display="none",
        max_samples=1,
        max_connections=1,
    )
    return Path(logs[0].location.removeprefix("file://"))


def scrubbed_log(log: dict[str, Any]) -> dict[str, Any]:
    """Leave the transcripts out, and what tells of the machine and of the time."""
    for name in ("stats", "reductions"):
        log.pop(name, None)
    log["eval"] = {
        name: value
        for name, value in log["eval"].items()
        if name in ("task", "task_version", "model", "config", "scorers")
    }
    log["samples"] = [scrubbed_sample(sample) for sample in log.get("samples", [])]
    return log


def scrubbed_sample(sample: dict[str, Any]) -> dict[str, Any]:
    kept = ("id", "epoch", "input", "choices", "target", "scores", "metadata", "completed")
    return {name: sample[name] for name in kept if name in sample}


def repack(log: Path, target: Path) -> None:
    """Write an archive of the same members, compressed as the tool does, without what `scrubbed_log` leaves out."""
    import zipfile_zstd  # noqa: F401 (a part of inspect_ai: lets zipfile read and write Zstandard)

    with zipfile.ZipFile(log) as archive, zipfile.ZipFile(target, "w") as scrubbed:
        for member in archive.infolist():
            if member.filename == "header.json":
                header = scrubbed_log(json.loads(archive.read(member)))
                del header["samples"]
                content: Any = header
            elif member.filename == "summaries.json":
                content = [scrubbed_sample(each) for each in json.loads(archive.read(member))]
            else:
                continue
            info = zipfile.ZipInfo(member.filename, (1980, 1, 1, 0, 0, 0))
            scrubbed.writestr(info, json.dumps(content), compress_type=member.compress_type)


def make_lm_eval(place: Path) -> None:
    import lm_eval
    from lm_eval.tasks import TaskManager

    for name in ("made_up_teams", "made_up_sums"):
        (place / f"{name}.yaml").write_text((HERE / f"{name}.yaml").read_text("utf-8").replace("FOLDER", str(place)))
    teams = [{"question": question, "teams": TEAMS, "team": TEAMS.index(team)} for question, team, _ in QUESTIONS]
    sums = [{"question": f"{number} + 2 =", "sum": str(number + 2)} for number in range(1, 7)]
    for name, documents in (("teams", teams), ("sums", sums)):
        (place / f"{name}.jsonl").write_text("\n".join(map(json.dumps, documents)), "utf-8")
    results = lm_eval.simple_evaluate(
        model="dummy",
        tasks=["made_up_teams", "made_up_sums"],
        task_manager=TaskManager(include_path=str(place)),
        log_samples=True,
        bootstrap_iters=0,
    )
    make_lm_eval_runs(place)
    from lm_eval.loggers import EvaluationTracker

    tracker = EvaluationTracker(output_path=str(place / "logged"))
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for name, found in samples.items():
        tracker.save_results_samples(task_name=name, samples=found)
        written = next((place / "logged").rglob(f"samples_{name}_*.jsonl"))
        (HERE / f"lm-eval-{name.removeprefix('made_up_')}.jsonl").write_text(written.read_text("utf-8"), "utf-8")


def make_lm_eval_runs(place: Path) -> None:
    """Evaluate two tasks twice, as the command does; keep the samples, and of the results what is no machine's."""
    lm_eval = Path(sys.executable).with_name("lm_eval")
    asked = ["--model", "dummy", "--tasks", "made_up_teams,made_up_sums", "--log_samples", "--include_path"]
    for seed, run in enumerate(("v1", "v2")):
        written = place / "runs" / run
        subprocess.run([lm_eval, *asked, place, "--output_path", written, "--seed", str(seed)], cwd=place, check=True)
        kept = HERE / "lm-eval-runs" / run / "dummy"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        for path in written.rglob("samples_*.jsonl"):
            shutil.copyfile(path, kept / path.name)
        for path in written.rglob("results_*.json"):
            results = json.loads(path.read_text("utf-8"))
            known = {name: results[name] for name in ("results", "n-samples", "versions", "model_name")}
            (kept / path.name).write_text(text_of(known), "utf-8")


def make_promptfoo(place: Path, program: str) -> None:
    """Ask providers that say their prompt, which the test tells."""
    for system, answers in ANSWERS.items():
        tests = [
            {
                "vars": {"message": question, "team": team, "answer": answer},
                "assert": [{"type": "equals", "value": team}],
                "metadata": {"language": language},
            }
            for (question, team, language), answer in zip(QUESTIONS, answers, strict=True)
        ]
        config = {
            "prompts": [{"raw": "{{ answer }}", "label": "plain"}],
            "providers": [{"id": "echo", "label": system}],
            "tests": tests,
        }
        written = place / f"promptfoo-{system}.json"
        run_promptfoo(place, program, config, [written])
        results = scrubbed_results(json.loads(written.read_text("utf-8")))
        (HERE / written.name).write_text(text_of(results), "utf-8")
    config["providers"] = [{"id": "echo", "label": system} for system in ANSWERS]
    lines = place / "promptfoo-both.jsonl"
    run_promptfoo(place, program, config, [lines])
    records = [scrubbed_result(json.loads(line)) for line in lines.read_text("utf-8").splitlines()]
    (HERE / lines.name).write_text("\n".join(map(json.dumps, records)) + "\n", "utf-8")


def run_promptfoo(place: Path, program: str, config: dict[str, Any], outputs: list[Path]) -> None:
    (place / "promptfooconfig.json").write_text(json.dumps(config), "utf-8")
    told = {f"PROMPTFOO_DISABLE_{each}": "1" for each in ("TELEMETRY", "UPDATE", "REMOTE_GENERATION")}
    command = ["node", program, "eval", "-c", "promptfooconfig.json", "--no-cache", "--no-table", "-j", "1"]
    command += [argument for output in outputs for argument in ("-o", str(output))]
    subprocess.run(command, cwd=place, env=os.environ | told, check=False)  # it exits with 100 where a test fails


def scrubbed_results(document: dict[str, Any]) -> dict[str, Any]:
    results = document["results"]
    kept = [scrubbed_result(each) for each in results["results"]]
    return {"evalId": "eval-made-up", "results": {"version": results["version"], "results": kept}}


def scrubbed_result(result: dict[str, Any]) -> dict[str, Any]:
    for name in ("latencyMs", "id", "promptId"):
        result.pop(name, None)
    result["provider"] = {name: result["provider"][name] for name in ("id", "label")}
    return result


def text_of(document: Any) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main(sys.argv[1])
