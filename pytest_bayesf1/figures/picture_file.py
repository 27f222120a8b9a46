"""Plots as figures of matplotlib. The only importer of it."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.figures.plot import PAPER, Plot, anchored, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PIXELS = 96
"""Of an inch."""
_POINTS = 72 / _PIXELS


def drawn(plot: Plot, ax: Any = None) -> "Figure":
    """Place everything where the plot says, in the axes or on a figure of its own."""
    from matplotlib.axes import Axes  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    axes, points = ax, _POINTS
    if ax is None:
        figure = Figure(figsize=(plot.width / _PIXELS, plot.height / _PIXELS), facecolor=PAPER["card"])
        axes = figure.add_axes((0, 0, 1, 1))
    elif isinstance(ax, Axes):
        figure = axes.get_figure()
        points = min(72 * axes.get_window_extent().width / figure.dpi / plot.width, _POINTS)
    else:
        raise InputError("ax", "matplotlib axes, such as plt.gca()", type(ax).__name__)
    axes.set_axis_off()
    axes.set(xlim=(0, plot.width), ylim=(plot.height, 0), autoscale_on=False)
    for shape in plot.shapes:
        paint = shape.look.value
        xs, ys = [plot.width * x for x, _ in shape.points], [y for _, y in shape.points]
        if paint.fill:
            axes.fill(xs, ys, color=PAPER[paint.fill], alpha=paint.opacity, linewidth=0)
        if paint.line and len(xs) == 1:
            axes.plot(xs, ys, "o", color=PAPER[paint.line], markersize=points * paint.width, markeredgewidth=0)
        elif paint.line:
            dashes = (0, tuple(each / paint.width for each in paint.dash)) if paint.dash else "-"
            width = points * paint.width
            axes.plot(xs, ys, color=PAPER[paint.line], linewidth=width, linestyle=dashes, solid_capstyle="butt")
    for text in plot.texts:
        x, anchor = anchored(text, plot.width)
        style = {"color": PAPER[text.colour], "size": points * text.size, "weight": "bold" if text.bold else "normal"}
        align = {"start": "left", "middle": "center", "end": "right"}[anchor]
        axes.text(x, text.y, printable(text.text), ha=align, va="center_baseline", parse_math=False, **style)
    return figure


class Pictured(ABC):
    """What has a picture."""

    @property
    @abstractmethod
    def plot(self) -> Plot:
        """The picture that notebooks and reports show."""

    def figure(self, ax: "Axes | None" = None) -> "Figure":
        """Draw the picture of notebooks and reports by matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a figure of its own.

        Returns
        -------
        matplotlib.figure.Figure
            That of the axes.

        Examples
        --------
        >>> import io
        >>> from pytest_bayesf1 import compare
        >>> figure = compare([[90, 10], [10, 90]], [[80, 20], [10, 90]], measure="f1", rope=0.05).figure()
        >>> figure.savefig(io.BytesIO())  # or a file, such as "f1.png"
        """
        return drawn(self.plot, ax)
