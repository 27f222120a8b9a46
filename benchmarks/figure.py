"""The growth curves as a picture."""

from pathlib import Path

import matplotlib as mpl
import numpy as np

from benchmarks.table import Rows

_PANELS = (
    ("M", "n_classes", "classes (100 examples each)", (("M", "20,000 paired draws", "o-"),)),
    ("N", "n_examples", "examples of 20 classes", (("N", "20,000 paired draws", "o-"),)),
    ("draws", "n_draws", "draws, 20 classes, 7,532 examples", (("draws", "paired draws", "o-"),)),
    ("gates", "n_gates", "comparisons of 20 classes, 3,000 examples", (("gates", "all in all", "o-"),)),
    (
        "peers",
        "n_classes",
        "classes (100 examples each), two matrices",
        (("two matrices by M", "here, 10,000 draws", "o-"), ("prob_conf_mat by M", "prob_conf_mat", "s--")),
    ),
)


def draw(rows: Rows, path: Path) -> None:
    """Write a PNG: time against size, on logarithmic axes, with the line of proportional growth."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, len(_PANELS), figsize=(4 * len(_PANELS), 3.4), layout="constrained")
    for panel, (_, size, label, lines) in zip(axes, _PANELS, strict=True):
        for series, name, style in lines:
            points = sorted((row[size], row["seconds"]) for row in rows if row["series"] == series and "seconds" in row)
            if points:
                x, y = np.array(points, dtype=float).T
                panel.plot(x, y, style, label=name)
                panel.plot(x, y[-1] * x / x[-1], ":", color="grey", linewidth=0.8)
        panel.set(xscale="log", yscale="log", xlabel=label, ylabel="seconds")
        if panel.lines:
            panel.legend(frameon=False)
    figure.savefig(path, dpi=80)
    plt.close(figure)
