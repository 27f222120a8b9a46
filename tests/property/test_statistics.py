import math
from functools import partial

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from pytest_bayesf1 import Decision, InputError
from pytest_bayesf1.stats.beta import (
    PairedOutcomes,
    f1_posterior,
    fbeta_draws,
    p_first_better,
    precision_posterior,
    recall_posterior,
)
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, hdi, summarise_delta
from tests.property.strategies import PROBABILITIES, ROPES, posteriors

SPELLINGS = ["<<", "<", "~", ">", ">>", "?", "≪", "≈", "≫"]

NUMBERS = st.one_of(st.floats(-1, 1), st.sampled_from([0.0, -0.0, math.inf, -math.inf, math.nan]), st.integers(-2, 2))


class TestDecisions:
    @given(st.sampled_from(Decision), st.text(max_size=3).filter(lambda text: text not in SPELLINGS))
    def test_text_that_spells_no_decision_is_an_error(self, decision, text):
        for compare in (lambda: decision == text, lambda: decision != text, lambda: text == decision):
            with pytest.raises(InputError, match="decision: expected a comparison with one of"):
                compare()

    @given(st.sampled_from(Decision), st.sampled_from(SPELLINGS))
    def test_a_decision_equals_its_symbol_and_its_ascii_form_alone(self, decision, text):
        assert (decision == text) is (text in (str(decision), decision.ascii))
        assert (decision != text) is not (decision == text)
        assert (text == decision) is (decision == text)

    @given(st.sampled_from(Decision), st.sampled_from(Decision))
    def test_two_decisions_are_equal_when_they_are_the_same(self, one, other):
        assert (one == other) is (one is other)

    @given(NUMBERS, NUMBERS, st.sampled_from([tuple, list, np.array]))
    def test_a_pair_is_a_rope_when_it_is_finite_and_in_order_and_holds_0(self, low, high, form):
        if math.isfinite(low) and math.isfinite(high) and low < high and low <= 0 <= high:
            assert Rope.of(form((low, high))) == Rope(low, high)
        else:
            with pytest.raises(InputError, match=r"^rope: expected"):
                Rope.of(form((low, high)))

    @given(NUMBERS)
    def test_a_half_width_is_a_rope_when_it_is_finite_and_positive(self, half_width):
        if math.isfinite(half_width) and half_width > 0:
            assert Rope.of(half_width) == Rope.of(np.float64(half_width)) == Rope(-half_width, half_width)
        else:
            with pytest.raises(InputError, match=r"^rope: expected"):
                Rope.of(half_width)

    @given(posteriors(), ROPES, PROBABILITIES)
    def test_probabilities_are_shared_out(self, draws, rope, prob):
        summary = summarise_delta(Draws(draws), Rope(*rope), prob)
        assert summary.p_below_rope + summary.p_in_rope + summary.p_above_rope == pytest.approx(1)
        assert summary.p_below_rope <= summary.p_worse
        assert summary.p_above_rope <= summary.p_better

    @given(posteriors(), ROPES, PROBABILITIES)
    def test_the_decision_follows_the_published_rules(self, draws, rope, prob):
        summary = summarise_delta(Draws(draws), Rope(*rope), prob)
        (low, high), (start, end) = rope, summary.hdi
        expected = "?"
        if end < low:
            expected = "<<"
        elif start > high:
            expected = ">>"
        elif low < start and end < high:
            expected = "~"
        elif summary.p_below_rope > 0.75:
            expected = "<"
        elif summary.p_above_rope > 0.75:
            expected = ">"
        assert summary.decision == expected


class TestIntervals:
    @given(posteriors(), PROBABILITIES)
    def test_it_holds_its_mass(self, draws, prob):
        low, high = hdi(draws, prob)
        assert ((draws >= low) & (draws <= high)).mean() == pytest.approx(prob, abs=2 / draws.size)


NUMBER, WEIGHT = st.integers(0, 40), st.floats(0.5, 3)
UNSHRUNK = [Phase.explicit, Phase.generate]


