"""What results have in common: they can be read, in a terminal, a notebook and a report."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any, TypeAlias

from pytest_bayesf1._util import indented, named
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.provenance import Provenance
from pytest_bayesf1.errors import BayesF1Warning, warn
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import Convergence, Reported
from pytest_bayesf1.results.schema import plain

Facts: TypeAlias = Iterable[tuple[str, str]]
"""Figures by name."""

_LONGEST_TRACE = 200

UNSETTLED = "On the edge: other draws could still tip the decision. Read it as a close call."


class Told(ABC):
    """A result that puts itself into words."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """The outcome as one sentence, without its full stop."""

    @property
    def title(self) -> str:
        """The first line of every text."""
        return f"{self.headline}."

    @abstractmethod
    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures."""

    @abstractmethod
    def warnings(self) -> list[BayesF1Warning]:
        """List what its reader must not overlook."""


class Readable(Told):
    """A comparison or an estimate: for a terminal, for a notebook and for a report."""

    prior: str
    engine: str
    seed: int
    n_draws: int
    convergence: Convergence
    provenance: Provenance

    @abstractmethod
    def facts(self) -> Facts:
        """Yield the figures by name."""

    @abstractmethod
    def reported(self, *, at_length: bool = True) -> Reported:
        """Return all that a report needs of it.

        Parameters
        ----------
        at_length
            Whether what takes longest to compute is in it.
        """

    def to_dict(self) -> dict[str, Any]:
        """Return every figure, JSON-able; of the draws the density at evenly spaced points."""
        figures: dict[str, Any] = plain(self.reported())
        return figures

    def as_prior(self) -> Prior:
        """Return the posterior as a `Prior`: evidence from successive test sets adds up."""
        return self.provenance.as_prior()

    def computed(self) -> str:
        """Say how the figures were computed."""
        drawn = f"{self.n_draws:,} {'draws' if self.convergence.r_hat is None else f'draws ({self.convergence})'}"
        return f"{self.prior} prior, {drawn}, {self.engine} engine, seed {self.seed}"

    def __str__(self) -> str:
        """Write the outcome, the figures and the notes, on several lines for a terminal."""
        return "\n".join(self.parts())

    def parts(self) -> Iterator[str]:
        """Yield the outcome, every figure and every note: each a line for a terminal, or several."""
        yield self.title
        yield from (named(*fact) for fact in self.facts())
        yield from map(indented, self.notes())

    def _repr_html_(self) -> str:
        """Show a notebook the posterior and the figures."""
        from pytest_bayesf1.figures.posterior import posterior_svg  # noqa: PLC0415 (matplotlib takes half a second)

        figure = posterior_svg(self.reported(), repr(self))
        left, spaced = "style='text-align:left'", "style='text-align:left; white-space:pre-wrap'"
        rows = "".join(
            f"<tr><th {left}>{escape(name)}</th><td {spaced}>{escape(value)}</td></tr>" for name, value in self.facts()
        )
        rest = "".join(f"<p>{escape(note)}</p>" for note in self.notes())
        drawn = f"<div role='img' aria-label='{escape(self.title)}' style='max-width:42rem'>{figure}</div>"
        return f"<p><strong>{escape(self.title)}</strong></p>{drawn}<table>{rows}</table>{rest}"


def warn_about(result: Told) -> None:
    """Warn of what the reader must not overlook.

    Parameters
    ----------
    result
        Any; the warnings are about the caller's line.
    """
    for warning in result.warnings():
        warn(str(warning), type(warning))


def thinned_chains(convergence: Convergence, values: Floats) -> tuple[tuple[float, ...], ...] | None:
    """Thin the chains behind a quantity for a figure.

    Parameters
    ----------
    convergence
        Of the draws; it knows the number of chains.
    values : (n_draws,)
        The draws, chain by chain.

    Returns
    -------
    tuple of chains, or None
        At most 200 draws per chain; None for independent draws, which have no chains.
    """
    if convergence.r_hat is None:
        return None
    chains = values.reshape(convergence.n_chains, -1)
    return tuple(map(tuple, chains[:, :: -(-chains.shape[1] // _LONGEST_TRACE)].tolist()))
