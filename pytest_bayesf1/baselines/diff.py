"""What changed from one baseline to the next, for the person who reviews it."""

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pytest_bayesf1._util import one_line
from pytest_bayesf1.baselines.baseline import Baseline, is_baseline_text
from pytest_bayesf1.baselines.store import read_baseline, unpacked
from pytest_bayesf1.comparison.subject import AnySides, aligned
from pytest_bayesf1.data.confusion import SideCounts
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.files.side import read_side, read_sides
from pytest_bayesf1.files.tables import ALL_AS_THEY_ARE, AS_IT_IS, Reading, Readings

_MOST_CELLS = 10
_OF_THE_TEST_SET = ("ids added", "ids removed", "true class changed")
_OUTCOMES = ("tn", "fp", "fn", "tp")
_SPAN_ERRORS = ("invented", "missed")


@dataclass(frozen=True)
class BaselineDiff:
    """What changed; of each pair the first is old and the second new.

    Attributes
    ----------
    test_set
        ``the same``, ``another``, or why nobody can tell.
    examples
        By id: how many came, went and changed; empty when either side has no predictions with ids.
    cells
        The errors whose counts changed most.
    """

    n_samples: tuple[int, int]
    test_set: str
    scores: dict[str, tuple[float, float]]
    examples: dict[str, int]
    cells: dict[str, tuple[int, int]]

    def to_dict(self) -> dict[str, Any]:
        """Return every figure, JSON-able."""
        return asdict(self)

    def facts(self) -> dict[str, str | list[str]]:
        """Write the figures by name, old → new, for a terminal."""
        old, new = self.n_samples
        return {
            "examples": f"{old:,} → {new:,}",
            "test set": self.test_set,
            **{
                name: f"{before:.4f} → {after:.4f}  ({after - before:+z.4f})"
                for name, (before, after) in self.scores.items()
            },
            **{name: f"{number:,}" for name, number in self.examples.items()},
            "errors that changed most": [
                f"{cell}: {round(before, 1):,} → {round(after, 1):,}" for cell, (before, after) in self.cells.items()
            ],
        }


def difference_of_files(old: Path, new: Path, readings: Readings = ALL_AS_THEY_ARE) -> BaselineDiff:
    """Compare two files.

    Parameters
    ----------
    old, new
        Each a stored baseline, or predictions, or counts.
    readings
        How predictions are to be read: the old ones as the baseline's, the new ones as the candidate's.

    Returns
    -------
    BaselineDiff
        What changed from the old one to the new one.

    Raises
    ------
    BaselineError, InputError
        When a file cannot be read, or the two are not about the same kind of labels.
    """
    sides = aligned(*_counts(old, new, readings))
    before, after = sides.baseline, sides.candidate
    scores_before, scores_after = Baseline("", before).scores, Baseline("", after).scores
    examples = _examples(before, after)
    return BaselineDiff(
        n_samples=(before.n_samples, after.n_samples),
        test_set=_test_set(sides, examples),
        scores={name: (score, scores_after[name]) for name, score in scores_before.items()},
        examples=examples,
        cells=_cells(before, after),
    )


def _counts(old: Path, new: Path, readings: Readings) -> tuple[Side, Side]:
    if not (_is_stored(old) or _is_stored(new)):
        before, after = read_sides(old, new, readings)
        return before.counts(), after.counts()
    of_old, of_new = (readings.get(side, AS_IT_IS) for side in ("baseline", "candidate"))
    return _counts_of(old, "old", of_old), _counts_of(new, "new", of_new)


def _counts_of(path: Path, where: str, reading: Reading) -> Side:
    return read_baseline(path).baseline.counts if _is_stored(path) else read_side(path, where, reading).counts()


def _is_stored(path: Path) -> bool:
    return path.name.endswith((".json", ".json.gz")) and path.exists() and is_baseline_text(unpacked(path))


def _test_set(sides: AnySides, examples: dict[str, int]) -> str:
    if examples:
        return "another" if any(examples[name] for name in _OF_THE_TEST_SET) else "the same"
    predictions = [side.predictions for side in (sides.baseline, sides.candidate) if side.predictions is not None]
    if len(predictions) == 2 and any(each.ids is not None for each in predictions):
        return "unknown, for only one side has ids"
    if sides.difference_of_test_sets:
        return "another"
    return "the same" if sides.know_predictions else "the same, as far as the totals of the classes tell"


def _examples(before: Side, after: Side) -> dict[str, int]:
    """Compare example by example, where both sides have predictions with ids."""
    old, new = _by_id(before), _by_id(after)
    if not old or not new:
        return {}
    both = old.keys() & new.keys()
    changed = [(old[key], new[key]) for key in both if old[key] != new[key]]
    of_test_set = {
        "ids added": len(new) - len(both),
        "ids removed": len(old) - len(both),
        "true class changed": sum(was[0] != now[0] for was, now in changed),
    }
    if isinstance(before, Scores):
        return of_test_set | {"scored in another way": sum(was[1:] != now[1:] for was, now in changed)}
    return of_test_set | {
        "right before, wrong now": sum(_right(was) and not _right(now) for was, now in changed),
        "wrong before, right now": sum(_right(now) and not _right(was) for was, now in changed),
        "wrong in another way": sum(not _right(was) and not _right(now) for was, now in changed),
    }


def _by_id(side: Side) -> dict[str, tuple[Any, ...]]:
    """Find every example by its id as text, which ids are in some formats: its true class, and what was said of it."""
    if side.predictions is None:
        return {}
    columns = side.predictions.columns(side.labels)
    said = [values for name, values in columns.items() if name not in {"id", "cluster", "y_true"}]
    examples = zip(columns.get("y_true", [None] * len(said[0])), *said, strict=True)
    return dict(zip(map(str, columns.get("id", [])), examples, strict=False))


def _right(example: tuple[Any, ...]) -> bool:
    """Whether an example is right; where it has several runs, all of them."""
    true, predicted = example
    several = isinstance(predicted, list) and not isinstance(true, list)
    return all(said == true for said in predicted) if several else bool(true == predicted)


def _cells(before: Side, after: Side) -> dict[str, tuple[int, int]]:
    """Find the errors of the confusion matrix, or the cells of the labels' tables, whose counts changed most."""
    if isinstance(before, Scores) or isinstance(after, Scores):
        return {}
    old, new = _tally(before), _tally(after)
    cells = sorted(old.keys() | new.keys(), key=lambda cell: (-abs(new[cell] - old[cell]), cell))
    return {cell: (old[cell], new[cell]) for cell in cells[:_MOST_CELLS] if new[cell] != old[cell]}


def _tally(counts: SideCounts) -> Counter[str]:
    cells = counts.cells()
    if "count" in cells:
        triples = zip(cells["y_true"], cells["y_pred"], cells["count"], strict=True)
        return Counter({f"{one_line(true)} taken for {one_line(said)}": n for true, said, n in triples if true != said})
    labels = [one_line(label) for label in counts.labels]
    if counts.table.spans:
        errors = zip(labels, *counts.counts.T[1:].tolist(), strict=True)
        return Counter({f"{kind} {what}": n for kind, *ns in errors for what, n in zip(_SPAN_ERRORS, ns, strict=True)})
    return Counter({f"{label}, {name}": cells[name][row] for row, label in enumerate(labels) for name in _OUTCOMES})
