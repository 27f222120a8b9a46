"""Which model two sides allow: paired, same test set, independent."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from pytest_bayesf1.choices import AUTO, COMPARISONS, AnyModel, Model, OnNewTestSet
from pytest_bayesf1.data.confusion import SideCounts
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.data.paired import (
    FEWEST_SHARED,
    LEAST_SHARED,
    SHARE_OR_NOT,
    MisreadError,
    OtherTestSetError,
    Overlap,
    PairedCounts,
    Side,
    align,
    align_scores,
    as_side_counts,
    matched,
    overlap_of,
    predictions_of,
    require_corrections,
)
from pytest_bayesf1.data.predictions import Predictions
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.data.spans import without_spans
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.priors import EarlierCounts, beside_earlier, model_with, require_model
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.words.notes import AS_THE_PRIOR, ASKED_FOR, BARE_SPAN_COUNTS

_AS_TWO_TEST_SETS = "pass on_new_test_set: independent"
_ROUNDED = 2
"""The most that the totals of a class differ by where its shares were rounded."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Both sides of a comparison, whose predictions are paired at most once; `aligned` makes them of any two.

    Attributes
    ----------
    baseline, candidate
        Counts, or scores, with the same labels in the same order.
    overlap
        What the two test sets share, where the sides were restricted to that; None where they are what was given.
    """

    baseline: Any
    candidate: Any
    overlap: Overlap | None = None

    @classmethod
    def aligned(cls, baseline: Side, candidate: Side) -> "Sides":
        """Bring two sides to the same labels."""
        match baseline, candidate:
            case Scores(), Scores():
                return cls(*align_scores(baseline, candidate))
            case SideCounts(), SideCounts():
                return cls(*align(baseline, candidate))
        found = "none" if candidate is None else type(candidate).__name__
        advice = "Build both in the same way."
        raise InputError("candidate", f"{type(baseline).__name__}, as baseline", found, advice)

    @property
    def are_scores(self) -> bool:
        """Whether they are scores."""
        return isinstance(self.baseline, Scores)

    def at(self, threshold: float) -> "Sides":
        """Predict the positive class from a score on, on both sides."""
        return Sides(self.baseline.at(threshold), self.candidate.at(threshold))

    @property
    def know_predictions(self) -> bool:
        """Whether both sides remember their predictions."""
        return self.baseline.predictions is not None and self.candidate.predictions is not None

    def on(self, on_new_test_set: OnNewTestSet) -> "Sides":
        """Do what was asked for where the test sets differ; raises `InputError` where that cannot be done."""
        if on_new_test_set is not OnNewTestSet.INDEPENDENT:
            self._require_one_way_round()
        if on_new_test_set is OnNewTestSet.SHARED:
            return self.shared
        if on_new_test_set is OnNewTestSet.ERROR:
            self.require_same_test_set()
        return self

    def _require_one_way_round(self) -> None:
        """Refuse a matrix whose rows are predictions, or that are shares, where the totals of the other one tell."""
        if self.know_predictions or self.are_scores:
            return
        tables = self.baseline.table, self.candidate.table
        if any(table.multilabel or table.spans for table in tables):
            return
        true, other = (table.row_totals for table in tables)
        said, other_said = (np.bincount(table.predicted[0], table.count, table.n_classes) for table in tables)
        n = {*(side.n_samples for side in (self.baseline, self.candidate))}
        if len(n) == 1 and n <= {100, 1000} and 0 < abs(true - other).max() <= _ROUNDED:
            problem = f"The row totals differ by {abs(true - other).max():g}, and both matrices sum to {n.pop()}"
            advice = f"These look like rounded percentages: pass counts. If they are counts, {_AS_TWO_TEST_SETS}."
            raise MisreadError.plain("candidate", problem, advice)
        for name, same in (("candidate", (true, other_said)), ("baseline", (other, said))):
            if np.array_equal(*same) and not np.array_equal(true, other):
                problem = "Its rows look like predictions: its column totals are the row totals of the other side"
                advice = "Transpose it, or name its axes y_true and y_pred."
                raise MisreadError.plain(name, problem, f"{advice} If the test sets differ, {_AS_TWO_TEST_SETS}.")

    @cached_property
    def shared(self) -> "Sides":
        """The same on the examples that both have, where ids tell; raises `InputError` where these are too few."""
        sides = self.sharing(FEWEST_SHARED, LEAST_SHARED)
        if sides.overlap is not None:
            require_corrections(sides.overlap, self.baseline.labels)
        return sides

    def sharing(self, fewest: int = 1, least: float = 0.0) -> "Sides":
        """Do the same where so many examples are enough, and this share of the baseline's; whatever labels changed."""
        if not self.know_predictions:
            return self
        baseline, candidate = self.baseline.predictions, self.candidate.predictions
        overlap = overlap_of(baseline, candidate, fewest=fewest, least=least)
        return self if overlap is None else self.of_examples(overlap.baseline, overlap.candidate, overlap)

    def of_examples(self, baseline: Any, candidate: Any, overlap: Overlap | None = None) -> "Sides":
        """Return the same sides with other predictions."""
        return Sides(self.baseline.of_examples(baseline), self.candidate.of_examples(candidate), overlap)

    def require_same_test_set(self) -> None:
        """Raise `InputError` where the test sets differ, as far as the counts can tell."""
        if self.know_predictions:
            self.joint  # noqa: B018 (kept for the comparison)
        elif self.difference_of_totals:
            problem = f"Another test set than that of baseline: {self.difference_of_totals}"
            raise OtherTestSetError.plain("candidate", problem, SHARE_OR_NOT)

    @cached_property
    def paired(self) -> tuple[Predictions[Any], Predictions[Any]]:
        """Both sides' predictions in one order; raises `InputError` when they are not about the same examples."""
        known = predictions_of(self.baseline, "baseline"), predictions_of(self.candidate, "candidate")
        return matched(*known, self.baseline.labels)

    @cached_property
    def joint(self) -> Any:
        """The joint outcomes of the predictions; raises `InputError` as `paired` does."""
        baseline, candidate = self.paired
        return baseline.tally(len(self.baseline.labels), candidate)

    @cached_property
    def difference_of_totals(self) -> str:
        """Which class differs in its number of examples; empty when none does."""
        baseline, candidate = (side.table.row_totals[side.table.named] for side in (self.baseline, self.candidate))
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
        except MisreadError:
            raise
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


