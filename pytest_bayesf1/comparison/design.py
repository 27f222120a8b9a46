"""What the data hold decides the model: the strongest one they allow, unless the user asks for another."""

from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

from pytest_bayesf1._util import Interval
from pytest_bayesf1.comparison.by_agreement import PairedByAgreement, require_unknown
from pytest_bayesf1.comparison.sides import Sides
from pytest_bayesf1.data.confusion import SideCounts
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.data.sides import as_side_counts
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.priors import PseudoCounts, beside_earlier, model_with, require_model
from pytest_bayesf1.settings import AUTO, COMPARISONS, AnyModel, Model

ASKED_FOR = "it was asked for"
BARE_SPAN_COUNTS = "counts do not tell which spans both sides found"
AS_THE_PRIOR = "the prior is a posterior of this model"


@dataclass(frozen=True)
class Design:
    """How the data are compared.

    Attributes
    ----------
    experiment
        The counts and their model.
    labels
        The names of the classes, of those too that are never true.
    reason
        Why the model was chosen.
    notes
        What a careful reader should know of how the data were read.
    runs
        The most predictions that an example has, side by side.
    sides
        What knows the predictions of every example; None where they are not paired.
    pairs_counted
        Whether joint outcomes were counted; not where they follow from an agreement that was stated.
    """

    experiment: Experiment
    labels: tuple[Label, ...]
    reason: str
    notes: tuple[str, ...] = ()
    runs: tuple[int, ...] = (1, 1)
    sides: Sides | None = None
    pairs_counted: bool = True

    @property
    def counted(self) -> Experiment:
        """What was counted, but for pairs that only an agreement makes likely."""
        if self.pairs_counted:
            return self.experiment
        return replace(self.experiment, model=Model.SAME_SET, tables=self.experiment.sides, earlier=())

    @property
    def true_labels(self) -> tuple[Label, ...]:
        """The classes that have examples."""
        return tuple(compress(self.labels, self.experiment.tables[0].occurring.tolist()))


def design_comparison(
    baseline: Any,
    candidate: Any,
    model: AnyModel,
    earlier: PseudoCounts | None = None,
    agreement: Interval | None = None,
) -> Design:
    """Choose the model of a comparison.

    Parameters
    ----------
    baseline, candidate
        Each what `as_side_counts` takes; or `PairedCounts` or `Sides` as ``baseline`` alone.
    model
        The one asked for.
    earlier
        Counts that the prior holds; their model is that of the new ones.
    agreement
        Bounds of the share of the examples on which both sides are said to predict the same, if they are.

    Returns
    -------
    Design
        With the strongest model that the data allow, where ``model`` is ``auto``.

    Raises
    ------
    InputError
        When the two do not fit together, or do not hold what ``model`` needs.
    """
    design = _design(baseline, candidate, model_with(earlier, model, COMPARISONS), agreement)
    return _with_earlier(design, earlier)


def _design(baseline: Any, candidate: Any, model: AnyModel, agreement: Interval | None) -> Design:
    if isinstance(baseline, PairedCounts | Sides):
        if candidate is not None:
            found = type(candidate).__name__
            raise InputError("candidate", f"nothing beside {type(baseline).__name__}, which hold both sides", found)
        if isinstance(baseline, Sides):
            return _design_sides(baseline, model, agreement)
        return _design_pairs(baseline, model, agreement)
    if candidate is None:
        raise InputError("candidate", "the candidate's counts", "none", "Only PairedCounts hold both sides at once.")
    counts = as_side_counts(baseline, "baseline"), as_side_counts(candidate, "candidate")
    return _design_sides(Sides.aligned(*counts), model, agreement)


def _design_pairs(pairs: PairedCounts, model: AnyModel, agreement: Interval | None) -> Design:
    if agreement is not None:
        require_unknown(pairs.table, agreement)
    if model in (AUTO, Model.PAIRED):
        experiment = Experiment(Model.PAIRED, (pairs.table,))
        return Design(experiment, pairs.labels, "the joint outcomes on the same examples are known", pairs.notes)
    return replace(_design_counts(Sides(pairs.baseline, pairs.candidate), model), notes=pairs.notes)


def _design_sides(sides: Sides, model: AnyModel, agreement: Interval | None) -> Design:
    if agreement is not None:
        return _design_by_agreement(sides, model, agreement)
    design = _design_of_model(sides, model)
    return _with_runs(design, sides.baseline, sides.candidate)


