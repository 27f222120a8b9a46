"""The posterior density of a difference or of a score, as Zhang et al. (2015, 2016) draw it."""

from dataclasses import dataclass

from pytest_bayesf1.figures.canvas import CURVE, CURVE_MARGINS, INK, PAPER, ROPE, Canvas, drawing
from pytest_bayesf1.figures.curves import Curve, change_axis, change_factor
from pytest_bayesf1.results.amounts import Amounts
from pytest_bayesf1.results.results import ComparisonFigures, EstimateFigures
from pytest_bayesf1.text import percent


@dataclass(frozen=True, eq=False)
class _Picture:
    """What is drawn, in the numbers of the axis.

    Attributes
    ----------
    curve, mean, hdi
        The posterior.
    bounds
        The HDI's bounds, and the mean, in words.
    rope, in_rope
        The ROPE and the share inside; None beside a floor.
    reference, shares
        No difference, or the floor, and the shares on its sides.
    axis
        Its name.
    """

    curve: Curve
    mean: float
    hdi: tuple[float, float]
    bounds: tuple[str, str, str]
    rope: tuple[float, float] | None
    in_rope: str
    reference: float
    shares: str
    axis: str


def posterior_svg(result: ComparisonFigures | EstimateFigures, salt: str) -> str:
    """Draw the density with its HDI and mean; the ROPE with its share, and the shares on either side of 0.

    ``salt`` keeps the ids of several figures in one document apart.
    """
    picture = _of_estimate(result) if isinstance(result, EstimateFigures) else _of_comparison(result)
    with drawing(5.6, 2.5, salt, margins=CURVE_MARGINS) as drawn:
        _draw(drawn, picture)
    return drawn.svg


def _of_comparison(comparison: ComparisonFigures) -> _Picture:
    factor = change_factor(comparison)
    amounts = Amounts.of(comparison)
    low, high = comparison.hdi
    rope_low, rope_high = comparison.rope
    return _Picture(
        curve=Curve.of(comparison.density, factor),
        mean=factor * comparison.mean,
        hdi=(factor * low, factor * high),
        bounds=(amounts.signed(low), amounts.signed(high), amounts.signed(comparison.mean)),
        rope=(factor * rope_low, factor * rope_high),
        in_rope=f"{percent(comparison.p_in_rope)} in ROPE",
        reference=0.0,
        shares=f"{percent(comparison.p_worse)} < 0 < {percent(comparison.p_better)}",
        axis=change_axis(comparison),
    )


def _of_estimate(estimate: EstimateFigures) -> _Picture:
    score = estimate.score
    low, high = score.hdi
    return _Picture(
        curve=Curve.of(estimate.density),
        mean=score.mean,
        hdi=(low, high),
        bounds=(f"{low:.3f}", f"{high:.3f}", f"{score.mean:.3f}"),
        rope=None,
        in_rope="",
        reference=estimate.floor,
        shares=f"{percent(estimate.p_below_floor)} below the floor",
        axis=estimate.measure_words,
    )


def _draw(drawn: Canvas, picture: _Picture) -> None:
    axes, curve = drawn.axes, picture.curve.over(picture.curve.peak)
    low, high = picture.hdi
    inside = (curve.points >= low) & (curve.points <= high)
    drawn.hill(curve.points, curve.heights, CURVE, 0.12)
    drawn.hill(curve.points[inside], curve.heights[inside], CURVE, 0.25)
    axes.plot(curve.points, curve.heights, color=CURVE, linewidth=1.6)
    if picture.rope is not None:
        axes.axvspan(*picture.rope, color=ROPE, alpha=0.35, linewidth=0, zorder=0)
        drawn.label(sum(picture.rope) / 2, 1.42, picture.in_rope)
    axes.axvline(picture.reference, ymax=0.80, color=INK, linewidth=1, linestyle=(0, (4, 3)))
    drawn.label(picture.reference, 1.24, picture.shares)
    axes.plot([low, high], [-0.09, -0.09], color=INK, linewidth=3.5, solid_capstyle="butt")
    axes.plot([picture.mean], [-0.09], "o", color=PAPER, markeredgecolor=INK, markersize=6)
    below = -0.27
    drawn.label(low, below, picture.bounds[0], ha="right")
    drawn.label(high, below, picture.bounds[1], ha="left")
    drawn.label(picture.mean, below, picture.bounds[2], weight="bold")
    _finish(drawn, picture)


def _finish(drawn: Canvas, picture: _Picture) -> None:
    axes = drawn.axes
    drawn.name_x(picture.axis)
    drawn.only_x()
    axes.set_ylim(-0.38, 1.52)
    left, right = axes.get_xlim()
    axes.set_xlim(left - 0.05 * (right - left), right + 0.05 * (right - left))
