import re
from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.markdown.render import markdown
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.results.breakdown import OtherDecision
from pytest_bayesf1.results.figures import ClassChange, Move
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, estimate, score
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


def rows(text):
    """Read the rows of the overview."""
    table = text.split("| --- | --- | --- | --- | --- | --- |\n")[1].split("\n\n")[0]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.splitlines()]


def size(text):
    return len(text.encode())


@pytest.mark.parametrize(
    ("verdicts", "sign"),
    [
        (["failed", "warned"], "❌"),
        (["warned", "passed"], "⚠️"),
        (["undecided", "passed"], "❔"),
        (["passed", ""], "✅"),
    ],
)
def test_it_starts_with_the_outcome_of_the_run(verdicts, sign):
    text = text_of(*(entry(comparison(), verdict) for verdict in verdicts))
    assert text.startswith(f"## {sign} Classifier comparisons: ")


def test_then_comes_the_headline():
    made = failed()
    assert text_of(made).splitlines()[2] == f"**{made.headline}.**"
    assert text_of().splitlines()[2] == "**No gate ran: no comparison was made in this run.**"


def test_there_is_a_row_a_gate_the_worst_first():
    entries = (
        entry(estimate(floor=0.75), "passed", test="tests/test_b.py::test_floor"),
        entry(comparison(rope=(-0.01, 0.02)), "", test="tests/test_c.py::test_look"),
        entry(comparison(measure="cost", custom_measure=True, mean=1.0, hdi=(-2.0, 4.0), rope=(-5, 5)), "warned"),
        failed(),
    )
    assert rows(text_of(*entries)) == [
        [
            "❌&nbsp;failed",
            "≪&nbsp;significantly worse",
            "macro-F1",
            "−5.2 (−7.0&nbsp;to&nbsp;−3.0)",
            "±1",
            "tests/test\\_a.py::test\\_f1",
        ],
        [
            "⚠️&nbsp;warned",
            "?&nbsp;undecided",
            "cost, not in points",
            "+1.0 (−2.0&nbsp;to&nbsp;+4.0)",
            "±5",
            "tests/test\\_spam.py::test\\_f1",
        ],
        [
            "➖&nbsp;no gate",
            "?&nbsp;undecided",
            "macro-F1",
            "+0.2 (−1.8&nbsp;to&nbsp;+2.2)",
            "−1 to +2",
            "tests/test\\_c.py::test\\_look",
        ],
        [
            "✅&nbsp;passed",
            "above the floor",
            "macro-F1",
            "0.800 (0.780&nbsp;to&nbsp;0.820)",
            "at least 0.75",
            "tests/test\\_b.py::test\\_floor",
        ],
    ]


@pytest.mark.parametrize(
    ("stand", "told"),
    [
        ({"below_floor": True, "above_floor": False}, "below the floor"),
        ({"below_floor": False, "above_floor": False}, "at the floor"),
    ],
)
def test_an_estimate_is_told_by_its_floor(stand, told):
    assert rows(text_of(entry(estimate(**stand))))[0][1] == told


def test_a_class_that_passed_needs_no_row():
    parts = [entry(comparison(), verdict, part=f"class {verdict}") for verdict in ("passed", "failed")]
    text = text_of(entry(comparison(decision=Decision.EQUIVALENT)), *parts)
    assert [row[0] for row in rows(text)] == ["✅&nbsp;passed", "❌&nbsp;failed"]
    (told,) = (line for line in text.splitlines() if "class passed" in line)
    assert told.startswith(
        "| ✅ ? tests/test\\_spam.py::test\\_f1 class passed | +0.2 (−1.8&nbsp;to&nbsp;+2.2) | 0.800 →"
    )
    assert told.endswith(" 0.802 | 42% | 67% |")
    assert "2 more comparisons: scores and probabilities" in text


def test_a_class_that_cannot_tell_changes_no_sign_and_needs_no_fold():
    text = text_of(entry(comparison(decision=Decision.EQUIVALENT)), entry(comparison(), "undecided", part="class ham"))
    assert text.startswith("## ✅ Classifier comparisons: 0 failed, 0 warned, 1 passed, 1 could not tell")
    assert "| ❔ ? tests/test\\_spam.py::test\\_f1 class ham |" in text
    assert "<summary>❔" not in text


