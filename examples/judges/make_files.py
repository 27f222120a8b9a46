"""Make the files of this example of the votes: what the judge says of both sides, and what people say of some answers.

A vote between two answers is 1 where the second wins, -1 where the first does, and 0 for a tie; several are averaged.
It is a grade of (1 + vote) / 2 for the second answer, and of (1 - vote) / 2 for the first.
"""

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
N_QUESTIONS, SEED = 25, 0
"""Of which people's votes are kept: drawn at random, before anybody looks at them."""


def write(name: str, header: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """Write a table."""
    with (FOLDER / name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def main() -> None:
    """Write both sides by the judge, and people's grades of a sample."""
    with (FOLDER / "votes.csv").open(encoding="utf-8", newline="") as file:
        votes = list(csv.DictReader(file))
    ids = [f"{vote['question']}-{vote['turn']}" for vote in votes]
    questions = [vote["question"] for vote in votes]
    judge, people = (np.array([float(vote[name]) for vote in votes]) for name in ("judge", "human"))
    for name, grades in (("claude-v1", (1 - judge) / 2), ("gpt-3.5", (1 + judge) / 2)):
        write(f"{name}.csv", ("id", "question", "value"), zip(ids, questions, grades.tolist(), strict=True))
    graded = np.isin(questions, np.random.default_rng(SEED).choice(np.unique(questions), N_QUESTIONS, replace=False))
    rows = zip(ids, ((1 - people) / 2).round(4).tolist(), ((1 + people) / 2).round(4).tolist(), strict=True)
    write("people.csv", ("id", "baseline", "candidate"), (row for row, kept in zip(rows, graded, strict=True) if kept))


if __name__ == "__main__":
    main()
