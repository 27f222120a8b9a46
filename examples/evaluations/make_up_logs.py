"""Let inspect_ai log two runs of five made-up tasks, by a mock model that gives prepared answers: ``mockllm/model``.

::

    pip install inspect-ai==0.3.285
    python make_up_logs.py

Of every log the header and the summaries are kept, which is all that a comparison reads.
"""

import json
import random
import tempfile
import zipfile
from pathlib import Path

import zipfile_zstd  # noqa: F401 (a part of inspect_ai: lets zipfile read and write Zstandard)
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

HERE = Path(__file__).parent
N_SAMPLES = 60
CLASSES = {
    "language": ("German", "English", "Finnish"),
    "refund": ("yes", "no"),
    "spam": ("spam", "ham"),
    "team": ("billing", "returns", "shipping"),
    "urgency": ("high", "low"),
}
ACCURACY = {
    "v1": {"language": 0.95, "refund": 0.85, "spam": 0.92, "team": 0.88, "urgency": 0.75},
    "v2": {"language": 0.95, "refund": 0.87, "spam": 0.92, "team": 0.60, "urgency": 0.72},
}
SAID = ("{}", "{}.", "I think it's {}.", "**{}**", "The answer is {}")


def main():
    """Write a log per task and run."""
    for run, accuracies in ACCURACY.items():
        for task, accuracy in accuracies.items():
            # the same questions in both runs, of which both find the same ones hard; no secret is made of them
            truth, own = (random.Random(seed) for seed in (task, f"{run} {task}"))  # noqa: S311
            targets = [truth.choice(CLASSES[task]) for _ in range(N_SAMPLES)]
            luck = [truth.random() if own.random() < 0.7 else own.random() for _ in targets]
            said = [answer(task, target, each < accuracy, own) for target, each in zip(targets, luck, strict=True)]
            log(run, task, targets, said)


def answer(task, target, is_right, rng):
    """Word an answer."""
    wrong = [each for each in CLASSES[task] if each != target]
    label = target if is_right else rng.choice(wrong)
    return rng.choice(SAID).format(label.capitalize() if rng.random() < 0.5 else label)


def log(run, task, targets, said):
    """Evaluate a task."""
    samples = [Sample(id=number, input=f"ticket {number}", target=each) for number, each in enumerate(targets, 1)]
    outputs = [ModelOutput.from_content("mockllm/model", each) for each in said]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it fetches a tokenizer
    with tempfile.TemporaryDirectory() as folder:
        (found,) = evaluate(
            Task(samples, solver=generate(), scorer=includes(), name=task),
            model=get_model("mockllm/model", custom_outputs=outputs),
            log_dir=folder,
            log_format="eval",
            display="none",
            max_samples=1,
            max_connections=1,
        )
        path = Path(found.location.removeprefix("file://"))
        (HERE / run).mkdir(exist_ok=True)
        keep(path, HERE / run / f"{task}.eval")


def keep(path, target):
    """Keep what a comparison reads of a log, compressed as the tool does."""
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(target, "w") as kept:
        for name, fields in (("header.json", without_machine), ("summaries.json", without_times)):
            member = archive.getinfo(name)
            content = fields(json.loads(archive.read(member)))
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            kept.writestr(info, json.dumps(content), compress_type=member.compress_type)


def without_machine(header):
    """Leave out what is of the machine."""
    names = ("task", "task_version", "model", "created", "scorers")
    return header | {"eval": {name: header["eval"][name] for name in names}, "stats": {}}


def without_times(samples):
    """Leave out times and usage."""
    names = ("id", "epoch", "input", "target", "scores", "completed")
    return [{name: sample[name] for name in names} for sample in samples]


if __name__ == "__main__":
    main()
