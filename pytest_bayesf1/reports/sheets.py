"""Tables of histories and rankings."""

from typing import TYPE_CHECKING

from pytest_bayesf1.figures.pictures import Bar, axis_of_scores
from pytest_bayesf1.reports.page import Column, Grid, Span, Style, Words, grid
from pytest_bayesf1.results.timeline import History, VersionChange, VersionResult
from pytest_bayesf1.text import Scale, counted, one_line, rope_width, scale_of, scores, short_commit
from pytest_bayesf1.words.amounts import Amounts, likely, name_text, scaled

if TYPE_CHECKING:
    from pytest_bayesf1.systems import RankingFigures, SystemFigures

_SHALLOW = (
    "This clone is shallow, so older versions may be missing. git fetch --unshallow brings them; in GitHub Actions "
    "fetch-depth: 0 of actions/checkout."
)
_BY_JUDGE = "Scores, changes and ranges are the judge's own: people's grades do not correct older versions."
_SHARED, _AT_EQUAL_SHARES, _AT_THEIR_OWN = "†", "‡", "§"
_FOOTNOTES = {
    _SHARED: "Another test set: compared on the examples that both have, by the later labels.",
    _AT_EQUAL_SHARES: (
        "Another test set: compared as independent samples at equal class shares, those of the earlier version unless "
        "prevalence says otherwise."
    ),
    _AT_THEIR_OWN: "Another test set: compared as independent samples, each with its own class shares.",
}


def history_notes(history: History) -> list[str]:
    """Say what the marks in the table mean, what its reader must not overlook, and what could not be read."""
    changes = [each for version in history.versions for each in (version.change, version.total) if each is not None]
    marks = {_mark(change) for change in changes}
    footnotes = [f"{mark} {text}" for mark, text in _FOOTNOTES.items() if mark in marks]
    warnings = [
        f"{short_commit(version.commit)}: {text}" for version in history.versions for text in warnings_of(version)
    ]
    notes = [
        f"{short_commit(version.commit)} could not be read: {name_text(version.problem)}"
        for version in history.versions
        if version.problem and not version.is_deleted
    ]
    by_judge = [_BY_JUDGE] if history.by_judge else []
    return [*by_judge, *footnotes, *warnings, *notes, *([_SHALLOW] if history.shallow else [])]


def warnings_of(version: VersionResult) -> tuple[str, ...]:
    """Return what the reader of a version must not overlook."""
    return () if version.change is None else version.change.warnings


def _mark(change: VersionChange) -> str:
    """Return the sign of the footnote that a change has; none where the test set is the same."""
    if change.new_test_set is None:
        return ""
    if change.new_test_set.n_shared is not None:
        return _SHARED
    return _AT_EQUAL_SHARES if change.new_test_set.equal_shares else _AT_THEIR_OWN


def history_settings(history: History) -> str:
    """Say how many versions there are, and by what they were compared."""
    scale = scale_of(custom_measure=not history.bounded)
    budget = scale.amount(f"{scale.factor * history.budget:g}")
    rope = rope_width(history.rope, scale, ends=True)
    return (
        f"{counted(len(history.versions), 'version')} by {name_text(history.measure_words)}; ranges are "
        f"{likely(history)}; allowed: {rope} from one to the next, {budget} lost in all since the anchor"
    )


def history_course(history: History) -> str:
    """Say where the score went from the first version to the newest; nothing of a single one."""
    known = [version.score for version in history.versions if version.score]
    if len(known) < 2:
        return ""
    first, last = known[0], known[-1]
    change = Amounts(scale_of(custom_measure=not history.bounded), last.hdi).with_unit(last.mean - first.mean)
    other = ", on another test set" if last.test_set != first.test_set else ""
    return f"Since the first version: {first.mean:.3f} → {last.mean:.3f}, {change}{other}"


def versions_table(history: History) -> Grid:
    """Show a version in each row."""
    scale = scale_of(custom_measure=not history.bounded)
    allowed = (-scale.factor * history.budget, 0.0)

    def score(version: VersionResult) -> Bar | None:
        return Bar(version.score.mean, version.score.hdi) if version.score else None

    def total(version: VersionResult) -> Bar | None:
        found = version.total
        return Bar(scale.factor * found.mean, scaled(found.hdi, scale.factor), allowed) if found else None

    known = list(filter(None, map(score, history.versions)))
    columns = (
        Column("version", _version, "name"),
        Column[VersionResult]("score (likely)", _score),
        Column("", score, "picture", axis=axis_of_scores(known) if known else None),
        Column[VersionResult](
            "change (likely)", lambda version: _change(version.change, version.why_no_change, scale), "words"
        ),
        Column[VersionResult](
            "since the anchor (likely)", lambda version: _change(version.total, version.why_no_total, scale), "words"
        ),
        Column("shaded: allowed", total, "picture"),
        Column("verdict", _verdict),
    )
    name = f"Versions of {name_text(history.file)}"
    return grid(name, columns, history.versions, verdict=lambda version: version.verdict)


def _version(version: VersionResult) -> Words:
    commit, subject = Span(short_commit(version.commit), Style.CODE), Span(name_text(version.subject), Style.ASIDE)
    return f"{version.date} ", commit, subject


def _score(version: VersionResult) -> str:
    return "" if version.score is None else f"{version.score.mean:.3f} ({scores(version.score.hdi)})"


def _verdict(version: VersionResult) -> str:
    return version.verdict or ("" if not version.problem else "deleted" if version.is_deleted else "not read")


def _change(change: VersionChange | None, why_none: str, scale: Scale) -> str:
    if change is None:
        return name_text(why_none)
    text = f"{change.decision.value} {Amounts(scale, change.hdi).text(change.mean, change.hdi)}"
    return f"{text} {_mark(change)}".rstrip()


def ranking_table(ranking: "RankingFigures") -> Grid:
    """Show a system in each row, the best first, with their scores on one axis."""
    against = ranking.against_first
    widths = sorted((pair.hdi for pair in against.values()), key=lambda hdi: hdi[1] - hdi[0])
    amounts = Amounts(scale_of(custom_measure=ranking.custom_measure), widths[len(widths) // 2])

    def compared(system: "SystemFigures") -> str:
        pair = against.get(system.name)
        return f"{pair.decision} {amounts.text(pair.mean, pair.hdi)}" if pair else ""

    def bar(system: "SystemFigures") -> Bar:
        return Bar(system.observed, system.hdi)

    columns = (
        Column["SystemFigures"]("system", lambda system: Span(one_line(system.name), Style.NAME), "name"),
        Column["SystemFigures"]("score", lambda system: f"{system.mean:.3f}"),
        Column["SystemFigures"]("HDI", lambda system: scores(system.hdi)),
        Column["SystemFigures"]("may be best", lambda system: "yes" if system.may_be_best else ""),
        Column["SystemFigures"]("ranks", lambda system: " to ".join(dict.fromkeys(map(str, system.rank_hdi)))),
        Column("against the first", compared),
        Column(
            f"dot: observed; bar: {likely(ranking)}", bar, "picture", axis=axis_of_scores(map(bar, ranking.systems))
        ),
    )
    return grid("Systems, the best first", columns, ranking.systems)
