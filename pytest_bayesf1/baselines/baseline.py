"""A baseline as text: JSON with one example or one cell per line, made to be reviewed in a diff.

Every change of the content changes the checksum, and so the same line: two branches that both changed a baseline are
in conflict, and can never be merged into predictions that no classifier made.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from typing import Any

import numpy as np

from pytest_bayesf1.baselines.observed import observed_scores, test_set_columns
from pytest_bayesf1.baselines.origin import Origin
from pytest_bayesf1.baselines.rows import fit_together, parted, rows_of, rows_of_both
from pytest_bayesf1.data.confusion import ConfusionMatrix, MultilabelCounts, SideCounts
from pytest_bayesf1.data.predictions import VALUE
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.spans import SpanCounts
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.settings import Invalid

FORMAT = "pytest-bayesf1 baseline"
VERSION = 1
_MULTILABEL, _CLASSES, _SPANS = "any number of labels", "one class", "any number of spans per document"
_SCORES = "scores per example"
_RESTORE = "Restore the file from version control, or delete it and make it anew with --bayesf1-update=new."
_write = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(", ", ": "), default=plain).encode


@dataclass(frozen=True)
class Baseline:
    """What is known of the classifier that a candidate must not fall behind, and of the one that none may drift from.

    Attributes
    ----------
    name
        Of the baseline among those of its test module.
    counts
        Its counts, and its predictions where they are known; or its scores.
    origin
        Where the anchor is from: the baseline from which total loss is counted.
    anchor
        The anchor's counts or scores; None where they are the baseline's own.
    """

    name: str
    counts: Side
    origin: Origin = Origin()  # noqa: RUF009 (it cannot change)
    anchor: Side | None = None

    def followed_by(self, counts: Side, origin: Origin) -> "Baseline":
        """Return the baseline after this one, which keeps its anchor if both are known in the same rows.

        Parameters
        ----------
        counts
            Of the next baseline, on the same test set; the same baseline again is no next one.
        origin
            Where it is from, in case that it has to be the anchor itself.
        """
        anchor = self.counts if self.anchor is None else self.anchor
        table = _table(counts)
        if not fit_together(table, _table(anchor)) or _kind(counts) != _kind(anchor):
            return Baseline(self.name, counts, origin)
        moved = replace(self.origin, baselines_ago=self.origin.baselines_ago + (not self.says_the_same(counts)))
        return Baseline(self.name, counts, moved, None if table == _table(anchor) else anchor)

    def says_the_same(self, counts: Side) -> bool:
        """Whether another side holds the same labels and predictions, or the same counts where there are none.

        Parameters
        ----------
        counts
            Of another baseline.
        """
        return counts.labels == self.labels and _table(counts) == _table(self.counts)

    @property
    def scores(self) -> dict[str, float]:
        """The observed scores that help a reviewer."""
        return observed_scores(self.counts)

    @property
    def labels(self) -> tuple[Any, ...]:
        """The names of its classes, or of its labels."""
        return self.counts.labels

    @property
    def test_set(self) -> str:
        """What identifies the test set, and its fingerprint: the same for every classifier that was tested on it."""
        if not isinstance(self.counts, Scores) and self.counts.predictions is None:
            return f"class totals, {_fingerprint(map(_write, _totals(self.counts)))}"
        table = test_set_columns(_table(self.counts))
        if not table:
            return f"{self.counts.n_samples} examples"
        return f"{' and '.join(table)}, {_fingerprint(map(_write, rows_of(table)))}"


def to_text(baseline: Baseline) -> str:
    """Write a baseline down.

    Parameters
    ----------
    baseline
        Examples that have ids are sorted by them: the order in which they came does not matter.

    Raises
    ------
    InputError
        When it has units but no predictions: which example is of which unit is not known then.
    """
    counts, table = baseline.counts, _table(baseline.counts)
    if not isinstance(counts, Scores) and counts.predictions is None and counts.table.units and not counts.table.spans:
        advice = "Build it with from_predictions(..., clusters=...)."
        raise InputError("candidate", "predictions, where examples belong to units", "counts of a table", advice)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "name": baseline.name,
        "scores": _rounded(baseline.scores),
        "examples": counts.n_samples,
        "kind": _kind(counts),
        **_reading(counts),
        "test_set": baseline.test_set,
        "columns": list(table),
    }
    if known := _anchor_head(baseline):
        head["anchor"] = known
    lines = [f"{_write(key)}: {_write(value)}," for key, value in head.items()]
    written = rows_of(table) if baseline.anchor is None else rows_of_both(table, _table(baseline.anchor))
    rows = ",\n".join(map(_write, written))
    body = "\n".join(["{", *lines, f'"rows": [\n{rows}\n],\n'])
    return f'{body}"checksum": {_write(_fingerprint([body]))}\n}}\n'


def _reading(side: Side) -> dict[str, Any]:
    """Return what has to be known beside the rows to read them."""
    runs = None if side.predictions is None else side.predictions.runs
    known = {"labels": list(side.labels), "labels_from": side.labels_from}
    return known if runs is None else known | {"runs": runs.value}


def _anchor_head(baseline: Baseline) -> dict[str, Any]:
    """Return where the anchor is from, its scores, and what has to be known of it to read its rows."""
    known = {key: value for key, value in asdict(baseline.origin).items() if value}
    if baseline.anchor is None:
        return known
    known["scores"] = _rounded(observed_scores(baseline.anchor))
    ours, theirs = _reading(baseline.counts), _reading(baseline.anchor)
    return known | {key: theirs.get(key) for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)}


def _rounded(scores: dict[str, float]) -> dict[str, float]:
    return {name: round(score, 6) for name, score in scores.items()}


def _kind(side: Side) -> str:
    if isinstance(side, Scores):
        return _SCORES
    if side.table.spans:
        return _SPANS
    return f"{_MULTILABEL if side.table.multilabel else _CLASSES} per example"


def is_baseline_text(text: str) -> bool:
    """Whether a text means to be a baseline, damaged or not.

    Parameters
    ----------
    text
        Of any JSON file.
    """
    return text[:200].find(f'"format": {_write(FORMAT)}') > 0


def from_text(text: str, where: str) -> Baseline:
    """Read a baseline.

    Parameters
    ----------
    text
        As `to_text` writes it.
    where
        Names the file in errors.

    Raises
    ------
    BaselineError
        When it is damaged, was edited by hand, or comes from a newer version.
    """
    document = _parsed(text, where)
    body, found, _ = text.rpartition('"checksum": ')
    if not found or document.get("checksum") != _fingerprint([body]):
        raise BaselineError(
            where, "the content that was written", "another: it was edited, or merged from two", _RESTORE
        )
    try:
        return _restored_baseline(document)
    except (AttributeError, InputError, KeyError, TypeError, ValueError) as error:
        raise BaselineError(where, "a baseline", f"something else ({error})", _RESTORE) from error


def _parsed(text: str, where: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        conflict = "\n<<<<<<<" in f"\n{text}"
        found = "an unresolved merge conflict" if conflict else f"text that is damaged or cut off ({error})"
        advice = "Keep the side of the branch that you merge into, then update the baseline." if conflict else _RESTORE
        raise BaselineError(where, "a baseline", found, advice) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BaselineError(where, f"a file of the format {FORMAT!r}", "something else", _RESTORE)
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        advice = "Install the newer pytest-bayesf1 that wrote it."
        raise BaselineError(where, f"format version {VERSION}", str(version), advice)
    return document


def _restored_baseline(document: dict[str, Any]) -> Baseline:
    table, of_anchor = parted(document["columns"], document["rows"])
    known = document.get("anchor", {})
    origin = Origin(**{field.name: known[field.name] for field in fields(Origin) if field.name in known})
    anchor = None if of_anchor is None else _restored({**document, **known}, of_anchor)
    return Baseline(document["name"], _restored(document, table), origin, anchor)


def _restored(document: dict[str, Any], table: dict[str, Any]) -> Side:
    labels = [label for label in document["labels"] if label is not None]
    invalid: Invalid = "error" if None not in document["labels"] else "wrong"
    known = {"labels": labels, "ids": table.pop("id", None), "clusters": table.pop("cluster", None)}
    if document["kind"] == _SCORES:
        return replace(_restored_scores(table, **known), labels_from=document["labels_from"])
    if document["kind"] == _SPANS:
        counts: SideCounts = _restored_spans(table, **known)
    elif "count" in table:
        counts = ConfusionMatrix.from_cells(**table, labels=labels, invalid=invalid)
    elif "tn" in table:
        tn, fp, fn, tp = (table[name] for name in ("tn", "fp", "fn", "tp"))
        counts = MultilabelCounts([[[a, b], [c, d]] for a, b, c, d in zip(tn, fp, fn, tp, strict=True)], labels)
    elif document["kind"].startswith(_MULTILABEL):
        y_true, y_pred = (list(map(set, table[name])) for name in ("y_true", "y_pred"))
        counts = MultilabelCounts.from_predictions(y_true, y_pred, **known)
    else:
        counts = ConfusionMatrix.from_predictions(**table, **known, runs=document.get("runs"), invalid=invalid)
    return counts.from_table(counts.table, counts.labels, document["labels_from"], counts.predictions)


def _restored_scores(table: dict[str, Any], labels: list[Any], **known: Any) -> Scores:
    if not labels:
        return Scores.from_values(table[VALUE], **known)
    y_true = table.pop("y_true")
    positive = labels[1] if len(labels) == 2 else None
    scores = np.stack([np.array(column, dtype=np.float64) for column in table.values()], axis=1)
    return Scores.from_predictions(y_true, scores, labels=labels, positive=positive, **known)


def _restored_spans(table: dict[str, Any], labels: list[Any], ids: Any, clusters: Any) -> SpanCounts:
    if "type" in table:
        return SpanCounts.from_cells(table, labels)
    return SpanCounts.from_spans(table["y_true"], table["y_pred"], documents=ids, clusters=clusters, labels=labels)


def _table(side: Side) -> dict[str, list[Any]]:
    if isinstance(side, Scores):
        return side.predictions.columns(side.labels)
    return side.cells() if side.predictions is None else side.predictions.columns(side.labels)


def _totals(counts: SideCounts) -> list[tuple[Any, int]]:
    totals = counts.table.row_totals[counts.table.named].tolist()
    return sorted(zip(counts.classes, totals, strict=False), key=repr)  # unreadable answers come last


def _fingerprint(parts: Iterable[str]) -> str:
    digest = sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\n")
    return f"sha256:{digest.hexdigest()[:32]}"
