"""Plots of results: posteriors, intervals on a shared axis, trends, histories, plans and rankings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import log10

from pytest_bayesf1.figures.plot import Axis, Colour, Look, Panel, Plot, Point, Shape, Text
from pytest_bayesf1.results.comparison import Density, Score
from pytest_bayesf1.results.formatting import format_score, name_text
from pytest_bayesf1.results.schema import Chain
from pytest_bayesf1.results.versions import Trend
from pytest_bayesf1.text import Interval

_LINE = 22
"""Pixels from one line of text to the next."""
_GRAPH, _SPARK, _ROW = 112, 56, 24
"""How high a density, a trend and an interval are drawn."""
_SHARES = Axis(low=0.0, high=1.0)
_EDGE = 0.06
"""Share of the width at either end where half of a number would stick out."""
_POINTS = 100
"""Of a curve, about."""


@dataclass(frozen=True)
class Label:
    """What a number of the horizontal axis is called, on a line of its own."""

    at: float
    words: str
    colour: Colour = "ink"
    bold: bool = False


def _plot(
    axis: Axis,
    shapes: Callable[[Panel], Iterable[Shape]],
    above: Sequence[Label] = (),
    below: Sequence[Label] = (),
    *,
    graph: float = _GRAPH,
    scale: Plot | None = None,
) -> Plot:
    """Stack lines of text, shapes between 0 and 1, more lines and the scale of the axis."""
    top = _LINE * len(above)
    panel = Panel(x=axis, y=_SHARES, top=top, bottom=top + graph)
    lines: list[tuple[float, Label]] = [(_LINE * place, each) for place, each in enumerate(above)]
    lines += ((panel.bottom + _LINE * place, each) for place, each in enumerate(below))
    texts = [
        Text(share, y + _LINE / 2, each.words, share, each.colour, bold=each.bold)
        for y, each in lines
        for share in [axis.share(each.at)]
    ]
    end = panel.bottom + _LINE * len(below)
    lines_below, ticks = (scale or scale_of_axis(axis)).within(0, 1, end)
    return Plot(height=end + _LINE, shapes=(*shapes(panel), *lines_below), texts=(*texts, *ticks), axis=axis)


def scale_of_axis(axis: Axis) -> Plot:
    """Draw an axis by itself, such as above rows that share it."""
    shown = ((at, axis.share(at), words) for at, words in axis.ticks().items())
    near = (_EDGE, 1 - _EDGE)
    return _scale(Text(x, 0, words, colour="soft") for at, x, words in shown if at == 0 or near[0] <= x <= near[1])


def _scale(texts: Iterable[Text]) -> Plot:
    shapes = (Shape(Look.EDGE, ((0, 0), (1, 0))),)
    return Plot(height=_LINE, shapes=shapes, texts=tuple(replace(each, y=_LINE / 2 + 1) for each in texts))


def curve(density: Density, most: int = _POINTS) -> list[Point]:
    """Return some points of a density, its peak among them, as shares of the peak."""
    steps, peak = len(density.values) - 1, max(density.values) or 1.0
    kept = sorted({*range(0, steps + 1, -(-steps // most)), density.values.index(max(density.values)), steps})
    return [
        (density.low + place / steps * (density.high - density.low), density.values[place] / peak) for place in kept
    ]


def _hill(points: Sequence[Point], floor: float) -> list[Point]:
    """Close a curve, so that what is below it is filled."""
    return [(points[0][0], floor), *points, (points[-1][0], floor)]


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """The posterior of a change or of a score, in the numbers that people read: points, or the measure's own.

    Attributes
    ----------
    observed
        The observed change or score.
    rope
        What is tolerated; None beside a floor.
    reference
        No change, or the floor.
    landmarks
        What is named above the curve; lines are drawn there.
    here
        What is written below the observed number.
    unit
        Of the numbers.
    """

    density: Density
    observed: float
    hdi: Interval
    rope: Interval | None
    reference: float
    landmarks: tuple[Label, ...]
    here: str
    unit: str = ""

    @property
    def axis(self) -> Axis:
        """An axis of its own."""
        ends = (self.density.low, self.density.high, self.observed, self.reference, *self.hdi, *(self.rope or ()))
        return Axis.over(ends)


_PEAK, _FLOOR, _BAR = 0.94, 0.16, 0.07
"""How high a curve begins and ends, and where the bar of its interval is."""


def posterior(shown: Posterior, axis: Axis | None = None, *, graph: float = _GRAPH, scale: Plot | None = None) -> Plot:
    """Draw a density with its interval, what is allowed, and no change or the floor."""

    def shapes(panel: Panel) -> Iterator[Shape]:
        points = [(x, _FLOOR + height * (_PEAK - _FLOOR)) for x, height in curve(shown.density)]
        inside = [point for point in points if shown.hdi[0] <= point[0] <= shown.hdi[1]]
        if shown.rope:
            yield panel.columns(Look.ROPE, *shown.rope)
        yield panel.line(Look.HILL, _hill(points, _FLOOR))
        if inside:
            yield panel.line(Look.INSIDE, _hill(inside, _FLOOR))
        yield panel.upright(Look.ZERO, shown.reference)
        yield from (panel.upright(Look.MARK, each.at) for each in shown.landmarks if each.at != shown.reference)
        yield from _interval(panel, shown.hdi, shown.observed, _BAR)

    below = Label(shown.observed, shown.here, bold=True)
    return replace(
        _plot(axis or shown.axis, shapes, shown.landmarks, [below], graph=graph, scale=scale), unit=shown.unit
    )


def _interval(panel: Panel, interval: Interval, at: float, y: float) -> Iterator[Shape]:
    yield panel.line(Look.HDI, [(end, y) for end in interval])
    yield panel.line(Look.MEAN, [(at, y)])


def sides(baseline: Score, candidate: Score) -> Plot | None:
    """Draw the densities of both scores, below them the observed ones; None where an older document has none."""
    if baseline.density is None or candidate.density is None:
        return None
    drawn: list[tuple[str, Colour, Look, Look, Score, Density]] = [
        ("baseline", "other", Look.BASELINE, Look.BASELINE_OBSERVED, baseline, baseline.density),
        ("candidate", "curve", Look.CANDIDATE, Look.CANDIDATE_OBSERVED, candidate, candidate.density),
    ]

    def shapes(panel: Panel) -> Iterator[Shape]:
        for _, _, look, observed, score, density in drawn:
            points = [(x, _FLOOR + height * (_PEAK - _FLOOR)) for x, height in curve(density, _POINTS // 2)]
            yield panel.line(look, _hill(points, _FLOOR))
            yield panel.line(observed, [(score.observed, 0.0), (score.observed, _FLOOR)])

    axis = Axis.over(end for *_, density in drawn for end in (density.low, density.high))
    names = [Label(score.mean, f"{name} {format_score(score.mean)}", colour) for name, colour, _, _, score, _ in drawn]
    return _plot(axis, shapes, names)


_LOWEST = -4.0
"""Of a density on a logarithmic axis: a power of ten, of the tallest."""


def prior_and_posterior(prior: Density, posterior: Density, factor: float = 1.0) -> Plot:
    """Draw both on a logarithmic axis, where the Bayes factor is the distance at 0."""
    both: list[tuple[str, Colour, Look, Density]] = [
        ("prior", "soft", Look.PRIOR, prior),
        ("posterior", "curve", Look.POSTERIOR, posterior),
    ]
    tallest = max(max(density.values) for *_, density in both)

    def shapes(panel: Panel) -> Iterator[Shape]:
        yield panel.upright(Look.ZERO, 0.0)
        for _, _, look, density in both:
            peak = max(density.values)
            points = [(factor * x, _logarithm(height * peak / tallest)) for x, height in curve(density, _POINTS // 2)]
            yield panel.line(look, points)

    axis = Axis.over(factor * end for *_, density in both for end in (density.low, density.high))
    names = [
        Label(factor * max(curve(density), key=lambda point: point[1])[0], name, colour)
        for name, colour, _, density in both
    ]
    return _plot(axis, shapes, names)


def _logarithm(share: float) -> float:
    return _PEAK * (1 - max(log10(share) if share else _LOWEST, _LOWEST) / _LOWEST)


def trend(known: Trend | None, candidate: float) -> Plot | None:
    """Draw the last versions' scores, the candidate behind them, and the budget."""
    if known is None or not known.points:
        return None
    lows, highs = zip(*(point.hdi for point in known.points), strict=True)
    least = () if known.least is None else (known.least,)
    axis = Axis(low=0, high=len(known.points))
    scores = list(enumerate([*(point.score for point in known.points), candidate]))

    def shapes(shares: Panel) -> Iterator[Shape]:
        panel = replace(shares, y=Axis.over((*lows, *highs, candidate, *least)))
        yield panel.line(Look.BAND, [*enumerate(lows), *reversed(list(enumerate(highs)))])
        yield panel.line(Look.POSTERIOR, scores[:-1])
        yield panel.line(Look.ZERO, scores[-2:])
        yield panel.line(Look.MEAN, scores[-1:])
        yield from (panel.level(Look.BUDGET, each) for each in least)
        yield from (panel.upright(Look.ZERO, place) for place, each in enumerate(known.points) if each.new_test_set)

    days = {axis.share(place): name_text(known.points[place].date)[:10] for place in (0, len(known.points) - 1)}
    scale = _scale(Text(share, 0, day, share, "soft") for share, day in days.items())
    return _plot(axis, shapes, graph=_SPARK, scale=scale)


