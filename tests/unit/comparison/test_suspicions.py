"""A baseline must know something: how often it is refused, of baselines that were misread and of real ones."""

from math import sqrt

import numpy as np
import pytest
from scipy.special import ndtri

from pytest_bayesf1 import ConfusionMatrix, InputError, Scores, WeakBaselineWarning, compare
from pytest_bayesf1.comparison.compare import ComparisonTask

N_SETS = 200


def task(side, measure="accuracy", **asked):
    return ComparisonTask.of(side, side, rope=0.01, measure=measure, **asked)


def refused(made, n_sets=N_SETS):
    """Return the share of test sets whose baseline is refused."""
    found = 0
    for seed in range(n_sets):
        true, said, n_classes = made(np.random.default_rng(seed))
        try:
            task(ConfusionMatrix.from_predictions(true, said, labels=range(n_classes)))
        except InputError as error:
            assert "weak_baseline" in error.advice  # noqa: PT017
            found += 1
    return found / n_sets


def model(rng, n, n_classes, kappa):
    true, guessed = rng.integers(0, n_classes, (2, n))
    return true, np.where(rng.random(n) < kappa, true, guessed), n_classes


def shuffled(rng):
    true, said, n_classes = model(rng, 60, 3, 0.85)
    return true, rng.permutation(said), n_classes


def rare(rng):
    """Draw 5% of 400, of which a fifth is found: the usual variance of kappa would refuse two in three."""
    true = np.arange(400) < 20
    return true.astype(int), (rng.random(400) < np.where(true, 0.2, 0.005)).astype(int), 2


@pytest.mark.parametrize(
    ("made", "low", "high"), [(shuffled, 0.92, 0.99), (lambda rng: model(rng, 100, 3, 0.4), 0, 0.02), (rare, 0, 0.09)]
)
def test_how_often_classes_are_refused(made, low, high):
    assert low <= refused(made) <= high


def weakly_scored(rng, n, area):
    true = rng.random(n) < 0.5
    return true.astype(int), rng.normal(0, 1, n) + sqrt(2) * ndtri(area) * true


@pytest.mark.parametrize("measure", ["roc_auc", "average_precision", "neg_brier_score"])
def test_scores_that_are_all_equal_rank_nothing(measure):
    with pytest.raises(InputError, match=r"rank no better than chance \(AUC 0\.500\)"):
        task(Scores.from_predictions(np.arange(100) % 2, np.zeros(100)), measure)


@pytest.mark.parametrize(
    ("n", "area", "low", "high"), [(200, 0.6, 0, 0.08), (200, 0.5, 0.65, 0.9), (600, 0.5, 0.94, 1)]
)
def test_how_often_scores_are_refused(n, area, low, high):
    found = 0
    for seed in range(N_SETS):
        side = Scores.from_predictions(*weakly_scored(np.random.default_rng(seed), n, area))
        try:
            task(side, "roc_auc")
        except InputError:
            found += 1
    assert low <= found / N_SETS <= high


def shifted(rng, low, high, by=1.0):
    return [np.clip(rng.normal(mean, 1, 100).round(), low, high) for mean in (0, by)]


PAIRS = {
    "almost all against almost none": lambda rng: rng.random((2, 100)) < [[0.02], [0.95]],
    "grades of 1 to 5": lambda rng: 3 + np.array(shifted(rng, -2, 2, by=-1.5)),
    "half as long": lambda rng: rng.lognormal(0, 1, (2, 100)) * [[1], [0.5]],
    "heavy tails": lambda rng: rng.pareto(1, (2, 100)),
    "nothing right": lambda rng: [np.zeros(100), rng.random(100) < 0.3],
}


@pytest.mark.parametrize("pair", PAIRS)
def test_values_of_one_scale_are_not_refused(pair):
    for seed in range(N_SETS):
        sides = [Scores.from_values(np.asarray(each, float)) for each in PAIRS[pair](np.random.default_rng(seed))]
        ComparisonTask.of(*sides, rope=0.01, measure="mean")


def test_one_answer_to_all_is_no_knowledge_whatever_the_rounding():
    for n in range(60, 160):
        true = np.random.default_rng(n).integers(0, 5, n)
        with pytest.raises(InputError, match="weak_baseline"):
            task(ConfusionMatrix.from_predictions(true, np.zeros(n, int), labels=range(5)))


@pytest.mark.parametrize("factor", [0.01, 100, -1])
def test_values_of_another_scale_than_the_other_side_s_are_refused(factor):
    values = np.random.default_rng(0).integers(1, 6, 100).astype(float)
    with pytest.raises(InputError, match="of another scale or sign"):
        ComparisonTask.of(*map(Scores.from_values, (factor * values, values)), rope=0.01, measure="mean")


RNG = np.random.default_rng(3)
MARKED = RNG.random((200, 5)) < 0.4
TRUE = RNG.integers(0, 2, 200)


def answers_without(share, label):
    """Answer rightly but for a share of a class, of which no answer is one."""
    true = np.arange(300) % 3
    return true, np.where((true == label) & (np.arange(300) % 100 < 100 * share), None, true)


def test_a_class_that_goes_by_no_name_is_misread():
    true, said = answers_without(0.9, 2)
    with pytest.raises(InputError, match=r"^baseline: .* if no class meant 2 \(300 examples\)\."):
        task(ConfusionMatrix.from_predictions(true, said, invalid="wrong"))


