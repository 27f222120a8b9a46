"""A history in words and as a table, and that no stranger's subject breaks either."""

import csv
from io import StringIO

import pytest

from pytest_bayesf1.reports.html import history_html
from pytest_bayesf1.reports.wording import HEADS, history_csv, history_notes, history_settings, version_cells
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.results.versions import History, Version, VersionChange, VersionScore
from tests.unit.hostile import HOSTILE

COMMIT = "1a2b3c4d5e6f7"


def version(**given):
    known = {"commit": COMMIT, "date": "2026-05-02", "subject": "a commit", "file": "old/spam.csv"}
    return Version(**known | given)


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
    return VersionChange(mean, hdi, Decision(decision))


FIRST = version(score=VersionScore(0.9, 0.899, (0.88, 0.92)), why_no_change="the first", why_no_total="the anchor")
WORSE = version(
    score=VersionScore(0.85, 0.849, (0.83, 0.87)),
    change=change("≪", -0.05, (-0.062, -0.038)),
    total=change("?", -0.001, (-0.03, 0.028)),
    anchor="2 May 2026",
    verdict="failed",
)


def test_rows():
    shown = history(FIRST, WORSE)
    assert history_settings(shown) == (
        "2 versions by macro-F1, 95% HDI; "
        "tolerated: ±1 point from one to the next, 2 points lost in all since the anchor"
    )
    assert [version_cells(each, shown) for each in shown.versions] == [
        ("2026-05-02", "1a2b3c4", "0.899 (0.880 to 0.920)", "the first", "the anchor", "", "a commit"),
        (
            "2026-05-02",
            "1a2b3c4",
            "0.849 (0.830 to 0.870)",
            "≪ −5.0 (−6.2 to −3.8)",
            "? −0.1 (−3.0 to +2.8)",
            "failed",
            "a commit",
        ),
    ]
    assert len(HEADS) == 7
    assert history_notes(shown) == []
    assert '<article class="card failed"' in history_html([shown])


def test_measures_without_bounds_have_no_points():
    shown = history(WORSE, bounded=False, rope=(-0.1, 0.2), measure_words="log loss")
    assert "tolerated: range of −0.1 to +0.2 from one to the next, 0.02 lost in all" in history_settings(shown)
    assert version_cells(WORSE, shown)[3] == "≪ −0.050 (−0.062 to −0.038)"


def test_what_is_wrong_is_told():
    shown = history(version(problem="expected a, got b"), version(problem="deleted"), shallow=True)
    assert [version_cells(each, shown)[5] for each in shown.versions] == ["not read", "deleted"]
    damaged, shallow = history_notes(shown)
    assert damaged == "1a2b3c4 could not be read: expected a, got b"
    assert shallow.startswith("This clone is shallow")
    assert "fetch-depth: 0" in shallow
    assert '<article class="card none"' in history_html([shown])


def test_csv_has_numbers_that_are_not_rounded():
    first, second = csv.DictReader(StringIO(history_csv([history(FIRST, WORSE)])))
    assert (first["score"], first["change"], first["note"]) == ("0.899", "", "the first; total: the anchor")
    assert (second["change_low"], second["decision"], second["total_decision"]) == ("-0.062", "≪", "?")
    assert (second["baseline"], second["file"], second["commit"]) == ("spam.csv", "old/spam.csv", COMMIT)


@pytest.mark.parametrize("subject", [*HOSTILE, "=1+1", "+1", "-1", "@a", "\t=1"])
def test_no_subject_breaks_a_table(subject):
    document = history_csv([history(version(subject=subject, problem=subject))])
    (row,) = csv.DictReader(StringIO(document, newline=""))
    assert not row["subject"].startswith(("=", "+", "-", "@", "\t"))
    shown = version_cells(version(subject=subject), history())[6]
    assert "\n" not in shown
    assert "\x1b" not in shown
    assert len(shown) < 300
