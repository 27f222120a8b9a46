"""The assertions: `assert_not_worse` and the others."""

from typing import Any, TypedDict, Unpack, overload

from pytest_bayesf1.comparison.arguments import (
    ArrayArguments,
    CompareArguments,
    SharedArguments,
    checked_floor,
    of_arrays,
)
from pytest_bayesf1.comparison.result import Comparison, Estimate
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import enforce, judge
from pytest_bayesf1.gates.source import Source, in_memory, one_in_memory
from pytest_bayesf1.results.policy import AT_LEAST, BETTER, EQUIVALENT, NOT_INFERIOR, NOT_WORSE, PROVEN_AT_LEAST, Policy


class _OfParts(TypedDict, total=False):
    per_class: bool
    slices: Any


class GateArguments(CompareArguments, _OfParts, total=False):
    """Keyword arguments of an assertion about two sides."""


class _OfArrays(GateArguments, ArrayArguments, total=False): ...


class _OfOneSide(SharedArguments, _OfParts, total=False): ...


class _OfFloor(_OfOneSide, total=False):
    run_sd: float | None
    proven: bool


class _OfFloorAndArrays(_OfFloor, ArrayArguments, total=False): ...


@overload
def assert_not_worse(y_true: Any, baseline: Any, candidate: Any, **arguments: Unpack[_OfArrays]) -> Comparison: ...


@overload
def assert_not_worse(baseline: Any, candidate: Any = None, **arguments: Unpack[GateArguments]) -> Comparison: ...


@of_arrays("y_true", "baseline", "candidate")
def assert_not_worse(baseline: Any, candidate: Any = None, **arguments: Unpack[GateArguments]) -> Comparison:
    """Fail when the candidate is significantly worse (≪); warn with `LeaningWorseWarning` when leaning worse (<).

    An undecided comparison (?) passes with the verdict ``undecided``, and warns with `UndecidedWarning` where the
    project sets ``bayesf1_warn_undecided``.

    Parameters
    ----------
    y_true, baseline, candidate, **arguments
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
    >>> y_true = ["ham", "spam"] * 500
    >>> old, new = y_true, ["spam", *y_true[1:]]
    >>> assert_not_worse(y_true, old, new, rope=0.01)
    <Comparison ≈ f1_macro −0.1 points>

    From confusion matrices:

    >>> comparison = assert_not_worse([[48, 2], [3, 47]], [[47, 3], [2, 48]], measure="f1", rope=0.05)

    A class or a language can be significantly worse though the whole is not:

    >>> language = ["en", "en", "fi", "fi"] * 250
    >>> comparison = assert_not_worse(y_true, old, new, rope=0.05, per_class=True, slices={"language": language})
    """
    return _compared(NOT_WORSE, baseline, candidate, arguments)


@overload
def assert_not_inferior(y_true: Any, baseline: Any, candidate: Any, **arguments: Unpack[_OfArrays]) -> Comparison: ...


@overload
def assert_not_inferior(baseline: Any, candidate: Any = None, **arguments: Unpack[GateArguments]) -> Comparison: ...


@of_arrays("y_true", "baseline", "candidate")
def assert_not_inferior(baseline: Any, candidate: Any = None, **arguments: Unpack[GateArguments]) -> Comparison:
    """Fail unless the whole HDI of delta lies above the ROPE's lower end: the candidate is shown to be no worse.

    Arguments, result and errors are those of `assert_not_worse`.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_not_inferior
    >>> y_true = [0, 1] * 1_000
    >>> assert_not_inferior(y_true, y_true, [1, *y_true[1:]], rope=0.01)
    <Comparison ≈ f1_macro −0.1 points>
    """
    return _compared(NOT_INFERIOR, baseline, candidate, arguments)


@overload
def assert_better(y_true: Any, baseline: Any, candidate: Any, **arguments: Unpack[_OfArrays]) -> Comparison: ...


@overload
def assert_better(baseline: Any, candidate: Any = None, **arguments: Unpack[GateArguments]) -> Comparison: ...


