"""Draw the figure of "Why not a threshold" from the study of rates: ``python -m docs.why_not_figure``."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

DOCS = Path(__file__).parent
FIGURE = DOCS / "explanation" / "why-not-a-threshold.svg"
RULES = {"observed < −ROPE": ("a threshold", "#b3261e", "o"), "paired": ("the gate", "#1f4e9c", "s")}
PANELS = {"fails at 0": "fails a candidate that lost nothing", "−4 ROPE": "passes a candidate that lost 4 points"}
DASHES = {2: ":", 5: "--", 20: "-"}


def rates() -> Iterator[tuple[int, int, str, dict[str, float]]]:
    """Read number of classes, number of examples, rule and rates in per cent off the study's tables."""
    for section in (DOCS / "studies" / "rates.md").read_text("utf-8").split("\n### ")[1:]:
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if "|" in line]
        for size, rule, *cells in rows[2:]:
            figures = {name: float(cell) for name, cell in zip(rows[0][2:], cells, strict=True) if cell}
            yield int(section.split()[0]), int(size.replace(",", "")), rule, figures


def draw(path: Path) -> None:
    """Draw a panel for each kind of mistake."""
    known = list(rates())
    figure = Figure(figsize=(8.5, 3.6), layout="constrained")
    for axes, (column, title) in zip(figure.subplots(1, 2), PANELS.items(), strict=True):
        for rule, (name, colour, marker) in RULES.items():
            for classes, dashes in DASHES.items():
                line = [(size, row[column]) for m, size, each, row in known if (m, each) == (classes, rule)]
                label = f"{name}, {classes} classes"
                axes.plot(*zip(*line, strict=True), dashes, color=colour, marker=marker, markersize=4, label=label)
        axes.set(xscale="log", ylim=(-2, 100 if column == "−4 ROPE" else 52), xlabel="test examples", title=title)
        axes.set_xticks([200, 400, 1000, 2000, 8000], ["200", "400", "1,000", "2,000", "8,000"], minor=False)
        axes.minorticks_off()
        axes.set_ylabel("of the simulated test sets")
        axes.yaxis.set_major_formatter("{x:.0f}%")
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[1].legend(frameon=False, fontsize="small")
    with mpl.rc_context({"svg.hashsalt": "why not a threshold"}):
        figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw(FIGURE)
