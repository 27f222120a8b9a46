"""One side of a comparison: what a system answered about every example, or counts of it alone; and two of them.

Of two sides labels and examples are matched, and what two test sets share is found.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Bools, Codes, Floats, LabelArray, Weights
from pytest_bayesf1.choices import Kind, OnNewTestSet
from pytest_bayesf1.data.encoding import LabelsFrom, encode
from pytest_bayesf1.data.labels import DECLARE_CLASSES, in_order, key, positions
from pytest_bayesf1.data.questions import Questions, pair
from pytest_bayesf1.errors import InputError, not_declared, shown, within
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import counted, first_few, percent, plural


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Side:
    """What is known of one system on a test set."""

    kind: ClassVar[Kind]
    _noun: ClassVar[str]
    _example_noun: ClassVar[str] = "examples"

    labels: tuple[Label, ...]
    """The labels that occur, in the order of the counts."""
    vocabulary: tuple[Label, ...]
    """What an answer may be: the labels of the caller or of the truth, and `UNREADABLE` if ``invalid`` declares it."""
    labels_from: LabelsFrom
    """Where the labels come from: the ``caller``, or the ``data`` themselves."""
    questions: Questions | None = None
    """What was answered about every example, when that is known."""
    notes: tuple[str, ...] = ()
    """What a careful reader of a result should know of how the data were read."""

    @classmethod
    def from_table(
        cls,
        table: Any,
        labels: tuple[Label, ...],
        labels_from: LabelsFrom = "caller",
        vocabulary: tuple[Label, ...] | None = None,
    ) -> Self:
        """Wrap counts that were checked before.

        Parameters
        ----------
        table
            Counts.
        labels
            The names of the classes or labels.
        labels_from
            Where these come from, see `labels_from`.
        vocabulary
            Which of them answers may be; by default all.
        """
        side = cls.__new__(cls)
        vars(side).update(table=table, labels=labels, labels_from=labels_from, vocabulary=vocabulary or labels)
        return side

    @classmethod
    def of_questions(
        cls,
        questions: Questions,
        labels: tuple[Label, ...],
        labels_from: LabelsFrom,
        notes: tuple[str, ...] = (),
        vocabulary: tuple[Label, ...] | None = None,
    ) -> Self:
        """Keep what was answered, and count it when that is asked for."""
        side = cls.__new__(cls)
        vars(side).update(questions=questions, labels=labels, labels_from=labels_from, notes=notes)
        vars(side).update(vocabulary=vocabulary or labels)
        return side

    @classmethod
    def of_columns(cls, columns: Mapping[str, Any], labels: Iterable[Label] | None = None, **known: Any) -> list[Self]:
        """Make a side of every column after the truth, over the same labels; see `encode`."""
        found = encode(known.pop("kind", cls.kind), columns, labels, **known)
        sides = zip(found.sides, found.notes, strict=True)
        known = {"labels": found.labels, "labels_from": found.labels_from, "vocabulary": found.vocabulary}
        return [cls.of_questions(side, notes=notes, **known) for side, notes in sides]

    def _with(self, **changed: Any) -> Self:
        side = copy(self)
        if "questions" in changed:
            vars(side).pop("table", None)
        vars(side).update(changed)
        return side

    @cached_property
    def table(self) -> Any:
        """The counts that are not 0, in the form that the statistics work with."""
        assert self.questions is not None
        return self.questions.outcomes(len(self.labels))

    @property
    def classes(self) -> tuple[Label, ...]:
        """The labels that an example can have."""
        return tuple(label for label in self.vocabulary if label is not UNREADABLE)

    @property
    def n_samples(self) -> int:
        """Number of examples, N; of spans the true ones."""
        if self.questions is None or self.kind is Kind.SPANS:
            return int(self.table.n_samples)
        return self.questions.n_samples

    @property
    def counts(self) -> npt.NDArray[Any]:
        """The counts, as a new array."""
        raise NotImplementedError

    @property
    def scores(self) -> Floats:
        """The scores, (N, C): of the positive class, of every class, or the number."""
        assert self.questions is not None
        return np.array(self.questions.said[0])

    def cells(self) -> dict[str, list[Any]]:
        """Write the counts out by names, as columns of equal length."""
        raise NotImplementedError

    def columns(self) -> dict[str, list[Any]]:
        """Write the side out by names: its answers in the order of their ids, or its counts where there are none."""
        return self.cells() if self.questions is None else self.questions.columns(self.labels)

    def with_notes(self, notes: tuple[str, ...]) -> Self:
        """Return the same side with these notes."""
        return self._with(notes=notes)

    def with_labels_from(self, labels_from: LabelsFrom) -> Self:
        """Return the same side, whose labels come from elsewhere."""
        return self._with(labels_from=labels_from)

    def with_vocabulary(self, vocabulary: tuple[Label, ...]) -> Self:
        """Return the same side, whose answers may be these."""
        return self._with(vocabulary=vocabulary)

    def of_examples(self, questions: Questions) -> Self:
        """Return the same side about other examples, over the same labels."""
        return self._with(questions=questions)

    def relabelled(self, labels: tuple[Label, ...]) -> Self:
        """Return the same side over ``labels``: reordered, and with those that it lacked, of which it has none."""
        if labels == self.labels:
            return self
        position = positions(labels)
        codes = np.array([position[key(label)] for label in self.labels])
        if self.questions is None:
            return self._with(table=self.table.relabelled(codes, len(labels)), labels=labels)
        return self._with(questions=self.questions.relabelled(codes, len(labels)), labels=labels)

    def __eq__(self, other: object) -> bool:
        """Whether labels and counts are equal; which example is which does not matter."""
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.labels == other.labels and self.table.is_equal(other.table)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Sizes, not cells: a matrix of 20 classes would fill the screen."""
        kept = ", predictions kept" if self.questions else ""
        return f"<{type(self).__name__} {len(self.labels)} {self._noun}, {self.n_samples} {self._example_noun}{kept}>"