def _design_by_agreement(sides: Sides, model: AnyModel, agreement: Interval) -> Design:
    if sides.know_predictions:
        require_unknown(sides.joint, agreement)
    paired = PairedByAgreement.of(sides, model, agreement)
    notes = dict.fromkeys((*sides.baseline.notes, *sides.candidate.notes, paired.note))
    experiment = Experiment(Model.PAIRED, (paired.table,))
    return Design(experiment, sides.baseline.labels, paired.reason, tuple(notes), pairs_counted=False)


def _with_runs(design: Design, *sides: SideCounts) -> Design:
    """Tell how many predictions an example has, and count every training of a recipe on its own."""
    known = [side.predictions for side in sides]
    trainings = tuple(() if each is None else tuple(each.trainings(len(design.labels))) for each in known)
    experiment = replace(design.experiment, trainings=trainings if any(trainings) else ())
    return replace(design, experiment=experiment, runs=tuple(1 if each is None else each.n_runs for each in known))


def _design_of_model(sides: Sides, model: AnyModel) -> Design:
    notes = tuple(dict.fromkeys(sides.baseline.notes + sides.candidate.notes))
    if model == Model.PAIRED or (model == AUTO and sides.know_predictions):
        experiment = Experiment(Model.PAIRED, (sides.joint,))
        reason = "both sides' predictions on the same examples are known"
        return Design(experiment, sides.baseline.labels, reason, notes, sides=sides)
    return replace(_design_counts(sides, model), notes=notes)


def _design_counts(sides: Sides, model: AnyModel) -> Design:
    difference = sides.difference_of_totals
    if sides.baseline.table.spans:
        return _design_span_counts(sides, model)
    if model == Model.SAME_SET and difference:
        raise InputError(
            "candidate",
            "the row totals of baseline, for model='same-set'",
            difference,
            "Use model='independent' for two different test sets.",
        )
    if model != AUTO:
        reason = ASKED_FOR
    elif difference:
        model, reason = Model.INDEPENDENT, "the row totals differ: two different test sets"
    elif sides.baseline.table.units or sides.candidate.table.units:
        model, reason = Model.INDEPENDENT, "examples belong to units, but which predictions pair up is unknown"
    else:
        model, reason = Model.SAME_SET, "the row totals agree, but which predictions pair up is unknown"
    return Design(Experiment(model, (sides.baseline.table, sides.candidate.table)), sides.baseline.labels, reason)


def _design_span_counts(sides: Sides, model: AnyModel) -> Design:
    if model == Model.SAME_SET:
        advice = "Build both sides from spans or tags, then they are paired; or use model='independent'."
        raise InputError("model", f"{Model.PAIRED} or {Model.INDEPENDENT}, of spans", repr(str(model)), advice)
    reason = BARE_SPAN_COUNTS if model == AUTO else ASKED_FOR
    experiment = Experiment(Model.INDEPENDENT, (sides.baseline.table, sides.candidate.table))
    return Design(experiment, sides.baseline.labels, reason)


def design_estimate(matrix: Any, earlier: PseudoCounts | None = None) -> Design:
    """Wrap one classifier's counts.

    Parameters
    ----------
    matrix
        What `as_side_counts` takes.
    earlier
        Counts that the prior holds, of one classifier too.

    Returns
    -------
    Design
        Of the model ``single``.

    Raises
    ------
    InputError
        When the counts cannot be used, or not with the prior's.
    """
    side = as_side_counts(matrix, "cm")
    require_model(earlier, (Model.SINGLE,))
    design = Design(Experiment(Model.SINGLE, (side.table,)), side.labels, "one classifier", side.notes)
    return _with_earlier(_with_runs(design, side), earlier)


def finished(design: Design, *sides: SideCounts) -> Design:
    """Complete the design of several systems: their runs, and the classes that are never true.

    Parameters
    ----------
    design
        With the joint outcomes.
    *sides
        The systems, in their order.
    """
    return _with_earlier(_with_runs(design, *sides), None)


def _with_earlier(design: Design, earlier: PseudoCounts | None) -> Design:
    experiment, labels, reason = design.experiment, design.labels, design.reason
    if earlier is not None:
        experiment, labels = beside_earlier(experiment, labels, earlier)
        reason = reason if earlier.model is None else AS_THE_PRIOR
    return replace(design, experiment=experiment.without_classes_never_true(), labels=labels, reason=reason)
