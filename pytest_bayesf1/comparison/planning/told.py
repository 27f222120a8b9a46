"""A plan in words and tables."""

from collections.abc import Iterator
from dataclasses import dataclass

from pytest_bayesf1._util import MINUS, Scale, one_line, percent, rope_width, scale_of
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.results.other import Needed, PlanFigures, PlannedDesign
from pytest_bayesf1.settings import Model

_WAYS = {
    Model.PAIRED: "the same examples, both predictions kept (paired)",
    Model.SAME_SET: "the same examples, bare matrices (same-set)",
    Model.INDEPENDENT: "two test sets of that size (independent)",
}
_MOST_CLASSES = 10
_MOST_LOOKS = 6
_TOLD = ("1", "2", "5")
"""Sizes of which a table has a row begin with these."""
_ROUNDING = 1e-9
_NOTICED = 0.001  # of an agreement
_WORTH_TELLING = 0.02
"""Of the examples that an allocation saves."""


@dataclass(frozen=True)
class Table:
    """A table of texts under a title."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def headline(plan: PlanFigures) -> str:
    """Say in one sentence how many examples find the loss.

    Parameters
    ----------
    plan
        The figures.
    """
    need, scale = _first(plan.designs[0]), scale_of(custom_measure=plan.custom_measure)
    apart = 2 * _first(plan.designs[-1]).n_examples
    return (
        f"A loss of {_amount(plan.loss, scale)} of {one_line(plan.measure_words)}, where you tolerate "
        f"{rope_width(plan.rope, scale)}, is found with probability {need.power:g} on {need.n_examples:,} examples "
        f"that both predict; on two test sets it takes {apart:,} labels, {apart / need.n_examples:.1f} times as many"
    )


def tables(plan: PlanFigures) -> Iterator[Table]:
    """Write the figures as tables.

    Parameters
    ----------
    plan
        The figures.

    Yields
    ------
    Table
        The examples that are needed; for each way to test the decisions against their number; what the gate itself
        decides on simulated test sets; which classes need more; what repeated looks do.
    """
    scale = scale_of(custom_measure=plan.custom_measure)
    yield _needed(plan, scale)
    for design in plan.designs:
        if design.model is not Model.SAME_SET:
            yield _curve(plan, design, scale)
    if plan.simulated:
        yield _simulated(plan, scale)
    if plan.allocation.saved >= _WORTH_TELLING:
        yield _allocation(plan)
    if plan.looks is not None:
        yield _looks(plan)


def notes(plan: PlanFigures) -> Iterator[str]:
    """List what a careful reader should know.

    Parameters
    ----------
    plan
        The figures.

    Yields
    ------
    str
        A sentence or more.
    """
    yield f"Planned from {plan.pilot}."
    if plan.n_pilot == 0:
        yield "Nothing was counted: nobody knows how far these numbers are from those of your classifiers."
    elif (first := _first(plan.designs[0])).interval is not None:
        low, high = first.interval
        yield (
            f"The pilot knows that only so well: nine in ten pilots of its size would ask for {low:,} to {high:,} "
            "paired examples."
        )
    if abs(plan.truths[-1].agreement - plan.truths[0].agreement) > _NOTICED:
        yield (
            f"Who loses as much agrees with the baseline on {percent(plan.truths[-1].agreement)}, not on "
            f"{percent(plan.truths[0].agreement)}."
        )
    for each in plan.simulated:
        if not each.agrees:
            yield (
                f"On {each.n_examples:,} examples, {each.model}, {each.truth}: the gate itself fails in "
                f"{_percent(each.rates.much_worse)} of {plan.repetitions:,} simulated test sets, and the approximation "
                f"says {_percent(each.approximation.much_worse)}. Believe the simulation."
            )
    if plan.allocation.saved >= _WORTH_TELLING:
        yield (
            "Classes can be given more examples only where one knows an example's class before it is labelled, or "
            "where labelling goes on until a class has enough. The test set then has other shares than production: "
            "unless the measure is made of recalls, tell the gate production's shares by the prior's beta."
        )
    if plan.looks is not None:
        yield (
            "The rates of repeated looks are those of this simulation: nothing here holds for other numbers of looks, "
            "or for stopping by another rule."
        )


def _needed(plan: PlanFigures, scale: Scale) -> Table:
    title = f"Examples that find a loss of {_amount(plan.loss, scale)}"
    columns = ("tested on", *(f"with probability {need.power:g}" for need in plan.designs[0].needed))
    rows = ((_WAYS[design.model], *map(_with_interval, design.needed)) for design in plan.designs)
    return Table(title, columns, tuple(rows))


def _with_interval(need: Needed) -> str:
    if need.interval is None:
        return f"{need.n_examples:,}"
    low, high = need.interval
    return f"{need.n_examples:,} ({low:,} to {high:,})"


def _curve(plan: PlanFigures, design: PlannedDesign, scale: Scale) -> Table:
    tolerated = [place for place, truth in enumerate(plan.truths) if truth.tolerated and truth.delta < _ROUNDING]
    columns = (
        "examples",
        *(f"fails at {_signed(plan.truths[place].delta, scale)}" for place in tolerated),
        f"misses {_signed(plan.truths[-1].delta, scale)}",
        "≈ at 0",
        "? at 0",
        f"? at {_signed(plan.truths[-1].delta, scale)}",
    )
    rows = (
        (
            f"{size.n_examples:,}",
            *(_percent(size.rates[place].much_worse) for place in tolerated),
            _percent(1 - size.rates[-1].much_worse),
            _percent(size.rates[0].equivalent),
            _percent(size.rates[0].undecided),
            _percent(size.rates[-1].undecided),
        )
        for size in design.curve
        if str(size.n_examples).rstrip("0") in _TOLD
    )
    title = _WAYS[design.model]
    return Table(f"{title[0].upper()}{title[1:]}: what to expect, by the approximation", columns, tuple(rows))


def _simulated(plan: PlanFigures, scale: Scale) -> Table:
    differences = {truth.name: truth.delta for truth in plan.truths}
    columns = ("test", "true difference", "δ", *(decision.value for decision in Decision), "≪ by the approximation")
    rows = (
        (
            each.model.value,
            each.truth,
            _signed(differences[each.truth], scale),
            *(_percent(each.rates.of(decision)) for decision in Decision),
            f"{_percent(each.approximation.much_worse)}{'' if each.agrees else ' (off)'}",
        )
        for each in plan.simulated
    )
    title = f"What the gate itself decides on {plan.repetitions:,} simulated test sets of {plan.n_examples:,} examples"
    return Table(title, columns, tuple(rows))


def _allocation(plan: PlanFigures) -> Table:
    found = plan.allocation
    rows = (
        (one_line(each.label), f"{each.as_they_come:,}", f"{each.optimal:,}") for each in found.classes[:_MOST_CLASSES]
    )
    title = (
        f"Drawn class by class {found.n_optimal:,} examples find the loss where it takes {found.n_as_they_come:,} as "
        f"they come, {_percent(found.saved)} fewer"
    )
    if len(found.classes) > _MOST_CLASSES:
        title += f"; the {_MOST_CLASSES} classes that need most beyond their share"
    return Table(title, ("class", "as they come", "best"), tuple(rows))


def _looks(plan: PlanFigures) -> Table:
    assert plan.looks is not None
    sizes = plan.looks.n_examples
    columns = (
        "true difference",
        "fails, one look",
        f"fails, {len(sizes)} looks",
        "never settled",
        "labels",
        *(f"settled at {size:,}" for size in sizes[:_MOST_LOOKS]),
    )
    rows = (
        (
            each.truth,
            _percent(each.failed_once),
            _percent(each.failed_looking),
            _percent(each.undecided),
            f"{each.n_labelled:,.0f}",
            *(_percent(share) for share in each.stopped[:_MOST_LOOKS]),
        )
        for each in plan.looks.rates
    )
    return Table(f"Looking after every {sizes[0]:,} examples, until ≪, ≈ or ≫", columns, tuple(rows))


def _first(design: PlannedDesign) -> Needed:
    return design.needed[0]


def _amount(loss: float, scale: Scale) -> str:
    return scale.amount(f"{scale.factor * loss:.3g}")


def _signed(delta: float, scale: Scale) -> str:
    return "0" if abs(delta) < _ROUNDING else f"{scale.factor * delta:+.3g}".replace("-", MINUS)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
