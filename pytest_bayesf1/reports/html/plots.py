"""Drawings that a page stretches to its width: paths without texts, and the texts beside them in the page's own font.

Every text has a line of its own and stays within the width, so that none is cut off and none lies on another.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log10

from pytest_bayesf1._util import Interval
from pytest_bayesf1.reports.html.axis import Axis, Label
from pytest_bayesf1.reports.html.shapes import Path, across_all, band, bar, curve, hill, line, upright
from pytest_bayesf1.results.comparison import ComparisonFigures, Density
from pytest_bayesf1.results.formatting import score_told
from pytest_bayesf1.results.other import CardAxis, Trend
from pytest_bayesf1.results.schema import Chain

_HEIGHT, _PEAK, _FLOOR, _BAR = 100, 6, 84, 93
"""From above: the end, where a curve is highest, where it ends, where its interval lies."""

_ROW, _ROW_FLOOR, _ROW_BAR, _ROW_MIDDLE = 24, 13, 18, 12
_POINTS, _ROW_POINTS = 100, 14
_LOWEST = -4.0
"""Of a density on a logarithmic axis: a power of ten, of the tallest."""


@dataclass(frozen=True)
class Plot:
    """A drawing, and the lines of text above and below it.

    Attributes
    ----------
    paths
        The first ones lie below the others.
    axis
        Its ends are known to the page, which tells how much of a density lies below the pointer.
    above, below
        One line of text each.
    ticks
        In one line.
    """

    paths: tuple[Path, ...]
    axis: Axis
    above: tuple[Label, ...] = ()
    below: tuple[Label, ...] = ()
    ticks: tuple[Label, ...] = ()


def posterior(card: CardAxis) -> Plot:
    """Draw the posterior of a verdict card with its HDI and mean, what is tolerated, and no change or the floor."""
    axis = _wide_axis(card)
    points = curve(card.density, axis, _PEAK, _FLOOR, most=_POINTS)
    low, high = map(axis.across, card.hdi)
    inside = [point for point in points if low <= point[0] <= high]
    paths = [
        *([band("rope", axis, card.rope, _HEIGHT)] if card.rope else []),
        hill("hill", points, _FLOOR),
        *([hill("inside", inside, _FLOOR)] if inside else []),
        upright("zero", axis, card.reference, _HEIGHT),
        *(upright("mark", axis, each.at, _HEIGHT) for each in card.landmarks if each.at != card.reference),
        *bar(axis, card.mean, card.hdi, _BAR),
    ]
    return Plot(
        tuple(paths),
        axis,
        above=tuple(axis.label(each.at, " ".join(each.words.split())) for each in card.landmarks),
        below=(axis.label(card.mean, card.here, "here"),),
        ticks=tuple(axis.ticks()),
    )


def _wide_axis(card: CardAxis) -> Axis:
    return Axis.over((card.density.low, card.density.high, card.mean, card.reference, *card.hdi, *(card.rope or ())))


def sides(comparison: ComparisonFigures) -> Plot | None:
    """Draw the densities of both scores, below them the observed ones; None where an older document has none."""
    scores = comparison.baseline, comparison.candidate
    densities = [score.density for score in scores if score.density is not None]
    if len(densities) < 2:
        return None
    axis = Axis.over(end for density in densities for end in (density.low, density.high))
    paths, labels = [], []
    for kind, score, density in zip(("baseline", "candidate"), scores, densities, strict=True):
        paths += [
            hill(kind, curve(density, axis, _PEAK, _FLOOR, most=_POINTS // 2), _FLOOR),
            upright(f"{kind} observed", axis, score.observed, _HEIGHT, _FLOOR),
        ]
        labels.append(axis.label(score.mean, f"{kind} {score_told(score.mean)}", kind))
    return Plot(tuple(paths), axis, above=tuple(labels), ticks=tuple(axis.ticks()))


def factor(comparison: ComparisonFigures, scale: float) -> Plot | None:
    """Draw prior and posterior on a logarithmic axis, where the Bayes factor is the distance at 0."""
    if comparison.prior_density is None:
        return None
    named = {"prior": comparison.prior_density, "posterior": comparison.density}
    axis = Axis.over(scale * end for density in named.values() for end in (density.low, density.high))
    tallest = max(max(density.values) for density in named.values())
    paths, labels = [upright("zero", axis, 0.0, _HEIGHT)], []
    for kind, density in named.items():
        logs = [max(log10(value / tallest) if value else _LOWEST, _LOWEST) for value in density.values]
        raised = replace(density, values=tuple(each - _LOWEST for each in logs))
        top = _HEIGHT - round(max(raised.values) / -_LOWEST * (_HEIGHT - _PEAK))
        paths.append(line(kind, curve(raised, axis, top, _HEIGHT, most=_POINTS // 2, factor=scale)))
        place = density.low + density.values.index(max(density.values)) / (len(density.values) - 1) * (
            density.high - density.low
        )
        labels.append(axis.label(scale * place, kind, kind))
    return Plot(tuple(paths), axis, above=tuple(labels), ticks=tuple(axis.ticks()))


def trend(known: Trend | None, candidate: float) -> Plot | None:
    """Draw the last versions' scores, the candidate behind them, and the budget."""
    if known is None or not known.points:
        return None
    lows, highs = zip(*(point.hdi for point in known.points), strict=True)
    least = () if known.least is None else (known.least,)
    axis = Axis.over((*lows, *highs, candidate, *least))
    columns = across_all(len(known.points) + 1)

    def rising(values: Sequence[float]) -> list[tuple[int, int]]:
        return [(x, _HEIGHT - round(axis.place(value))) for x, value in zip(columns, values, strict=False)]

    means = rising([*(point.score for point in known.points), candidate])
    paths = [
        line("band", [*rising(lows), *reversed(rising(highs))]),
        line("posterior", means[:-1]),
        line("zero", means[-2:]),
        Path("mean", f"M{means[-1][0] - 12} {means[-1][1]}h0"),
        *(Path("budget", f"M0 {_HEIGHT - round(axis.place(each))}h1000") for each in least),
    ]
    return Plot(tuple(paths), axis)


