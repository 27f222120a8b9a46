"""Prevalence: which class shares scores are about, as somebody asks for them.

Light: the plugin checks options with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.text import brief, class_named, level, one_line
from pytest_bayesf1.values import as_float, require_once

TEST_SET, BASELINE, CANDIDATE = "test-set", "baseline", "candidate"
_WORDS = (TEST_SET, BASELINE, CANDIDATE)
_EXPECTED = "test-set, baseline, candidate, or shares of classes such as fraud=0.01"


@dataclass(frozen=True)
class Prevalence:
    """Which class shares scores are about: those of a test set, or stated ones.

    Attributes
    ----------
    word
        ``test-set``: each side's own. ``baseline`` or ``candidate``: those of this side's test set, for both sides.
        Empty where shares are stated.
    shares
        Name of a class and its share. The other classes divide the rest in proportion to their shares in the test sets.
    """

    word: str = ""
    shares: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, value: Any, where: str = "prevalence") -> "Prevalence":
        """Take a word, a mapping of classes to shares, or a text such as ``fraud=0.01,spam=0.1``.

        Examples
        --------
        >>> str(Prevalence.of({"fraud": 0.01})), Prevalence.of("fraud=0.01").phrase
        ('fraud=0.01', 'at 1% fraud')
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
        found = cls(shares=tuple((each, _share(share, f"{where}: {one_line(each)}")) for each, share in named))
        if found.total > 1 + _ROUNDING:
            raise InputError(where, "shares that sum to 1 at most", f"{found.total:g}")
        return found

    @property
    def total(self) -> float:
        """The sum of the shares that are stated."""
        return sum(share for _, share in self.shares)

    @property
    def phrase(self) -> str:
        """Say at which shares a score is taken, behind the score; nothing for those of each side's test set."""
        if self.shares:
            return "at " + " and ".join(_share_of(label, level(share)) for label, share in self.shares)
        return "" if self.word == TEST_SET else f"at the {self.word}'s class shares"

    def __str__(self) -> str:
        """Write it as an option takes it."""
        return self.word or ",".join(f"{label}={share:g}" for label, share in self.shares)


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
            yield label.strip(), float(share)
        except ValueError:
            yield label.strip(), share.strip()


def _share(value: Any, where: str) -> float:
    share = as_float(value)
    if share is None or not 0 < share < 1:
        raise InputError(where, "a share between 0 and 1 such as 0.01", shown(value))
    return share