def align(baseline: Side, candidate: Side) -> tuple[Side, Side]:
    """Bring both to the same labels in the same order.

    Labels that the caller named must agree, in any order. Labels found in data are extended by those of the other side:
    a class that one side never predicts is a class all the same.
    """
    if type(baseline) is not type(candidate):
        found = "none" if candidate is None else type(candidate).__name__
        raise InputError("candidate", f"{type(baseline).__name__}, as baseline", found, "Build both in the same way.")
    if baseline.kind is Kind.SCORES:
        return _align_scores(baseline, candidate)
    classes = _common_classes(baseline, candidate)
    labels = _common_labels(baseline, candidate, classes)
    is_declared = UNREADABLE in (*baseline.vocabulary, *candidate.vocabulary)
    vocabulary = (*classes, UNREADABLE) if is_declared else classes
    return _with_labels(baseline, labels, vocabulary), _with_labels(candidate, labels, vocabulary)


def require_classes(baseline: Side) -> None:
    """Refuse answers of a baseline that are no class and were not declared wrong: they would hide a loss."""
    known = positions(baseline.vocabulary)
    outside = [code for code, label in enumerate(baseline.labels) if key(label) not in known]
    if UNREADABLE in known or not outside:
        return
    times = _times_given(baseline)
    found = [(None if baseline.labels[code] is UNREADABLE else baseline.labels[code], times[code]) for code in outside]
    found = [(label, round(float(n))) for label, n in found if n]
    if not found:
        return
    where, first, asked = "baseline", "", baseline.questions
    if asked is not None:
        where = asked.argument("baseline", "y_pred") if asked.rows.where else where
        example, *_, given = asked.given(asked.said[0])
        first = _example(asked, int(example[np.isin(given, outside).argmax()]))
    noun = _NOUNS[baseline.kind]
    classes = f"{plural(noun)} {first_few(map(shown, baseline.classes), 3)}"
    n, declare = round(float(times.sum())), DECLARE_CLASSES if noun == "class" else f"labels (all {plural(noun)})"
    whose = "labels" if baseline.labels_from == "caller" else "the truth"
    raise not_declared(where, f"no {noun} of {whose}", found, n, first, classes, declare)


_NOUNS = {Kind.CLASSES: "class", Kind.LABELS: "label", Kind.SPANS: "type"}