def trace(chains: Sequence[Chain] | None) -> Plot | None:
    """Draw Markov chains draw by draw: those that mix lie over one another and go nowhere."""
    if chains is None:
        return None
    axis = Axis(low=0, high=max(len(chain) for chain in chains) - 1 or 1)
    values = Axis.over(value for chain in chains for value in chain)
    looks = (Look.CHAIN, Look.CHAIN_1, Look.CHAIN_2, Look.CHAIN_3)
    panel = Panel(x=axis, y=values, top=0, bottom=_GRAPH)
    shapes = (panel.line(looks[number % 4], enumerate(chain)) for number, chain in enumerate(chains))
    return Plot(height=_GRAPH, shapes=tuple(shapes), axis=axis)


@dataclass(frozen=True)
class Row:
    """An interval on an axis that others share, with the observed number and what is allowed."""

    at: float
    hdi: Interval
    rope: Interval | None = None


def axis_of_scores(rows: Iterable[Row]) -> Axis:
    """Show some scores."""
    return Axis.over(end for row in rows for end in (row.at, *row.hdi))


def axis_of_changes(rows: Iterable[Row]) -> Axis:
    """Show some changes and 0, and of what is tolerated no more than twice as far as they reach."""
    shown = list(rows)
    ends = [0.0, *(end for row in shown for end in (row.at, *row.hdi))]
    reach = 2 * max(map(abs, ends))
    return Axis.over([*ends, *(min(max(end, -reach), reach) for row in shown for end in row.rope or ())])