@of_arrays("y_true", "baseline", "candidate")
def assert_better(baseline: Any, candidate: Any = None, **arguments: Unpack[GateArguments]) -> Comparison:
    """Fail unless the candidate is significantly better (≫).

    Arguments, result and errors are those of `assert_not_worse`.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_better
    >>> assert_better([[400, 100], [90, 410]], [[480, 20], [30, 470]], rope=0.01)
    <Comparison ≫ f1_macro +14.0 points>
    """
    return _compared(BETTER, baseline, candidate, arguments)


@overload
def assert_equivalent(y_true: Any, baseline: Any, candidate: Any, **arguments: Unpack[_OfArrays]) -> Comparison: ...


@overload
def assert_equivalent(baseline: Any, candidate: Any = None, **arguments: Unpack[GateArguments]) -> Comparison: ...


@of_arrays("y_true", "baseline", "candidate")
def assert_equivalent(baseline: Any, candidate: Any = None, **arguments: Unpack[GateArguments]) -> Comparison:
    """Fail unless the two are practically equivalent (≈).

    Arguments, result and errors are those of `assert_not_worse`.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_equivalent
    >>> y_true = [0, 1] * 1_000
    >>> assert_equivalent(y_true, y_true, [1, *y_true[1:]], rope=0.01)
    <Comparison ≈ f1_macro −0.1 points>
    """
    return _compared(EQUIVALENT, baseline, candidate, arguments)


@overload
def assert_at_least(y_true: Any, y_pred: Any, floor: float, **arguments: Unpack[_OfFloorAndArrays]) -> Estimate: ...


@overload
def assert_at_least(cm: Any, floor: float, **arguments: Unpack[_OfFloor]) -> Estimate: ...


@of_arrays("y_true", "y_pred")
def assert_at_least(
    cm: Any, floor: float, *, run_sd: float | None = None, proven: bool = False, **arguments: Unpack[_OfOneSide]
) -> Estimate:
    """Fail when the whole HDI of one classifier's score lies below ``floor``.

    Parameters
    ----------
    y_true, y_pred
        The truth and the predictions, as arrays; see `compare`.
    cm
        In place of them: a `ConfusionMatrix`, a `MultilabelCounts` or anything with counts, as in `compare`.
    floor
        A score, on the measure's own scale.
    run_sd
        Where the examples are always the same: the standard deviation of the score from run to run, as ``bayesf1
        floor`` finds it. The HDI is then about these examples: it shrinks with the number of runs alone.
    proven
        Fail unless the whole HDI lies above the floor.
    per_class, slices
        Every class, and every slice, must reach the floor too; see `assert_not_worse`.
    **arguments
        Those of `compare` but ``rope`` and ``model``.

    Returns
    -------
    Estimate
        The score's posterior and how it compares with the floor.

    Raises
    ------
    AssertionError
        When the score lies below the floor, or is not proven to; that of all the data, of a class or of a slice.
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_at_least
    >>> assert_at_least([[960, 40], [30, 970]], 0.9, measure="f1_macro")
    <Estimate f1_macro 0.965 (0.956 to 0.972), floor 0.9>
    """
    policy = PROVEN_AT_LEAST if proven else AT_LEAST
    of_floor: dict[str, Any] = {**arguments, "floor": checked_floor(floor), "run_sd": run_sd}
    estimate: Estimate = _enforced(one_in_memory(cm, of_floor.pop("slices", None)), policy, of_floor)
    return estimate


def _compared(policy: Policy, baseline: Any, candidate: Any, arguments: GateArguments) -> Comparison:
    asked: dict[str, Any] = {**arguments}
    comparison: Comparison = _enforced(in_memory(baseline, candidate, asked.pop("slices", None)), policy, asked)
    return comparison


def _enforced(source: Source, policy: Policy, arguments: dict[str, Any]) -> Any:
    """Judge, record, raise or warn; and return what all the data say."""
    per_class = arguments.pop("per_class", False)
    demand = Demand(policy=policy, arguments=arguments, per_class=per_class, slices=tuple(source.columns))
    run = judge(source, demand).under_terms()
    enforce(run)
    return run.overall.result
