"""Histories in words, the same in every format, and as tables for machines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bayesf1._util import Scale, counted, csv_text, level, rope_width, scale_of, scores
from pytest_bayesf1.results.formatting import Amounts, name_text
from pytest_bayesf1.results.other import History, Version, VersionChange

_SHORT = 7
_SHALLOW = (
    "This clone is shallow, so older versions may be missing. git fetch --unshallow brings them; in GitHub Actions "
    "fetch-depth: 0 of actions/checkout."
)
HEADS = ("date", "commit", "score (HDI)", "change (HDI)", "since the anchor (HDI)", "verdict", "subject")
"""What stands above the columns."""


@dataclass(frozen=True)
class ToldVersion:
    """A row of the table.

    Attributes
    ----------
    verdict
        What a gate would have said; ``not read`` where the version is damaged.
    """

    date: str
    commit: str
    score: str
    change: str
    total: str
    verdict: str
    subject: str

    @property
    def cells(self) -> tuple[str, ...]:
        """All of them, in the order of `HEADS`."""
        return (self.date, self.commit, self.score, self.change, self.total, self.verdict, self.subject)


@dataclass(frozen=True)
class ToldHistory:
    """A history as a person reads it.

    Attributes
    ----------
    file
        The baseline.
    settings
        By what the versions were compared.
    versions
        The oldest first.
    notes
        What is wrong with some of them, or with all.
    """

    file: str
    settings: str
    versions: tuple[ToldVersion, ...]
    notes: tuple[str, ...]

    @property
    def gravest(self) -> str:
        """The gravest verdict on any of them; empty where none was judged."""
        found = {version.verdict for version in self.versions}
        return next((verdict for verdict in ("failed", "warned", "undecided", "passed") if verdict in found), "")

    @classmethod
    def of(cls, history: History) -> "ToldHistory":
        """Write a history in words."""
        scale = scale_of(custom_measure=not history.bounded)
        notes = [
            f"{version.commit[:_SHORT]} could not be read: {name_text(version.problem)}"
            for version in history.versions
            if version.problem and not version.is_deleted
        ]
        return cls(
            history.file,
            _settings(history, scale),
            tuple(_told(version, scale) for version in history.versions),
            (*notes, *([_SHALLOW] if history.shallow else [])),
        )


def _settings(history: History, scale: Scale) -> str:
    budget = scale.amount(f"{scale.factor * history.budget:g}")
    rope = rope_width(history.rope, scale)
    sign = "" if rope.startswith("range") else "±"
    return (
        f"{counted(len(history.versions), 'version')} by {history.measure_words}, {level(history.hdi_prob)} HDI; "
        f"tolerated: {sign}{rope} from one to the next, {budget} lost in all since the anchor"
    )


def _told(version: Version, scale: Scale) -> ToldVersion:
    return ToldVersion(
        version.date,
        version.commit[:_SHORT],
        "" if version.score is None else f"{version.score.mean:.3f} ({scores(version.score.hdi)})",
        _change(version.change, version.why_no_change, scale),
        _change(version.total, version.why_no_total, scale),
        version.verdict or ("" if not version.problem else "deleted" if version.is_deleted else "not read"),
        name_text(version.subject),
    )


def _change(change: VersionChange | None, why_none: str, scale: Scale) -> str:
    if change is None:
        return name_text(why_none)
    return f"{change.decision.value} {Amounts(scale, change.hdi).told(change.mean, change.hdi)}"


def history_csv(histories: Sequence[History]) -> str:
    """Write a row per version, with numbers that are not rounded."""
    rows = [_row(history.file, version) for history in histories for version in history.versions]
    return csv_text(_COLUMNS, rows)


_COLUMNS = (
    *("baseline", "date", "commit", "file", "score", "score_low", "score_high"),
    *("change", "change_low", "change_high", "decision", "total", "total_low", "total_high", "total_decision"),
    *("verdict", "note", "anchor", "subject"),
)


def _row(baseline: str, version: Version) -> tuple[Any, ...]:
    score, hdi = (None, (None, None)) if version.score is None else (version.score.mean, version.score.hdi)
    notes = version.problem, version.why_no_change, version.why_no_total and f"total: {version.why_no_total}"
    return (
        *(baseline, version.date, version.commit, version.file, score, *hdi),
        *(*_numbers(version.change), *_numbers(version.total)),
        *(version.verdict, "; ".join(filter(None, notes)), version.anchor, version.subject),
    )


def _numbers(change: VersionChange | None) -> tuple[float | str | None, ...]:
    return (None, None, None, "") if change is None else (change.mean, *change.hdi, change.decision.value)
