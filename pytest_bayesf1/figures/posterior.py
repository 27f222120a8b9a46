"""The posterior density of a difference or of a score, as Zhang et al. (2015, 2016) draw it."""

from dataclasses import dataclass

from pytest_bayesf1._util import percent
from pytest_bayesf1.figures.canvas import CURVE, INK, PAPER, POINTS, ROPE, Canvas, Margins, drawing, text_width
from pytest_bayesf1.figures.curves import Curve
from pytest_bayesf1.results.comparison import ComparisonFigures, EstimateFigures
from pytest_bayesf1.results.formatting import Amounts, score_told

_WIDTH, _HEIGHT = 5.6, 2.5
_MARGINS: Margins = (0.1, 0.5, 0.1, 0.05)
_SIZE = 9


@dataclass(frozen=True, eq=False)
class _Picture:
    """What is drawn, in the numbers of the axis.

    Attributes
    ----------
    curve, mean, hdi
        The posterior.
    told
        Mean and HDI in words.
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
    told: str
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
    with drawing(_WIDTH, _HEIGHT, salt, margins=_MARGINS) as drawn:
        _draw(drawn, picture)
    return drawn.svg


def _of_comparison(comparison: ComparisonFigures) -> _Picture:
    amounts = Amounts.of(comparison)
    factor = amounts.factor
    low, high = comparison.hdi
    rope_low, rope_high = comparison.rope
    return _Picture(
        curve=Curve.of(comparison.density, factor),
        mean=factor * comparison.mean,
        hdi=(factor * low, factor * high),
        told=amounts.told(comparison.mean, comparison.hdi),
        rope=(factor * rope_low, factor * rope_high),
        in_rope=f"{percent(comparison.p_in_rope)} in ROPE",
        reference=0.0,
        shares=f"{percent(comparison.p_worse)} < 0 < {percent(comparison.p_better)}",
        axis=f"δ of {comparison.measure_words}: candidate − baseline{amounts.unit and f', in {amounts.unit}'}",
    )


def _of_estimate(estimate: EstimateFigures) -> _Picture:
    score = estimate.score
    low, high = score.hdi
    return _Picture(
        curve=Curve.of(estimate.density),
        mean=score.mean,
        hdi=(low, high),
        told=f"{score_told(score.mean)} ({score_told(low)} to {score_told(high)})",
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
    axes.axvline(picture.reference, ymax=0.80, color=INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.plot([low, high], [-0.09, -0.09], color=INK, linewidth=3.5, solid_capstyle="butt")
    axes.plot([picture.mean], [-0.09], "o", color=PAPER, markeredgecolor=INK, markersize=6)
    _label(drawn, picture)
    drawn.name_x(picture.axis)
    drawn.only_x()
    axes.set_ylim(-0.38, 1.52)


def _label(drawn: Canvas, picture: _Picture) -> None:
    """Write on lines of their own, and show as much to the left and to the right as the texts need."""
    labels = [(picture.reference, 1.24, picture.shares), (picture.mean, -0.27, picture.told)]
    if picture.rope is not None:
        labels.append((sum(picture.rope) / 2, 1.42, picture.in_rope))
    left, right = drawn.axes.get_xlim()
    for x, y, text in labels:
        drawn.label(x, y, text)
        half = (text_width(text, _SIZE) + 4 / POINTS) / 2 / (_WIDTH - _MARGINS[0] - _MARGINS[2])
        left = min(left, (x - half * right) / (1 - half))
        right = max(right, (x - half * left) / (1 - half))
    drawn.axes.set_xlim(left, right)
