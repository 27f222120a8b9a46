"""The result of `rank`: which of several systems is the best, as far as the data can tell."""

from dataclasses import dataclass
from html import escape
from typing import Any

from pytest_bayesf1._util import (
    counted,
    first_few,
    indented,
    level,
    one_line,
    scale_of,
    scores,
    whole_percent,
)
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.never_true import notes_on, warnings_about
from pytest_bayesf1.comparison.readable import Told
from pytest_bayesf1.comparison.units import Units, warnings_on
from pytest_bayesf1.errors import BayesF1Warning, InputError
from pytest_bayesf1.results.comparison import Decision, NeverTrue, nouns_of
from pytest_bayesf1.results.formatting import Amounts
from pytest_bayesf1.results.other import PairFigures, RankingFigures, SystemFigures
from pytest_bayesf1.results.schema import figures_of, plain

_COLUMNS = ("system", "score", "HDI", "P(best)", "ranks", "expected loss", "against the first")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Ranking(RankingFigures, Told):
    """The joint posterior of the scores of several systems on the same examples, the best first.

    Figures by name, such as ``ranking.p_best["mine"]``, are dictionaries in the order of the mean scores.

    Attributes
    ----------
    systems : tuple of SystemFigures
        Every figure of each system; ``ranking["mine"]`` is one of them.
    pairs : tuple of PairFigures
        Every two systems; `decision` finds what is said of any two.
    groups
        Tie groups: the longest runs of systems of which any two differ by less than the ROPE (≈).
    measure, measure_words, custom_measure, rope, hdi_prob, prior, seed, n_draws
        How it was computed, so that it can be redone.
    n_samples, n_classes
        Examples, and classes that have any.
    settled
        Whether the decisions between the first system and every other are clear of Monte Carlo error.
    draws
        Joint draws of the scores, (n_draws,) each, by name.
    units : Units or None
        What was drawn independently, such as documents; None where every example is its own.
    never_true
        Classes without examples and how often each system predicts them, in the order of `given`.
    given
        The names in the order in which the systems were given.
    data_notes
        What a careful reader should know of how the data were read.
    """

    draws: dict[str, Floats]
    units: Units | None
    never_true: tuple[NeverTrue, ...]
    given: tuple[str, ...]
    data_notes: tuple[str, ...]

    def __getitem__(self, name: str) -> SystemFigures:
        """Return the figures of a system; raise `InputError` for a name that is none."""
        for system in self.systems:
            if system.name == name:
                return system
        raise InputError("system", f"one of {first_few(map(repr, self.given), 20)}", repr(name))

    @property
    def p_best(self) -> dict[str, float]:
        """Probability that each system has the highest score; they add up to 1."""
        return {each.name: each.p_best for each in self.systems}

    @property
    def rank_hdi(self) -> dict[str, tuple[int, int]]:
        """The shortest run of ranks, first and last, that holds each system's with the probability of the HDI."""
        return {each.name: each.rank_hdi for each in self.systems}

    @property
    def expected_rank(self) -> dict[str, float]:
        """The mean of each system's rank."""
        return {each.name: each.expected_rank for each in self.systems}

    @property
    def expected_loss(self) -> dict[str, float]:
        """How far each system lies behind the best one, on average: what it costs to choose it."""
        return {each.name: each.expected_loss for each in self.systems}

    @property
    def ties(self) -> dict[str, tuple[str, ...]]:
        """The systems whose difference from each lies within the ROPE (≈)."""
        return {each.name: each.ties for each in self.systems}

    def decision(self, baseline: str, candidate: str) -> Decision:
        """Return what the data say of one system beside another, as `compare` does.

        Parameters
        ----------
        baseline, candidate
            Names of two systems.

        Returns
        -------
        Decision
            Of the candidate.

        Raises
        ------
        InputError
            For a name that is none, or the same name twice.
        """
        for pair in self.pairs:
            if (pair.baseline, pair.candidate) == (baseline, candidate):
                return pair.decision
            if (pair.candidate, pair.baseline) == (baseline, candidate):
                return _MIRRORED[pair.decision]
        raise InputError("systems", f"two of {first_few(map(repr, self.given), 20)}", f"{baseline!r}, {candidate!r}")

    @property
    def headline(self) -> str:
        """Tell which system leads, and how surely."""
        first = self.systems[0]
        interval = f"{level(self.hdi_prob)} HDI {scores(first.hdi)}"
        return (
            f"{one_line(first.name)} leads with {one_line(self.measure_words)} {first.mean:.3f} ({interval}); "
            f"it is the best of {len(self.systems)} with probability {whole_percent(first.p_best)}"
        )

    def table(self) -> list[tuple[str, ...]]:
        """Write the figures of every system as a row of texts, below the names of the columns."""
        beside = {pair.candidate: pair for pair in self.pairs if pair.baseline == self.systems[0].name}
        typical = sorted((pair.hdi for pair in beside.values()), key=lambda hdi: hdi[1] - hdi[0])[len(beside) // 2]
        amounts = Amounts(scale_of(custom_measure=self.custom_measure), typical)
        return [_COLUMNS, *(_row(system, beside.get(system.name), amounts) for system in self.systems)]

    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures."""
        found = [f"Tied, any two within the ROPE: {_listed(group)}." for group in self.groups]
        found += notes_on(self.never_true, (self.n_samples,) * len(self.given), tuple(map(one_line, self.given)))
        if self.units is not None and self.units.noun != self.units.holding:
            found.append(f"{self.units.n[0]:,} {self.units.noun} were drawn, with all their {self.units.holding}.")
        if not self.settled:
            found.append(
                "Some decision against the first still depends on Monte Carlo error after all draws: read it as a "
                "close call."
            )
        return [*found, *self.data_notes]

    def warnings(self) -> list[BayesF1Warning]:
        """List what its reader must not overlook."""
        names = tuple(map(one_line, self.given))
        of_units = warnings_on(self.units) if self.units else ()
        return [*warnings_about(self.never_true, (self.n_samples,) * len(names), names), *of_units]

    def computed(self) -> str:
        """Say how the figures were computed."""
        example, category = nouns_of(self.units)
        data = counted(self.n_samples, example)
        if self.n_classes:
            data += (
                f" of {counted(self.n_classes, category)}" if category != "class" else f" of {self.n_classes} classes"
            )
        tolerated = f"ROPE {self.rope[1]:g}"
        return f"{data}, {tolerated}, {self.prior} prior, {self.n_draws:,} draws, seed {self.seed}"

    def to_dict(self) -> dict[str, Any]:
        """Return every figure, JSON-able; the draws are left out."""
        figures = {name: plain(value) for name, value in figures_of(self, RankingFigures).items()}
        return {"headline": self.headline, "notes": self.notes(), **figures}

    def columns(self) -> dict[str, list[Any]]:
        """Return the figures of all systems by the names of columns, the best system first."""
        beside = {pair.candidate: pair for pair in self.pairs if pair.baseline == self.systems[0].name}
        told = [beside.get(each.name) for each in self.systems]
        return {
            "system": [each.name for each in self.systems],
            "observed": [each.observed for each in self.systems],
            "mean": [each.mean for each in self.systems],
            "std": [each.std for each in self.systems],
            "hdi_low": [each.hdi[0] for each in self.systems],
            "hdi_high": [each.hdi[1] for each in self.systems],
            "p_best": [each.p_best for each in self.systems],
            "rank_low": [each.rank_hdi[0] for each in self.systems],
            "rank_high": [each.rank_hdi[1] for each in self.systems],
            "expected_rank": [each.expected_rank for each in self.systems],
            "expected_loss": [each.expected_loss for each in self.systems],
            "against_first": ["" if pair is None else pair.decision.value for pair in told],
        }

    def to_frame(self, library: str = "pandas") -> Any:
        """Return `columns` as a data frame.

        Parameters
        ----------
        library
            ``"pandas"``, ``"polars"``, ``"pyarrow"`` or another that Narwhals can make one of.

        Raises
        ------
        InputError
            Where the library is not installed.
        """
        from pytest_bayesf1.data.frames import frame_of  # noqa: PLC0415 (loads Narwhals)

        return frame_of(self.columns(), library)

    def figure(self) -> str:
        """Draw the scores, the probabilities of being the best and the ties, as SVG."""
        from pytest_bayesf1.figures.ranking import ranking_figure  # noqa: PLC0415 (matplotlib takes half a second)

        return ranking_figure(self, repr(self)).svg

    def __str__(self) -> str:
        """Write the outcome, the figures and the notes, on several lines for a terminal."""
        rows = self.table()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        below = [*self.notes(), f"{self.computed()}."]
        return "\n".join([self.title, *(f"  {line}".rstrip() for line in lines), *map(indented, below)])

    def _repr_html_(self) -> str:
        """Show a notebook the figure and the table."""
        head, *rows = (
            "".join(f"<{tag} style='text-align:left'>{escape(cell)}</{tag}>" for cell in row)
            for tag, row in zip(["th", *["td"] * len(self.systems)], self.table(), strict=True)
        )
        body = "".join(f"<tr>{row}</tr>" for row in (head, *rows))
        rest = "".join(f"<p>{escape(note)}</p>" for note in (*self.notes(), f"{self.computed()}."))
        drawn = f"<div role='img' aria-label='{escape(self.title)}' style='max-width:42rem'>{self.figure()}</div>"
        return f"<p><strong>{escape(self.title)}</strong></p>{drawn}<table>{body}</table>{rest}"

    def __repr__(self) -> str:
        """Write the measure and the order on one line."""
        return f"<Ranking {one_line(self.measure)}: {first_few((one_line(each.name) for each in self.systems), 3)}>"


_MIRRORED = {
    Decision.MUCH_WORSE: Decision.MUCH_BETTER,
    Decision.WORSE: Decision.BETTER,
    Decision.EQUIVALENT: Decision.EQUIVALENT,
    Decision.BETTER: Decision.WORSE,
    Decision.MUCH_BETTER: Decision.MUCH_WORSE,
    Decision.UNDECIDED: Decision.UNDECIDED,
}


def _row(system: SystemFigures, beside: PairFigures | None, amounts: Amounts) -> tuple[str, ...]:
    low, high = system.rank_hdi
    against = "" if beside is None else f"{beside.decision} {amounts.told(beside.mean, beside.hdi)}"
    return (
        one_line(system.name),
        f"{system.mean:.3f}",
        scores(system.hdi),
        whole_percent(system.p_best),
        f"{low}" if low == high else f"{low} to {high}",
        amounts.size(system.expected_loss),
        against,
    )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(one_line, names))
