"""The assertions: `assert_not_worse` and the others."""

from typing import Any, Unpack

from pytest_bayesf1.comparison.arguments import (
    ONE_SIDE,
    TWO_SIDES,
    CompareArguments,
    SharedArguments,
    asked_prior,
    positional,
)
from pytest_bayesf1.comparison.compare import Comparison, Estimate, run_estimate
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.paired import PairedCounts, as_side, digests_of
from pytest_bayesf1.data.pool import LabelledPool
from pytest_bayesf1.errors import InputError, arg
from pytest_bayesf1.gates.acceptance import JudgedGate, answer_for
from pytest_bayesf1.gates.evaluate import judge_sides, slice_values
from pytest_bayesf1.gates.gate_file import Demands
from pytest_bayesf1.gates.manifest import GateSettings
from pytest_bayesf1.gates.policy import Judgement, Policy, enforce, warn_if_underpowered
from pytest_bayesf1.session import current_session


@positional(TWO_SIDES)
def assert_not_worse(
    baseline: Any,
    candidate: Any = None,
    *,
    per_class: bool = False,
    slices: Any = None,
    **arguments: Unpack[CompareArguments],
) -> Comparison:
    """Fail when the candidate is significantly worse (≪); warn with `LeaningWorseWarning` when leaning worse (<).

    An undecided comparison (?) passes with the verdict ``undecided``, and warns with `UndecidedWarning` where the
    project sets ``bayesf1_warn_undecided``.

    Parameters
    ----------
    baseline, candidate, **arguments
        As in `compare`.
    per_class
        Compare every class too. None may be significantly worse.
    slices
        Columns such as ``{"language": languages}`` or a table of them, each with one value per example of the
        candidate; or one such column. Compare the examples of every value too. None may be significantly worse. Both
        sides need predictions.

    Returns
    -------
    Comparison
        That of `compare`.

    Raises
    ------
    AssertionError
        When the whole HDI of delta lies below the ROPE; that of all the data, of a class or of a slice.
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_not_worse
    >>> comparison = assert_not_worse([[48, 2], [3, 47]], [[47, 3], [2, 48]], measure="f1", rope=0.05)

    A class or a language can be significantly worse though the whole is not:

    >>> from pytest_bayesf1 import ConfusionMatrix
    >>> truth, language = ["ham", "spam"] * 500, ["en", "en", "fi", "fi"] * 250
    >>> old, new = (ConfusionMatrix.from_predictions(truth, [first, *truth[1:]]) for first in ("ham", "spam"))
    >>> comparison = assert_not_worse(old, new, rope=0.05, per_class=True, slices={"language": language})
    """
    return _compare_and_judge(Policy.NOT_WORSE, baseline, candidate, arguments, slices, per_class=per_class)


@positional(TWO_SIDES)
def assert_not_inferior(
    baseline: Any,
    candidate: Any = None,
    *,
    per_class: bool = False,
    slices: Any = None,
    **arguments: Unpack[CompareArguments],
) -> Comparison:
    """Fail unless the whole HDI of delta lies above the ROPE's lower end: the candidate is shown to be no worse.

    Parameters
    ----------
    baseline, candidate, **arguments
        As in `compare`.
    per_class, slices
        Judge every class, and every slice, too; see `assert_not_worse`.

    Returns
    -------
    Comparison
        That of `compare`.

    Raises
    ------
    AssertionError
        Unless the whole HDI of delta lies above the ROPE's lower end.
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import PairedCounts, assert_not_inferior
    >>> truth = [0, 1] * 1_000
    >>> assert_not_inferior(PairedCounts.from_predictions(truth, truth, [1, *truth[1:]]), rope=0.01)
    <Comparison ≈ f1_macro +0.0 points>
    """
    return _compare_and_judge(Policy.NOT_INFERIOR, baseline, candidate, arguments, slices, per_class=per_class)


