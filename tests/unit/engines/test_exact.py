import numpy as np
import pytest
from scipy.stats import beta, t, ttest_ind

from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import ClusterContents, CommonShares, Experiment, OutcomeTable
from pytest_bayesf1.engines import protocol as blocks
from pytest_bayesf1.engines.exact import PseudoObservationSource, Scorer, SystemDraws, SystemsSampler, TrainingSpread
from pytest_bayesf1.measures.classification import Joint, Several, parse_measure
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.priors import PseudoObservations
from tests.unit.ranked import predictions

N_DRAWS = 4_000


def drawn(table, prior=None):
    return PseudoObservationSource(table, prior or PseudoObservations.of(table)).draw(N_DRAWS, np.random.default_rng(0))


def of_classes(n_classes, *predicted, true=None):
    true = np.arange(30) % n_classes if true is None else true
    return OutcomeTable.tally(n_classes, true, *[(true + shift) % n_classes for shift in predicted])


class TestPseudoObservations:
    @pytest.mark.parametrize(("n_classes", "mass"), [(2, 2.0), (4, 1.0)])
    def test_every_class_has_a_gamma_variable_of_the_prior_s_mass(self, n_classes, mass):
        found = drawn(of_classes(n_classes, 0, 0, 1))
        held = found.summed(found.row, (N_DRAWS, n_classes))
        assert held.mean() == pytest.approx(mass, rel=0.05)
        assert held.var() == pytest.approx(mass, rel=0.1)

    def test_two_systems_agree_about_an_imagined_example_as_they_do_about_real_ones(self):
        table = of_classes(3, 0, 1, 1)  # the first is always right, the others never, and they are wrong together
        found = drawn(table)
        together = (found.wrong[1] == found.wrong[2]).mean()
        assert together == pytest.approx((30 + 2 / 2) / 32, abs=0.01)
        assert found.wrong[0].mean() == pytest.approx(1 / 32, abs=0.003)
        assert found.wrong[1].mean() == pytest.approx(31 / 32, abs=0.01)

    def test_of_two_classes_each_system_is_wrong_half_of_the_time(self):
        found = drawn(of_classes(2, 0, 0, 0))
        for one in range(3):
            assert found.wrong[one].mean() == pytest.approx(0.5, abs=0.01)
            assert (found.wrong[one] == found.wrong[one - 1]).mean() == pytest.approx(0.5, abs=0.01)

    def test_what_is_predicted_wrongly_is_any_other_class(self):
        found = drawn(of_classes(4, 1, 1, 1))
        shift = (found.predicted - found.row) % 4
        assert (shift > 0).all()
        np.testing.assert_allclose(np.bincount(shift.ravel())[1:] / shift.size, 1 / 3, atol=0.01)

    def test_of_spans_nothing_is_imagined_that_nobody_predicts_and_that_is_not_there(self):
        true, predicted = np.array([0, 1, 1, 1]), np.array([[1, 1, 0, 1], [0, 1, 1, 1], [0, 0, 1, 1]])
        table = OutcomeTable.tally(2, true, *predicted, multilabel=True, spans=True)
        found = drawn(table)
        invented = found.row % 2 == 0
        assert found.wrong[:, invented].any(axis=0).all()
        for side in range(3):  # 1/2 for what each finds, misses and invents, twice as much as there is for every pair
            for kind, wrong in ((0, True), (1, True), (1, False)):
                chosen = (found.row % 2 == kind) & (found.wrong[side] == wrong)
                assert found.weight[chosen].sum() / N_DRAWS == pytest.approx(1.0, rel=0.06)

    def test_a_class_that_is_never_true_has_none(self):
        table = OutcomeTable(
            3, np.array([0, 1]), np.array([[0, 2], [0, 1], [1, 1]]), np.array([5, 5]), unsupported=(2,)
        )
        found = drawn(table)
        assert set((found.row % 3).tolist()) == {0, 1}
        assert 2 in found.predicted

    def test_a_label_that_every_example_has_leaves_nothing_to_learn_of_its_absence(self):
        true = np.ones(20, dtype=np.int64)
        table = OutcomeTable.tally(2, true, true, true, 1 - true, multilabel=True)
        found = drawn(table)
        absent = found.row % 2 == 0
        assert found.wrong[2, absent].mean() == pytest.approx(0.5, abs=0.01)
        assert found.wrong[2, ~absent].mean() == pytest.approx(21 / 22, abs=0.01)


N_JOINTS, M = 4_000, 3
TRUE, PREDICTED = predictions(90, (0.5, 0.7, 0.9), M)
TABLE = OutcomeTable.tally(M, TRUE, *PREDICTED)
PRIOR = PseudoObservations.of(TABLE)


def joints(detail, table=TABLE, prior=PRIOR, class_mass=None):
    return list(SystemDraws(table, prior, detail).draw(N_JOINTS, np.random.default_rng(0), class_mass))


