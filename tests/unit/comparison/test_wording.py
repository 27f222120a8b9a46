import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.comparison import ClassChange
from pytest_bayesf1.stats.frequentist import significance
from tests.unit.made_up import comparison, estimate, score

AROUND_0, BELOW, ABOVE, INSIDE = (-0.018, 0.022), (-0.071, -0.033), (0.033, 0.071), (-0.004, 0.006)


@pytest.mark.parametrize(
    ("decision", "mean", "hdi", "sentence"),
    [
        (
            Decision.MUCH_WORSE,
            -0.0521,
            BELOW,
            (
                "The candidate is worse: macro-F1 falls by 5.2 points (95% HDI 3.3 to 7.1), "
                "more than the 1 point you tolerate"
            ),
        ),
        (
            Decision.WORSE,
            -0.015,
            (-0.035, 0.005),
            (
                "The candidate is slightly worse: macro-F1 falls by 1.5 points, "
                "though the 95% HDI −3.5 to +0.5 reaches into the 1 point you tolerate"
            ),
        ),
        (
            Decision.EQUIVALENT,
            0.001,
            INSIDE,
            (
                "The two are practically equivalent: macro-F1 rises by 0.1 points (95% HDI −0.4 to +0.6), "
                "within the 1 point you tolerate"
            ),
        ),
        (
            Decision.BETTER,
            0.015,
            (0.001, 0.041),
            (
                "The candidate is slightly better: macro-F1 rises by 1.5 points, "
                "though the 95% HDI 0.1 to 4.1 reaches into the 1 point you tolerate"
            ),
        ),
        (
            Decision.MUCH_BETTER,
            0.0521,
            ABOVE,
            (
                "The candidate is better: macro-F1 rises by 5.2 points (95% HDI 3.3 to 7.1), "
                "more than the 1 point you tolerate"
            ),
        ),
        (
            Decision.UNDECIDED,
            0.002,
            AROUND_0,
            (
                "Undecided: macro-F1 rises by 0.2 points, "
                "and the 95% HDI −1.8 to +2.2 lies neither inside nor outside the 1 point you tolerate"
            ),
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Decision) else "",
)
def test_a_comparison_in_one_sentence(decision, mean, hdi, sentence):
    assert comparison(decision=decision, mean=mean, hdi=hdi).headline == sentence


@pytest.mark.parametrize(
    ("decision", "hdi"), [(Decision.WORSE, (-0.04, 0.012)), (Decision.BETTER, (-0.012, 0.04))], ids=["worse", "better"]
)
def test_an_interval_that_goes_on_beyond_the_rope_is_not_told_to_end_in_it(decision, hdi):
    assert "reaches beyond the 1 point you tolerate" in comparison(decision=decision, hdi=hdi).headline


def test_a_custom_measure_is_not_told_in_points():
    result = comparison(
        measure="profit", custom_measure=True, mean=-3.0, hdi=(-7.0, 1.0), rope=(-2.0, 2.0), decision=Decision.WORSE
    )
    assert "profit falls by 3.0, though the 95% HDI −7.0 to +1.0 reaches into the 2 you tolerate" in result.headline


def test_a_change_too_small_to_show_has_no_direction():
    assert "Undecided: macro-F1 changes by less than 0.1 points, and" in comparison(mean=-0.0002).headline


def test_names_stay_on_one_line():
    result = comparison(measure="f1[two\nlines]", largest_drops=(ClassChange("two\nlines", 0.9, 0.8),))
    assert "F1 of two lines rises" in result.headline
    assert "  F1 falls in two lines 0.900 → 0.800" in str(result).splitlines()


def test_the_interval_s_probability_and_an_uneven_rope_are_told():
    headline = comparison(hdi_prob=0.8, rope=(-0.01, 0.03)).headline
    assert "80% HDI" in headline
    assert "−1 to +3 points you tolerate" in headline


def test_the_text_starts_with_the_symbol_and_the_sentence():
    result = comparison()
    assert str(result).splitlines()[0] == f"? {result.headline}."


def test_the_text_lists_the_figures():
    text = str(comparison())
    for line in (
        "  change      +0.2 points   95% HDI −1.8 to +2.2",
        "  ROPE        ±1 point   P(in ROPE) 67%",
        "  baseline    0.8000   observed 0.8000 on 1,000 examples",
        "  candidate   0.8020   observed 0.8020 on 1,200 examples",
        "  P(worse)    42%   below, above the ROPE 12%, 21%",
        "  BF          6.25 ± 0.03 inside the ROPE   7.5 ± 0.1 at 0",
        "  Yang & Liu  S ~ (p=0.75)   p of accuracy > (p=0.029)",
        "  Goutte & G. P(π₁ > π₂) 97.8%   E(Δ) +0.0200   E(ρ) +0.41",
        "  model       paired, because both sides' predictions on the same",
        "              examples are known",
        "  computed    uniform prior, 20,000 draws, exact engine, seed 0",
    ):
        assert line in text.splitlines()


def test_the_classes_that_fall_are_listed():
    drops = (ClassChange("spam", 0.9, 0.75), ClassChange(7, 0.5, 0.4999))
    assert "  F1 falls in spam 0.900 → 0.750   7 0.500 → 0.500" in str(comparison(largest_drops=drops)).splitlines()
    assert "F1 falls in" not in str(comparison())


def test_a_p_value_too_small_to_write_is_an_upper_bound():
    told = str(comparison(classical_tests=(significance("T'-test", -9.8, 1e-20, 20),)))
    assert "  Yang & Liu  T' << (p<0.001)" in told.splitlines()


def test_bare_counts_have_no_paired_outcomes():
    assert "Goutte" not in str(comparison(model="same-set"))


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"model": "same-set"}, "the comparison becomes paired"),
        ({"model": "independent"}, "test both classifiers on the same examples"),
        ({"examples_needed": 1_234}, "About 1,200 more test examples would give an even chance of settling it."),
        ({"settled": False}, "other draws could still tip the decision"),
    ],
    ids=["same-set", "independent", "examples", "unsettled"],
)
def test_notes_for_a_careful_reader(changes, note):
    notes = comparison(**changes).to_dict()["notes"]
    assert len(notes) == 1
    assert note in notes[0]
    assert note.split(maxsplit=1)[0] in str(comparison(**changes))


