import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, plan
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.planning.plan import Scenarios, assumed_pilot, counted_pilot

ASSUMED = {"shares": {"ham": 0.6, "spam": 0.3, "eggs": 0.1}, "accuracy": 0.85, "agreement": 0.95, "rope": 0.01}
PILOTS = {
    "assumed": {"shares": {0: 0.8, 1: 0.2}, "accuracy": {0: 0.9, 1: 0.7}, "agreement": 0.9},
    "one side": {"baseline": ConfusionMatrix([[70, 10], [5, 15]]), "agreement": 0.9},
    "both sides": {
        "baseline": PairedCounts.from_cells(
            [0, 0, 0, 1, 1], [0, 1, 0, 1, 1], [0, 0, 1, 1, 0], [70, 8, 2, 15, 5], labels=[0, 1]
        )
    },
}


class TestPlan:
    def test_the_figures_of_the_gate_are_kept(self):
        """The loss to find is twice what is allowed."""
        found = plan(**{**ASSUMED, "rope": (-0.01, 0.03)})
        assert (found.measure, found.rope, found.hdi_prob, found.loss) == ("f1_macro", (-0.01, 0.03), 0.95, 0.02)
        assert found.n_pilot == 0

    @pytest.mark.parametrize("given", PILOTS.values(), ids=PILOTS)
    def test_what_is_asked_is_what_is_planned(self, given):
        asked = {"measure": "accuracy", "rope": (-0.02, 0.03), "hdi_prob": 0.8, "prevalence": {1: 0.5}}
        options = CompareOptions.resolve(**asked)
        if "shares" in given:
            pilot = assumed_pilot(*given.values(), "accuracy", options.prevalence)
        else:
            pilot = counted_pilot(given["baseline"], None, given.get("agreement"), "accuracy", options.prevalence)
        found = plan(**given, **asked, loss=0.07)
        assert found.designs == Scenarios.of(pilot, options, 0.07).designs()
        assert (found.measure_words, found.hdi_prob, found.loss) == ("accuracy at 50% of class 1", 0.8, 0.07)
        assert (found.n_pilot, found.pilot) == (pilot.n_examples, pilot.in_words)

    @pytest.mark.parametrize(
        ("n_lost", "order", "shown"),
        [(4, 1, ["0", "−0.5", "−1", "−0.401"]), (40, 1, ["0", "−0.5", "−1"]), (4, -1, ["0", "−0.5", "−1"])],
    )
    def test_what_a_pilot_shows_is_a_column_where_that_is_allowed(self, n_lost, order, shown):
        true, at = np.tile([0, 1], 500), np.arange(1_000)
        both = at % 10 < 1
        wrong = both, both | ((at % 10 == 5) & (at < 10 * n_lost))
        old, new = (ConfusionMatrix.from_predictions(true, np.where(each, 1 - true, true)) for each in wrong[::order])
        found = plan(old, new, measure="accuracy", rope=0.01, loss=0.05)
        assert (found.n_pilot, len(found.notes())) == (1_000, 1)
        _, paired, _ = found.tables()
        assert [each.removeprefix("fails at ") for each in paired.columns if "fails" in each] == shown

    def test_a_loss_that_the_rarest_class_cannot_have_is_left_out(self):
        assumed = {"shares": {"a": 0.97, "b": 0.03}, "accuracy": 0.7, "agreement": 0.6, "measure": "accuracy"}
        needed = plan(**assumed, rope=0.01, loss=0.1).designs[0].needed[0]
        assert needed.n_of_one_class is None

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({}, "baseline: There is neither a pilot nor shares"),
            ({**ASSUMED, "baseline": np.eye(3)}, "baseline: There are a pilot and shares"),
            ({**ASSUMED, "loss": 0.01}, "loss: expected a positive number beyond the 0.01 that the ROPE allows"),
            ({**ASSUMED, "loss": "big"}, "loss: .*, got 'big'"),
            ({**ASSUMED, "rope": (0, 0.01)}, "loss: .*, got nothing"),
            ({**ASSUMED, "loss": 0.98}, "loss: With this baseline no candidate can lose"),
        ],
    )
    def test_what_cannot_be_planned(self, given, told):
        with pytest.raises(InputError, match=told):
            plan(**{"rope": 0.01, **given})
