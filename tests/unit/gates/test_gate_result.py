from pathlib import Path

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.gates.evaluate import GapJudgement, GateResult
from pytest_bayesf1.gates.gate_file import Family, Gate
from pytest_bayesf1.gates.policy import Judgement, Policy, Verdict
from pytest_bayesf1.settings import Session, active
from tests.unit.made_up import comparison

WORSE_BY_FAR = {"decision": Decision.MUCH_WORSE, "mean": -0.05, "hdi": (-0.07, -0.03)}
SLIGHTLY_WORSE = {"decision": Decision.WORSE, "mean": -0.02, "hdi": (-0.04, 0.0)}
EQUIVALENT = {"decision": Decision.EQUIVALENT, "mean": 0.001, "hdi": (-0.004, 0.006)}
FAR_WORSE = {**WORSE_BY_FAR, "p_below_rope": 1.0}
FAMILY = Family("all", 0.05, 10)
TOO_WIDE = GapJudgement(Verdict.FAILED, "The gap.", "Too wide.")
LIFTED = GapJudgement(Verdict.WARNED, "The gap.", "Perhaps too wide.")
BETTER = {"decision": Decision.BETTER, "mean": 0.02, "hdi": (-0.02, 0.04)}


def gate(fail_on="<<", family=None):
    return Gate(
        name="spam",
        file=Path("bayesf1.yaml"),
        line=2,
        baseline=Path("a.csv"),
        candidate=Path("b.csv"),
        arguments={"measure": "f1_macro", "rope": 0.01},
        fail_on=fail_on,
        per_class=True,
        slices=(),
        family=family,
    )


def result(*, fail_on="<<", overall=None, parts=(), left_out=(), hdi_prob=0.95, family=None, gaps=()):
    """Return what a gate says of all the data, and of parts: each the changes to an undecided comparison."""
    asked = gate(fail_on, family)
    judged = [Judgement.of(comparison(hdi_prob=hdi_prob, **(overall or {})), asked.policy, asked.demand)]
    judged += [
        Judgement.of(comparison(measure=f"f1[{number}]", **changes), Policy.NOT_WORSE, "per_class", f"class {number}")
        for number, changes in enumerate(parts)
    ]
    judged = [each if family is None else family.judged(each) for each in judged]
    return GateResult(asked, tuple(judged), tuple(left_out), gaps=tuple(gaps))


@pytest.mark.parametrize(
    ("fail_on", "overall", "parts", "verdict"),
    [
        ("<<", EQUIVALENT, [{}], "passed"),
        ("<<", {}, [EQUIVALENT], "undecided"),
        ("<<", WORSE_BY_FAR, [], "failed"),
        ("<<", SLIGHTLY_WORSE, [{}], "warned"),
        ("<<", EQUIVALENT, [SLIGHTLY_WORSE, SLIGHTLY_WORSE], "passed"),
        ("<<", {}, [{}, WORSE_BY_FAR], "failed"),
        ("<<", SLIGHTLY_WORSE, [WORSE_BY_FAR], "failed"),
        ("<", SLIGHTLY_WORSE, [], "failed"),
        ("<", EQUIVALENT, [SLIGHTLY_WORSE], "passed"),
        ("<", {}, [SLIGHTLY_WORSE], "undecided"),
        ("?", {}, [], "failed"),
        ("?", {"hdi": (-0.005, 0.02)}, [{}], "passed"),
    ],
)
def test_a_class_can_make_a_gate_fail_but_neither_warn_nor_undecided(fail_on, overall, parts, verdict):
    assert result(fail_on=fail_on, overall=overall, parts=parts).verdict is Verdict(verdict)


@pytest.mark.parametrize(
    ("overall", "parts", "expected"),
    [
        ({}, [], True),
        (BETTER, [], True),
        (SLIGHTLY_WORSE, [], False),
        (WORSE_BY_FAR, [], False),
        ({}, [WORSE_BY_FAR], False),
        ({"hdi": (-0.005, 0.02)}, [], False),
    ],
    ids=["undecided", "better", "worse", "much worse", "a class", "passed"],
)
def test_whether_it_failed_only_for_want_of_data(overall, parts, expected):
    assert result(fail_on="?", overall=overall, parts=parts).only_undecided is expected


@pytest.mark.parametrize(
    ("n_parts", "hdi_prob", "expected"), [(1, 0.95, 0.025), (40, 0.95, 1.0), (20, 0.9, 1.0), (3, 0.5, 0.75)]
)
@pytest.mark.parametrize("fail_on", ["<<", "?"])
def test_false_alarms_are_expected_among_the_classes_whatever_all_the_data_must_show(
    n_parts, hdi_prob, expected, fail_on
):
    found = result(fail_on=fail_on, parts=[{}] * n_parts, hdi_prob=hdi_prob)
    assert found.false_alarms == pytest.approx(expected)


def test_notes_say_how_many_comparisons_were_made_and_how_many_false_alarms_to_expect():
    found = result(overall=WORSE_BY_FAR, parts=[{}, WORSE_BY_FAR, {}], left_out=["class 9 could not be compared"])
    chance, left_out = found.notes()
    assert chance == (
        "1 of 3 comparisons of single classes or slices failed; if no true difference went beyond the ROPE, "
        "up to 0.075 would be expected to fail by chance."
    )
    assert left_out == "class 9 could not be compared"
    assert result(parts=[{}]).notes()[0].startswith("0 of 1 comparison of single classes or slices failed; ")


