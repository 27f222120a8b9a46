"""Plots of results: posteriors, intervals on a shared axis, and trends."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_bayesf1.figures.plot import Axis, Colour, Look, Panel, Plot, Point, Shape, Text
from pytest_bayesf1.results.comparison import ComparisonFigures, Computed, Density, EstimateFigures
from pytest_bayesf1.results.policy import NOT_WORSE, Ends
from pytest_bayesf1.results.timeline import Trend
from pytest_bayesf1.text import MINUS, Interval, brief, rope_end, scale_of
from pytest_bayesf1.words.amounts import Amounts, format_score, name_text, scaled

_LINE = 22
"""Pixels from one line of text to the next."""
_GRAPH, _SPARK, _ROW = 112, 56, 24
"""How high a density, a trend and an interval are drawn."""
_SHARES = Axis(low=0.0, high=1.0)
_EDGE = 0.06
"""Share of the width at either end where half of a number would stick out."""
_POINTS = 100
"""Of a curve, about."""
_MOST_OF_NAME = 80
"""Characters of the name of an axis."""
_UPPER_BAR, _LOWER_BAR = 0.11, 0.02
"""Where the bars of two intervals are."""
_PEAK, _FLOOR, _BAR, _TICK = 0.94, 0.16, 0.07, 0.12
"""How high a curve begins and ends, where the bar of its interval is, and how long ticks reach down from the curve."""


@dataclass(frozen=True)
class Landmark:
    """What a number of the horizontal axis is called, on a line of its own."""

    at: float
    words: str
    colour: Colour = "ink"
    bold: bool = False


def _plot(
    axis: Axis,
    shapes: Callable[[Panel], Iterable[Shape]],
    above: Sequence[Landmark] = (),
    below: Sequence[Landmark] = (),
    *,
    graph: float = _GRAPH,
    scale: Plot | None = None,
) -> Plot:
    """Stack lines of text, shapes between 0 and 1, more lines, and the scale of the axis."""
    top = _LINE * len(above)
    panel = Panel(x=axis, y=_SHARES, top=top, bottom=top + graph)
    lines: list[tuple[float, Landmark]] = [(_LINE * place, each) for place, each in enumerate(above)]
    lines += ((panel.bottom + _LINE * place, each) for place, each in enumerate(below))
    texts = [
        Text(share, y + _LINE / 2, each.words, share, each.colour, bold=each.bold)
        for y, each in lines
        for share in [axis.share(each.at)]
    ]
    end = panel.bottom + _LINE * len(below)
    scale = scale or scale_of_axis(axis)
    lines_below, ticks = scale.below(end)
    drawn = (each for each in shapes(panel) if each.points)
    return Plot(height=end + scale.height, shapes=(*drawn, *lines_below), texts=(*texts, *ticks), axis=axis)


def scale_of_axis(axis: Axis, name: str = "", most: int = 5) -> Plot:
    """Draw an axis by itself, such as above rows that share it."""
    shown = ((at, axis.share(at), words) for at, words in axis.ticks(most).items())
    near = (_EDGE, 1 - _EDGE)
    ticks = (Text(x, 0, words, colour="soft") for at, x, words in shown if at == 0 or near[0] <= x <= near[1])
    return _scale(ticks, name)


def _scale(ticks: Iterable[Text], name: str = "") -> Plot:
    texts = [replace(each, y=_LINE / 2 + 1) for each in ticks]
    if name:
        texts.append(Text(0.5, 1.5 * _LINE, name, colour="soft"))
    shapes = (Shape(Look.EDGE, ((0, 0), (1, 0))),)
    return Plot(height=(2 if name else 1) * _LINE, shapes=shapes, texts=tuple(texts))


def curve(density: Density, most: int = _POINTS) -> list[Point]:
    """Return some points of a density, its peak among them, as shares of the peak."""
    steps, peak = len(density.values) - 1, max(density.values) or 1.0
    kept = sorted({*range(0, steps + 1, -(-steps // most)), density.values.index(max(density.values)), steps})
    return [
        (density.low + place / steps * (density.high - density.low), density.values[place] / peak) for place in kept
    ]


def _hill(panel: Panel, look: Look, density: Density, ends: Interval | None = None) -> Shape:
    """Fill what is below a density, or below its part between two numbers."""
    low, high = ends or (density.low, density.high)
    slack = 1e-9 * (density.high - density.low)  # the last point is a sum, which rounding may move past its end
    points = [
        (x, _FLOOR + height * (_PEAK - _FLOOR)) for x, height in curve(density) if low - slack <= x <= high + slack
    ]
    return panel.line(look, [(points[0][0], _FLOOR), *points, (points[-1][0], _FLOOR)] if points else ())


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """The posterior of a change or of a score, in the numbers that people read: points, or the measure's own.

    Attributes
    ----------
    observed
        The observed change or score.
    rope
        What is allowed; None beside a floor.
    reference
        No change, or the floor; None where there is no floor.
    landmarks
        What is named above the curve; lines are drawn there.
    here
        What is written below the observed number.
    unit
        Of the numbers.
    earlier
        Changes that came before.
    judged
        The observed number and its interval by a judge alone; None where there is none.
    """

    density: Density
    observed: float
    hdi: Interval
    rope: Interval | None
    reference: float | None
    landmarks: tuple[Landmark, ...]
    here: str
    unit: str = ""
    earlier: tuple[float, ...] = ()
    judged: tuple[float, Interval] | None = None

    @property
    def axis(self) -> Axis:
        """An axis of its own."""
        marked = [] if self.reference is None else [self.reference]
        ends = (self.density.low, self.density.high, self.observed, *marked, *self.hdi, *(self.rope or ()))
        judged = () if self.judged is None else (self.judged[0], *self.judged[1])
        return Axis.over((*ends, *self.earlier, *judged))


def change_of(comparison: ComparisonFigures, ends: Ends) -> Posterior:
    """Take the change of a comparison, and name the ends of the ROPE that a policy asks about."""
    scale = scale_of(custom_measure=comparison.custom_measure)
    low, high = scaled((comparison.density.low, comparison.density.high), scale.factor)
    return Posterior(
        density=replace(comparison.density, low=low, high=high),
        observed=scale.factor * comparison.change,
        hdi=scaled(comparison.hdi, scale.factor),
        rope=scaled(comparison.rope, scale.factor),
        reference=0.0,
        landmarks=_landmarks(scaled(comparison.rope, scale.factor), ends),
        here=f"you are here: {Amounts.of(comparison).signed(comparison.change)}",
        unit=scale.unit and f"{scale.unit}s",
        earlier=tuple(scale.factor * each.mean for each in comparison.earlier_changes),
        judged=_judged(comparison, scale.factor),
    )


def _landmarks(rope: Interval, ends: Ends) -> tuple[Landmark, ...]:
    """Name the ends of the ROPE that are asked about, and no change."""
    low, high = rope
    lower, upper = map(rope_end, rope)
    no_change = Landmark(0.0, "no change")
    match ends:
        case Ends.HIGH:
            if high == 0:
                return (Landmark(0.0, "no change: better from here"),)
            return no_change, Landmark(high, f"better from here: {upper}")
        case Ends.BOTH if low < high:
            return Landmark(low, f"equivalent from here: {lower}"), Landmark(high, f"equivalent to here: {upper}")
    if low == 0:
        return (Landmark(0.0, "no change: you allow no loss"),)
    return Landmark(low, f"you allow to here: {lower}"), no_change


def score_of(estimate: EstimateFigures) -> Posterior:
    """Take the score of an estimate, and name its floor."""
    floor = f"the floor is here: {estimate.floor:g}".replace("-", MINUS) if estimate.floor is not None else ""
    return Posterior(
        density=estimate.density,
        observed=estimate.score.observed,
        hdi=estimate.score.hdi,
        rope=None,
        reference=estimate.floor,
        landmarks=() if estimate.floor is None else (Landmark(estimate.floor, floor),),
        here=f"you are here: {format_score(estimate.score.observed)}",
        judged=_judged(estimate, 1.0),
    )


def _judged(result: Computed, factor: float) -> tuple[float, Interval] | None:
    judge = result.judge
    return None if judge is None else (factor * judge.change, scaled(judge.hdi, factor))


def posterior(shown: Posterior, scale: Plot | None = None) -> Plot:
    """Draw a density with its interval, what is allowed, and no change or the floor."""

    def shapes(panel: Panel) -> Iterator[Shape]:
        if shown.rope:
            yield panel.columns(Look.ROPE, *shown.rope)
        yield _hill(panel, Look.HILL, shown.density)
        yield _hill(panel, Look.INSIDE, shown.density, shown.hdi)
        if shown.reference is not None:
            yield panel.upright(Look.ZERO, shown.reference)
        yield from (panel.line(Look.EARLIER, [(at, _FLOOR), (at, _FLOOR + _TICK)]) for at in shown.earlier)
        yield from (panel.upright(Look.MARK, each.at) for each in shown.landmarks if each.at != shown.reference)
        yield from _interval(panel, shown.hdi, shown.observed, _BAR if shown.judged is None else _UPPER_BAR)
        if shown.judged is not None:
            at, interval = shown.judged
            yield panel.line(Look.BASELINE_OBSERVED, [(end, _LOWER_BAR) for end in interval])
            yield panel.line(Look.OTHER_DOT, [(at, _LOWER_BAR)])

    below = [Landmark(shown.observed, shown.here, bold=True)]
    if shown.judged is not None:
        below.append(Landmark(shown.judged[0], "the judge alone", "other"))
    return replace(_plot(shown.axis, shapes, shown.landmarks, below, scale=scale), unit=shown.unit)


def posterior_of(result: Computed) -> Plot:
    """Draw the posterior of a result, above the name of its axis."""
    name = result.measure_words
    if isinstance(result, EstimateFigures):
        shown = score_of(result)
    else:
        assert isinstance(result, ComparisonFigures)
        shown = change_of(result, NOT_WORSE.ends)
        name = f"δ of {name}: candidate − baseline{shown.unit and f', in {shown.unit}'}"
    return posterior(shown, scale_of_axis(shown.axis, brief(name, _MOST_OF_NAME)))


def _interval(panel: Panel, interval: Interval, at: float, y: float) -> Iterator[Shape]:
    yield panel.line(Look.HDI, [(end, y) for end in interval])
    yield panel.line(Look.MEAN, [(at, y)])


def trend(known: Trend, candidate: float) -> Plot:
    """Draw the last versions' scores, the candidate behind them, and the budget."""
    lows, highs = zip(*(point.hdi for point in known.points), strict=True)
    least = () if known.least is None else (known.least,)
    axis = Axis(low=0, high=len(known.points))
    scores = list(enumerate([*(point.score for point in known.points), candidate]))

    def shapes(shares: Panel) -> Iterator[Shape]:
        panel = replace(shares, y=Axis.over((*lows, *highs, candidate, *least)))
        yield panel.line(Look.BAND, [*enumerate(lows), *reversed(list(enumerate(highs)))])
        yield panel.line(Look.CURVE, scores[:-1])
        yield panel.line(Look.ZERO, scores[-2:])
        yield panel.line(Look.MEAN, scores[-1:])
        yield from (panel.level(Look.BUDGET, each) for each in least)
        yield from (panel.upright(Look.ZERO, place) for place, each in enumerate(known.points) if each.new_test_set)

    days = {axis.share(place): name_text(known.points[place].date)[:10] for place in (0, len(known.points) - 1)}
    scale = _scale(Text(share, 0, day, share, "soft") for share, day in days.items())
    return _plot(axis, shapes, graph=_SPARK, scale=scale)


