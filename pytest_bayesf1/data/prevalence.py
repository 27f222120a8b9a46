"""Prevalence: which class shares scores are about, as somebody asks for them.

Light: the plugin checks options with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.text import brief, class_named, levels, one_line
from pytest_bayesf1.values import as_range, require_once

TEST_SET, BASELINE, CANDIDATE = "test-set", "baseline", "candidate"
_WORDS = (TEST_SET, BASELINE, CANDIDATE)
_EXPECTED = "test-set, baseline, candidate, or shares of classes such as fraud=0.01 or fraud=0.008..0.012"


@dataclass(frozen=True)
class Prevalence:
    """Which class shares scores are about: those of a test set, or stated ones.

    Attributes
    ----------
    word
        ``test-set``: each side's own. ``baseline`` or ``candidate``: those of this side's test set, for both sides.
        Empty where shares are stated.
    shares
        Name of a class, least and greatest share: the bounds of a central 95% interval, or twice the same number. The
        other classes divide the rest in proportion to their shares in the test sets.
    """

    word: str = ""
    shares: tuple[tuple[str, float, float], ...] = ()

    @classmethod
    def of(cls, value: Any, where: str = "prevalence") -> "Prevalence":
        """Take a word, a mapping of classes to shares, or a text such as ``fraud=0.008..0.012,spam=0.1``.

        Examples
        --------
        >>> str(Prevalence.of({"fraud": 0.01})), Prevalence.of("fraud=0.008..0.012").phrase
        ('fraud=0.01', 'at 0.8% to 1.2% fraud')
        """
        if isinstance(value, Prevalence):
            return value
        if isinstance(value, str) and value in _WORDS:
            return cls(value)
        pairs = _pairs(value) if isinstance(value, str) else [*value.items()] if isinstance(value, Mapping) else []
        if not pairs:
            raise InputError(where, _EXPECTED, shown(value))
        require_once([str(label) for label, _ in pairs], where, "class")
        named = ((str(plain(each)), share) for each, share in pairs)
        found = cls(shares=tuple((each, *_bounds(share, f"{where}: {one_line(each)}")) for each, share in named))
        most = sum(high for _, _, high in found.shares)
        if most > 1 + _ROUNDING:
            raise InputError(where, "shares that sum to 1 at most", f"{most:g}")
        return found

    @property
    def is_certain(self) -> bool:
        """Whether every share that is stated is a single number."""
        return all(low == high for _, low, high in self.shares)

    @property
    def phrase(self) -> str:
        """Say at which shares a score is taken, behind the score; nothing for those of each side's test set."""
        if self.shares:
            return "at " + " and ".join(_share_of(label, levels((low, high))) for label, low, high in self.shares)
        return "" if self.word == TEST_SET else f"at the {self.word}'s class shares"

    def __str__(self) -> str:
        """Write it as an option takes it."""
        shares = (
            f"{label}={'..'.join(dict.fromkeys(f'{each:g}' for each in bounds))}" for label, *bounds in self.shares
        )
        return self.word or ",".join(shares)


PrevalenceLike: TypeAlias = str | Mapping[Any, Any] | Prevalence

_ROUNDING = 1e-9


def _share_of(label: str, share: str) -> str:
    name = class_named(label)
    return f"{share} {name}" if name == brief(label) else f"{share} of {name}"


def _pairs(text: str) -> list[tuple[str, Any]]:
    """Read the classes and their shares off a text; none where it has another form."""
    return [*_each_pair(text)] if all("=" in part for part in text.split(",")) else []


def _each_pair(text: str) -> Iterator[tuple[str, Any]]:
    for part in text.split(","):
        label, _, share = part.rpartition("=")
        try:
            bounds = [float(bound) for bound in share.split("..")]
        except ValueError:
            bounds = []
        yield label.strip(), (bounds[0] if len(bounds) == 1 else bounds) if bounds else share.strip()


def _bounds(value: Any, where: str) -> tuple[float, float]:
    bounds = as_range(value)
    if bounds is None or bounds[0] <= 0 or bounds[1] >= 1:
        expected = "a share between 0 and 1 such as 0.01, or the least and the greatest"
        raise InputError(where, expected, shown(value))
    return bounds