@dataclass(frozen=True, eq=False)
class Data:
    """What is compared, whatever its kind.

    Attributes
    ----------
    experiment
        The counts, or scores, and their model.
    labels
        The names of the classes, also of those without support; none where examples have a number each.
    reason
        Why the model was chosen.
    notes
        What a careful reader should know of how the data were read.
    sides
        What knows the predictions of every example; None where they are not paired.
    """

    experiment: Any = field(repr=False)
    labels: tuple[Label, ...]
    reason: str
    notes: tuple[str, ...] = ()
    sides: Sides | None = field(default=None, repr=False)

    @property
    def model(self) -> Model:
        """What the sides share."""
        return Model(self.experiment.model)

    @property
    def n_samples(self) -> tuple[int, ...]:
        """Examples of each side."""
        return tuple(self.experiment.n_samples)

    @property
    def true_labels(self) -> tuple[Label, ...]:
        """The classes that have examples."""
        return tuple(compress(self.labels, self.experiment.tables[0].occurring.tolist()))


@dataclass(frozen=True, eq=False)
class Design(Data):
    """How counts are compared.

    Attributes
    ----------
    runs
        The most predictions that an example has, side by side.
    """

    experiment: Experiment = field(repr=False)
    runs: tuple[int, ...] = (1, 1)


def design_comparison(baseline: Any, candidate: Any, model: AnyModel, earlier: EarlierCounts | None = None) -> Design:
    """Choose the model of a comparison."""
    return _with_earlier(_design(baseline, candidate, model_with(earlier, model, COMPARISONS)), earlier)


def _design(baseline: Any, candidate: Any, model: AnyModel) -> Design:
    if isinstance(baseline, PairedCounts | Sides):
        if candidate is not None:
            raise InputError.plain("candidate", f"{type(baseline).__name__} hold both sides", "Pass them alone.")
        if isinstance(baseline, Sides):
            return _design_sides(baseline, model)
        return _design_pairs(baseline, model)
    if candidate is None:
        raise InputError.plain("candidate", "There is none", "Pass both sides, or arrays: y_true, baseline, candidate.")
    counts = as_side_counts(baseline, "baseline"), as_side_counts(candidate, "candidate")
    return _design_sides(Sides.aligned(*counts), model)