@dataclass(frozen=True)
class Bar:
    """An interval on an axis that others share, with the observed number and what is allowed."""

    at: float
    hdi: Interval
    rope: Interval | None = None


def axis_of_scores(rows: Iterable[Bar]) -> Axis:
    """Show some scores."""
    return Axis.over(end for row in rows for end in (row.at, *row.hdi))


def axis_of_changes(rows: Iterable[Bar]) -> Axis:
    """Show some changes and 0, and of what is allowed no more than twice as far as they reach."""
    shown = list(rows)
    ends = [0.0, *(end for row in shown for end in (row.at, *row.hdi))]
    reach = 2 * max(map(abs, ends))
    return Axis.over([*ends, *(min(max(end, -reach), reach) for row in shown for end in row.rope or ())])


def interval_row(row: Bar, axis: Axis) -> Plot:
    """Draw an interval by itself, with what is allowed and no change, if these are on the axis."""
    panel = Panel(x=axis, y=_SHARES, top=0, bottom=_ROW)
    rope = [panel.columns(Look.ROPE, *row.rope)] if row.rope else []
    zero = [panel.upright(Look.ZERO, 0.0)] if axis.low < 0 < axis.high else []
    shapes = (*rope, *zero, *_interval(panel, row.hdi, row.at, 0.5))
    return Plot(height=_ROW, shapes=shapes, axis=axis)