def _times_given(side: Side) -> Weights:
    """Count how often a side answers with each label, in whatever run."""
    if side.questions is None:
        return np.asarray(side.table.times_predicted)
    return np.bincount(side.questions.given(side.questions.said[0])[-1], minlength=len(side.labels))


def _align_scores(baseline: Side, candidate: Side) -> tuple[Side, Side]:
    before, after = positions(baseline.labels), positions(candidate.labels)
    if before.keys() != after.keys():
        expected, found = (
            f"classes {first_few(map(shown, side.labels), 20)}" if side.labels else "values without classes"
            for side in (baseline, candidate)
        )
        raise InputError(_argument(candidate, "labels"), f"scores of {expected}, as in baseline", found)
    if len(before) == 2 and before != after:
        expected = f"scores of {shown(baseline.labels[1])}, as in baseline"
        raise InputError("candidate", expected, shown(candidate.labels[1]))
    return baseline, candidate.relabelled(baseline.labels)


def _argument(candidate: Side, name: str) -> str:
    asked = candidate.questions
    return f"candidate.{name}" if asked is None else asked.argument("candidate", name)


def _common_classes(baseline: Side, candidate: Side) -> tuple[Label, ...]:
    """Return the classes that a caller listed, or those of both truths."""
    first, second = (positions(side.classes) for side in (baseline, candidate))
    is_listed = [side.labels_from == "caller" for side in (baseline, candidate)]
    only_candidate = [label for label in candidate.classes if key(label) not in first] if is_listed[0] else []
    only_baseline = [label for label in baseline.classes if key(label) not in second] if is_listed[1] else []
    if only_candidate or only_baseline:
        alone = (("candidate", only_candidate), ("baseline", only_baseline))
        found = "; ".join(f"only in {side}: {first_few(map(shown, labels), 3)}" for side, labels in alone if labels)
        problem = f"The classes differ: {found}"
        raise InputError.plain(_argument(candidate, "labels"), problem, "Declare: labels (all classes).")
    if any(is_listed):
        return baseline.classes if is_listed[0] else candidate.classes
    return _with_others(baseline.classes, candidate.classes)


def _common_labels(baseline: Side, candidate: Side, classes: tuple[Label, ...]) -> tuple[Label, ...]:
    """Return all labels that either side has."""
    first, second = (tuple(label for label in side.labels if label is not UNREADABLE) for side in (baseline, candidate))
    if "caller" in (baseline.labels_from, candidate.labels_from):
        known = positions(classes)
        others = {key(label): label for label in (*second, *first) if key(label) not in known}
        labels = (*classes, *in_order(others.values()))
    else:
        labels = _with_others(first, second)
    return (*labels, UNREADABLE) if UNREADABLE in baseline.labels + candidate.labels else labels


def _with_others(first: tuple[Label, ...], second: tuple[Label, ...]) -> tuple[Label, ...]:
    known = positions(first)
    others = [label for label in second if key(label) not in known]
    return tuple(in_order([*first, *others])) if others else first


def _with_labels(side: Side, labels: tuple[Label, ...], vocabulary: tuple[Label, ...]) -> Side:
    return side.relabelled(labels).with_vocabulary(vocabulary)


HOW_TO_PAIR = "Build each side from the predictions of its examples."


def questions_of(side: Side, name: str) -> Questions:
    """Return what was answered about every example; raises `InputError` where only counts are known."""
    if side.questions is None:
        raise InputError.plain(name, "Bare counts do not pair up", HOW_TO_PAIR)
    return side.questions


class OtherTestSetError(InputError):
    """Two sides that are not about the same examples, or not with the same truth."""


AS_INDEPENDENT = "To compare two different test sets, pass on_new_test_set: independent."
SHARE_OR_NOT = f"To compare on the examples that both have, pass on_new_test_set: shared. {AS_INDEPENDENT}"


