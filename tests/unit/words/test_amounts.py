import sys
from unicodedata import category

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.errors import printable
from pytest_bayesf1.results.comparison import ClusterFigures, DetectableLosses
from pytest_bayesf1.results.policy import BETTER, EQUIVALENT, NOT_WORSE
from pytest_bayesf1.text import POINTS, rope_width
from pytest_bayesf1.words.amounts import (
    Amounts,
    format_chance,
    format_change,
    format_score,
    gate_finds,
    name_text,
    shortened,
)
from tests.property.kinds import KINDS
from tests.unit.made_up import comparison

DOCUMENTS = ClusterFigures("documents", "spans", (120, 120), (100, 100), (1, 1), (0, 0), 1.5, (-0.01, 0.02))

FINDS_ALL, FINDS_NONE = ({"detectable_losses": DetectableLosses(*each)} for each in ((0.01,) * 3, (None, 0.9, None)))
CATCHES = "this gate catches losses of"
CASES = "in 80% of cases if spread evenly"
ALONE = " if the rarest class alone loses"


def share_right(p):
    return np.einsum("...jj->...", p)


class TestDetectableLosses:
    @pytest.mark.parametrize(
        ("told", "sentence"),
        [
            ({"clusters": DOCUMENTS}, f"With 120 documents {CATCHES} 3.5 points {CASES}, 4.2{ALONE}."),
            (FINDS_ALL, f"With 1,000 and 1,200 examples {CATCHES} 1 point in 80% of cases."),
            ({"custom_measure": True}, f"With 1,000 and 1,200 examples {CATCHES} 0.035 {CASES}, 0.042{ALONE}."),
            (FINDS_NONE, "With 1,000 and 1,200 examples this gate is unlikely to catch any loss, however large."),
            ({"detectable_losses": None}, ""),
        ],
    )
    def test_a_gate_says_what_it_finds(self, told, sentence):
        assert gate_finds(comparison(**told)).startswith(sentence)

    @pytest.mark.parametrize(
        ("loss", "rope", "blind"),
        [
            (0.05, (-0.01, 0.01), False),
            (0.051, (-0.01, 0.02), True),
            (None, (-0.01, 0.01), True),
            (0.05, (0.0, 0.01), False),
        ],
    )
    def test_a_gate_is_blind_that_hardly_finds_five_times_what_it_allows(self, loss, rope, blind):
        assert comparison(detectable_losses=DetectableLosses(loss, loss, 1.0), rope=rope).is_underpowered is blind

    @pytest.mark.parametrize(("kind", "measure"), [("classes", share_right), ("values", "mean")])
    def test_of_a_function_and_of_values_the_posterior_is_taken_to_stay_as_wide(self, kind, measure):
        sides = KINDS[kind].sides(KINDS[kind].draw(np.random.default_rng(0)))
        result = run_comparison(*sides, measure=measure, rope=0.01)
        even = 0.01 + result.hdi[1] - result.mean
        assert result.detectable_losses.power_50 == pytest.approx(even, rel=0.01)
        assert result.detectable_losses.power_80 == pytest.approx(even + 0.8416 * result.std, rel=0.01)


