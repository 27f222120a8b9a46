"""Plots of results: posteriors, intervals on a shared axis, trends, histories, plans and rankings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from pytest_bayesf1.choices import COMPARISONS
from pytest_bayesf1.figures.plot import Axis, Colour, Look, Panel, Plot, Point, Shape, Text, fitting, text_width
from pytest_bayesf1.results.comparison import ComparisonFigures, Computed, Density, EstimateFigures
from pytest_bayesf1.results.schema import Chain
from pytest_bayesf1.results.timeline import History, Trend, VersionChange
from pytest_bayesf1.text import MINUS, Interval, scale_of, whole_percent
from pytest_bayesf1.words.amounts import Amounts, format_score, likely, name_text, scaled

if TYPE_CHECKING:
    from pytest_bayesf1.planning.plan import Plan
    from pytest_bayesf1.systems import RankingFigures

_LINE = 22
"""Pixels from one line of text to the next."""
_GRAPH, _SPARK, _ROW = 112, 56, 24
"""How high a density, a trend and an interval are drawn."""
_SHARES = Axis(low=0.0, high=1.0)
_EDGE = 0.06
"""Share of the width at either end where half of a number would stick out."""
_POINTS = 100
"""Of a curve, about."""
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
    lines_below, ticks = scale.within(0, 1, end)
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


def change_of(comparison: ComparisonFigures, landmarks: tuple[Landmark, ...], here: str) -> Posterior:
    """Take the change of a comparison."""
    scale = scale_of(custom_measure=comparison.custom_measure)
    low, high = scaled((comparison.density.low, comparison.density.high), scale.factor)
    return Posterior(
        density=replace(comparison.density, low=low, high=high),
        observed=scale.factor * comparison.change,
        hdi=scaled(comparison.hdi, scale.factor),
        rope=scaled(comparison.rope, scale.factor),
        reference=0.0,
        landmarks=landmarks,
        here=here,
        unit=scale.unit and f"{scale.unit}s",
        earlier=tuple(scale.factor * each.mean for each in comparison.earlier_changes),
        judged=_judged(comparison, scale.factor),
    )


def score_of(estimate: EstimateFigures, floor: str, here: str) -> Posterior:
    """Take the score of an estimate, and what its floor is called."""
    return Posterior(
        density=estimate.density,
        observed=estimate.score.observed,
        hdi=estimate.score.hdi,
        rope=None,
        reference=estimate.floor,
        landmarks=() if estimate.floor is None else (Landmark(estimate.floor, floor),),
        here=here,
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
    """Draw the posterior of a result with its probabilities."""
    name = result.measure_words
    if isinstance(result, EstimateFigures):
        observed, low, high = map(format_score, (result.score.observed, *result.score.hdi))
        p_below = result.p_below_floor
        floor = "" if p_below is None else f"{whole_percent(p_below)} below the floor"
        shown = score_of(result, floor, f"{observed} ({low} to {high})")
    else:
        assert isinstance(result, ComparisonFigures)
        amounts = Amounts.of(result)
        in_rope = Landmark(amounts.factor * result.rope[0], f"{whole_percent(result.p_in_rope)} in ROPE")
        sides = Landmark(0.0, f"worse {whole_percent(result.p_worse)}, better {whole_percent(result.p_better)}")
        shown = change_of(result, (in_rope, sides), amounts.text(result.change, result.hdi))
        name = f"δ of {name}: candidate − baseline{amounts.unit and f', in {amounts.unit}'}"
    return posterior(shown, scale_of_axis(shown.axis, fitting(name, _WIDTH)))


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


def trace(chains: Sequence[Chain]) -> Plot:
    """Draw Markov chains draw by draw: those that mix lie over one another and go nowhere."""
    axis = Axis(low=0, high=max(len(chain) for chain in chains) - 1 or 1)
    values = Axis.over(value for chain in chains for value in chain)
    looks = (Look.CHAIN, Look.CHAIN_1, Look.CHAIN_2, Look.CHAIN_3)
    panel = Panel(x=axis, y=values, top=0, bottom=_GRAPH)
    shapes = (panel.line(looks[number % 4], enumerate(chain)) for number, chain in enumerate(chains))
    return Plot(height=_GRAPH, shapes=tuple(shapes), axis=axis)


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


_WIDTH, _LEFT, _RIGHT = 720.0, 0.09, 0.95
"""Of a picture whose vertical axis has numbers, too."""
_MOST_NUMBERS, _MOST_DATES = 5, 7


def _framed(panel: Panel, name: str, scale: Plot) -> tuple[list[Shape], list[Text]]:
    """Draw what both axes show, and lines at round numbers of the vertical one."""
    shapes, texts = scale.within(panel.left, panel.right, panel.bottom)
    for number, words in panel.y.ticks(_MOST_NUMBERS).items():
        line = panel.level(Look.EDGE, number)
        shapes.append(line)
        texts.append(Text(panel.left - 0.01, line.points[0][1], words, 1.0, "soft"))
    return shapes, [*texts, Text(panel.left, panel.top - _LINE / 2, fitting(name, 0.8 * _WIDTH), 0.0, "soft")]


Spread: TypeAlias = tuple[float, Interval, float, tuple[Look, ...]]
"""Where an upright interval is, its ends, its middle, and the looks of its line and of its dots."""
_CURVE, _OTHER = (Look.CURVE, Look.DOT), (Look.OTHER, Look.OTHER_DOT)


def _upright(panel: Panel, spreads: Iterable[Spread]) -> Iterator[Shape]:
    for x, interval, at, (line, *dots) in spreads:
        yield panel.line(line, [(x, end) for end in interval])
        yield from (panel.line(dot, [(x, at)]) for dot in dots)


def _axis_of(spreads: Iterable[Spread], others: Iterable[float] = ()) -> Axis:
    return Axis.over([*others, *(end for _, interval, at, _ in spreads for end in (*interval, at))] or [0.0])


def history_plot(history: History) -> Plot:
    """Draw every version that has a score, the oldest first; what a gate would have failed in another colour.

    A hollow point is about another test set than the one that it is compared with.
    """
    versions = [version for version in history.versions if version.score is not None]
    scale = scale_of(custom_measure=not history.bounded)
    budget = -scale.factor * history.budget
    scores: list[Spread] = []
    totals: list[Spread] = []
    for place, each in enumerate(versions):
        looks = _OTHER if each.verdict == "failed" else _CURVE
        if each.score:
            scores.append((place, each.score.hdi, each.score.mean, (*looks, *_hole(each.change))))
        if each.total:
            total, interval = scale.factor * each.total.mean, scaled(each.total.hdi, scale.factor)
            totals.append((place, interval, total, (*looks, *_hole(each.total))))
        if each.is_anchor:
            totals.append((place, (0.0, 0.0), 0.0, (Look.AXIS, Look.MEAN)))
    axis = Axis(low=-0.5, high=max(len(versions), 1) - 0.5)
    days = range(0, len(versions), max(-(-len(versions) // _MOST_DATES), 1))
    dates = _scale(
        (Text(axis.share(place), 0, name_text(versions[place].date)[:10], colour="soft", size=12) for place in days),
        "hollow: on another test set than what it is compared with"
        if any(Look.HOLE in looks for *_, looks in (*scores, *totals))
        else "",
    )
    above = Panel(x=axis, y=_axis_of(scores), top=30, bottom=170, left=_LEFT, right=_RIGHT)
    below = replace(above, y=_axis_of(totals, (0.0, budget)), top=220, bottom=360)
    unit = scale.unit and f", {scale.unit}s"
    lines, texts = _framed(above, history.measure_words, _scale(()))
    more, names = _framed(below, f"since the anchor{unit}; dashed: allowed", dates)
    lines += [*more, below.level(Look.AXIS, 0.0), below.level(Look.BUDGET, budget)]
    shapes = (*lines, *_upright(above, scores), *_upright(below, totals))
    return Plot(height=360 + dates.height, width=_WIDTH, shapes=shapes, texts=(*texts, *names))


def _hole(change: VersionChange | None) -> tuple[Look, ...]:
    """Make the dot of a change from one test set to another hollow."""
    return (Look.HOLE,) if change and change.new_test_set else ()


_LOSS = dict(zip(COMPARISONS, (Look.CURVE, Look.CURVE_DASHED, Look.CURVE_DOTTED), strict=True))
_NO_DIFFERENCE = dict(zip(COMPARISONS, (Look.OTHER, Look.OTHER_DASHED, Look.OTHER_DOTTED), strict=True))


def power_plot(plan: "Plan") -> Plot:
    """Draw how often the loss is found, and how often a candidate that lost nothing fails."""
    sizes = [size.n_examples for size in plan.designs[0].curve]
    axis = Axis(low=min(sizes), high=max(sizes), is_log=True)
    panel = Panel(x=axis, y=_SHARES, top=52, bottom=300, left=_LEFT, right=0.68)
    unit = "" if plan.custom_measure else ", δ in points"
    scale = scale_of_axis(axis, fitting(f"examples; {plan.measure_words}{unit}", 0.6 * _WIDTH))
    shapes, texts = _framed(panel, "probability that the gate fails", scale)
    need = plan.designs[0].needed[0]
    texts.append(Text(panel.across(need.n_examples), 18, f"N = {need.n_examples:,}", colour="soft"))
    shapes += [panel.upright(Look.AXIS, need.n_examples), panel.level(Look.ZERO, need.power)]
    delta = plan.scenarios[-1].delta * scale_of(custom_measure=plan.custom_measure).factor
    y: float = 110
    for place, words, looks in (
        (-1, f"δ = {delta:+.3g}".replace("-", MINUS), _LOSS),
        (0, "no difference", _NO_DIFFERENCE),
    ):
        for design in plan.designs:
            line = [(size.n_examples, size.rates[place].much_worse) for size in design.curve]
            shapes += [panel.line(looks[design.model], line), Shape(looks[design.model], ((0.7, y), (0.74, y)))]
            texts.append(Text(0.75, y, f"{words}, {design.model.value}", 0.0, size=12))
            y += _LINE
    return Plot(height=300 + 2 * _LINE, width=_WIDTH, shapes=tuple(shapes), texts=tuple(texts))


_SYSTEM, _SCORES, _GAP, _BARS, _RANKS, _BRACKET = 29.0, 330.0, 20.0, 90.0, 60.0, 10.0
"""Pixels: down, a system; across, scores, ranks as bars and in words, and a tie group."""
_LONGEST_NAME = 240.0


def ranking_plot(ranking: "RankingFigures") -> Plot:
    """Draw every score with its HDI, the best first; beside it its ranks. Brackets join the systems of a tie group."""
    systems, n = ranking.systems, len(ranking.systems)
    names = [fitting(each.name, _LONGEST_NAME) for each in systems]
    brackets = _BRACKET * len(ranking.groups) + 6
    left = max(map(text_width, names)) + 16 + brackets
    width = left + _SCORES + _GAP + _BARS + _RANKS
    rows = Axis(low=n - 0.5, high=-0.5)
    axis = axis_of_scores(Bar(each.observed, each.hdi) for each in systems)
    end, edge = _LINE + _SYSTEM * n, (left + _SCORES + _GAP) / width
    scores = Panel(x=axis, y=rows, top=_LINE, bottom=end, left=left / width, right=(left + _SCORES) / width)
    ranks = replace(scores, x=Axis(low=0, high=n), left=edge, right=edge + _BARS / width)
    name = fitting(f"{ranking.measure_words}; bars {likely(ranking)}, below them the observed score", 0.9 * width)
    scale = scale_of_axis(axis, name).within(scores.left, scores.right, end)
    shapes, texts = scale[0], [*scale[1], Text(edge, _LINE / 2, "ranks", 0.0, "soft")]
    for row, (system, called) in enumerate(zip(systems, names, strict=True)):
        (low, high), y = system.rank_hdi, _LINE + _SYSTEM * (row + 0.5)
        shapes += _interval(scores, system.hdi, system.mean, row)
        shapes.append(scores.line(Look.OTHER, [(system.observed, row + 0.2), (system.observed, row + 0.4)]))
        for look, first, last in ((Look.ALL_RANKS, 0, n), (Look.RANKS, low - 1, high)):
            corners = ((first, row - 0.2), (last, row - 0.2), (last, row + 0.2), (first, row + 0.2))
            shapes.append(ranks.line(look, corners))
        texts.append(Text((left - brackets) / width, y, called, 1.0))
        texts.append(Text(ranks.right + 8 / width, y, f"{low}" if low == high else f"{low}–{high}", 0.0))
    place_of = {each.name: row for row, each in enumerate(systems)}
    for number, group in enumerate(ranking.groups):
        x = left - 4 - _BRACKET * number
        top, bottom = (_LINE + _SYSTEM * (place_of[name] + 0.5) for name in (group[0], group[-1]))
        bracket = ((x + 4, top - 7), (x, top - 7), (x, bottom + 7), (x + 4, bottom + 7))
        shapes.append(Shape(Look.OTHER, tuple((across / width, y) for across, y in bracket)))
    if ranking.groups:
        texts.append(Text((left - brackets / 2) / width, _LINE / 2, "≈", colour="other"))
    return Plot(height=end + 2 * _LINE, width=width, shapes=tuple(shapes), texts=tuple(texts))