def test_what_the_data_cannot_tell_has_a_row_and_a_fold_with_what_to_do():
    text = text_of(
        entry(comparison(), "undecided", advice="Test on more."), entry(comparison(decision=Decision.BETTER))
    )
    assert [row[:2] for row in rows(text)] == [
        ["❔&nbsp;undecided", "?&nbsp;undecided"],
        ["✅&nbsp;passed", "&gt;&nbsp;slightly better"],
    ]
    assert "**1 comparison passed, 1 could not tell.**" in text
    assert "**What to do:** Test on more." in text.split("<summary>❔ ? ")[1]


def test_a_gate_that_cannot_fail_has_a_fold_that_says_so():
    certain = comparison(decision=Decision.EQUIVALENT, rope=(-0.9, 0.9), can_fail=False)
    text = text_of(entry(certain), entry(comparison(decision=Decision.EQUIVALENT), test="other"))
    assert text.startswith("## ❔ ")
    assert "A gate on ≪ cannot fail here: you tolerate 90 points" in text.split("<summary>✅ ≈ ")[1]


def test_what_failed_is_open_and_what_needs_nobody_has_no_fold_of_its_own():
    equivalent = entry(comparison(decision=Decision.EQUIVALENT), test="tests/test_b.py::test_f1")
    text = text_of(failed(), entry(comparison(), test="tests/test_c.py::test_look"), equivalent)
    assert re.findall(r"<details(?: open)?>\n<summary>(.*)</summary>", text) == [
        "❌ ≪ tests/test_a.py::test_f1",
        "How it was computed, and frequentist tests",
        "✅ ? tests/test_c.py::test_look",
        "How it was computed, and frequentist tests",
        "1 more comparison: scores and probabilities",
    ]
    assert text.count("<details open>") == 1
    assert text.count("<details") == text.count("</details>")


def test_a_fold_begins_with_what_to_do():
    told = text_of(failed()).split("</summary>")[1]
    assert told.index("**What to do:** Find what changed.") < told.index("```mermaid") < told.index("| change, 95% HDI")


def test_a_fold_tells_the_figures():
    text = text_of(failed())
    for line in (
        "| change, 95% HDI | −5.2 (−7.0&nbsp;to&nbsp;−3.0) points |",
        "| tolerated | 1 point |",
        "| below, within, above it | 12%, 67%, 21% |",
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
    made = replace(failed(model="same-set"), breakdown=breakdown("a", closest=(-0.06, -0.04), if_agreed=other))
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


def test_charts_are_few():
    text = markdown(REPORT)
    assert text.count("```mermaid") == 10
    assert text.count("<details open>") == 20


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


def test_everything_is_there_when_there_is_room():
    whole = markdown(REPORT)
    assert whole == markdown(REPORT, most_bytes=size(whole) + 1_000)
    assert whole.count("<details") == whole.count("</details>") == 41
    assert "left out" not in whole


@pytest.mark.parametrize("most_bytes", [60_000, 30_000, 8_000, 4_000, 3_000])
def test_it_fits_and_says_what_was_left_out(most_bytes):
    text = markdown(REPORT, most_bytes=most_bytes)
    assert size(text) <= most_bytes
    assert text.count("<details") == text.count("</details>")

    def left_out(what):
        found = re.search(rf"^{what}(\d+) (?:more )?comparisons? left out", text, flags=re.MULTILINE)
        return int(found[1]) if found else 0

    assert len(rows(text)) + left_out("") == 40
    assert text.count("<details open>") + left_out("Details of ") == 20
    assert len(re.findall(r"^\| ✅ ≈ tests", text, flags=re.MULTILINE)) + left_out("Figures of ") == 20
    assert text.rstrip().endswith("</sub>")


def test_details_go_first_and_those_of_the_worst_last():
    text = markdown(REPORT, most_bytes=20_000)
    assert len(rows(text)) == 40
    assert 0 < text.count("<details open>") < 20
    assert "more comparisons left out" not in text