class TestTwoClasses:
    """Closed forms against draws of their gamma variables."""

    @settings(max_examples=20, phases=UNSHRUNK)
    @example(0, 5, 5, 0.5, 0)
    @example(5, 0, 0, 0.5, 0)
    @given(NUMBER, NUMBER, NUMBER, WEIGHT, st.integers(0, 2**32))
    def test_each_score_has_the_distribution_of_its_draws(self, tp, fp, fn, weight, seed):
        rng = np.random.default_rng(seed)
        x, y, z = (rng.standard_gamma(count + weight, 1_000) for count in (tp, fp, fn))
        known = {"n_draws": 1_000, "weight": weight, "rng": rng}
        drawn = x / (x + y), x / (x + z), 2 * x / (2 * x + y + z)
        found = (
            precision_posterior(tp, fp, weight),
            recall_posterior(tp, fn, weight),
            f1_posterior(tp, fp, fn, weight),
        )
        for one, posterior, beta in zip(drawn, found, (0.0, 1e6, 1.0), strict=True):
            for each in (one, fbeta_draws(tp, fp, fn, beta=beta, **known)):
                assert abs(posterior.cdf(each).mean() - 0.5) < 5.5 / np.sqrt(12 * 1_000)
                assert abs(each.mean() - posterior.mean) < 5.5 * each.std() / np.sqrt(1_000) + 1e-5
            assert posterior.cdf(posterior.quantile([0.1, 0.7])) == pytest.approx([0.1, 0.7])
            if min(posterior.a, posterior.b) < 1 <= max(posterior.a, posterior.b):
                assert posterior.mode == (posterior.b < 1)
            if tp + weight > 1 and min(fp, fn) + weight > 1:
                places = posterior.mode + np.array([[-0.02], [0.0], [0.02]]) + [-1e-3, 1e-3]
                below, at, above = np.diff(posterior.cdf(places.clip(0, 1)))[:, 0]
                assert at >= max(below, above)

    @settings(max_examples=20, phases=UNSHRUNK)
    @given(st.lists(NUMBER, min_size=6, max_size=6))
    def test_two_systems_change_places(self, counts):
        one, other = f1_posterior(*counts[:3]), f1_posterior(*counts[3:])
        assert p_first_better(one, other) == pytest.approx(1 - p_first_better(other, one), abs=1e-4)
        a, b, same, c, d, more = counts
        assert p_first_better(f1_posterior(a + 1, b, same), f1_posterior(a, b, same)) > 0.5
        first = PairedOutcomes.prior().updated(a, b, same).updated(c, d, more)
        assert first == PairedOutcomes.prior().updated(a + c, b + d, same + more)
        turned = PairedOutcomes.prior().updated(b + d, a + c, same + more).summary()
        found = first.summary()
        assert found.p_first_better == pytest.approx(1 - turned.p_first_better)
        assert (found.mean_difference, found.mean_log_odds) == (-turned.mean_difference, -turned.mean_log_odds)
        assert found.mean_difference == (a + c - b - d) / (sum(counts) + 1.5)
        if a + c != b + d:
            assert (found.p_first_better > 0.5) == (found.mean_log_odds > 0) == (a + c > b + d)

    @pytest.mark.parametrize("wrong", [-1, math.nan, math.inf])
    def test_what_is_no_count_is_refused_wherever_it_stands(self, wrong):
        """Every number that each takes."""
        rng, prior = np.random.default_rng(0), PairedOutcomes.prior()
        for function, names in (
            (precision_posterior, ("tp", "fp", "weight")),
            (recall_posterior, ("tp", "fn", "weight")),
            (f1_posterior, ("tp", "fp", "fn", "weight")),
            (partial(fbeta_draws, rng=rng), ("tp", "fp", "fn", "weight", "beta")),
            (prior.updated, ("only_first", "only_second", "same")),
            (lambda **given: PairedOutcomes.prior(tuple(given.values())), ("a", "b", "c")),
        ):
            for name in names:
                with pytest.raises(InputError, match="a finite number that is not negative"):
                    function(**dict.fromkeys(names, 1.0) | {name: wrong})