def matched(baseline: Questions, candidate: Questions, labels: tuple[Label, ...]) -> Questions:
    """Return the candidate's questions in the baseline's order, by id or else by position."""
    truth, ids = baseline.names
    _require_both_or_neither(baseline.ids, candidate.ids, ids)
    _require_both_or_neither(baseline.clusters, candidate.clusters, "clusters")
    names = _ids_as_alike([baseline, candidate])
    if names is not None:
        candidate = _in_order(candidate, names, candidate.argument("candidate", ids))
    elif baseline.n_samples != candidate.n_samples:
        advice = f"Pass {ids} to both sides, to compare on the examples that both have. {AS_INDEPENDENT}"
        differ = f"{counted(candidate.n_samples, baseline.noun)}, and baseline has {baseline.n_samples:,}"
        are = "is" if candidate.n_samples == 1 else "are"
        raise OtherTestSetError.plain(candidate.rows.where or "candidate", f"There {are} {differ}", advice)
    differs, _ = baseline.differs(candidate)
    if differs.any():
        n, has = int(differs.sum()), "has" if differs.sum() == 1 else "have"
        first = _first_difference(baseline, candidate, differs, labels)
        problem = f"{counted(n, baseline.noun)} {has} another {truth} than in baseline, first at {first}"
        advice = SHARE_OR_NOT
        if baseline.ids is None:
            advice = f"Pass {ids} if the order differs, or if you corrected labels. {AS_INDEPENDENT}"
        raise OtherTestSetError.plain(candidate.argument("candidate", truth), problem, advice)
    _require_same_clusters(baseline, candidate)
    return candidate


def _require_both_or_neither(of_baseline: object, of_candidate: object, name: str) -> None:
    if (of_baseline is None) != (of_candidate is None):
        sides = "baseline", "candidate"
        lack, have = sides if of_baseline is None else sides[::-1]
        advice = f"Pass {name} to both sides or to neither."
        raise InputError.plain(f"{lack}.{name}", f"There are none, but {have} has some", advice)


def _ids_as_alike(sides: Sequence[Questions]) -> list[LabelArray] | None:
    """Return the ids of every side, which are equal if their text is equal; None where a side has none."""
    known = [side.ids for side in sides if side.ids is not None]
    if len(known) < len(sides):
        return None
    if len({each.dtype.kind for each in known}) > 1:
        return [each.astype(str) for each in known]
    return known


def _in_order(candidate: Questions, ids: Sequence[LabelArray], where: str) -> Questions:
    """Return the candidate's examples in the order of the baseline's; raise `InputError` where one lacks some."""
    if np.array_equal(ids[0], ids[1]):
        return candidate
    order = _shared_by_ids(ids)
    alone = [np.delete(each, at).tolist() for each, at in zip(ids, order, strict=True)]
    named = zip(("baseline", "candidate"), alone, strict=True)
    only = [
        f"{counted(len(each), 'id')} only in {side} ({first_few(map(shown, each))})" for side, each in named if each
    ]
    if only:
        raise OtherTestSetError.plain(where, f"The test sets differ: {'; '.join(only)}", SHARE_OR_NOT)
    return candidate.take(order[1])


def _require_same_clusters(baseline: Questions, candidate: Questions) -> None:
    """Require that every example is of the same cluster on both sides."""
    if baseline.clusters is None or candidate.clusters is None:
        return
    differs = np.flatnonzero(baseline.clusters != candidate.clusters)
    if differs.size:
        first = int(differs[0])
        names = f"{shown(baseline.clusters[first])} and {shown(candidate.clusters[first])}"
        moved = f"{counted(differs.size, 'example')} not in the cluster of baseline"
        where = candidate.argument("candidate", "clusters")
        raise InputError.plain(where, f"{moved}, first at {_example(candidate, first)} ({names})")


def _first_difference(own: Questions, other: Questions, differs: Bools, labels: tuple[Label, ...]) -> str:
    """Name the first example whose truth is another one, and both truths."""
    first = int(differs.argmax())
    ours, theirs = (each.take([first]).named_truths(labels)[0] for each in (own, other))
    return f"{_example(other, first)} ({shown(ours)} and {shown(theirs)})"


def _example(questions: Questions, position: int) -> str:
    if questions.ids is None or questions.rows.where:
        return questions.rows.place(position)
    return f"id {shown(questions.ids[position])}"