def test_nothing_that_formats_text_is_left_in_it():
    hidden = [each for each in map(chr, range(sys.maxunicode + 1)) if category(each) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    assert printable("".join(hidden)) == "".join("\n" if each == "\n" else ascii(each)[1:-1] for each in hidden)


def test_spaces_and_lines_can_stay():
    orders = "::error file=a::b\n  ##[group]c ::set-output name=d::e test_a.py::test_f1"
    assert printable(orders) == orders.replace("::error", r"\::error").replace("##", r"\##").replace(" ::s", r" \::s")
    assert printable("  a\n\u00a0b\x07") == "  a\n\u00a0b\\x07"


def test_what_is_too_long_loses_its_middle():
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("ab" + 40 * "x" + "fg", 4) == "ab[40 characters left out]fg"
    assert shortened("abcdefg", 4) == "abcdefg"
    assert len(name_text("x" * 10_000)) < 240


ENDS = st.integers(-(10**6), 10**6).map(lambda number: number / 10**7)


class TestAmounts:
    @pytest.mark.parametrize(
        ("half_width", "written"),
        [
            (0.0011, "rose 1.2 points"),
            (0.0009, "rose 1.23 points"),
            (0.00009, "rose 1.234 points"),
            (2e-9, "rose 1.2340 points"),
            (0, "rose 1.2 points"),
        ],
    )
    def test_the_decimals_follow_the_width_of_the_interval(self, half_width, written):
        assert Amounts(POINTS, (-half_width, half_width)).move(0.01234) == written

    @pytest.mark.parametrize(
        ("change", "written"),
        [(-0.0123, "fell 1.2 points"), (0.0006, "rose 0.1 points"), (-0.0004, "changed by less than 0.1 points")],
    )
    def test_a_change_has_a_direction_if_it_shows(self, change, written):
        assert Amounts(POINTS, (-0.02, 0.02)).move(change) == written

    @pytest.mark.parametrize(
        ("interval", "written"),
        [
            ((0.011, 0.034), "1.1 to 3.4"),
            ((0, 0.034), "0.0 to 3.4"),
            ((-0.034, -0.011), "1.1 to 3.4"),
            ((-0.011, 0.034), "−1.1 to +3.4"),
        ],
        ids=["above 0", "from 0", "below 0", "around 0"],
    )
    def test_an_interval_has_signs_when_it_holds_0(self, interval, written):
        assert Amounts(POINTS, interval).spoken(interval) == written

    @pytest.mark.parametrize(
        ("rope", "written"),
        [((-0.01, 0.01), "1 point"), ((-0.07, 0.07), "7 points"), ((-0.01, 0.02), "a range of −1 to +2 points")],
    )
    def test_a_rope_is_told_by_its_half_width_if_it_is_symmetric(self, rope, written):
        assert rope_width(rope, POINTS) == written

    @given(ends=st.tuples(ENDS, ENDS), half_width=st.sampled_from([0.005, 0.01, 0.02]))
    @example(ends=(-0.08, -0.01993), half_width=0.02)  # beside the ROPE
    def test_what_is_written_lies_where_the_interval_does(self, ends, half_width):
        interval = min(ends), max(ends)
        amounts = Amounts(POINTS, interval, (-half_width, half_width))
        for end in interval:
            written = float(amounts.signed(end).replace("−", "-"))
            for bound in (-half_width, half_width):
                assert (written > 100 * bound) == (round(100 * end, 6) > 100 * bound)


class TestOverview:
    @pytest.mark.parametrize(
        ("rope", "policy", "told"),
        [
            ((-0.02, 0.0), NOT_WORSE, "allow 2"),
            ((-0.02, 0.0), EQUIVALENT, "allow −2 to +0"),
            ((0.0, 0.02), NOT_WORSE, "allow no loss"),
            ((-0.01, 0.02), BETTER, "demand more than +2"),
        ],
    )
    def test_what_is_allowed_or_demanded(self, rope, policy, told):
        assert format_change(comparison(rope=rope), policy) == f"+0.2 points (you {told})"

    @pytest.mark.parametrize(
        ("policy", "figures", "told"),
        [
            (NOT_WORSE, {}, "more than 1 point was lost: 12%"),
            (NOT_WORSE, {"rope": (0.0, 0.01)}, "anything was lost: 12%"),
            (BETTER, {}, "more than 2 points was gained: 21%"),
            (EQUIVALENT, {}, "more than 1 point was lost: 12%"),
            (EQUIVALENT, {"hdi": (-0.01, 0.022)}, "more than 2 points was gained: 21%"),
        ],
    )
    def test_the_chance_is_that_of_the_end_that_is_open(self, policy, figures, told):
        found = format_chance(comparison(**{"rope": (-0.01, 0.02), **figures}), policy)
        assert found == f"that {told} by this test set alone"

    @pytest.mark.parametrize(
        ("number", "told"), [(-0.98249, "−0.982"), (-0.0001, "0.000"), (12.3456, "12.35"), (-1234.56, "−1,235")]
    )
    def test_scores_have_the_digits_that_their_size_deserves(self, number, told):
        assert format_score(number) == told
