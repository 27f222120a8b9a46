import re
from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import Source, markdown
from pytest_bayesf1.results.comparison import (
    ClassChange,
    ErrorChange,
    Move,
    NamedExample,
    OtherDecision,
    ReportedChanges,
)
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, error, estimate, score
from tests.unit.reports.golden_report import breakdown

ENTRIES = [
    entry(comparison(decision=Decision.EQUIVALENT), verdict, test=f"tests/test_{number:03}.py::test_é{verdict}")
    for number in range(20)
    for verdict in ("passed", "failed")
]
REPORT = Report.of(ENTRIES)
WORSE = {"decision": Decision.MUCH_WORSE, "mean": -0.0521, "hdi": (-0.07, -0.03)}


def text_of(*entries, **more):
    return markdown(Report.of(entries, **more))


def failed(**changes):
    return entry(comparison(**WORSE, **changes), "failed", test="tests/test_a.py::test_f1", advice="Find what changed.")


def equivalent(test="tests/test_b.py::test_f1"):
    return entry(comparison(decision=Decision.EQUIVALENT), test=test)


def tables(text):
    """Read the tables of gates: of those that need attention the first and the others, and of those that passed."""
    found = []
    for table in text.split("| must be |\n| --- | --- | --- | --- |\n")[1:]:
        lines = table.split("\n\n")[0].replace("\u200b", "").splitlines()
        found.append([[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines])
    return found


def names(rows):
    return [row[0] for row in rows]


def size(text):
    return len(text.encode())


@pytest.mark.parametrize(
    ("verdicts", "sign", "title"),
    [
        (["failed", "warned"], "❌", "Undecided: 0.800 → 0.802"),
        (["warned", "passed"], "⚠️", "Undecided: 0.800 → 0.802"),
        (["undecided", "passed"], "❔", "Undecided: 0.800 → 0.802"),
        (["passed", "passed"], "✅", "All 2 comparisons passed"),
        (["passed", ""], "✅", "1 comparison passed, 1 more had no gate"),
        (["expected", "expected"], "🔕", "2 comparisons failed as expected (xfail)"),
        (["expected"], "🔕", "Undecided: 0.800 → 0.802"),
        (["", ""], "⚠️", "No gate ran"),
        ([], "⚠️", "No gate ran"),
    ],
)
def test_it_starts_with_the_outcome_of_the_run(verdicts, sign, title):
    text = text_of(*(entry(comparison(), verdict, test=f"t{n}") for n, verdict in enumerate(verdicts)))
    assert text.splitlines()[0] == f"## {sign} {title}"


def test_a_run_without_a_gate_is_told_what_to_do():
    assert "A comparison becomes a gate by assert\\_not\\_worse" in text_of(entry(comparison(), ""))


def test_a_row_tells_the_gate_first_and_what_its_policy_demands():
    entries = (
        replace(failed(), policy="not_worse"),
        replace(failed(), test="test_asymmetrical", policy="not_inferior", rope=(-0.005, 0.02)),
        replace(failed(rope=(-0.01, 0.02)), test="test_better", policy="better"),
        replace(failed(), test="test_equivalent", policy="equivalent"),
        replace(
            entry(comparison(measure="cost", custom_measure=True, mean=1.0, hdi=(-2.0, 4.0), rope=(-5, 5)), "warned"),
            policy="not_even_slightly_worse",
        ),
        entry(estimate(floor=0.85, below_floor=True), "failed", test="tests/test_b.py::test_floor"),
        error("no file", test="test_error"),
        entry(comparison(), "", test="test_look"),
    )
    told, *_ = tables(text_of(*entries))
    loss = ["0.800 → 0.802", "−5.2 (−7.0 to −3.0)"]
    assert sorted(told) == sorted(
        [
            ["❌ **tests/test\\_a.py::test\\_f1** · macro-F1", *loss, "≥ −1"],
            ["❌ **test\\_asymmetrical** · macro-F1", *loss, "≥ −0.5"],
            ["❌ **test\\_better** · macro-F1", *loss, "&gt; +2"],
            ["❌ **test\\_equivalent** · macro-F1", *loss, "±1"],
            [
                "⚠️ **tests/test\\_spam.py::test\\_f1** · cost, not in points",
                "0.800 → 0.802",
                "+1.0 (−2.0 to +4.0)",
                "≥ −5",
            ],
            ["❌ **tests/test\\_b.py::test\\_floor** · macro-F1", "0.800", "(0.780 to 0.820)", "≥ 0.85"],
            ["❌ **test\\_error**", "no answer", "", ""],
            ["➖ **test\\_look** · macro-F1", "0.800 → 0.802", "+0.2 (−1.8 to +2.2)", ""],
        ]
    )


def test_the_only_gate_stands_on_the_card_alone():
    assert tables(text_of(failed())) == []
    text = text_of(failed(), equivalent())
    assert [names(table) for table in tables(text)] == [["✅ **tests/test\\_b.py::test\\_f1** · macro-F1"]]
    assert "<summary>✅ 1 passed</summary>" in text


def test_parts_stand_below_their_gate_and_those_that_passed_in_the_last_fold():
    parts = [entry(comparison(), verdict, part=f"class {verdict}") for verdict in ("passed", "failed", "undecided")]
    worse, quiet = tables(text_of(equivalent("tests/test_spam.py::test_f1"), *parts))
    assert names(worse) == ["✅ **tests/test\\_spam.py::test\\_f1** · macro-F1", "↳ ❌ class failed"]
    assert names(quiet) == ["❔ **tests/test\\_spam.py::test\\_f1 class undecided** · macro-F1", "↳ ✅ class passed"]


def test_a_class_that_cannot_tell_changes_no_sign_and_needs_no_row():
    text = text_of(
        equivalent("tests/test_spam.py::test_f1"), entry(comparison(), "undecided", part="class ham"), equivalent()
    )
    assert text.startswith("## ✅ 2 comparisons passed, 1 could not tell\n")
    assert "**1 could not tell, 2 passed.**" in text
    assert [len(table) for table in tables(text)] == [3]


def test_what_the_data_cannot_tell_has_a_fold_with_what_to_do():
    text = text_of(entry(comparison(), "undecided", advice="Test on more."), entry(comparison(), "undecided", test="b"))
    assert len(tables(text)[0]) == 2
    assert "**2 could not tell.**" in text
    assert "**What to do:** Test on more." in text.split("<summary>❔ ? tests")[1]


def test_a_gate_that_cannot_fail_has_a_fold_that_says_so():
    certain = comparison(decision=Decision.EQUIVALENT, rope=(-0.9, 0.9), can_fail=False)
    text = text_of(entry(certain), entry(comparison(decision=Decision.EQUIVALENT), test="other"))
    assert text.startswith("## ❔ ")
    assert "A gate on ≪ cannot fail here: you tolerate 90 points" in text.split("<summary>✅ ≈ ")[1]


def test_every_fold_is_closed_and_what_needs_nobody_has_none_of_its_own():
    text = text_of(failed(), entry(comparison(), test="tests/test_c.py::test_look"), equivalent())
    assert re.findall(r"<details>\n<summary>(.*)</summary>", text) == [
        "❌ ≪ tests/test_a.py::test_f1 · macro-F1",
        "How it was computed, and frequentist tests",
        "✅ ? tests/test_c.py::test_look · macro-F1",
        "How it was computed, and frequentist tests",
        "✅ 1 passed",
    ]
    assert "<details open>" not in text
    assert text.count("<details") == text.count("</details>")


def test_where_nothing_needs_attention_the_nearest_to_failing_is_explained():
    near = entry(comparison(decision=Decision.EQUIVALENT, hdi=(-0.009, -0.005)), test="near")
    text = text_of(equivalent(), near)
    assert "Nearest to failing: **near** · macro-F1" in text
    assert re.findall(r"<summary>✅ (.*)</summary>", text) == ["≈ near · macro-F1", "2 passed"]


def test_a_fold_begins_with_what_to_do_but_that_of_the_card():
    text = text_of(failed(), replace(failed(), test="z", hdi=(-0.03, -0.02)))
    _, first, _, second, *_ = text.split("</summary>")
    assert "**What to do:**" not in first
    assert (
        second.index("**What to do:** Find what changed.") < second.index("```mermaid") < second.index("| change, 95%")
    )


def test_ids_of_examples_stand_side_by_side_and_excerpts_below_each_other():
    def told(*shown):
        named = (NamedExample("mail 1", shown), NamedExample("mail 2", shown))
        error = ErrorChange("spam", "ham", 1, 2, -0.01, named)
        found = ReportedChanges(-0.01, 0.0, (error,), (), 1, ())
        return text_of(replace(failed(), changes=found))

    assert "| mail 1, mail 2 |" in told()
    assert "| mail 1: Dear friend<br> mail 2: Dear friend |" in told("Dear friend")


def test_a_fold_tells_the_figures():
    text = text_of(failed())
    for line in (
        "| change, 95% HDI | −5.2 (−7.0&nbsp;to&nbsp;−3.0) points |",
        "| demanded | ±1 points |",
        "| below, in, above the ROPE of ±1 | 12%, 67%, 21% |",
        "| P(worse) | 42% |",
        "| candidate | 0.802, observed 0.802 on 1,200 examples |",
        "| Bayes factor | 6.25 ± 0.03 for a tolerated change, 7.5 ± 0.1 for none at all |",
    ):
        assert line in text.splitlines()


def test_an_estimate_tells_its_own():
    made = estimate(below_floor=True, above_floor=False, floor=0.9, p_below_floor=0.999)
    lines = text_of(entry(made, "failed")).splitlines()
    assert "| score, 95% HDI | 0.800 (0.780&nbsp;to&nbsp;0.820), observed 0.800 on 1,000 examples |" in lines
    assert "| P(below 0.9) | 99.9% |" in lines
    assert "Frequentist" not in "".join(lines)


def test_the_worst_classes_are_told():
    made = replace(failed(), breakdown=breakdown("a", "b", "c", "d", "e", "f", "g"))
    lines = text_of(made).splitlines()
    assert "| a | 120 | 0.800 | 0.700 | −10.0 (−15.0&nbsp;to&nbsp;−5.0) |" in lines
    assert "The 5 worst of 7 classes." in lines
    assert not any(line.startswith("| f |") for line in lines)


def test_without_a_breakdown_the_largest_drops_are_told():
    drops = (ClassChange("spam", 0.9, 0.8), ClassChange("ham", 0.9, 0.85))
    assert "F1 falls most in spam (0.900 → 0.800), ham (0.900 → 0.850)." in text_of(failed(largest_drops=drops))


def test_errors_that_moved_are_told():
    moves = (Move("spam", "ham", 12, 1041),)
    text = text_of(failed(largest_moves=moves))
    assert "Errors that changed most: spam taken for ham (12 → 1,041)." in text


def test_agreement_is_told_with_what_pairing_brings():
    sides = {"baseline": score(std=0.03), "candidate": score(std=0.04)}
    text = text_of(failed(**sides, std=0.01))
    assert "| baseline right | 700 | 40 |\n| baseline wrong | 60 | 200 |" in text
    assert "the HDI is ±2.0 points, not the ±10.0 points that the two scores would leave" in text
    assert "Here pairing does not make the interval narrower." in text_of(failed(**sides, std=0.06))
    assert "baseline right" not in text_of(failed(model="same-set"))


def test_bare_counts_are_told_what_predictions_would_bring():
    made = replace(failed(model="same-set"), breakdown=breakdown("a", "b", closest=(-0.06, -0.04)))
    assert "the HDI would be −6.0 to −4.0: with the predictions themselves" in text_of(made)
    assert "The decision would be" not in text_of(made)
    assert "Only counts are known" not in text_of(failed())


def test_from_which_agreement_on_the_decision_would_be_another_is_told():
    other = OtherDecision(Decision.MUCH_WORSE, agreement=0.88, most=0.97)
    made = replace(
        failed(model="same-set"), breakdown=breakdown("a", closest=(-0.06, -0.04), agreement_sensitivity=other)
    )
    said = (
        "The decision would be ≪ (significantly worse) if the two predicted the same on 88% or more of them; the "
        "counts allow up to 97%. Who knows the share can pass it as agreement."
    )
    assert said in text_of(made)


def test_how_to_compute_it_again_is_told():
    text = text_of(failed())
    assert "```sh\npytest tests/test_a.py::test_f1\n```" in text
    assert "```python\ncompare(\n    baseline, candidate, " in text


def test_the_frequentist_tests_are_told():
    lines = text_of(failed()).splitlines()
    assert "| p-test | accuracy as if unpaired | 2,200 | 0.029 | &gt; |" in lines
    assert "| S-test | F1 of classes as if independent: whose is higher | 2 | 0.75 | \\~ |" in lines
    assert any("not that the two are equivalent" in line for line in lines)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_adds_markup_a_cell_or_a_line(name):
    def made(label):
        return replace(
            failed(
                measure=f"f1[{label}]",
                largest_moves=(Move(label, label, 1, 2),),
                largest_drops=(ClassChange(label, 0.9, 0.8),),
                model_reason=label,
            ),
            test=f"tests/test_a.py::test[{label}]",
            part=label,
            advice=label,
            breakdown=breakdown(label, label),
        )

    def outline(text):
        return [(line[:1], len(re.findall(r"(?<!\\)\|", line)) if line[:1] == "|" else 0) for line in text.split("\n")]

    plain, hostile = (text_of(made(label), missing=[label], changed=[label]) for label in ("x", name))
    assert outline(hostile) == outline(plain)
    assert size(hostile) < 40_000
    prose = re.sub(r"```(sh|python)\n.*?\n```", "", hostile, flags=re.DOTALL)
    assert not re.search(r"<(script|img|/summary> <|!--)|@octocat|#1|\u202e|\x1b", prose)


def test_of_many_the_worst_are_explained_and_the_others_in_a_fold():
    text = markdown(REPORT)
    worst, others, passed = tables(text)
    assert (len(worst), len(others), len(passed)) == (8, 12, 20)
    assert re.findall(r"<summary>. (\d+ .*)</summary>", text) == ["12 failed", "20 passed"]
    assert len(re.findall("<summary>❌ ≈ tests", text)) == text.count("```mermaid") == 8
    assert "12 more explanations in report.html." in text


def test_parts_that_are_cut_off_from_their_gate_have_their_whole_name():
    parts = [entry(comparison(), "failed", test="gate", part=f"class {n}") for n in range(9)]
    shown, others, *_ = tables(text_of(entry(comparison(decision=Decision.EQUIVALENT), test="gate"), *parts))
    assert names(shown)[1:] == [f"↳ ❌ class {n}" for n in range(7)]
    assert names(others) == ["❌ **gate class 7** · macro-F1", "↳ ❌ class 8"]


def test_room_changes_nothing_where_there_is_enough():
    whole = markdown(REPORT)
    assert whole == markdown(REPORT, most_bytes=4 * size(whole))


@pytest.mark.parametrize("most_bytes", [60_000, 30_000, 12_000, 6_000, 4_000])
def test_it_fits_and_says_what_was_left_out(most_bytes):
    text = markdown(REPORT, most_bytes=most_bytes)
    assert size(text) <= most_bytes
    assert text.count("<details") == text.count("</details>")

    def left_out(noun):
        return sum(map(int, re.findall(rf"^(\d+) more {noun}s? in report.html", text, flags=re.MULTILINE)))

    assert sum(map(len, tables(text))) + left_out("comparison") == 40
    assert len(re.findall("<summary>❌ ≈ tests", text)) + left_out("explanation") == 20
    assert text.rstrip().endswith("</sub>")


def test_a_quarter_of_the_room_is_for_the_rows_of_the_others():
    text = markdown(Report.of(ENTRIES * 20), most_bytes=60_000)
    worst, others = tables(text)
    assert len(worst) == len(re.findall("<summary>❌ ≈ tests", text)) == 8
    assert len(others) > 100


def test_tests_and_gates_are_links_to_their_lines():
    source = Source("https://h.org/o/r", "ab12" * 10)
    text = markdown(Report.of([failed(), entry(comparison(), "failed")]), source=source)
    assert f"**[tests/test\\_a.py::test\\_f1](https://h.org/o/r/blob/{'ab12' * 10}/tests/test_a.py#L1)**" in text
    assert f"[`ab12ab1`](https://h.org/o/r/commit/{'ab12' * 10})" in text
    assert text.count("https://") == 4
    assert "https://" not in text_of(failed())
