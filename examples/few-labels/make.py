"""Make the pool of this example, and label what `bayesf1 label next` names in five batches.

Two readers of handwritten digits, each trained on 150 images, predict the other 1,647 of scikit-learn's digits. The
labels are known here; in their place stands a person.
"""

import csv
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from pytest_bayesf1.cli.main import main

HERE = Path(__file__).parent
TRAINED_ON, BATCH, BATCHES = 150, 40, 5


def bayesf1(*arguments: object) -> None:
    """Run the command."""
    main(["label", *map(str, arguments)], standalone_mode=False)


def write(path: Path, rows: list[list[str]]) -> None:
    """Write a table."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    images, digits = load_digits(return_X_y=True)
    models = LogisticRegression(max_iter=5_000), KNeighborsClassifier(1)
    old, new = (
        model.fit(images[:TRAINED_ON], digits[:TRAINED_ON]).predict(images[TRAINED_ON:]).tolist() for model in models
    )
    ids = [f"image-{number}" for number in range(TRAINED_ON, len(digits))]
    write(HERE / "digits.csv", [["id", "old", "new"], *map(list, zip(ids, old, new, strict=True))])
    truth = dict(zip(ids, digits[TRAINED_ON:].tolist(), strict=True))
    state = HERE / "digits.labelling.json"
    for made in (state, HERE / "digits.labels.csv"):
        made.unlink(missing_ok=True)
    bayesf1("start", HERE / "digits.csv", "--baseline", "old", "--candidate", "new", "--rope", "0.01")
    for number in range(1, BATCHES + 1):
        batch = HERE / f"batch-{number}.csv"
        bayesf1("next", "--state", state, "--count", BATCH, "-o", batch)
        with batch.open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        write(batch, [header, *([key, str(truth[key])] for key, _ in rows)])
        bayesf1("add", batch, "--state", state)
        batch.unlink()
