"""Cut a table of answers by prompt: one file per prompt, with the columns that gate files read.

The table has a row for every answer, with the columns of evalstats' support tickets: ``prompt_id``, ``run_idx``,
``input_id``, ``category`` (the truth) and ``predicted``, which is empty where the answer could not be read::

    python split_by_prompt.py support_ticket_eval_multirun.csv my-prompts
"""

import csv
import sys
from pathlib import Path

COLUMNS = {"id": "input_id", "run": "run_idx", "y_true": "category", "y_pred": "predicted"}


def split(table: Path, folder: Path) -> None:
    """Write ``folder/<prompt_id>.csv`` for every prompt."""
    by_prompt: dict[str, list[list[str]]] = {}
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            by_prompt.setdefault(row["prompt_id"], []).append([row[name] for name in COLUMNS.values()])
    folder.mkdir(parents=True, exist_ok=True)
    for prompt, rows in by_prompt.items():
        with (folder / f"{prompt}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([list(COLUMNS), *rows])


if __name__ == "__main__":
    split(*map(Path, sys.argv[1:]))