def test_a_class_that_is_never_found_is_told():
    true = np.arange(300) % 3
    said = np.where(true == 2, np.arange(300) // 3 % 2, true)
    (gap,) = task(ConfusionMatrix.from_predictions(true, said)).answer().suspicions.gaps
    assert gap.endswith("no better than by chance: 2")
    declared = task(ConfusionMatrix.from_predictions(true, said), weak_baseline=True)
    assert declared.answer().suspicions.gaps == ()


@pytest.mark.parametrize(("n_rare", "told"), [(40, 0), (60, 1)])
def test_a_class_that_scores_do_not_rank_is_told_unless_it_has_few_examples(n_rare, told):
    true = np.repeat([0, 1, 2], [200, 200, n_rare])
    random = np.random.default_rng(5).random(true.size)
    side = Scores.from_predictions(true, np.stack([0.2 + 0.4 * (true == 0), 0.2 + 0.4 * (true == 1), random], axis=1))
    gaps = task(side, "roc_auc_ovr", n_draws=1_000).answer().suspicions.gaps
    assert [gap.endswith("no better than by chance: 2") for gap in gaps] == [True] * told


@pytest.mark.parametrize(("n_lost", "told"), [(0, True), (11, True), (12, False)])
def test_values_that_only_the_baseline_lacks(n_lost, told):
    """A tenth of its values, beyond the candidate's share."""
    grades = RNG.random((2, 200))
    grades[0, :32], grades[1, :n_lost] = np.nan, np.nan
    old, new = (Scores.from_values(each, invalid="wrong") for each in grades)
    found = ComparisonTask.of(old, new, rope=0.01, measure="mean", n_draws=1_000).answer().suspicions.gaps
    assert found == (("16% of its values are missing, and count as 0",) if told else ())


CLASSES = RNG.integers(0, 3, 300)
SAID = (CLASSES + (RNG.random((2, 300)) < 0.2)) % 3
PADDED = np.where(RNG.random(300) < 0.5, -100, CLASSES)


def compared(true, said=SAID, **asked):
    return compare(true, *said, rope=0.1, measure="accuracy", n_draws=1_000, **asked)


@pytest.mark.parametrize("said", [SAID, np.where(PADDED == -100, -100, SAID)])
def test_what_marks_no_class_in_the_truth(said):
    with pytest.raises(InputError, match=r"^y_true: -100 .*labels"):
        compared(PADDED, said)
    assert compared(PADDED, said, labels=[-100, 0, 1, 2], weak_baseline=True).n_samples == (300, 300)


@pytest.mark.parametrize(
    ("true", "said"),
    [
        (CLASSES - 1, np.stack([SAID[0] - 1, np.where(SAID[1] == 0, 1, SAID[1] - 1)])),
        (2 * TRUE - 1, np.ones((2, 200), int)),
    ],
)
def test_negative_numbers_are_classes_where_somebody_answers_them(true, said):
    assert compared(true, said, weak_baseline=True).n_samples == (len(true),) * 2


RUNS = {"classes": np.tile(CLASSES[:60], 5), "scores": np.tile(TRUE[:50], 4), "labels": np.tile(MARKED[:40], (5, 1))}


@pytest.mark.parametrize(("kind", "measure"), [("classes", "accuracy"), ("scores", "roc_auc"), ("labels", "f1_micro")])
def test_runs_that_stand_one_after_the_other(kind, measure):
    true = RUNS[kind]
    with pytest.raises(InputError, match=r"^y_true: .* (60|50|40) examples, [54] times"):
        compare(true, true, true, kind=kind, rope=0.1, measure=measure)
    found = compare(true, true, true, kind=kind, rope=0.1, measure=measure, ids=range(len(true)), n_draws=1_000)
    assert found.n_samples[0] == len(true)


@pytest.mark.parametrize("true", [np.arange(300) % 2, np.arange(300) % 50, np.tile([*CLASSES[:20]], 15)])
def test_classes_that_take_turns_are_no_runs(true):
    assert compared(true, np.stack([true] * 2)).n_samples == (300, 300)


def test_both_matrices_are_transposed():
    old, new = np.array([[90, 20, 10], [5, 70, 5], [5, 10, 85]]), np.array([[70, 20, 30], [15, 60, 10], [15, 20, 60]])
    with pytest.raises(InputError, match=r"^counts: .*model: independent"):
        compare(old, new, rope=0.01)
    asked = {"rope": 0.01, "n_draws": 1_000}
    assert compare(old.T, new.T, **asked).model == "same-set"
    assert compare(old, new, model="independent", **asked).model == "independent"


def test_a_baseline_that_cannot_be_read_is_refused_however_small():
    asked = {"rope": 0.1, "measure": "accuracy", "invalid": "wrong", "weak_baseline": True}
    with pytest.raises(InputError, match=r"^baseline: None .*columns"):
        compare(["a", "b"] * 20, ["x"] * 40, ["a"] * 40, **asked)
    assert compare(["a", "b"] * 20, ["a", "b"] * 20, ["x"] * 40, **asked).decision == "≪"


def test_answers_that_are_listed_and_never_true_may_be_lost():
    true = np.array(["a", "b"] * 60)
    lost, worse = np.where(np.arange(120) % 5, true, "nan"), np.where(np.arange(120) % 5, true, "a")
    asked = {"rope": 0.1, "labels": ["a", "b", "nan"], "n_draws": 1_000}
    with pytest.warns(WeakBaselineWarning, match="20% of its answers are no class of the truth"):
        compare(true, lost, worse, **asked)
    assert not compare(true, worse, lost, **asked).suspicions.gaps
    assert not compare(true, lost, lost, **asked).suspicions.gaps
    third, fifth = (np.where(np.arange(60) % each, "a", "b") for each in (3, 5))
    assert not compare(["a"] * 60, third, fifth, **asked).suspicions.gaps  # a slice by the truth