def _design_pairs(pairs: PairedCounts, model: AnyModel) -> Design:
    if model in (AUTO, Model.PAIRED):
        experiment = Experiment(Model.PAIRED, (pairs.table,))
        return Design(experiment, pairs.labels, "both sides have joint outcomes on the same examples", pairs.notes)
    return replace(_design_counts(Sides(pairs.baseline, pairs.candidate), model), notes=pairs.notes)


def _design_sides(sides: Sides, model: AnyModel) -> Design:
    notes = tuple(dict.fromkeys(sides.baseline.notes + sides.candidate.notes))
    if model == Model.PAIRED or (model == AUTO and sides.know_predictions):
        experiment = Experiment(Model.PAIRED, (sides.joint,))
        reason = "both sides have predictions on the same examples"
        notes += tuple(without_spans(*sides.paired))
        design = Design(experiment, sides.baseline.labels, reason, notes, sides=sides)
    else:
        design = _design_counts(sides, model)
        design = replace(design, notes=notes + design.notes)
    return _with_runs(design, sides.baseline, sides.candidate)


def _with_runs(design: Design, *sides: SideCounts) -> Design:
    """Tell how many predictions an example has, and count every training of a recipe on its own."""
    known = [side.predictions for side in sides]
    trainings = tuple(() if each is None else tuple(each.trainings(len(design.labels))) for each in known)
    experiment = replace(design.experiment, trainings=trainings if any(trainings) else ())
    return replace(design, experiment=experiment, runs=tuple(1 if each is None else each.n_runs for each in known))


def _design_counts(sides: Sides, model: AnyModel) -> Design:
    difference = sides.difference_of_totals
    notes = tuple(_on_sizes(sides)) if difference else ()
    spans, independent = sides.baseline.table.spans, f"model: {Model.INDEPENDENT}"
    if spans and model == Model.SAME_SET:
        advice = f"Build both sides from spans or tags, then they pair up; or use {independent}."
        raise InputError("model", f"'{Model.PAIRED}' or '{Model.INDEPENDENT}' for spans", repr(str(model)), advice)
    if model == Model.SAME_SET and difference:
        problem = f"{Model.SAME_SET} does not fit two test sets that differ: {difference}"
        raise InputError.plain("model", problem, f"Use {independent}.")
    if model != AUTO:
        reason = ASKED_FOR
    elif spans:
        model, reason = Model.INDEPENDENT, BARE_SPAN_COUNTS
    elif difference:
        model, reason = Model.INDEPENDENT, "the row totals differ: two different test sets"
    elif sides.baseline.table.clusters or sides.candidate.table.clusters:
        model, reason = Model.INDEPENDENT, "examples belong to clusters, but which predictions pair up is unknown"
    else:
        model, reason = Model.SAME_SET, "the row totals agree, but which predictions pair up is unknown"
    return Design(
        Experiment(model, (sides.baseline.table, sides.candidate.table)), sides.baseline.labels, reason, notes
    )


_OTHER_SIZE = 1.5


def _on_sizes(sides: Sides) -> Iterator[str]:
    """Say so where one test set is much larger than the other."""
    sizes = sides.baseline.n_samples, sides.candidate.n_samples
    if max(sizes) > _OTHER_SIZE * min(sizes):
        yield (
            f"The test sets differ in size: the baseline has {sizes[0]:,} examples, the candidate {sizes[1]:,}. "
            "Check that these are the right files."
        )


def design_estimate(matrix: Any, earlier: EarlierCounts | None = None) -> Design:
    """Wrap one classifier's counts."""
    side = as_side_counts(matrix, "cm")
    require_model(earlier, (Model.SINGLE,))
    design = Design(Experiment(Model.SINGLE, (side.table,)), side.labels, "one classifier", side.notes)
    return _with_earlier(_with_runs(design, side), earlier)


def finished(design: Design, *sides: SideCounts) -> Design:
    """Complete the design of several systems: their runs, and the classes that are never true."""
    return _with_earlier(_with_runs(design, *sides), None)


def _with_earlier(design: Design, earlier: EarlierCounts | None) -> Design:
    experiment, labels, reason = design.experiment, design.labels, design.reason
    if earlier is not None:
        experiment = beside_earlier(experiment, labels, earlier)
        labels, reason = earlier.labels, AS_THE_PRIOR
    return replace(design, experiment=experiment.without_unsupported_classes(), labels=labels, reason=reason)
