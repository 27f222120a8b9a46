"""Which examples the candidate predicts otherwise, and what that does to the score."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.choices import AUTO, CLASSES_IN_LOGS, Kind
from pytest_bayesf1.comparison.design import design_comparison
from pytest_bayesf1.comparison.subject import OutcomeSubject, Provenance, Subject
from pytest_bayesf1.data.questions import Questions, Shown, excerpts, moved, pair
from pytest_bayesf1.data.sides import Side, Sides
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import Measure, MeasureLike
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.comparison import (
    MOST_ERRORS,
    MOST_EXAMPLES,
    MOST_IDS,
    ClassContribution,
    ErrorChange,
    ExampleChange,
    NamedExample,
    ReportedChanges,
    SpanErrors,
)
from pytest_bayesf1.stats.attribution import Contributions, Moves, contributions, gains, weights_of_classes
from pytest_bayesf1.text import counted, one_line


class ChangedPredictions(NamedTuple):
    """Predictions of two sides that differ: of examples, of their labels, or of spans, in the order of the examples.

    Attributes
    ----------
    example : (K,)
        The example's position.
    ids : (K,)
        The example's id, or its position; of a span the document's and where in it the span is, ``d1:3-5``.
    true : (K,)
        True class, as `OutcomeTable` numbers it: of labels 2l is "absent" and 2l + 1 "present".
    predicted : (2, K)
        What the baseline and the candidate predict.
    share : (K,)
        How much of the example it is: less than 1 where several runs share its vote.
    """

    example: Codes
    ids: list[Any]
    true: Codes
    predicted: Codes
    share: Floats

    @classmethod
    def between(cls, baseline: Questions, candidate: Questions) -> "ChangedPredictions":
        """Find the predictions that differ."""
        if baseline.runs is not None or candidate.runs is not None:
            example, before, after, share = moved(baseline, candidate)
            names = baseline.example_ids(example)
            return cls(example, names, baseline.truth[example], np.stack([before, after]), share)
        both = pair(baseline, [baseline, candidate])
        both = both.of_rows(both.said[0] != both.said[1])
        return cls(both.example, both.question_ids, both.true, both.said, np.ones(both.example.size))


def span_errors(asked: Questions, said: Codes) -> SpanErrors:
    """Sort the errors of a side's spans by what is wrong with them."""
    is_true, is_said = asked.true % 2 == 1, said % 2 == 1
    spans = list(zip(asked.example.tolist(), *asked.place.tolist(), (asked.true // 2).tolist(), strict=True))
    spurious = [spans[row] for row in np.flatnonzero(is_said & ~is_true)]
    missed: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for row in np.flatnonzero(is_true & ~is_said):
        missed.setdefault(spans[row][:3], []).append(spans[row])
    others = []
    for span in spurious:
        if missed.get(span[:3]):
            missed[span[:3]].pop()
        else:
            others.append(span)
    left: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for span in (each for at_one_place in missed.values() for each in at_one_place):
        left.setdefault((span[0], span[3]), []).append(span)
    n_overlap = 0
    for document, start, end, kind in others:
        alike = left.get((document, kind), [])
        overlapping = next((each for each in alike if each[1] < end and start < each[2]), None)
        if overlapping is not None:
            alike.remove(overlapping)
            n_overlap += 1
    n_missed = sum(map(len, left.values()))
    return SpanErrors(len(spurious) - len(others), n_overlap, n_missed, len(others) - n_overlap)


@dataclass(frozen=True, eq=False, repr=False)
class Changes:
    """What changed between the two sides of a comparison, and how much of the score's change it explains.

    Attributes
    ----------
    subject
        The counts of both sides, and their predictions where they are known.
    measure
        The score.
    """

    subject: OutcomeSubject
    measure: Measure

    @classmethod
    def of(cls, provenance: Provenance) -> "Changes":
        """Take what was compared."""
        if provenance.counts is None:
            raise _of_scores()
        return cls(*provenance.counts)

    @classmethod
    def between(cls, baseline: Side, candidate: Side, measure: MeasureLike) -> "Changes":
        """Find what changed without a posterior."""
        sides = Sides.aligned(baseline, candidate).shared
        threshold = parse_name(measure).threshold if isinstance(measure, str) else None
        if sides.are_scores:
            if threshold is None:
                raise _of_scores()
            sides = sides.at(threshold)
        subject = replace(design_comparison(sides, None, AUTO), threshold=threshold)
        return cls(subject, subject.measure(measure))

    @property
    def change(self) -> float:
        """The candidate's observed score minus the baseline's."""
        return self._parts.change

    @property
    def rest(self) -> float:
        """What is left of it without the errors that changed: 0, unless the two sides have different test sets."""
        return self._parts.rest

    @cached_property
    def errors(self) -> tuple[ErrorChange, ...]:
        """Every kind of error that either side makes, with its contribution; first what explains most."""
        return self._first_errors(None)

    def _first_errors(self, most: int | None) -> tuple[ErrorChange, ...]:
        parts, names, first = self._parts, self.subject.class_names, self._order[:most]
        return tuple(
            ErrorChange(
                true=names[parts.true[place]],
                predicted=names[parts.predicted[place]],
                baseline=_whole(parts.counts[0, place]),
                candidate=_whole(parts.counts[1, place]),
                contribution=_rounded(parts.parts[place]),
                examples=tuple(examples),
            )
            for place, examples in zip(first.tolist(), self._named(first), strict=True)
        )

    @cached_property
    def classes(self) -> tuple[ClassContribution, ...]:
        """What the changes on each true class contribute together; first what explains most."""
        labels, total = self.subject.labels, self._parts.classes
        are_true = self.subject.experiment.tables[0].occurring
        ordered = np.argsort(-np.abs(total), kind="stable").tolist()
        return tuple(ClassContribution(labels[code], _rounded(total[code])) for code in ordered if are_true[code])

    def __repr__(self) -> str:
        """Write how much changed on one line."""
        examples = f", {counted(len({*self._changed.ids}), 'example')}" if self.knows_examples else ""
        return f"<Changes {one_line(self.measure.name)} {self.change:+z.3f}{examples}>"

    @property
    def knows_examples(self) -> bool:
        """Whether both sides' predictions of the same examples are known."""
        return self.subject.sides is not None

    @cached_property
    def examples(self) -> tuple[ExampleChange, ...]:
        """What is predicted otherwise, by the errors that explain most; raises `InputError` where it is unknown."""
        return self._first_examples(None)

    def _first_examples(self, most: int | None) -> tuple[ExampleChange, ...]:
        found, names = self._changed, self.subject.class_names
        columns = (found.true, *found.predicted, found.share, self._contributions_of(found))
        rows = list(zip(found.example.tolist(), found.ids, *(column.tolist() for column in columns), strict=True))
        rank = np.empty(self._order.size, dtype=np.int64)
        rank[self._order] = np.arange(self._order.size)
        before, after = found.predicted  # an example is about the error that it has now, else the one that it had
        errors = self._place(found.true, np.where(after == found.true, before, after))
        ordered = np.argsort(rank[errors], kind="stable")[:most].tolist()
        return tuple(
            ExampleChange(name, names[true], names[before], names[after], share, part, excerpts(self._shown, position))
            for position, name, true, before, after, share, part in map(rows.__getitem__, ordered)
        )

    def reported(
        self, most_errors: int | None = MOST_ERRORS, most_examples: int | None = MOST_EXAMPLES
    ) -> ReportedChanges:
        """Return what reports list of it, by default as much as they hold."""
        return ReportedChanges(
            change=self.change,
            rest=_rounded(self.rest),
            errors=self._first_errors(most_errors),
            classes=self.classes[:most_errors],
            n_examples=len({*self._changed.ids}) if self.knows_examples else None,
            examples=self._first_examples(most_examples) if self.knows_examples else (),
            span_errors=self.span_errors,
        )

    @cached_property
    def span_errors(self) -> tuple[SpanErrors, SpanErrors] | None:
        """What is wrong with each side's spans; None of other data, and of counts."""
        sides = self.subject.sides
        if sides is None or sides.baseline.kind is not Kind.SPANS:
            return None
        baseline, candidate = (span_errors(sides.paired, said) for said in sides.paired.said)
        return baseline, candidate

    def columns(self) -> dict[str, list[Any]]:
        """Write the examples out by names, in the order of `examples`; raise `InputError` where they are unknown."""
        names = {"y_true": "true", "change": "turn"}
        columns: dict[str, list[Any]] = {
            name: [getattr(each, names.get(name, name)) for each in self.examples]
            for name in ("id", "y_true", "baseline", "candidate", "change", "share", "contribution")
        }
        columns["change"] = [turn.value for turn in columns["change"]]
        shown = {name: [each.shown[place] for each in self.examples] for place, (name, _) in enumerate(self._shown)}
        return columns | {name: values for name, values in shown.items() if name not in columns}

    @cached_property
    def _parts(self) -> Contributions:
        return contributions(self.subject.experiment, self.measure)

    @cached_property
    def _order(self) -> Codes:
        return np.argsort(-np.abs(self._parts.parts), kind="stable")

    @cached_property
    def _answers(self) -> tuple[Questions, Questions]:
        sides, labels = self.subject.sides, self.subject.labels
        if sides is None:
            advice = "Build both sides from the predictions of the same examples."
            raise InputError.plain("changes", "Counts do not say which examples changed", advice)
        baseline, candidate = sides.answers
        if sides.baseline.labels == labels:
            return baseline, candidate
        codes = np.array([labels.index(label) for label in sides.baseline.labels])  # those of a prior are more
        return baseline.relabelled(codes, len(labels)), candidate.relabelled(codes, len(labels))

    @cached_property
    def _changed(self) -> ChangedPredictions:
        return ChangedPredictions.between(*self._answers)

    @cached_property
    def _cells(self) -> Codes:
        """The number of each error's cell, in order."""
        return np.asarray(self._parts.true * self.subject.experiment.n_classes + self._parts.predicted)

    def _place(self, true: Codes, predicted: Codes) -> Codes:
        """Return where among the errors these are; anywhere for what is right."""
        cells = true * self.subject.experiment.n_classes + predicted
        return np.searchsorted(self._cells, cells).clip(max=self._cells.size - 1)

    def _contributions_of(self, found: ChangedPredictions) -> Floats:
        """Undo one example of each kind of change."""
        experiment = self.subject.experiment
        kinds, kind = np.unique(np.stack([found.true, *found.predicted]), axis=1, return_inverse=True)
        true, before, after = kinds
        moves = Moves(true, before, after, weights_of_classes(experiment)[true] / self.subject.n_samples[0])
        each = gains(experiment.scored_sides[1], self.measure, moves, np.arange(kinds.shape[1]), kinds.shape[1])
        return np.asarray(each[kind.ravel()] * found.share)

    def _named(self, errors: Codes) -> list[list[NamedExample]]:
        """Name some examples for each of these errors."""
        named: dict[int, list[NamedExample]] = {place: [] for place in errors.tolist()}
        if not self.knows_examples:
            return [*named.values()]
        baseline, candidate = self._parts.counts
        found, grew, asked_for = self._changed, candidate > baseline, np.isin(np.arange(self._cells.size), errors)
        for side, growing in enumerate((False, True)):
            predicted = found.predicted[side]
            places = self._place(found.true, predicted)
            telling = (predicted != found.true) & (grew[places] == growing) & asked_for[places]
            for row in np.flatnonzero(telling).tolist():
                here, name = named[int(places[row])], found.ids[row]
                if len(here) < MOST_IDS and all(each.id != name for each in here):
                    here.append(NamedExample(name, excerpts(self._shown, found.example[row])))
        return [*named.values()]

    @cached_property
    def _shown(self) -> Shown:
        """What is to be shown of the examples: the candidate knows it as it is now."""
        baseline, candidate = self._answers
        return candidate.shown or baseline.shown


def changed_values(subject: Subject[Any], most: int = MOST_EXAMPLES) -> ReportedChanges | None:
    """Return the examples that have another number on either side, those that lost most first; None if unknown."""
    if subject.values is None:
        return None
    before, after = subject.values.answers
    are_passes = all(np.isin(side.said, (0, 1)).all() for side in (before, after))
    moved = after.said[0, :, 0] - before.said[0, :, 0]
    order = np.argsort(moved, kind="stable")
    order = order[moved[order] != 0]
    first = order[:most]
    examples = tuple(
        ExampleChange(
            name,
            "",
            _value_and_answer(before, position, are_passes=are_passes),
            _value_and_answer(after, position, are_passes=are_passes),
            1.0,
            _rounded(moved[position] / moved.size),
            excerpts(tuple(column for column in after.shown if column[0] != ANSWER), position),
        )
        for name, position in zip(after.example_ids(first), first.tolist(), strict=True)
    )
    change = _rounded(moved.mean())
    return ReportedChanges(change, change, (), (), int(order.size), examples)


ANSWER = CLASSES_IN_LOGS["y_pred"]


def _value_and_answer(side: Questions, position: int, *, are_passes: bool) -> str:
    answer = excerpts(tuple(column for column in side.shown if column[0] == ANSWER), position)
    value = side.said[0, position, 0]
    grade = ("passed" if value else "failed") if are_passes else f"{value:g}"
    return ": ".join((grade, *filter(None, answer)))


def _of_scores() -> InputError:
    return InputError.plain("changes", "Scores and grades are neither right nor wrong")


def _whole(count: float) -> float:
    """Write a whole number as one: only where runs share examples counts are none."""
    return round(count) if count == round(count) else float(count)


def _rounded(contribution: float) -> float:
    """Leave out what is but rounding."""
    return round(float(contribution), 12) + 0.0
