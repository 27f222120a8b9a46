"""`bayesf1 floor`: the floor that an unchanged system seldom falls below."""

from dataclasses import replace
from math import inf, sqrt

import numpy as np
import pytest
import yaml
from scipy.stats import norm, t

from pytest_bayesf1 import ConfusionMatrix, InputError, Scores
from pytest_bayesf1.comparison.compare import run_estimate
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.planning.floors import RunScores, read_scores
from pytest_bayesf1.text import POINTS


def runs_of(scores, **changes):
    found = RunScores(tuple(scores), "accuracy", "accuracy", POINTS, 200, 0.95)
    return replace(found, **changes)


def predictions(rng):
    """Answer 200 questions, of which 40 are answered rightly in 80% of the runs, 140 always, the others never."""
    right = np.concatenate([np.ones(140), rng.random(40) < 0.8, np.zeros(20)])
    return ConfusionMatrix.from_predictions(["yes", "no"] * 100, np.where(right, ["yes", "no"] * 100, "no answer"))


class TestFloor:
    SCORES = (0.90, 0.91, 0.895, 0.915, 0.905, 0.92, 0.90, 0.91)

    @pytest.mark.parametrize("n_new", [1, 3])
    def test_the_gate_fails_where_it_says(self, n_new):
        """The verdict of a floor with ``run_sd`` is that of the mean score."""
        runs = runs_of(self.SCORES)
        proposed = runs.floor(n_new)
        for mean in (proposed.fails_below - 0.001, proposed.fails_below + 0.001):
            values = np.full(200, mean)
            side = Scores.from_values(np.tile(values, n_new), ids=[*range(200)] * n_new, runs="samples")
            estimate = run_estimate(side, proposed.floor, runs.sd, measure="mean")
            assert estimate.below_floor is (mean < proposed.fails_below)

    @pytest.mark.parametrize(("n_new", "false_alarms", "hdi_prob"), [(1, 0.01, 0.95), (5, 0.1, 0.8)])
    def test_a_floor_is_never_rounded_up_and_finds_a_loss(self, n_new, false_alarms, hdi_prob):
        runs, of_seven = runs_of(self.SCORES, false_alarms=false_alarms, hdi_prob=hdi_prob), t(7)
        spread, one_example = runs.sd * sqrt(1 / n_new + 1 / 8), 1 / (200 * sqrt(n_new))
        lowest = of_seven.ppf(1 - false_alarms) * spread + one_example
        reach = norm.ppf((1 + hdi_prob) / 2) * runs.sd / sqrt(n_new)
        exact, found = runs.mean - lowest + reach, runs.floor(n_new)
        assert exact - 1e-4 <= found.floor <= exact + 1e-6
        assert found.fails_below == pytest.approx(found.floor - reach)
        assert found.detectable_loss == pytest.approx(lowest + of_seven.ppf(0.8) * spread, rel=1e-3)

    @pytest.mark.parametrize("hdi_prob", [0.9, 0.99])
    def test_the_gate_to_paste_is_read(self, tmp_path, hdi_prob):
        runs = runs_of(self.SCORES, hdi_prob=hdi_prob)
        text = "\n".join(["gates:", *runs.gate(5, "new/*.json", {"columns": '{"value": "acc"}'})])
        (tmp_path / "bayesf1.yaml").write_text(text)
        (gate,) = load_gates(tmp_path / "bayesf1.yaml", tmp_path)
        assert (gate.demand.arguments["floor"], gate.demand.arguments["run_sd"]) == (runs.floor(5).floor, runs.sd)
        assert gate.demand.arguments["hdi_prob"] == hdi_prob
        assert yaml.safe_load(text)["gates"]["no-drop"]["columns"] == {"value": "acc"}

    @pytest.mark.parametrize(
        ("scores", "changes", "expected"),
        [
            ((0.9, 0.8), {}, "expected at least 3 runs"),
            ((0.9, 0.9, 0.9), {}, "All 3 have the same score, 0.9"),
            (SCORES, {"false_alarms": 0.7}, "expected a probability between 0 and 0.5"),
            (SCORES, {"false_alarms": 0.0}, "expected a probability between 0 and 0.5"),
        ],
    )
    def test_runs_that_no_floor_is_from(self, scores, changes, expected):
        with pytest.raises(InputError, match=expected):
            runs_of(scores, **changes)

    def test_bare_scores_need_no_examples(self, tmp_path):
        """The floor of runs of very many examples, whose scores are not skewed; its gate judges files of one row."""
        runs = RunScores.of_scores(self.SCORES)
        assert runs.floor(3).floor == runs_of(self.SCORES, n_samples=10**9).floor(3).floor
        (tmp_path / "bayesf1.yaml").write_text("\n".join(["gates:", *runs.gate(3, "new/*.csv")]))
        (tmp_path / "new").mkdir()
        limit = runs.floor(3).fails_below
        for mean, verdict in ((limit - 0.001, "failed"), (limit + 0.001, "passed")):
            for number in range(3):
                (tmp_path / "new" / f"{number}.csv").write_text(f"value\n{mean + 0.01 * (number - 1)}\n")
            (gate,) = load_gates(tmp_path / "bayesf1.yaml", tmp_path)
            assert evaluate(gate).outcome == verdict

    @pytest.mark.parametrize(("factor", "lowest"), [(1, 0), (5, -inf), (-1, -inf)])
    def test_means_of_shares_are_none_below_0(self, factor, lowest):
        sides = {f"{n}": Scores.from_values([factor * n / 10, factor * 0.4]) for n in (2, 3, 7)}
        assert RunScores.of(sides, measure="mean").lowest == lowest
        shares = {f"{n}": Scores.from_predictions([0, 1, 1], [n / 10, 0.4, 0.9]) for n in (2, 3, 7)}
        assert RunScores.of(shares, measure="neg_brier_score").lowest == -2

    @pytest.mark.parametrize("scores", [(0.1, 0.6, 0.9), (0.435, 0.5, 0.565)])
    def test_no_floor_lies_below_every_score(self, scores):
        """Three accuracies that vary by 40 points once got the floor -0.15; others one of 0.1, that no score fails."""
        runs = RunScores.of_scores(scores)
        with pytest.raises(InputError, match="it would lie below 0, the lowest score"):
            runs.floor(1)
        assert RunScores.of_scores([score - 1 for score in scores]).floor(1).fails_below < -1

    @pytest.mark.parametrize("text", ["0.8,0.9 , 1", "0.8\n0.9\n1.0\n", "[0.8, 0.9, 1]", "score\n0.8\n\n.9\n1\n"])
    def test_scores_are_read(self, text):
        assert read_scores(text) == [0.8, 0.9, 1.0]

    @pytest.mark.parametrize(
        "text", ["0.8,x", "nan 0.8", "0,845 0,86", "date,score\n2026-11-20,0.8\n", "0.8 inf", "1,2"]
    )
    def test_what_is_no_score_is_refused(self, text):
        with pytest.raises(InputError, match="scores: "):
            read_scores(text)

    def test_scores_are_those_of_the_same_examples(self):
        rng = np.random.default_rng(0)
        sides = {f"run {number}": predictions(rng) for number in range(4)}
        runs = RunScores.of(sides, 0.05, measure="accuracy", hdi_prob=0.8)
        assert (runs.false_alarms, runs.hdi_prob, runs.n_samples, runs.lowest) == (0.05, 0.8, 200, 0)
        assert runs.scores == tuple(float(np.trace(side.counts)) / 200 for side in sides.values())
        for name, counts in (
            ("another", [[60, 40, 0], [0, 0, 0], [10, 90, 1]]),
            ("run 5", [[99, 0, 1], [0] * 3, [0, 9, 92]]),
        ):
            other = ConfusionMatrix(counts, labels=["no", "no answer", "yes"])
            with pytest.raises(InputError, match=f"{name}: Not about the examples of run 0, as every run is: "):
                RunScores.of({**sides, name: other}, measure="accuracy")
