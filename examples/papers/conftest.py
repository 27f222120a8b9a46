"""What the reproductions share: published figures, matrices, and a table of our figures beside the paper's."""

import csv
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import pytest

from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.posterior import hdi

DATA = Path(__file__).parent / "data"
MATRICES = Path(__file__).parents[1] / "newsgroups" / "matrices"


@dataclass(frozen=True)
class Figure:
    """A published figure as it was printed, and ours: one value, or several that are equally possible.

    ``error`` is what may lie between the two beside the rounding of the published one.
    """

    ours: Any
    paper: str
    error: float = 0.0

    @property
    def _candidates(self) -> list[Any]:
        return self.ours if isinstance(self.ours, list) else [self.ours]

    @property
    def _decimals(self) -> int:
        return len(self.paper.partition(".")[2])

    @property
    def agrees(self) -> bool:
        """Whether one of our values rounds to the published one, up to the error, or lies on either side of it."""
        if isinstance(self._candidates[0], str):
            return self.paper in self._candidates
        tolerance = 0.5 * 10**-self._decimals + self.error
        return bool(min(self._candidates) - tolerance <= float(self.paper) <= max(self._candidates) + tolerance)

    def __str__(self) -> str:
        if isinstance(self._candidates[0], str):
            return f"{' or '.join(dict.fromkeys(self._candidates))} | {self.paper}"
        ends = [f"{end:.{self._decimals + 1}f}" for end in (min(self._candidates), max(self._candidates))]
        return f"{' to '.join(dict.fromkeys(ends))} | {self.paper}"


class SideBySide:
    """A table with cells "ours | paper"; leaving its ``with`` block prints it, and fails where a figure differs."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._rows: list[tuple[str, dict[str, Figure | str]]] = []

    def row(self, name: str, cells: dict[str, Any]) -> None:
        """Add a row of cells by column: text, or the arguments of a `Figure`."""
        figures = {column: cell if isinstance(cell, str) else Figure(*cell) for column, cell in cells.items()}
        self._rows.append((name, figures))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: TracebackType | None) -> None:
        if kind is None:
            print(f"\n{self}")  # noqa: T201
            wrong = self._differing()
            assert not wrong, f"{self._title}: not reproduced: " + ", ".join(wrong)

    def _differing(self) -> list[str]:
        return [
            f"{name} {column}: {cell}"
            for name, cells in self._rows
            for column, cell in cells.items()
            if isinstance(cell, Figure) and not cell.agrees
        ]

    def __str__(self) -> str:
        lines = [["", *self._rows[0][1]], *([name, *map(str, cells.values())] for name, cells in self._rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        aligned = ("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
        return "\n".join([self._title, *aligned])


@pytest.fixture
def side_by_side():
    """Start a table: ``with side_by_side(title) as table``."""
    return SideBySide


@pytest.fixture
def published():
    """Read a published table: a dictionary for each row that meets the conditions, every figure as it was printed."""

    def read(name, **conditions):
        with (DATA / f"{name}.csv").open(newline="") as file:
            return [row for row in csv.DictReader(file) if row.items() >= conditions.items()]

    return read


@pytest.fixture(scope="session")
def newsgroups():
    """The confusion matrices of Zhang et al. 2015, Fig. 3, by classifier."""
    return {path.stem: np.loadtxt(path, delimiter=",", dtype=int) for path in MATRICES.glob("*.csv")}


@pytest.fixture
def paired_counts():
    """Build the joint counts of two binary classifiers from ``counts[true, candidate, baseline]``."""

    def build(counts):
        true, candidate, baseline = np.indices((2, 2, 2)).reshape(3, -1)
        return PairedCounts.from_table(OutcomeTable.tally(2, true, baseline, candidate, weight=counts.ravel()), (0, 1))

    return build


@pytest.fixture
def figures_of_delta():
    """List the figures that draws of delta determine, given a list of equally possible posteriors.

    ``error`` is the allowed Monte Carlo error of a mean, in standard deviations of what is averaged: four standard
    errors. A bound of the HDI is about four times as uncertain.
    """

    def figures(deltas, paper, rope, error):
        std = deltas[0].std()
        low, high = zip(*(hdi(delta, 0.95) for delta in deltas), strict=True)
        return {
            "mean": ([delta.mean() for delta in deltas], paper["mean"], error * std),
            "below 0, %": _percent([delta < 0 for delta in deltas], paper["pct_below_0"], error),
            "in ROPE, %": _percent([abs(delta) <= rope for delta in deltas], paper["pct_in_rope"], error),
            "HDI, low": (list(low), paper["hdi_low"], 4 * error * std),
            "HDI, high": (list(high), paper["hdi_high"], 4 * error * std),
        }

    return figures


def _percent(hits, paper, error):
    shares = np.array([hit.mean() for hit in hits])
    spread = np.sqrt(shares * (1 - shares)).max().clip(min=error / 4)  # even none of the draws may be one of them
    return (100 * shares).tolist(), paper, 100 * error * spread


@pytest.fixture(autouse=True)
def _unrecorded():
    """Compare outside of the project's settings and its report: these comparisons check the statistics, not a model."""
    with active(Session()):
        yield
