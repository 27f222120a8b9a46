import pytest

from pytest_bayesf1.gates.evaluate import GapJudgement, format_gap, format_group
from pytest_bayesf1.gates.gate_file import Family
from pytest_bayesf1.results.comparison import Group, GroupPart, MeanAndHdi, ScoreGap
from tests.unit.made_up import comparison

GAP = ScoreGap(
    best="language=de",
    worst="language=fi",
    baseline=MeanAndHdi(0.02, (0.001, 0.04)),
    candidate=MeanAndHdi(0.081, (0.06, 0.102)),
    change=MeanAndHdi(0.061, (0.04, 0.08)),
)
GROUP = Group(
    "language",
    (
        GroupPart("language=de", MeanAndHdi(0.01, (-0.01, 0.03)), MeanAndHdi(0.004, (-0.01, 0.02))),
        GroupPart("language=fi", MeanAndHdi(-0.06, (-0.1, -0.02)), MeanAndHdi(-0.05, (-0.08, -0.02))),
    ),
    MeanAndHdi(-0.02, (-0.05, 0.01)),
    0.03,
    (0.01, 0.2),
    GAP,
)


def limited(limit, p_within):
    return ScoreGap(GAP.best, GAP.worst, GAP.baseline, GAP.candidate, GAP.change, limit, p_within)


def test_a_group_in_words():
    assert format_group(GROUP, comparison()) == (
        "By language, shrunk toward each other, the changes go from −5.0 (language=fi) to +0.4 (language=de); the true "
        "ones vary with a standard deviation of 3.0 points (95% interval 1.0 to 20.0)."
    )


def test_a_gap_in_words():
    assert format_gap(GROUP, GAP, comparison()) == (
        "By language the candidate's best and worst slices, language=de and language=fi, are 8.1 points of macro-F1 "
        "apart (95% HDI 6.0 to 10.2), the baseline's 2.0 points (0.1 to 4.0): a change of +6.1 (+4.0 to +8.0)."
    )


@pytest.mark.parametrize(
    ("gap", "family", "verdict"),
    [
        (GAP, None, "passed"),
        (limited(0.07, 0.1), None, "passed"),
        (limited(0.05, 0.001), None, "failed"),
        (limited(0.05, 0.001), Family("all", 0.05, 100), "warned"),
        (limited(0.05, 0.001), Family("all", 0.05, 10), "failed"),
    ],
    ids=["no limit", "not clearly", "clearly", "in a large family", "in a small one"],
)
def test_a_gap_is_judged_by_its_interval_and_by_the_family(gap, family, verdict):
    found = GapJudgement.of(GROUP, gap, comparison(), family)
    assert found.verdict == verdict
    assert bool(found.advice) is (verdict != "passed")
    assert found.text == format_gap(GROUP, gap, comparison())


def test_what_to_do_about_a_gap():
    assert GapJudgement.of(GROUP, limited(0.05, 0.001), comparison(), None).advice == (
        "The gap by language is wider than the 5 points of max_gap: find what language=fi lacks, or allow more in a "
        "change that says so."
    )
