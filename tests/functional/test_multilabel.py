"""Multi-label classifiers pass the same gates, and fail them in the same words."""

import pytest

LABELS = """
    import numpy as np

    LABELS = ["art", "law", "war"]

    def tables():
        rng = np.random.default_rng(0)
        y_true = rng.random((3000, 3)) < [0.5, 0.3, 0.2]
        baseline = np.where(rng.random(y_true.shape) < 0.1, ~y_true, y_true)
        candidate = np.where(rng.random(y_true.shape) < [0.02, 0.02, 0.3], ~y_true, baseline)
        return y_true, baseline, candidate
"""
GATE = """
    from pytest_bayesf1 import MultilabelCounts, assert_at_least, assert_not_worse
    from labels import LABELS, tables

    def sides():
        y_true, baseline, candidate = tables()
        return [MultilabelCounts.from_predictions(y_true, side, labels=LABELS) for side in (baseline, candidate)]

    def test_not_worse():
        assert_not_worse(*sides(), rope=0.01)

    def test_floor():
        assert_at_least(sides()[0], 0.7)

    def test_sets(bayes_compare):
        sets = [[{label for label, has in zip(LABELS, row) if has} for row in table] for table in tables()]
        side = MultilabelCounts.from_predictions(*sets[:2])
        assert bayes_compare(side, side, rope=0.01, measure="f1[law]").decision == "~"
"""


@pytest.fixture
def run(pytester):
    pytester.makepyfile(labels=LABELS, test_gate=GATE)
    return pytester.runpytest("-v", "--bayesf1-report=out")


def test_the_message_is_told_in_labels_and_examples(run):
    run.assert_outcomes(failed=1, passed=2)
    run.stdout.fnmatch_lines(
        [
            "E*≪ macro-F1 −* points (you tolerate 1): 0.* → 0.*",
            "E *baseline * on 3,000 examples",
            "E *F1 falls in war * → *",
            "E *model *paired, because both sides' predictions on the same",
            "E *hierarchical prior, 20,000 draws, exact engine, seed 0",
        ]
    )


def test_the_terminal_has_a_line_for_each(run, rows):
    failed, looked_at, passed = (row for _, row in rows(run))
    assert failed.startswith("failed  ≪")
    assert failed.endswith("macro-F1")
    assert looked_at.startswith("─       ≈")
    assert "F1 of law, sees " in looked_at
    assert passed.startswith("passed")


def test_the_reports_tell_the_same(run, pytester, entries):
    failed, *_ = entries()
    assert (failed["n_classes"], failed["n_samples"]) == (3, [3000, 3000])
    assert failed["largest_drops"][0]["label"] == "war"
    for name in ("report.html", "report.md"):
        text = (pytester.path / "out" / name).read_text("utf-8")
        assert "worse" in text
        assert "war" in text
        assert "decisions that only one side gets right" in text
