import numpy as np
import pytest
from scipy.stats import sem, t, ttest_ind

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.exact import Scorer, TrainingSpread
from pytest_bayesf1.measures.classification import Joint, parse_measure


class TestTrainings:
    @staticmethod
    def errors(*recipes):
        """Draw how much what is unknown of recipes adds to the difference of their scores, by the sides' scores."""
        scorer = Scorer(lambda joint: np.zeros(100_000), [()] * len(recipes))
        scorer._recipes = [TrainingSpread(len(each), np.std(each, ddof=1) / len(each) ** 0.5) for each in recipes]
        drawn = scorer.scores([Joint(*[np.zeros(1)] * 4)] * len(recipes), np.random.default_rng(0))
        return drawn[-1] - drawn[0] if len(drawn) > 1 else drawn[0]

    def test_each_of_several_scores_of_two_recipes_has_the_interval_of_welch(self):
        """Of scores that vary alike, or not alike, and of one that hardly does."""
        recipes = (
            np.array([[0.80, 0.81, 0.83], [0.80, 0.81, 0.83], [0.8, 0.8, 0.801]]),
            np.array([[0.79, 0.80, 0.82, 0.81], [0.7, 0.8, 0.9, 0.85], [0.7, 0.8, 0.9, 0.8]]),
        )
        scorer = Scorer(lambda joint: np.zeros((100_000, 3)), [()] * 2)
        scorer._recipes = [
            TrainingSpread(each.shape[1], each.std(axis=1, ddof=1) / each.shape[1] ** 0.5) for each in recipes
        ]
        drawn = scorer.scores([Joint(*[np.zeros(1)] * 4)] * 2, np.random.default_rng(0))
        for found, first, second in zip((drawn[1] - drawn[0]).T, *recipes, strict=True):
            low, high = np.quantile(found, [0.025, 0.975]) + second.mean() - first.mean()
            welch = tuple(ttest_ind(second, first, equal_var=False).confidence_interval())
            assert (low, high) == pytest.approx(welch, abs=0.03 * (high - low))

    def test_the_error_of_a_mean_is_that_of_the_observed_scores_of_its_trainings(self):
        true = np.arange(40) % 4
        tables = [OutcomeTable.tally(4, true, np.where(np.arange(40) < n, 0, true)) for n in (5, 9, 20, 22)]
        found = TrainingSpread.of(tables, parse_measure("accuracy", range(4)))
        right = [(table.true == table.predicted[0]) @ table.count / 40 for table in tables]
        assert (found.n, found.error) == (4, pytest.approx(sem(right)))
        assert TrainingSpread.of((), parse_measure("accuracy", range(4))) is None

    def test_one_recipe_has_student_t_and_one_that_never_varies_adds_nothing(self):
        recipe = [0.80, 0.81, 0.83]
        error = np.std(recipe, ddof=1) / 3**0.5
        assert np.quantile(self.errors(recipe), 0.975) == pytest.approx(t.ppf(0.975, 2) * error, rel=0.03)
        assert not self.errors([0.75] * 3, [0.5] * 3).any()
