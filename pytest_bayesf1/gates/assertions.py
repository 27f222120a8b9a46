"""The assertions: `assert_not_worse` and the others."""

from typing import Any, Unpack

from pytest_bayesf1.comparison.arguments import ONE_SIDE, TWO_SIDES, CompareArguments, SharedArguments, positional
from pytest_bayesf1.comparison.compare import Comparison, Estimate
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import enforce, judge
from pytest_bayesf1.gates.policy import Policy
from pytest_bayesf1.gates.source import OneInMemory, Source, in_memory


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
    return _compared(Policy.NOT_WORSE, baseline, candidate, arguments, slices, per_class=per_class)


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

    Arguments, result and errors are those of `assert_not_worse`.

    Examples
    --------
    >>> from pytest_bayesf1 import PairedCounts, assert_not_inferior
    >>> truth = [0, 1] * 1_000
    >>> assert_not_inferior(PairedCounts.from_predictions(truth, truth, [1, *truth[1:]]), rope=0.01)
    <Comparison ≈ f1_macro +0.0 points>
    """
    return _compared(Policy.NOT_INFERIOR, baseline, candidate, arguments, slices, per_class=per_class)


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

    Arguments, result and errors are those of `assert_not_worse`.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_better
    >>> assert_better([[400, 100], [90, 410]], [[480, 20], [30, 470]], rope=0.01)
    <Comparison ≫ f1_macro +14.0 points>
    """
    return _compared(Policy.BETTER, baseline, candidate, arguments, slices, per_class=per_class)


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

    Arguments, result and errors are those of `assert_not_worse`.

    Examples
    --------
    >>> from pytest_bayesf1 import PairedCounts, assert_equivalent
    >>> truth = [0, 1] * 1_000
    >>> assert_equivalent(PairedCounts.from_predictions(truth, truth, [1, *truth[1:]]), rope=0.01)
    <Comparison ≈ f1_macro +0.0 points>
    """
    return _compared(Policy.EQUIVALENT, baseline, candidate, arguments, slices, per_class=per_class)


@positional(ONE_SIDE)
def assert_at_least(
    cm: Any, floor: float, *, run_sd: float | None = None, proven: bool = False, **arguments: Unpack[SharedArguments]
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
    proven
        Fail unless the whole HDI lies above the floor.
    **arguments
        Those of `compare` but ``rope`` and ``model``.

    Returns
    -------
    Estimate
        The score's posterior and how it compares with the floor.

    Raises
    ------
    AssertionError
        When the score lies below the floor, or is not proven to lie above it.
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_at_least
    >>> assert_at_least([[960, 40], [30, 970]], 0.9, measure="f1_macro")
    <Estimate f1_macro=0.9645 floor=0.9>
    """
    of_floor = {**arguments, "floor": floor, "run_sd": run_sd}
    policy = Policy.PROVEN_AT_LEAST if proven else Policy.AT_LEAST
    estimate: Estimate = _enforced(OneInMemory(cm), Demand(policy=policy, arguments=of_floor))
    return estimate


def _compared(
    policy: Policy, baseline: Any, candidate: Any, arguments: CompareArguments, slices: Any, *, per_class: bool
) -> Comparison:
    source = in_memory(baseline, candidate, slices)
    demand = Demand(policy=policy, arguments=arguments, per_class=per_class, slices=tuple(source.columns))
    comparison: Comparison = _enforced(source, demand)
    return comparison


def _enforced(source: Source, demand: Demand) -> Any:
    """Judge, record, raise or warn; and return what all the data say."""
    result = judge(source, demand).answered()
    enforce(result)
    return result.overall.result
