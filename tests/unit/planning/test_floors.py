"""`bayesf1 floor`: the floor that an unchanged system seldom falls below."""

from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy.special import ndtr

from pytest_bayesf1 import ConfusionMatrix, InputError, Scores
from pytest_bayesf1.comparison.compare import run_estimate
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.planning.floors import NO_GROUPS, Groups, RunScores, read_scores
from pytest_bayesf1.text import POINTS

FIXED, UNCERTAIN = 140, 40
"""Of 200 questions, 40 are answered rightly in 80% of the runs, 140 always, the others never."""
RUN_SD = sqrt(UNCERTAIN * 0.8 * 0.2) / 200
N_SIMULATED = 10_000


def runs_of(scores, **changes):
    found = RunScores(tuple(scores), "accuracy", "accuracy", POINTS, 200, 0.95)
    return replace(found, **changes)


def predictions(rng, lost=0.0):
    """Make one run up, in which every uncertain question is missed more often by as much as makes up for the loss."""
    right = np.concatenate([np.ones(FIXED), rng.random(UNCERTAIN) < 0.8 - 200 * lost / UNCERTAIN, np.zeros(20)])
    return ConfusionMatrix.from_predictions(["yes", "no"] * 100, np.where(right, ["yes", "no"] * 100, "no answer"))


def failures(n_old, n_new, lost, always=FIXED, uncertain=UNCERTAIN, share=0.8):
    """Return how often a gate on new runs fails whose floor is from others."""
    rng = np.random.default_rng(1)
    shape = (N_SIMULATED, n_old), (N_SIMULATED, n_new)
    old, new = (
        (always + rng.binomial(uncertain, p, size)) / 200
        for p, size in zip((share, share - 200 * lost / uncertain), shape, strict=True)
    )
    pairs = zip(old, new.mean(axis=1), strict=True)
    return float(np.mean([mean < runs_of(scores).floor(n_new).fails_below for scores, mean in pairs if np.ptp(scores)]))


@pytest.mark.slow
class TestSimulatedRuns:
    """Their case: 200 questions, and scores that vary by 1.26 points from run to run."""

    def test_the_case_is_theirs(self):
        assert round(100 * RUN_SD, 2) == 1.26

    @pytest.mark.parametrize(("n_old", "n_new"), [(5, 1), (8, 5)])
    @pytest.mark.parametrize("questions", [(FIXED, UNCERTAIN, 0.8), (60, 134, 0.95), (160, 25, 0.5)])
    def test_an_unchanged_system_fails_in_at_most_one_per_cent(self, n_old, n_new, questions):
        """Whether many questions are a little uncertain, so that scores are skewed, or few very much."""
        assert failures(n_old, n_new, 0.0, *questions) < 0.01 + 2 * sqrt(0.01 * 0.99 / N_SIMULATED)

    @pytest.mark.parametrize(("n_old", "least"), [(8, 0.70), (20, 0.90)])
    def test_five_runs_find_a_loss_of_three_points(self, n_old, least):
        assert failures(n_old, 5, 0.03) > least

    def test_normal_scores_of_many_examples_fail_in_one_per_cent(self):
        """Their counts are not skewed, and one example is next to nothing."""
        rng = np.random.default_rng(2)
        old, new = rng.normal(0.9, 0.01, (N_SIMULATED, 4)), rng.normal(0.9, 0.01 / sqrt(3), N_SIMULATED)
        pairs = zip(old, new, strict=True)
        failed = [mean < runs_of(scores, n_samples=1_000_000).floor(3).fails_below for scores, mean in pairs]
        assert np.mean(failed) == pytest.approx(0.01, abs=4 * sqrt(0.01 * 0.99 / N_SIMULATED))


N_HISTORIES = 4_000


def nights(n_nights, n_each):
    return Groups("night", tuple(f"2026-11-{1 + night:02}" for night in range(n_nights) for _ in range(n_each)))


