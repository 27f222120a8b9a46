"""Make `systems` up: three systems that find names in 231 documents, as many as the test set of CoNLL-2003 has.

A document is easy or hard for all systems, and may suit one of them better than another, so that its spans are hit or
missed together. Spans are numbered in their document instead of placed in a text.
"""

import gzip
import json
from pathlib import Path

import numpy as np

SYSTEMS = Path(__file__).parent / "systems"
TYPES = ("LOC", "MISC", "ORG", "PER")
SHARES = (0.3, 0.12, 0.29, 0.29)
N_DOCUMENTS = 231
ACCURACY = {"v1": 0.922, "v2": 0.926, "v3": 0.945}


def main():
    """Write a file per system."""
    rng = np.random.default_rng(171)  # one of those by which spans alone make v2 look better, and documents do not
    documents: dict[str, list[dict[str, object]]] = {name: [] for name in ACCURACY}
    for number in range(1, N_DOCUMENTS + 1):
        kinds = rng.choice(TYPES, size=1 + rng.poisson(rng.gamma(4, 6)), p=SHARES)
        gold = [[place, place + 1, str(kind)] for place, kind in enumerate(kinds)]
        hard = rng.normal(0, 0.9)
        luck = rng.random(len(gold))  # the same for all systems: they mostly agree
        for name, accuracy in ACCURACY.items():
            suits = hard + rng.normal(0, 0.35)
            found = 1 / (1 + np.exp(-(np.log(accuracy / (1 - accuracy)) - suits)))
            own = np.where(rng.random(len(gold)) < 0.6, luck, rng.random(len(gold)))
            predicted = [span for span, hit in zip(gold, own < found, strict=True) if hit]
            for _ in range(rng.binomial(len(gold), (1 - found) * 0.8)):
                place = len(gold) + int(rng.integers(4 * len(gold)))
                predicted.append([place, place + 1, str(rng.choice(TYPES, p=SHARES))])
            unique = sorted({tuple(span) for span in predicted})
            documents[name].append({"id": number, "gold": gold, "predicted": unique})
    SYSTEMS.mkdir(exist_ok=True)
    for name, rows in documents.items():
        content = "\n".join([*map(json.dumps, rows), ""]).encode()
        (SYSTEMS / f"{name}.jsonl.gz").write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    main()