@positional(TWO_SIDES)
def assert_better(
    baseline: Any,
    candidate: Any = None,
    *,
    per_class: bool = False,
    slices: Any = None,
    **arguments: Unpack[CompareArguments],
) -> Comparison:
    """Fail unless the candidate is significantly better (≫).

    Parameters
    ----------
    baseline, candidate, **arguments
        As in `compare`.
    per_class, slices
        Judge every class, and every slice, too; see `assert_not_worse`.

    Returns
    -------
    Comparison
        That of `compare`.

    Raises
    ------
    AssertionError
        Unless the candidate is significantly better.
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_better
    >>> assert_better([[400, 100], [90, 410]], [[480, 20], [30, 470]], rope=0.01)
    <Comparison ≫ f1_macro +14.0 points>
    """
    return _compare_and_judge(Policy.BETTER, baseline, candidate, arguments, slices, per_class=per_class)


@positional(TWO_SIDES)
def assert_equivalent(
    baseline: Any,
    candidate: Any = None,
    *,
    per_class: bool = False,
    slices: Any = None,
    **arguments: Unpack[CompareArguments],
) -> Comparison:
    """Fail unless the two are practically equivalent (≈).

    Parameters
    ----------
    baseline, candidate, **arguments
        As in `compare`.
    per_class, slices
        Judge every class, and every slice, too; see `assert_not_worse`.

    Returns
    -------
    Comparison
        That of `compare`.

    Raises
    ------
    AssertionError
        Unless the two are practically equivalent.
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import PairedCounts, assert_equivalent
    >>> truth = [0, 1] * 1_000
    >>> assert_equivalent(PairedCounts.from_predictions(truth, truth, [1, *truth[1:]]), rope=0.01)
    <Comparison ≈ f1_macro +0.0 points>
    """
    return _compare_and_judge(Policy.EQUIVALENT, baseline, candidate, arguments, slices, per_class=per_class)


@positional(ONE_SIDE)
def assert_at_least(
    cm: Any, floor: float, *, run_sd: float | None = None, **arguments: Unpack[SharedArguments]
) -> Estimate:
    """Fail when the whole HDI of one classifier's score lies below ``floor``.

    Parameters
    ----------
    cm
        A `ConfusionMatrix`, a `MultilabelCounts` or anything with counts, as in `compare`.
    floor
        A score, on the measure's own scale.
    run_sd
        Where the examples are always the same: the standard deviation of the score from run to run, as ``bayesf1
        floor`` finds it. The HDI is then about these examples: it shrinks with the number of runs alone.
    **arguments
        Those of `compare` but ``rope`` and ``model``.

    Returns
    -------
    Estimate
        The score's posterior and how it compares with the floor.

    Raises
    ------
    AssertionError
        When the score lies below the floor.
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_at_least
    >>> assert_at_least([[960, 40], [30, 970]], 0.9, measure="f1_macro")
    <Estimate f1_macro=0.9645 floor=0.9>
    """
    estimate = run_estimate(cm, floor, run_sd, **arguments)
    policy, prior = Policy.AT_LEAST, asked_prior(arguments.get("prior"))
    current_session().on_gate(GateSettings.of(estimate, policy.key, prior).to_dict())
    enforce(Judgement.of(estimate, policy))
    return estimate


def _compare_and_judge(
    policy: Policy, baseline: Any, candidate: Any, arguments: CompareArguments, slices: Any, *, per_class: bool
) -> Comparison:
    sides, values = (baseline, candidate), {}
    if slices is not None:
        if isinstance(baseline, PairedCounts | LabelledPool):
            advice = "Build each side with ConfusionMatrix.from_predictions(y_true, y_pred)."
            raise InputError(
                arg("slices"), "a baseline and a candidate with predictions", type(baseline).__name__, advice
            )
        both = Sides.aligned(as_side(baseline, "baseline"), as_side(candidate, "candidate"))
        sides, values = (both, None), slice_values(both.candidate, slices)
    gate = Demands(name=policy.value, policy=policy, arguments=arguments, per_class=per_class, slices=tuple(values))
    result = judge_sides(gate, *sides, values=values)
    current_session().on_gate(GateSettings.of_call(result).to_dict())
    result = result.answered(answer_for(JudgedGate(result.judgements, lambda: digests_of(baseline, candidate))))
    enforce(result)
    warn_if_underpowered(result.overall)
    return result.overall.comparison