def alarms(fault, n_new, groups=NO_GROUPS, n_nights=5, n_each=4, seed=3):
    """Return how often the next night fails: scores vary by 1 point within a night, and nights by a multiple of it."""
    rng = np.random.default_rng(seed)
    levels = 0.9 + fault * 0.01 * rng.standard_normal((N_HISTORIES, n_nights + 1, 1))
    old = levels[:, :-1] + 0.01 * rng.standard_normal((N_HISTORIES, n_nights, n_each))
    new = levels[:, -1, 0] + 0.01 / sqrt(n_new) * rng.standard_normal(N_HISTORIES)
    found = (RunScores.of_scores(each.ravel().tolist(), groups=groups).floor(n_new) for each in old)
    return float(np.mean([mean < each.fails_below for each, mean in zip(found, new, strict=True)]))


class TestNights:
    """Runs of a night share its fault; new runs are of another night."""

    @pytest.mark.slow
    @pytest.mark.parametrize("fault", [0, 1, 2])
    @pytest.mark.parametrize("n_new", [1, 4, 8])
    def test_the_next_night_fails_in_at_most_one_per_cent(self, fault, n_new):
        assert alarms(fault, n_new, nights(5, 4)) < 0.01 + 3 * sqrt(0.01 * 0.99 / N_HISTORIES)

    @pytest.mark.slow
    def test_as_many_runs_as_each_night_had_fail_in_one_per_cent(self):
        """The means of nights are then independent draws from one distribution, and Student's t is exact."""
        assert alarms(2, 4, nights(5, 4)) == pytest.approx(0.01, abs=3 * sqrt(0.01 * 0.99 / N_HISTORIES))

    @pytest.mark.slow
    def test_the_alarms_show_it_if_runs_are_taken_for_the_units(self):
        assert alarms(2, 4) > 0.08

    def test_the_floor_of_as_many_runs_as_a_night_had_is_that_of_the_means(self):
        scores = (0.90, 0.91, 0.88, 0.87, 0.93, 0.93, 0.89, 0.90)
        means = (0.905, 0.875, 0.93, 0.895)
        by_night = RunScores.of_scores(scores, groups=nights(4, 2))
        of_means = RunScores.of_scores(means, groups=nights(4, 1))
        assert by_night.floor(2).fails_below == pytest.approx(of_means.floor(1).fails_below, abs=1e-4)
        assert by_night.floor(1).fails_below < by_night.floor(2).fails_below
        assert by_night.floor(9).fails_below == pytest.approx(by_night.floor(2).fails_below, abs=1e-4)

    def test_fewer_new_runs_vary_as_much_more_as_runs_within_a_night(self):
        """By hand: the means have a standard deviation of 0.02, and runs within a night have a variance of 5e-5."""
        found = RunScores.of_scores((0.88, 0.89, 0.90, 0.91, 0.92, 0.93), groups=nights(3, 2)).floor(1)
        between, within = 0.02**2 * (1 + 1 / 3) * 6.96456**2, 5e-5 * (1 - 1 / 2) * 4.54070**2
        assert found.fails_below == pytest.approx(0.905 - sqrt(between + within), abs=1e-4)

    def test_nights_of_like_means_still_vary_as_runs_do(self):
        found = RunScores.of_scores((0.88, 0.92) * 4, groups=nights(4, 2)).floor(2)
        assert found.fails_below == pytest.approx(0.9 - 4.54070 * sqrt(8e-4 / 2 * (1 + 1 / 4)), abs=1e-4)

    def test_nights_count_alike_however_many_runs_they_had(self):
        groups = Groups("night", ("2026-11-03", *["2026-11-01"] * 4, "2026-11-02"))
        found = RunScores.of_scores((0.9, 0.88, 0.89, 0.88, 0.89, 0.87), groups=groups)
        assert found.mean == pytest.approx((0.9 + 0.885 + 0.87) / 3)
        assert "6 runs: the score is 0.885 on average" in found.headline
        assert found.headline.endswith("; floors by the means of 3 nights")
        text = " ".join(line.removeprefix("  # ") for line in found.gate(2, "new/*.csv"))
        assert "By the means of 3 nights, this gate fails when the mean of 2 runs of one night is below" in text

    def test_one_run_of_each_night_says_nothing_of_several_of_a_night(self):
        scores = (0.90, 0.91, 0.895, 0.915)
        found = RunScores.of_scores(scores, groups=nights(4, 1))
        assert found.floor(5).fails_below == pytest.approx(RunScores.of_scores(scores).floor(1).fails_below, abs=1e-4)
        assert "More than 1 of these help only if you pass more of each night." in found.supposed
        assert [row[0] for row in found.table(5)] == ["new runs", "1", "5"]
        with pytest.raises(InputError, match="Pass more nights: "):
            found.runs_to_find(0.02)

    def test_the_runs_of_two_nights_do_not_show_how_nights_vary(self):
        scores = (0.90, 0.91, 0.80, 0.81)
        found = RunScores.of_scores(scores, groups=nights(2, 2))
        assert found.floor(1) == RunScores.of_scores(scores).floor(1)
        (warning,) = found.warnings
        assert warning == (
            "All 4 runs are of 2 nights (2026-11-01 and 2026-11-02), so a fault that the runs of a night share is not "
            "in these figures. Pass runs of 8 nights."
        )
        comment = " ".join(line.removeprefix("  # ") for line in found.gate(1, "new.csv") if line.startswith("  # "))
        assert comment.startswith(f"{warning} 4 runs of the unchanged system scored")
        assert found.to_dict(1)["warnings"] == [warning]
        assert found.supposed == "These figures suppose independent runs."

    def test_the_runs_of_one_night_can_drift(self):
        found = RunScores.of_scores((0.90, 0.89, 0.885, 0.87, 0.86), groups=nights(1, 5))
        assert [warning.split(" ")[:2] for warning in found.warnings] == [["All", "5"], ["Later", "runs"]]

    @pytest.mark.slow
    @pytest.mark.parametrize("drift", [0.15, 0.25, 0.5, 1])
    @pytest.mark.parametrize(
        ("n_nights", "n_each"), [(3, 1), (5, 1), (8, 1), (12, 1), (20, 1), (5, 2), (12, 2), (20, 3)]
    )
    def test_a_drift_fails_in_two_per_cent_or_is_warned_of(self, n_nights, n_each, drift):
        """Each night loses as many standard deviations of a run; short histories of one run a night are warned of."""
        rng = np.random.default_rng(1013)
        levels = 0.9 - drift * 0.01 * np.arange(n_nights)
        old = levels[:, None] + 0.01 * rng.standard_normal((N_HISTORIES // 4, n_nights, n_each))
        found = [RunScores.of_scores(each.ravel().tolist(), groups=nights(n_nights, n_each)) for each in old]
        limits = np.array([each.floor(1).fails_below for each in found])
        chances = ndtr((limits - (levels[-1] - drift * 0.01)) / 0.01)
        if not all("2026-11-01" in "".join(each.warnings) for each in found):
            assert chances.mean() < 0.02

    def test_newer_nights_that_score_lower_are_where_the_next_one_begins(self):
        scores = (0.90, 0.93, 0.92, 0.93, 0.91, 0.89, 0.90, 0.895)
        found, last = (
            RunScores.of_scores(scores, groups=Groups(noun, nights(8, 1).of_runs)) for noun in ("night", "group")
        )
        assert "; floors by the means of 8 nights, the newest 3 of which average 0.895" in found.headline
        assert last.headline.endswith("; floors by the means of 8 groups")
        assert last.floor(1).fails_below - found.floor(1).fails_below == pytest.approx(
            np.mean(scores) - 0.895, abs=1e-4
        )
        assert found.detectable_loss(1) - last.detectable_loss(1) == pytest.approx(np.mean(scores) - 0.895)

    def test_few_nights_of_one_run_each_may_hide_a_drift(self):
        (warning,) = RunScores.of_scores((0.9, 0.91, 0.9, 0.91, 0.9), groups=nights(5, 1)).warnings
        assert warning == (
            "5 nights (2026-11-01 to 2026-11-05) with hardly more than one run each may hide a drift, which makes "
            "false alarms up to three times as frequent. Pass 2 runs or more of each night, or 8 nights."
        )
        assert not RunScores.of_scores((0.9, 0.91) * 5, groups=nights(5, 2)).warnings
        assert not RunScores.of_scores((0.9, 0.91) * 4, groups=nights(8, 1)).warnings

    @pytest.mark.parametrize(("n_nights", "expected"), [(7, "night. Pass 8 nights for a higher floor."), (8, "night.")])
    def test_few_nights_cost_more_than_eight(self, n_nights, expected):
        found = RunScores.of_scores((0.88, 0.92) * n_nights, groups=nights(n_nights, 2))
        assert found.supposed.endswith(f"More than 2 of these help only if you pass more of each {expected}")

    @pytest.mark.parametrize(
        ("scores", "expected"),
        [
            ((0.90, 0.89, 0.885, 0.87, 0.86), "Later runs score lower, but these figures suppose independent runs. F"),
            ((0.86, 0.87, 0.885, 0.89, 0.90), "Later runs score higher, but"),
            ((0.9, 0.91, 0.9, 0.9, 0.8, 0.81, 0.8, 0.8, 0.9, 0.91, 0.9, 0.9), "Neighbouring runs score alike, but"),
            ((0.90, 0.80, 0.91, 0.81, 0.90, 0.80), ""),
            ((0.84, 0.85, 0.86), ""),
        ],
    )
    def test_the_order_of_runs_shows_what_they_share(self, scores, expected):
        assert "".join(RunScores.of_scores(scores).warnings).startswith(expected)
        if expected:
            found = RunScores.of_scores(scores, groups=nights(len(scores), 1))
            shown = f" (2026-11-01 to 2026-11-{len(scores):02}), but"
            assert found.warnings[0].startswith(expected.partition(", but")[0].replace("runs", "nights") + shown)

    @pytest.mark.slow
    @pytest.mark.parametrize("n", [4, 8, 20])
    def test_independent_runs_seldom_show_anything(self, n):
        rng = np.random.default_rng(5)
        shown = ["".join(RunScores.of_scores(each).warnings) for each in rng.normal(0.9, 0.01, (4_000, n)).tolist()]
        for word in ("Later", "Neighbouring"):
            assert sum(word in each for each in shown) / 4_000 < 0.05 + 3 * sqrt(0.05 * 0.95 / 4_000)

    @pytest.mark.parametrize(
        ("files", "noun", "groups"),
        [
            (["2026-11-20.csv", "2026-11-21.csv"], "night", ["2026-11-20", "2026-11-21"]),
            (["20261120T0300.json", "20261120030000.json"], "night", ["2026-11-20"] * 2),
            (["a_2026_11_20.csv", "2026.11.20/b.csv"], "night", ["2026-11-20"] * 2),
            (["2026/11/20/a.csv", "2026/11/21/a.csv"], "night", ["2026-11-20", "2026-11-21"]),
            (["m-2024-08-06_2026-11-20.csv", "m-2024-08-06_2026-11-21.csv"], "night", ["2026-11-20", "2026-11-21"]),
            (["20261120/m-20240806.csv", "20261121/m-20240806.csv"], "night", ["2026-11-20", "2026-11-21"]),
            (["m-2024-08-06-1.csv", "m-2024-08-06-2.csv"], "night", ["2024-08-06"] * 2),
            (["mon/1.csv", "mon/2.csv", "tue/1.csv"], "folder", ["mon", "mon", "tue"]),
            (["2026-11-20/1.csv", "mon/2.csv", "mon/3.csv"], "folder", ["2026-11-20", "mon", "mon"]),
            (["a.json", "a.json", "b.json"], "file", ["a.json", "a.json", "b.json"]),
            (["run1/out.csv", "run2/out.csv"], "run", []),
            (["1.csv", "2.csv", "3.csv"], "run", []),
            (["a.json", "a.json", "a.json"], "run", []),
            (["120261120.csv", "2026-13-20.csv", "20261131x.csv"], "run", []),
        ],
    )
    def test_dates_folders_and_files_say_what_runs_may_share(self, files, noun, groups):
        assert Groups.of_files([(Path(file), "") for file in files]) == Groups(noun, tuple(groups))

    def test_runs_of_a_file_have_dates_too(self):
        runs = [(Path("all.csv"), f"2026-11-2{day}-1") for day in (1, 0)]
        assert Groups.of_files(runs).names == ["2026-11-20", "2026-11-21"]

    @pytest.mark.parametrize(
        ("head", "values", "expected"),
        [
            ("date", ("2026-11-20T03:00", "2026/11/21"), Groups("night", ("2026-11-20", "2026-11-21"))),
            ("Group", ("b", "a"), Groups("group", ("b", "a"))),
        ],
    )
    def test_a_column_says_which_scores_may_share_a_fault(self, head, values, expected):
        rows = "".join(f"0.8,{value}\n" for value in values)
        assert read_scores(f"score,{head}\n{rows}") == {"": ([0.8, 0.8], expected)}

    @pytest.mark.parametrize(
        ("head", "value", "expected"),
        [
            ("date", "20.11.2026", "Score 2 has no date such as 2026-11-20, but '20.11.2026'"),
            ("date", "", "Score 2 has no date such as 2026-11-20, but ''"),
            ("group", "", "Score 2 has no group, but ''. Write one for every score, or leave the column out"),
        ],
    )
    def test_a_score_without_its_group_is_refused(self, head, value, expected):
        with pytest.raises(InputError, match=f"scores: {expected}"):
            read_scores(f"score,{head}\n0.8,2026-11-20\n0.8,{value}\n")


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

    def test_rounding_never_raises_a_floor(self):
        runs = runs_of(self.SCORES)
        spread = runs.sd * sqrt(1 + 1 / 8)
        exact = runs.mean - 2.99795 * spread - 1 / 200 + 1.95996 * runs.sd
        assert exact - 1e-4 <= runs.floor(1).floor <= exact + 1e-6

    def test_more_new_runs_find_smaller_losses(self):
        runs = runs_of(self.SCORES)
        losses = [runs.detectable_loss(n_new) for n_new in (1, 2, 5, 20)]
        assert losses == sorted(losses, reverse=True)
        n_new = runs.runs_to_find(0.03)
        assert runs.detectable_loss(n_new) <= 0.03 < runs.detectable_loss(n_new - 1)

    def test_the_gate_to_paste_is_read(self, tmp_path):
        runs = runs_of(self.SCORES, hdi_prob=0.9)
        text = "\n".join(["gates:", *runs.gate(5, "new/*.json", {"columns": '{"value": "acc"}'})])
        (tmp_path / "bayesf1.yaml").write_text(text)
        (gate,) = load_gates(tmp_path / "bayesf1.yaml", tmp_path)
        assert (gate.demand.arguments["floor"], gate.demand.arguments["run_sd"]) == (runs.floor(5).floor, runs.sd)
        assert gate.demand.arguments["hdi_prob"] == 0.9
        assert yaml.safe_load(text)["gates"]["no-drop"]["columns"] == {"value": "acc"}
        assert text.splitlines()[1].startswith("  # 8 runs of the unchanged system scored 0.895 to 0.920, 0.907 on")

    @pytest.mark.parametrize(
        ("scores", "changes", "expected"),
        [
            ((0.9, 0.8), {}, "expected at least 3 runs"),
            ((0.9, 0.9, 0.9), {}, "All 3 have the same score, 0.9"),
            (SCORES, {"false_alarms": 0.7}, "expected a probability between 0 and 0.5"),
        ],
    )
    def test_runs_that_no_floor_is_from(self, scores, changes, expected):
        with pytest.raises(InputError, match=expected):
            runs_of(scores, **changes)

    @pytest.mark.parametrize(
        ("loss", "expected"), [(0.001, r"cannot show a loss of less than 1\.\d+ points"), (0.0, "above 0")]
    )
    def test_losses_that_cannot_be_found(self, loss, expected):
        with pytest.raises(InputError, match=expected):
            runs_of(self.SCORES).runs_to_find(loss)

    def test_bare_scores_need_no_examples(self, tmp_path):
        """The floor of runs of very many examples, whose scores are not skewed; its gate judges files of one row."""
        runs = RunScores.of_scores(self.SCORES)
        assert runs.floor(3).floor == runs_of(self.SCORES, n_samples=10**9).floor(3).floor
        sides = {f"{score}": Scores.from_values([score]) for score in dict.fromkeys(self.SCORES)}
        assert RunScores.of(sides, measure="mean").floor(2) == RunScores.of_scores(map(float, sides)).floor(2)
        (tmp_path / "bayesf1.yaml").write_text("\n".join(["gates:", *runs.gate(3, "new/*.csv", name="a: b")]))
        (tmp_path / "new").mkdir()
        limit = runs.floor(3).fails_below
        for mean, verdict in ((limit - 0.001, "failed"), (limit + 0.001, "passed")):
            for number in range(3):
                (tmp_path / "new" / f"{number}.csv").write_text(f"value\n{mean + 0.01 * (number - 1)}\n")
            (gate,) = load_gates(tmp_path / "bayesf1.yaml", tmp_path)
            assert (gate.name, evaluate(gate).verdict) == ("a: b", verdict)

    @pytest.mark.parametrize("scores", [(0.1, 0.6, 0.9), (0.05, 0.01, 0.03)])
    def test_no_floor_lies_below_every_score(self, scores):
        """Three accuracies that vary by 40 points once got the floor -0.15."""
        runs = RunScores.of_scores(scores)
        with pytest.raises(InputError, match="it would lie below 0, the lowest score"):
            runs.floor(1)
        assert all(float(cell) > 0 for row in runs.table(1)[1:] for cell in row[1:3])
        assert RunScores.of_scores([score - 1 for score in scores]).floor(1).floor < -1

    def test_no_floor_of_right_and_wrong_answers_lies_below_zero(self):
        sides = {f"{n}": Scores.from_values([1] * n + [0] * (10 - n)) for n in (1, 6, 9)}
        with pytest.raises(InputError, match="it would lie below 0, the lowest score"):
            RunScores.of(sides, measure="mean").floor(1)
        of_losses = {name: Scores.from_values(side.scores[:, 0] - 1) for name, side in sides.items()}
        assert RunScores.of(of_losses, measure="mean").floor(1).floor < -1

    @pytest.mark.parametrize("text", ["0.8,0.9 , 1", "0.8\n0.9\n1.0\n", "[0.8, 0.9, 1]", "score\n0.8\n\n.9\n1\n"])
    def test_scores_are_read(self, text):
        assert read_scores(text) == {"": ([0.8, 0.9, 1.0], NO_GROUPS)}

    @pytest.mark.parametrize("text", ["0.8,x", "nan 0.8", "0,845 0,86", "model,score\na,\n", "0.8 inf"])
    def test_what_is_no_score_is_refused(self, text):
        with pytest.raises(InputError, match="scores: "):
            read_scores(text)

    def test_scores_are_those_of_the_same_examples(self):
        rng = np.random.default_rng(0)
        sides = {f"run {number}": predictions(rng) for number in range(4)}
        runs = RunScores.of(sides, measure="accuracy")
        assert runs.scores == tuple(float(np.trace(side.counts)) / 200 for side in sides.values())
        for name, counts in (
            ("another", [[60, 40, 0], [0, 0, 0], [10, 90, 1]]),
            ("run 5", [[99, 0, 1], [0] * 3, [0, 9, 92]]),
        ):
            other = ConfusionMatrix(counts, labels=["no", "no answer", "yes"])
            with pytest.raises(InputError, match=f"{name}: Not about the examples of run 0, as every run is: "):
                RunScores.of({**sides, name: other}, measure="accuracy")
