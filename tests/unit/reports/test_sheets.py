from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision, rank
from pytest_bayesf1.reports.sheets import history_course, history_notes, history_settings, ranking_table, versions_table
from pytest_bayesf1.results.timeline import History, NewTestSet, VersionChange, VersionResult, VersionScore
from tests.unit.hostile import HOSTILE
from tests.unit.ranked import systems

COMMIT = "1a2b3c4d5e6f7"


def version(**given):
    known = {"commit": COMMIT, "date": "2026-05-02", "subject": "a commit", "file": "old/spam.csv"}
    return VersionResult(**known | given)


def history(*versions, **given):
    known = {
        "file": "spam.csv",
        "measure": "f1_macro",
        "measure_words": "macro-F1",
        "bounded": True,
        "rope": (-0.01, 0.01),
        "budget": 0.02,
        "hdi_prob": 0.95,
        "shallow": False,
    }
    return History(**known | given, versions=versions)


def change(decision, mean, hdi):
    return VersionChange(mean, 0.01, hdi, Decision(decision), is_not_inferior=hdi[0] > -0.01)


FIRST = version(score=VersionScore(0.9, 0.899, (0.88, 0.92)), why_no_change="the first", why_no_total="the anchor")
WORSE = version(
    score=VersionScore(0.85, 0.849, (0.83, 0.87)),
    change=change("≪", -0.05, (-0.062, -0.038)),
    total=change("?", -0.001, (-0.03, 0.028)),
    anchor="2 May 2026",
    verdict="failed",
)


def rows(shown):
    """Return the cells of each version by the names of their columns."""
    names, found = versions_table(shown).texts
    return [dict(zip(names, row, strict=True)) for row in found]


class TestHistories:
    def test_rows(self):
        shown = history(FIRST, WORSE)
        assert history_settings(shown) == (
            "2 versions by macro-F1; ranges are 95% likely; "
            "allowed: ±1 point from one to the next, 2 points lost in all since the anchor"
        )
        first, worse = rows(shown)
        assert first["version"] == "2026-05-02 1a2b3c4 · a commit"
        names = ("score (likely)", "change (likely)", "since the anchor (likely)", "verdict")
        assert [first[name] for name in names] == ["0.899 (0.880 to 0.920)", "the first", "the anchor", ""]
        likely = ["0.849 (0.830 to 0.870)", "≪ −5.0 (−6.2 to −3.8)", "? −0.1 (−3.0 to +2.8)"]
        assert [worse[name] for name in names] == [*likely, "failed"]
        total = versions_table(shown).rows[1].cells[5]
        assert (total.at, total.rope) == (pytest.approx(-0.1), (-2.0, 0.0))
        assert history_notes(shown) == []

    def test_where_the_score_went_since_the_first_version(self):
        lost = "Since the first version: 0.899 → 0.849, −5.0 points"
        unread = version(problem="damaged")
        assert history_course(history(FIRST, FIRST, WORSE, unread)) == lost
        other = replace(WORSE, score=replace(WORSE.score, test_set="other"))
        assert history_course(history(FIRST, other)) == f"{lost}, on another test set"
        assert history_course(history(FIRST, WORSE, bounded=False)).endswith(" −0.050")
        assert history_course(history(unread, FIRST)) == ""

    def test_other_test_sets_have_footnotes(self):
        for new, mark, words in (
            (NewTestSet(100, 110, 98), "†", "on the examples that both have"),
            (NewTestSet(100, 110, equal_shares=True), "‡", "at equal class shares"),
            (NewTestSet(100, 110), "§", "each with its own class shares"),
        ):
            across = replace(WORSE, change=replace(WORSE.change, new_test_set=new))
            shown = history(across)
            assert rows(shown)[0]["change (likely)"] == f"≪ −5.0 (−6.2 to −3.8) {mark}"
            (note,) = history_notes(shown)
            assert note.startswith(f"{mark} Another test set: compared ")
            assert words in note
            in_all = replace(WORSE, total=replace(WORSE.total, new_test_set=new))
            assert history_notes(history(in_all)) == [note]

    def test_what_is_wrong_is_told(self):
        shown = history(version(problem="expected a, got b"), version(problem="deleted"), shallow=True)
        assert [row["verdict"] for row in rows(shown)] == ["not read", "deleted"]
        damaged, shallow = history_notes(shown)
        assert damaged == "1a2b3c4 could not be read: expected a, got b"
        assert shallow.startswith("This clone is shallow")
        assert "fetch-depth: 0" in shallow

    def test_a_judge_s_own_scores_are_told_first(self):
        assert history_notes(history(FIRST, by_judge=True, shallow=True))[0].startswith(
            "Scores, changes and ranges are"
        )

    @pytest.mark.parametrize("subject", HOSTILE)
    def test_no_subject_breaks_a_table(self, subject):
        shown = rows(history(version(subject=subject)))[0]["version"]
        assert not {"\n", "\x1b"} & {*shown}
        assert len(shown) < 300


def test_systems_stand_below_one_another_each_beside_the_first():
    ranking = rank(systems(accuracies=(0.6, 0.8, 0.61, 0.81)), measure="accuracy", rope=0.02)
    table = ranking_table(ranking)
    names, found = table.texts
    for row, each in zip(found, ranking.systems, strict=True):
        shown = dict(zip(names, row, strict=True))
        assert shown["system"] == each.name
        assert (shown["score"], shown["HDI"]) == (f"{each.mean:.3f}", "{:.3f} to {:.3f}".format(*each.hdi))
        assert (shown["may be best"], shown["ranks"]) == (
            ("yes", "1 to 2") if each.rank_hdi[0] == 1 else ("", "3 to 4")
        )
    pairs = [ranking.against_first[each.name] for each in ranking.systems[1:]]
    expected = [
        "{} {:+.1f} ({:+.1f} to {:+.1f})".format(
            each.decision, *(100 * each.mean, 100 * each.hdi[0], 100 * each.hdi[1])
        )
        for each in pairs
    ]
    assert [row[-1] for row in found] == ["", *(each.replace("-", "−") for each in expected)]
    bars = [row.cells[-1] for row in table.rows]
    assert [(each.at, each.hdi) for each in bars] == [(each.observed, each.hdi) for each in ranking.systems]
