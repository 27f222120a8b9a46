"""Replay how 83 models were retrained: ``python replay.py FOLDER`` makes a git repository of their counts.

Each commit of it is one of wikimedia/editquality that changed counts, with ``models/<model>.csv`` and its day. The gate
file stands beside them, so that ``bayesf1 history`` compares every version with the one before it. ``python replay.py
FOLDER COMMIT`` stops before a commit and writes the counts that it brought to ``retrained``: ``bayesf1 gate`` then says
what the gates would have said of it.
"""

import csv
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Version:
    """The counts of a model as a commit left them; rows are the truth."""

    model: str
    commit: str
    date: str
    counts: tuple[tuple[int, int], tuple[int, int]]

    @property
    def n_samples(self) -> int:
        return sum(map(sum, self.counts))

    @property
    def share_true(self) -> float:
        """The share of the test set that is True."""
        return sum(self.counts[1]) / self.n_samples

    @property
    def f1(self) -> float:
        """F1 of True."""
        (_, fp), (fn, tp) = self.counts
        return 2 * tp / (2 * tp + fp + fn)

    @property
    def csv(self) -> str:
        """A confusion matrix with the names of its classes."""
        (tn, fp), (fn, tp) = self.counts
        return f",False,True\nFalse,{tn},{fp}\nTrue,{fn},{tp}\n"


def versions() -> list[Version]:
    """Read all versions, in the order of their commits."""
    with (HERE / "counts.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row, [int(row[name]) for name in ("tn", "fp", "fn", "tp")]) for row in csv.DictReader(file)]
    return [Version(row["model"], row["commit"], row["date"], ((tn, fp), (fn, tp))) for row, (tn, fp, fn, tp) in rows]


def steps() -> Iterator[tuple[Version, Version]]:
    """Yield every version of a model but its first, with the one before it."""
    last: dict[str, Version] = {}
    for version in versions():
        if version.model in last:
            yield last[version.model], version
        last[version.model] = version


def replay(folder: Path, until: str = "") -> None:
    """Make the repository, up to a commit if one is given."""
    commits = [(commit, list(brought)) for commit, brought in groupby(versions(), key=lambda each: each.commit)]
    names = [commit for commit, _ in commits]
    known = commits[: names.index(until)] if until else commits
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)  # noqa: S603, S607
    stream = "".join(_commit(commit, brought) for commit, brought in known)
    for command in (["fast-import", "--quiet"], ["reset", "-q", "--hard"]):
        subprocess.run(["git", "-C", folder, *command], input=stream.encode(), check=True)  # noqa: S603, S607
    gates = (HERE / "gates.yaml").read_text("utf-8").splitlines(keepends=True)
    if until:
        retrained = {each.model: each for _, brought in commits[: len(known) + 1] for each in brought}
        (folder / "retrained").mkdir()
        for model, version in retrained.items():
            (folder / "retrained" / f"{model}.csv").write_text(version.csv, "utf-8")
        there = {each.model for _, brought in known for each in brought}
        gates = [line for line in gates if "candidate:" not in line or line.split(":")[0].strip() in there]
    (folder / "bayesf1.yaml").write_text("".join(gates), "utf-8")


def _commit(commit: str, brought: list[Version]) -> str:
    """Write a commit as `git fast-import` reads it; all is ASCII."""
    noon = int(datetime.fromisoformat(brought[0].date).replace(hour=12, tzinfo=UTC).timestamp())
    head = f"commit refs/heads/main\ncommitter editquality <editquality@example.org> {noon} +0000\n"
    files = "".join(f"M 100644 inline models/{each.model}.csv\n{_data(each.csv)}" for each in brought)
    return f"{head}{_data(f'Models of {commit}')}{files}"


def _data(text: str) -> str:
    return f"data {len(text)}\n{text}\n"


if __name__ == "__main__":
    replay(Path(sys.argv[1]), *sys.argv[2:])
