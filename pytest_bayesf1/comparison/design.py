"""Which model two sides allow: paired, same test set, independent."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any

from pytest_bayesf1.choices import AUTO, COMPARISONS, AnyModel, Model
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.data.paired import PairedCounts, as_side_counts
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.spans import without_spans
from pytest_bayesf1.data.two_sides import Sides, require_classes
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.priors import EarlierCounts, beside_earlier, model_with, require_model
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.words.notes import AS_THE_PRIOR, ASKED_FOR, BARE_SPAN_COUNTS


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
    vocabulary
        The classes that the caller or the truth has: other answers are wrong.
    """

    experiment: Any = field(repr=False)
    labels: tuple[Label, ...]
    reason: str
    notes: tuple[str, ...] = ()
    sides: Sides | None = field(default=None, repr=False)
    vocabulary: tuple[Label, ...] = ()

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
    require_classes(pairs.baseline)
    if model in (AUTO, Model.PAIRED):
        experiment = Experiment(Model.PAIRED, (pairs.table,))
        reason = "both sides have joint outcomes on the same examples"
        return Design(experiment, pairs.labels, reason, pairs.notes, vocabulary=pairs.vocabulary)
    return replace(_design_counts(Sides(pairs.baseline, pairs.candidate), model), notes=pairs.notes)


def _design_sides(sides: Sides, model: AnyModel) -> Design:
    notes = tuple(dict.fromkeys(sides.baseline.notes + sides.candidate.notes))
    if model == Model.PAIRED or (model == AUTO and sides.know_examples):
        experiment = Experiment(Model.PAIRED, (sides.joint,))
        reason = "both sides have predictions on the same examples"
        notes += tuple(without_spans(sides.paired))
        vocabulary = sides.candidate.vocabulary
        design = Design(experiment, sides.baseline.labels, reason, notes, sides=sides, vocabulary=vocabulary)
    else:
        design = _design_counts(sides, model)
        design = replace(design, notes=notes + design.notes)
    return _with_runs(design, sides.baseline, sides.candidate)


def _with_runs(design: Design, *sides: Side) -> Design:
    """Tell how many predictions an example has, and count every training of a recipe on its own."""
    known = [side.questions for side in sides]
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
    experiment = Experiment(model, (sides.baseline.table, sides.candidate.table))
    return Design(experiment, sides.baseline.labels, reason, notes, vocabulary=sides.candidate.vocabulary)


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
    experiment = Experiment(Model.SINGLE, (side.table,))
    design = Design(experiment, side.labels, "one classifier", side.notes, vocabulary=side.vocabulary)
    return _with_earlier(_with_runs(design, side), earlier)


def finished(design: Design, *sides: Side) -> Design:
    """Complete the design of several systems: their runs, and the classes that are never true."""
    return _with_earlier(_with_runs(design, *sides), None)


def _with_earlier(design: Design, earlier: EarlierCounts | None) -> Design:
    experiment, labels, reason = design.experiment, design.labels, design.reason
    if earlier is not None:
        experiment = beside_earlier(experiment, labels, earlier)
        labels, reason = earlier.labels, AS_THE_PRIOR
    return replace(design, experiment=experiment.without_unsupported_classes(), labels=labels, reason=reason)