class TestSystemDraws:
    def test_whole_matrices_add_up_to_what_is_drawn_in_less_detail(self):
        for cells, margins, right in zip(
            joints(Detail.MATRIX), joints(Detail.MARGINS), joints(Detail.CORRECT), strict=True
        ):
            np.testing.assert_allclose(cells.matrix.sum(axis=(1, 2)), 1)
            np.testing.assert_allclose(cells.matrix.sum(axis=1), margins.predicted, atol=1e-12)
            np.testing.assert_allclose(cells.matrix.sum(axis=2), margins.true, atol=1e-12)
            np.testing.assert_allclose(np.einsum("nii->ni", cells.matrix), right.correct, atol=1e-12)
            np.testing.assert_allclose(margins.correct, right.correct, atol=1e-12)

    def test_cells_have_the_mean_of_their_examples_and_of_one_imagined_example_per_class(self):
        for joint, own in zip(joints(Detail.MATRIX), PREDICTED, strict=True):
            counts = np.zeros((M, M))
            np.add.at(counts, (TRUE, own), 1)
            chance_wrong = ((own != TRUE).sum() + 1) / (TRUE.size + 2)  # two more examples are right half of the time
            pseudo = np.where(np.eye(M), 1 - chance_wrong, chance_wrong / (M - 1))
            expected = (counts + pseudo) / (TRUE.size + M)
            error = joint.matrix.std(axis=0) / N_JOINTS**0.5
            assert (np.abs(joint.matrix.mean(axis=0) - expected) < 5 * error).all()

    def test_class_proportions_can_be_given(self):
        mass = np.random.default_rng(1).gamma(5, size=(N_JOINTS, M))
        for joint in joints(Detail.MATRIX, class_mass=mass):
            np.testing.assert_allclose(joint.true, mass / mass.sum(axis=1, keepdims=True))
            np.testing.assert_allclose(joint.matrix.sum(axis=2), joint.true)

    def test_units_of_one_example_are_examples(self):
        clusters = ClusterContents.of_one_example(np.ones(TRUE.size))
        alone = OutcomeTable.tally(M, TRUE, *PREDICTED, clusters=clusters)
        for one, other in zip(joints(Detail.MARGINS), joints(Detail.MARGINS, alone), strict=True):
            np.testing.assert_array_equal(one.predicted, other.predicted)

    @pytest.mark.parametrize("size", [2, 10])
    def test_units_widen_what_their_examples_share(self, size):
        clusters = ClusterContents.of_rows(np.repeat(np.arange(TRUE.size // size), size))
        order = np.lexsort([*PREDICTED, TRUE])  # examples alike share a cluster
        table = OutcomeTable.tally(M, TRUE[order], *PREDICTED[:, order], clusters=clusters)
        wide, plain = (
            np.mean([joint.correct.sum(axis=1).std() for joint in joints(Detail.CORRECT, each)])
            for each in (table, TABLE)
        )
        assert wide > 0.7 * size**0.5 * plain


N_SCORES = 20_000


@pytest.mark.parametrize("clustered", [False, True])
def test_at_stated_shares_a_class_has_them_whichever_clusters_it_is_in(clustered):
    """Accuracy is then the sum of the classes' recalls, each at the class's share; weights of clusters are gammas."""
    true, predicted = predictions(600, (0.6, 0.8), 2, seed=1)
    of_cluster = np.repeat(np.arange(200), 3) if clustered else np.arange(600)
    table = OutcomeTable.tally(2, true, *predicted, clusters=ClusterContents.of_rows(of_cluster) if clustered else None)
    scoring = Several((parse_measure("accuracy", (0, 1)),))
    experiment = Experiment(Model.PAIRED, (table,), population=CommonShares(shares=((1, 0.2),)))
    found = SystemsSampler(experiment, PseudoObservations.of(table), scoring, (0, 0)).draw(N_SCORES)[:, :, 0]
    weights = np.random.default_rng(1).standard_gamma(1, (N_SCORES, of_cluster[-1] + 1))
    for own, scores in zip(predicted, found, strict=True):
        expected = np.zeros(N_SCORES)
        for code, share in enumerate((0.8, 0.2)):
            held, right = (np.bincount(of_cluster, rows) for rows in (true == code, (true == code) & (own == code)))
            expected += share * (weights @ right) / (weights @ held)
        assert scores.mean() == pytest.approx(expected.mean(), abs=0.003)  # two examples are imagined beside 600
        assert scores.std() == pytest.approx(expected.std(), rel=0.04)


def systems_drawn(measure, n_classes=2, n_examples=60, n_draws=N_SCORES, seed=0):
    true, predicted = predictions(n_examples, (0.6, 0.7, 0.8, 0.9), n_classes)
    table = OutcomeTable.tally(n_classes, true, *predicted)
    scoring = Several((parse_measure(measure, tuple(range(n_classes))),))
    sampler = SystemsSampler(Experiment(Model.PAIRED, (table,)), PseudoObservations.of(table), scoring, (seed, 0))
    return true, predicted, sampler.draw(n_draws)[:, :, 0]


def test_a_systems_recall_of_two_classes_has_a_beta_posterior():
    """2 x 2 outcomes of a pair, each with a pseudo-count of 1/2: 1 for being right, 1 for being wrong."""
    true, predicted, scores = systems_drawn("recall[1]")
    for own, found in zip(predicted, scores, strict=True):
        right, wrong = ((own[true == 1] == 1) == value for value in (True, False))
        expected = beta(1 + right.sum(), 1 + wrong.sum())
        assert found.mean() == pytest.approx(expected.mean(), abs=5 * expected.std() / N_SCORES**0.5)
        assert found.std() == pytest.approx(expected.std(), rel=0.03)


def test_two_systems_recall_of_two_classes_has_a_dirichlet_posterior():
    true, predicted, scores = systems_drawn("recall[1]")
    right = predicted[:, true == 1] == 1
    counts = 0.5 + np.array([(right[0] & ~right[3]).sum(), (~right[0] & right[3]).sum()])
    total = 2 + (true == 1).sum()
    shares = counts / total
    mean = shares[0] - shares[1]
    variance = (shares.sum() - mean**2) / (total + 1)
    delta = scores[0] - scores[3]
    assert delta.mean() == pytest.approx(mean, abs=5 * (variance / N_SCORES) ** 0.5)
    assert delta.var() == pytest.approx(variance, rel=0.05)


@pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
def test_the_number_of_threads_changes_nothing(measure, monkeypatch):
    found = []
    for threads in (1, 3):
        monkeypatch.setattr(blocks, "available_threads", lambda threads=threads: threads)
        found.append(systems_drawn(measure, 3, n_draws=6_000)[2])
    np.testing.assert_array_equal(*found)


class TestTrainings:
    @staticmethod
    def errors(*recipes):
        """Draw how much what is unknown of recipes adds to the difference of their scores, by the sides' scores."""
        scorer = Scorer(lambda joint: np.zeros(100_000), [()] * len(recipes))
        scorer._recipes = [TrainingSpread(len(each), np.std(each, ddof=1) / len(each) ** 0.5) for each in recipes]
        drawn = scorer.scores([Joint(*[np.zeros(1)] * 4)] * len(recipes), np.random.default_rng(0))
        return drawn[-1] - drawn[0] if len(drawn) > 1 else drawn[0]

    @pytest.mark.parametrize(
        "recipes",
        [
            ([0.80, 0.81, 0.83], [0.79, 0.80, 0.82]),
            ([0.80, 0.81, 0.83], [0.7, 0.8, 0.9, 0.85]),
            ([0.8, 0.8, 0.801], [0.7, 0.8, 0.9]),
        ],
        ids=["alike", "not alike", "one hardly varies"],
    )
    def test_two_recipes_have_the_interval_of_welch(self, recipes):
        welch = ttest_ind(recipes[1], recipes[0], equal_var=False)
        low, high = np.quantile(self.errors(*recipes), [0.025, 0.975])
        mean = np.mean(recipes[1]) - np.mean(recipes[0])
        assert (mean + low, mean + high) == pytest.approx(tuple(welch.confidence_interval()), abs=0.03 * (high - low))

    def test_each_of_several_scores_has_an_interval_of_its_own(self):
        recipes = np.array([[0.80, 0.81, 0.83], [0.79, 0.80, 0.82]]), np.array([[0.7, 0.8, 0.9], [0.80, 0.82, 0.83]])
        scorer = Scorer(lambda joint: np.zeros((100_000, 2)), [()] * 2)
        scorer._recipes = [TrainingSpread(3, each.std(axis=1, ddof=1) / 3**0.5) for each in recipes]
        drawn = scorer.scores([Joint(*[np.zeros(1)] * 4)] * 2, np.random.default_rng(0))
        for found, first, second in zip((drawn[1] - drawn[0]).T, *recipes, strict=True):
            low, high = np.quantile(found, [0.025, 0.975]) + second.mean() - first.mean()
            welch = tuple(ttest_ind(second, first, equal_var=False).confidence_interval())
            assert (low, high) == pytest.approx(welch, abs=0.03 * (high - low))

    def test_one_recipe_has_student_t_and_one_that_never_varies_adds_nothing(self):
        recipe = [0.80, 0.81, 0.83]
        error = np.std(recipe, ddof=1) / 3**0.5
        assert np.quantile(self.errors(recipe), 0.975) == pytest.approx(t.ppf(0.975, 2) * error, rel=0.03)
        assert not self.errors([0.75] * 3, [0.5] * 3).any()