@pytest.mark.parametrize("examples_needed", [0, None])
def test_a_settled_paired_comparison_needs_no_note(examples_needed):
    assert comparison(examples_needed=examples_needed).to_dict()["notes"] == []


def test_paragraphs_are_wrapped_for_a_terminal():
    text = str(comparison(model="same-set", settled=False, examples_needed=50))
    paragraphs = text[text.index("  The interval") :].splitlines()
    assert len(paragraphs) == 7
    assert all(line.startswith("  ") and len(line) <= 72 for line in paragraphs)


def test_a_notebook_shows_the_same():
    html = comparison(settled=False)._repr_html_()
    assert html.startswith("<p><strong>? Undecided: macro-F1 rises by 0.2 points")
    assert "<td style='text-align:left; white-space:pre-wrap'>±1 point   P(in ROPE) 67%</td>" in html
    assert "On the edge: " in html


def test_a_notebook_shows_labels_as_text():
    drops = (ClassChange("<script>alert(1)</script>", 0.9, 0.8),)
    html = comparison(measure="f1[<b>]", largest_drops=drops)._repr_html_()
    assert "<script>" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; 0.900" in html


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "Above the floor of 0.75: macro-F1 is 0.800 (95% HDI 0.780 to 0.820)"),
        (
            {"floor": 0.9, "below_floor": True, "above_floor": False, "p_below_floor": 1.0},
            "Below the floor of 0.9: macro-F1 is 0.800 (95% HDI 0.780 to 0.820)",
        ),
        (
            {"floor": 0.81, "above_floor": False, "p_below_floor": 0.84},
            "Not clearly below the floor of 0.81: macro-F1 is 0.800 (95% HDI 0.780 to 0.820), P(below) 84%",
        ),
    ],
    ids=["above", "below", "between"],
)
def test_an_estimate_in_one_sentence(changes, sentence):
    assert estimate(**changes).headline == sentence


def test_an_estimate_as_text():
    lines = str(estimate()).splitlines()
    assert lines[0] == f"{estimate().headline}."
    assert lines[1:] == [
        "  score       0.8000   observed 0.8000 on 1,000 examples",
        "  HDI         95% 0.780 to 0.820",
        "  floor       0.75   P(below) 0%",
        "  computed    hierarchical prior, 20,000 draws, exact engine, seed 0",
    ]


@pytest.mark.parametrize(("observed", "told"), [(0.8, False), (0.8024, False), (0.8026, True), (0.78, True)])
def test_a_prior_that_moves_the_score_is_told(observed, told):
    notes = estimate(score=score(0.8, observed=observed, std=0.01)).to_dict()["notes"]
    assert any("hierarchical prior moves the posterior mean" in note for note in notes) is told


def test_the_direction_of_the_move_is_told():
    (note,) = estimate(score=score(0.78, observed=0.8, std=0.01)).to_dict()["notes"]
    assert "by -2.0 standard deviations from the observed 0.800" in note


def test_an_unsettled_estimate_says_so():
    assert "other draws could still tip the decision" in str(estimate(settled=False))