def trace(chains: Sequence[Chain] | None) -> Plot | None:
    """Draw Markov chains draw by draw: those that mix lie over one another and go nowhere."""
    if chains is None:
        return None
    axis = Axis.over(value for chain in chains for value in chain)
    paths = [
        line(
            f"chain chain-{number % 4}",
            [(x, _HEIGHT - round(axis.place(value))) for x, value in zip(across_all(len(chain)), chain, strict=True)],
        )
        for number, chain in enumerate(chains)
    ]
    return Plot(tuple(paths), axis)


@dataclass(frozen=True)
class Row:
    """An interval among others on one axis, with its mean, what is tolerated, and its density where it has one."""

    mean: float
    hdi: Interval
    rope: Interval | None = None
    density: Density | None = None
    factor: float = 1.0


@dataclass(frozen=True)
class Forest:
    """Rows on one axis.

    Attributes
    ----------
    rows
        What is drawn of each.
    ticks
        Of the axis.
    """

    rows: tuple[tuple[Path, ...], ...]
    ticks: tuple[Label, ...]

    @classmethod
    def of_scores(cls, rows: Sequence[Row]) -> "Forest":
        """Choose an axis that shows all of them."""
        axis = Axis.over(end for row in rows for end in row.hdi)
        return cls(tuple(bar(axis, row.mean, row.hdi, _ROW_MIDDLE) for row in rows), tuple(axis.ticks()))

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Forest":
        """Show changes: no change, and of what is tolerated no more than twice as far as they reach."""
        ends = [end for row in rows for end in row.hdi]
        reach = 2 * max(map(abs, ends))
        tolerated = (min(max(end, -reach), reach) for row in rows for end in row.rope or ())
        axis = Axis.over([*ends, *tolerated, 0.0])
        return cls(tuple(_drawn(row, axis) for row in rows), tuple(axis.ticks()))


NO_FOREST = Forest((), ())


def _drawn(row: Row, axis: Axis) -> tuple[Path, ...]:
    known = row.density
    shape = known and curve(known, axis, 1, _ROW_FLOOR, most=_ROW_POINTS, factor=row.factor)
    return (
        *([band("rope", axis, row.rope, _ROW)] if row.rope else []),
        *([hill("hill", shape, _ROW_FLOOR)] if shape else []),
        upright("zero", axis, 0.0, _ROW),
        *bar(axis, row.mean, row.hdi, _ROW_BAR if shape else _ROW_MIDDLE),
    )
