"""What the data hold decides the model: the strongest one they allow, unless the user asks for another."""

from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

from pytest_bayesf1.checks import require_choice
from pytest_bayesf1.counts.conversion import as_side_counts
from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.counts.labels import Label
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.paired import PairedCounts
from pytest_bayesf1.counts.pairing import align, pair
from pytest_bayesf1.counts.side_counts import SideCounts
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.priors.earlier_counts import beside_earlier, model_with
from pytest_bayesf1.priors.pseudo_counts import PseudoCounts

ASKED_FOR = "it was asked for"
AS_THE_PRIOR = "the prior is a posterior of this model"
MODELS = ("auto", "paired", "same-set", "independent")


@dataclass(frozen=True)
class Design:
    """An experiment, the names of its classes, why its model was chosen, and notes on how the data were read.

    Classes that are never true have names too.
    """

    experiment: Experiment
    labels: tuple[Label, ...]
    reason: str
    notes: tuple[str, ...] = ()

    @property
    def true_labels(self) -> tuple[Label, ...]:
        """The classes that have examples."""
        return tuple(compress(self.labels, self.experiment.tables[0].occurring.tolist()))


def design_comparison(baseline: Any, candidate: Any, model: str, earlier: PseudoCounts | None = None) -> Design:
    """Choose the model for two sides, or for a `PairedCounts` alone.

    The model of ``earlier`` counts, which a prior may hold, is the model of the new ones.

    Raises
    ------
    InputError
        When the two do not fit together, or do not hold what ``model`` needs.
    """
    require_choice("model", model, MODELS)
    design = _design(baseline, candidate, model_with(earlier, model, MODELS[1:]))
    return replace(_with_earlier(design, earlier), notes=_notes(baseline, candidate))


def _notes(*sides: Any) -> tuple[str, ...]:
    return tuple(note for side in sides if isinstance(side, SideCounts | PairedCounts) for note in side.notes)


def _design(baseline: Any, candidate: Any, model: str) -> Design:
    if isinstance(baseline, PairedCounts):
        return _design_pairs(baseline, candidate, model)
    if candidate is None:
        raise InputError("candidate", "the candidate's counts", "none", "Only PairedCounts hold both sides at once.")
    ours, theirs = align(as_side_counts(baseline, "baseline"), as_side_counts(candidate, "candidate"))
    if model == "paired" or (model == "auto" and ours.predictions is not None and theirs.predictions is not None):
        return Design(
            _paired(pair(ours, theirs)), ours.labels, "both sides' predictions on the same examples are known"
        )
    return _design_matrices(ours, theirs, model)


def design_estimate(matrix: Any, earlier: PseudoCounts | None = None) -> Design:
    """Wrap one classifier's counts."""
    ours = as_side_counts(matrix, "cm")
    model = model_with(earlier, "single", ("single",))
    design = Design(Experiment(model, (ours.table,)), ours.labels, "one classifier")
    return replace(_with_earlier(design, earlier), notes=ours.notes)


def _with_earlier(design: Design, earlier: PseudoCounts | None) -> Design:
    experiment, labels, reason = design.experiment, design.labels, design.reason
    if earlier is not None:
        experiment, labels = beside_earlier(experiment, labels, earlier)
        reason = reason if earlier.model is None else AS_THE_PRIOR
    return Design(experiment.without_classes_never_true(), labels, reason)


def _design_pairs(pairs: PairedCounts, candidate: Any, model: str) -> Design:
    if candidate is not None:
        raise InputError("candidate", "nothing beside PairedCounts, which hold both sides", type(candidate).__name__)
    if model in ("auto", "paired"):
        return Design(_paired(pairs.table), pairs.labels, "the joint outcomes on the same examples are known")
    return _design_matrices(pairs.baseline, pairs.candidate, model)


def _design_matrices(ours: SideCounts, theirs: SideCounts, model: str) -> Design:
    tables, different = (ours.table, theirs.table), different_totals(ours, theirs)
    if model == "same-set" and different:
        raise InputError(
            "candidate",
            "the row totals of baseline, for model='same-set'",
            different,
            "Use model='independent' for two different test sets.",
        )
    if model == "independent":
        return Design(Experiment("independent", tables), ours.labels, ASKED_FOR)
    if different:
        return Design(Experiment("independent", tables), ours.labels, "the row totals differ: two different test sets")
    reason = ASKED_FOR if model == "same-set" else "the row totals agree, but which predictions pair up is unknown"
    return Design(Experiment("same-set", tables), ours.labels, reason)


def different_totals(ours: SideCounts, theirs: SideCounts) -> str:
    """Say which class differs in its number of examples; nothing when none does."""
    totals, others = (each.table.row_totals[each.table.named] for each in (ours, theirs))
    for label, total, other in zip(ours.labels, totals, others, strict=True):
        if total != other:
            return f"{other} examples of class {label!r} instead of {total}"
    if ours.n_samples != theirs.n_samples:
        return f"{theirs.n_samples} examples instead of {ours.n_samples}"
    return ""


def _paired(table: OutcomeTable) -> Experiment:
    return Experiment("paired", (table,))