LEAST_SHARED = 0.8
"""Of the baseline's examples. With less in common the two are different test sets, whatever their ids say."""

FEWEST_SHARED = 50


@dataclass(frozen=True, eq=False)
class Overlap:
    """Two test sets that differ.

    Attributes
    ----------
    baseline, candidate
        Both sides' answers about the examples that both have, in the baseline's order, by the candidate's truth.
    before
        The baseline's answers about the same examples by its own truth.
    lacking, added
        The baseline's answers about what the candidate lacks, and the candidate's about what it alone has.
    """

    baseline: Questions
    candidate: Questions
    before: Questions
    lacking: Questions
    added: Questions

    @property
    def n_shared(self) -> int:
        """How many examples both have."""
        return self.baseline.n_samples

    @property
    def n_baseline(self) -> int:
        """How many examples the baseline's test set has."""
        return self.n_shared + self.lacking.n_samples

    @property
    def n_candidate(self) -> int:
        """How many examples the candidate's test set has."""
        return self.n_shared + self.added.n_samples

    @property
    def whole(self) -> tuple[Questions, Questions]:
        """Each side's answers about all its own examples, by the candidate's truth where that is known."""
        return self.baseline.followed_by(self.lacking), self.candidate.followed_by(self.added)

    @cached_property
    def corrected(self) -> Bools:
        """(n_shared,) whether the truth of each example was another one in the baseline's test set."""
        return self.before.differs(self.candidate)[0]

    @property
    def on_old_truth(self) -> tuple[Questions, Questions]:
        """Both sides' answers about the shared examples by the baseline's truth."""
        return self.before, self.candidate.with_truth(self.before)

    def favoured(self) -> tuple[int, int]:
        """Count the corrections that help the baseline against the candidate, and those that help the candidate."""
        old_baseline, old_candidate = (side.errors() for side in self.on_old_truth)
        gain = (self.baseline.errors() - self.candidate.errors()) - (old_baseline - old_candidate)
        of_corrected = gain[self.corrected]
        return int((of_corrected < 0).sum()), int((of_corrected > 0).sum())

    def if_wrong(self, n_labels: int) -> tuple[Questions, Questions]:
        """Add the examples that the candidate lacks, and have it wrong on all of them."""
        wrong = self.candidate.wrong_about(self.lacking, n_labels)
        return self.baseline.followed_by(self.lacking), self.candidate.followed_by(wrong)


_FEWEST_CHANGED, _MOST_CHANGED = 5, 0.1


def require_corrections(overlap: Overlap, labels: tuple[Label, ...]) -> None:
    """Refuse truths that differ by more than corrections do: more than a tenth, of five examples or more."""
    before = overlap.before
    differs, share = before.differs(overlap.candidate)
    n_changed, where = int(differs.sum()), before.names[0]
    if n_changed < _FEWEST_CHANGED:
        return
    place = overlap.candidate.argument("candidate", where)
    if _is_swapped(overlap):
        problem = (
            f"baseline has other truths for {counted(n_changed, before.noun)}, and the candidate answers just these"
        )
        raise OtherTestSetError.plain(place, problem, "Did the truth and the predictions change places?")
    if share <= _MOST_CHANGED:
        return
    example = _first_difference(before, overlap.candidate, differs, labels)
    noun = counted(overlap.n_shared, f"shared {before.noun}")
    problem = f"{n_changed:,} of {noun} have another {where} than in baseline, such as {example}"
    advice = f"Give every example an id of its own that stays, and name classes alike. {AS_INDEPENDENT}"
    raise OtherTestSetError.plain(place, problem, advice)


def _is_swapped(overlap: Overlap) -> bool:
    """Whether the candidate answers the baseline's truth throughout, and the baseline does not."""
    if overlap.before.kind in (Kind.SCORES, Kind.VALUES):
        return False
    before, after = overlap.on_old_truth
    return bool(before.errors().any()) and not after.errors().any()


