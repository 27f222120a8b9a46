"""The logs that are kept, and changed ones."""

import json
from pathlib import Path

from pytest_bayesf1.data.columns import Schema

FOLDER = Path(__file__).parents[2] / "data" / "logs"
LM_EVAL_RUNS = FOLDER / "lm-eval-runs"
FIVE_TASKS = Path(__file__).parents[3] / "examples" / "evaluations"


def reading(columns=(), rows=(), **others):
    return Schema(columns=tuple(dict(columns).items()), rows=tuple(dict(rows).items()), **others)


def edited(path, folder, change):
    """Write a log that was changed, and return its path."""
    log = json.loads(path.read_text("utf-8"))
    change(log)
    (folder / path.name).write_text(json.dumps(log), "utf-8")
    return folder / path.name


def edited_lines(path, folder, change):
    """Write one of lines, each of which was changed."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for line in lines:
        change(line)
    (folder / path.name).write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return folder / path.name


def with_twice_the_samples(log):
    """Add every sample of inspect_ai again, by another id: values of so few have no likely range."""
    log["samples"] += [sample | {"id": f"{sample['id']} again"} for sample in log["samples"]]