def test_one_comparison_needs_no_note():
    assert result().notes() == ()
    assert result(left_out=["language=xx could not be compared"]).notes() == ("language=xx could not be compared",)


def test_every_comparison_is_recorded_and_the_notes_once():
    records = result(parts=[{}, WORSE_BY_FAR], left_out=["x"]).records()
    assert [(record.part, record.gate, record.verdict) for record in records] == [
        ("", 'fail_on "<<"', "undecided"),
        ("class 0", "per_class", "undecided"),
        ("class 1", "per_class", "failed"),
    ]
    assert [len(record.notes) for record in records] == [2, 0, 0]


def test_the_message_shows_the_first_that_failed_in_full_and_the_others_in_a_line():
    found = result(parts=[{}, WORSE_BY_FAR, WORSE_BY_FAR])
    first, do, *_, also, other = found.message.splitlines()
    assert first == "≪ class 1, F1 of 1 −5.0 points (you tolerate 1): 0.800 → 0.802"
    assert do.startswith("  Do: Find what changed (data, features, labels) before merging: ")
    assert also == "  Also failed, the worst first:"
    assert other == "    ≪ class 2, F1 of 2 −5.0 points (you tolerate 1): 0.800 → 0.802"
    assert "class 0" not in found.message


def test_the_worst_of_many_comes_first_and_few_are_listed():
    parts = [{**WORSE_BY_FAR, "mean": -place / 100, "hdi": (-0.2, -place / 100)} for place in range(2, 11)]
    found = result(parts=parts)
    assert found.message.startswith("≪ class 8, ")
    listed = [line.split(",")[0] for line in found.message.splitlines() if line.startswith("    ≪")]
    assert listed == [f"    ≪ class {number}" for number in (7, 6, 5, 4, 3)]
    assert found.message.splitlines()[-1] == "    and 3 more"
    assert "and 3 more" not in found.text(in_full=True)


def test_everything_is_told_where_the_session_asks_for_it():
    found = result(overall=WORSE_BY_FAR, parts=[WORSE_BY_FAR])
    with active(Session(in_full=True, more="elsewhere")):
        told = found.message
    assert told == found.text(in_full=True)
    assert "elsewhere" not in told
    for line in (*found.overall.comparison.notes(), "  computed    uniform prior"):
        assert line in told
    assert "1 of 1 comparison of single classes or slices failed" in told


def test_the_message_of_all_the_data_comes_first():
    found = result(overall=WORSE_BY_FAR, parts=[WORSE_BY_FAR])
    assert found.message.startswith("≪ macro-F1 −5.0 points")
    assert found.message.endswith("\n    ≪ class 0, F1 of 0 −5.0 points (you tolerate 1): 0.800 → 0.802")


def test_the_message_of_a_warning_is_about_all_the_data():
    found = result(overall=SLIGHTLY_WORSE, parts=[SLIGHTLY_WORSE])
    assert found.message.startswith(found.overall.message)
    assert "class 0" not in found.message


@pytest.mark.parametrize(
    ("overall", "parts", "gaps", "verdict"),
    [
        (EQUIVALENT, [FAR_WORSE], [], "failed"),
        (EQUIVALENT, [WORSE_BY_FAR], [], "warned"),
        (WORSE_BY_FAR, [], [], "warned"),
        ({}, [WORSE_BY_FAR, SLIGHTLY_WORSE], [], "warned"),
        (EQUIVALENT, [SLIGHTLY_WORSE], [], "passed"),
        ({}, [WORSE_BY_FAR, FAR_WORSE], [], "failed"),
        ({}, [], [LIFTED], "warned"),
        (EQUIVALENT, [], [LIFTED, TOO_WIDE], "failed"),
    ],
)
def test_what_a_family_lifts_is_a_warning_of_the_whole_gate(overall, parts, gaps, verdict):
    assert result(overall=overall, parts=parts, family=FAMILY, gaps=gaps).verdict is Verdict(verdict)


def test_the_message_of_a_lifted_failure_shows_it_in_full():
    found = result(overall=EQUIVALENT, parts=[{}, WORSE_BY_FAR], family=FAMILY)
    assert found.message.startswith("≪ class 1, F1 of 1 −5.0 points")
    assert "  Worse on its own, but within the chance of the family all of 10 gates" in found.message
    (note,) = found.notes()
    assert note == (
        "0 of 2 comparisons of single classes or slices failed; the chance of any false failure in the family all of "
        "10 gates is kept below 5%."
    )


def test_a_family_is_told_where_there_are_no_parts_too():
    assert result(family=FAMILY).notes() == (
        "The chance of any false failure in the family all of 10 gates is kept below 5%.",
    )


def test_a_gap_that_is_too_wide_fails_all_the_data_and_says_what_to_do():
    found = result(overall=EQUIVALENT, gaps=[TOO_WIDE])
    (record,) = found.records()
    assert (record.verdict, record.advice, record.notes) == ("failed", "Too wide.", ("The gap.",))
    assert "\n  Too wide.\n  The gap." in found.message
    assert not found.only_undecided
    assert not result(gaps=[TOO_WIDE], fail_on="?").only_undecided