def overlap_of(
    baseline: Questions, candidate: Questions, *, fewest: int = FEWEST_SHARED, least: float = LEAST_SHARED
) -> Overlap | None:
    """Return what two test sets share; None where they are the same, or where ids do not say which is which.

    Raises `InputError` where they share too little to be compared on that.
    """
    ids = _ids_as_alike([baseline, candidate])
    if ids is None:
        return None  # the comparison says what is missing
    if np.array_equal(ids[0], ids[1]) and not baseline.differs(candidate)[0].any():
        return None  # the usual case, for which no ids need to be sorted
    at_baseline, at_candidate = _shared_by_ids(ids)
    before, of_candidate = baseline.take(at_baseline), candidate.take(at_candidate)
    n_baseline, n_candidate = baseline.n_samples, candidate.n_samples
    if n_baseline == n_candidate == at_baseline.size:
        if not before.differs(of_candidate)[0].any():
            return None
    else:
        where, problem = candidate.argument("candidate", baseline.names[1]), "of baseline are in both"
        _require_enough(at_baseline.size, n_baseline, fewest, least, where, problem, AS_INDEPENDENT)
    lacking = baseline.take(np.setdiff1d(np.arange(n_baseline), at_baseline))
    added = candidate.take(np.setdiff1d(np.arange(n_candidate), at_candidate))
    return Overlap(before.with_truth(of_candidate), of_candidate, before, lacking, added)


def shared_by_all(sides: Sequence[Questions]) -> list[Questions] | None:
    """Keep the examples that all sides have; None where these are all, or ids do not say which is which.

    Raises `InputError` where they are too few.
    """
    ids = _ids_as_alike(sides)
    if ids is None:
        return None
    positions = _shared_by_ids(ids)
    n_shared = positions[0].size
    if all(side.n_samples == n_shared for side in sides):
        return None
    largest, where = max(side.n_samples for side in sides), sides[0].names[1]
    _require_enough(n_shared, largest, FEWEST_SHARED, LEAST_SHARED, where, "of the largest test set are in all")
    return [side.take(at) for side, at in zip(sides, positions, strict=True)]


def _shared_by_ids(ids: Sequence[LabelArray]) -> list[Codes]:
    """Return where each side has the examples that all have, in the order of the first."""
    shared = reduce(lambda first, second: np.intersect1d(first, second, assume_unique=True), ids)
    orders = [np.argsort(each, kind="stable") for each in ids]
    positions = [order[np.searchsorted(each, shared, sorter=order)] for each, order in zip(ids, orders, strict=True)]
    in_first_order = np.argsort(positions[0], kind="stable")
    return [each[in_first_order] for each in positions]


def _require_enough(
    n_shared: int, n_all: int, fewest: int, least: float, where: str, problem: str, advice: str = ""
) -> None:
    """Refuse test sets that share too few examples."""
    if n_shared < fewest or n_shared < least * n_all:
        needed = f"It needs at least {percent(least)}, and at least {fewest:,}."
        check = f"{needed} Check that an id names the same example everywhere. {advice}".strip()
        raise OtherTestSetError.plain(where, f"{n_shared:,} of {counted(n_all, 'example')} {problem}", check)


def all_at(sides: Mapping[str, Side], threshold: float) -> dict[str, Side]:
    """Predict the positive class from a score on, on every side."""
    found = {}
    for name, side in sides.items():
        with within(questions_of(side, name).rows.where or name):
            found[name] = side.at(threshold)  # type: ignore[attr-defined]
    return found