def interval_row(row: Row, axis: Axis) -> Plot:
    """Draw an interval by itself, with what is allowed and no change, if these are on the axis."""
    panel = Panel(x=axis, y=_SHARES, top=0, bottom=_ROW)
    rope = [panel.columns(Look.ROPE, *row.rope)] if row.rope else []
    zero = [panel.upright(Look.ZERO, 0.0)] if axis.low < 0 < axis.high else []
    shapes = (*rope, *zero, *_interval(panel, row.hdi, row.at, 0.5))
    return Plot(height=_ROW, shapes=shapes, axis=axis)


def bar_text(row: Row, axis: Axis, columns: int, *, ascii_only: bool = False) -> str:
    """Write an interval for a terminal.

    Examples
    --------
    >>> axis, clear, open_ = Axis(low=-10, high=3), Row(-6.2, (-7.8, -4.7), (-1, 1)), Row(-2, (-3, 0.6), (-1, 1))
    >>> [bar_text(row, axis, 20) for row in (clear, open_)]
    ['    ├─●─┤     ░│░   ', '           ├●──┼┤   ']
    >>> bar_text(clear, axis, 20, ascii_only=True)
    '    |-o-|     :|:   '
    """
    shaded, bar, dot, left, right, zero, crossed = ":-o||||" if ascii_only else "░─●├┤│┼"
    cells = [" "] * columns
    has_zero = axis.low < 0 < axis.high
    origin = 0.0 if has_zero else axis.low  # what is as far below it as above stays so
    start, unit = round(axis.share(origin) * (columns - 1)), (columns - 1) / (axis.high - axis.low)

    def fill(interval: Interval, character: str) -> tuple[int, int]:
        low, high = (min(max(start + round((end - origin) * unit), 0), columns - 1) for end in interval)
        cells[low : high + 1] = character * (high + 1 - low)
        return low, high

    if row.rope:
        fill(row.rope, shaded)
    if has_zero:
        fill((0, 0), zero)
    low, high = fill(row.hdi, bar)
    if row.hdi[0] < 0 < row.hdi[1]:
        fill((0, 0), crossed)
    cells[low], cells[high] = left, right
    fill((row.at, row.at), dot)
    return "".join(cells)
