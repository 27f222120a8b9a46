"""Make up what three prompts answer to 120 tickets, asked five times each: ``python make_up_answers.py``.

A prompt has a favourite answer to every ticket, which it gives in most runs. Some answers are no category at all.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

HEADER = ("prompt_id", "run_idx", "input_id", "category", "predicted")
CATEGORIES = ("ACCOUNT", "BILLING", "GENERAL", "TECHNICAL")
PROMPTS = {"P0_baseline": (0.64, 0.03), "P1_role": (0.66, 0.01), "P2_json": (0.85, 0.0)}
"""How often a prompt's favourite is right, and to how many tickets it mumbles."""
N, RUNS, STEADY, SEED = 120, 5, 0.85, 2


def answers() -> Iterator[tuple[str, int, str, str, str]]:
    """Yield a row for every answer."""
    rng = np.random.default_rng(SEED)
    truth = rng.integers(len(CATEGORIES), size=N)
    luck = rng.random(N)  # what is hard for one prompt is hard for the others
    for prompt, (right, unreadable) in PROMPTS.items():
        easy = np.where(rng.random(N) < 0.7, luck, rng.random(N)) < right
        favourite = np.where(easy, truth, (truth + rng.integers(1, len(CATEGORIES), N)) % len(CATEGORIES))
        mumbled = rng.random(N) < unreadable
        for run in range(1, RUNS + 1):
            said = np.where(rng.random(N) < STEADY, favourite, rng.integers(len(CATEGORIES), size=N))
            silent = mumbled & (rng.random(N) < STEADY)
            for ticket in range(N):
                answer = "" if silent[ticket] else CATEGORIES[said[ticket]]
                yield prompt, run, f"ticket-{ticket:03}", CATEGORIES[truth[ticket]], answer


if __name__ == "__main__":
    with (Path(__file__).parent / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *answers()])