@dataclass(frozen=True, eq=False)
class Sides:
    """Both sides of a comparison, whose examples are paired at most once; `aligned` makes them of any two.

    Attributes
    ----------
    baseline, candidate
        With the same labels in the same order.
    overlap
        What the two test sets share, where the sides were restricted to that; None where they are what was given.
    """

    baseline: Side
    candidate: Side
    overlap: Overlap | None = None

    @classmethod
    def aligned(cls, baseline: Side, candidate: Side) -> "Sides":
        """Bring two sides to the same labels, and require of the baseline that it answers with classes."""
        sides = align(baseline, candidate)
        require_classes(sides[0])
        return cls(*sides)

    @property
    def are_scores(self) -> bool:
        """Whether they are scores."""
        return self.baseline.kind is Kind.SCORES

    def at(self, threshold: float) -> "Sides":
        """Predict the positive class from a score on, on both sides."""
        baseline, candidate = all_at({"baseline": self.baseline, "candidate": self.candidate}, threshold).values()
        return Sides(baseline, candidate)

    @property
    def know_examples(self) -> bool:
        """Whether both sides remember what they answered about every example."""
        return self.baseline.questions is not None and self.candidate.questions is not None

    def on(self, on_new_test_set: OnNewTestSet) -> "Sides":
        """Do what was asked for where the test sets differ; raises `InputError` where that cannot be done."""
        if on_new_test_set is OnNewTestSet.SHARED:
            return self.shared
        if on_new_test_set is OnNewTestSet.ERROR:
            self.require_same_test_set()
        return self

    @cached_property
    def shared(self) -> "Sides":
        """The same on the examples that both have, where ids tell; raises `InputError` where these are too few."""
        sides = self.sharing(FEWEST_SHARED, LEAST_SHARED)
        if sides.overlap is not None:
            require_corrections(sides.overlap, self.baseline.labels)
        return sides

    def sharing(self, fewest: int = 1, least: float = 0.0) -> "Sides":
        """Do the same where so many examples are enough, and this share of the baseline's; whatever labels changed."""
        baseline, candidate = self.baseline.questions, self.candidate.questions
        if baseline is None or candidate is None:
            return self
        overlap = overlap_of(baseline, candidate, fewest=fewest, least=least)
        return self if overlap is None else self.of_examples(overlap.baseline, overlap.candidate, overlap)

    def of_examples(self, baseline: Questions, candidate: Questions, overlap: Overlap | None = None) -> "Sides":
        """Return the same sides about other examples."""
        return Sides(self.baseline.of_examples(baseline), self.candidate.of_examples(candidate), overlap)

    def require_same_test_set(self) -> None:
        """Raise `InputError` where the test sets differ, as far as the counts can tell."""
        if self.know_examples:
            self.answers  # noqa: B018 (kept for the comparison)
        elif self.difference_of_totals:
            problem = f"Another test set than that of baseline: {self.difference_of_totals}"
            raise OtherTestSetError.plain("candidate", problem, SHARE_OR_NOT)

    @cached_property
    def answers(self) -> tuple[Questions, Questions]:
        """What each side answers, of the same examples in one order: all count, answered or not, as they do `apart`.

        Raises `InputError` when the sides are not about the same examples.
        """
        baseline = questions_of(self.baseline, "baseline")
        candidate = questions_of(self.candidate, "candidate")
        return baseline, matched(baseline, candidate, self.baseline.labels)

    @cached_property
    def paired(self) -> Questions:
        """The questions with both sides' answers; raises `InputError` as `answers` does."""
        return pair(self.answers[0], self.answers)

    @property
    def joint(self) -> Any:
        """The joint outcomes."""
        return self.paired.outcomes(len(self.baseline.labels))

    @property
    def apart(self) -> tuple[Any, Any]:
        """The outcomes of each side alone, for models that do not pair them; all examples count, answered or not."""
        return self.baseline.table, self.candidate.table

    @cached_property
    def difference_of_totals(self) -> str:
        """Which class differs in its number of examples; empty when none does."""
        baseline, candidate = (table.row_totals[table.named] for table in self.apart)
        for label, total, other in zip(self.baseline.labels, baseline, candidate, strict=True):
            if total != other:
                return f"{other} examples of class {label!r} instead of {total}"
        if self.baseline.n_samples != self.candidate.n_samples:
            return f"{self.candidate.n_samples} examples instead of {self.baseline.n_samples}"
        return ""

    def difference_on(self, on_new_test_set: OnNewTestSet) -> str:
        """Why the two cannot be compared on the same examples, where that was asked for; empty when they can."""
        try:
            return self.on(on_new_test_set).difference_of_test_sets
        except InputError as error:
            return error.without_advice

    @cached_property
    def difference_of_test_sets(self) -> str:
        """How the test sets differ; empty when they do not, as far as the counts can tell."""
        try:
            self.require_same_test_set()
        except InputError as error:
            return error.without_advice
        return ""
