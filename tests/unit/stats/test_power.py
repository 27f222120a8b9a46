from dataclasses import replace
from math import exp, inf, sqrt, tanh

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from pytest_bayesf1 import ConfusionMatrix, Decision
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import CommonShares, Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, summarise_delta
from pytest_bayesf1.stats.power import (
    CLOSE,
    MOST,
    Alternative,
    NormalPower,
    detectable_losses,
    detectable_losses_of,
    find_root,
    influences,
    spread_of,
)


def test_a_function_has_the_influence_of_the_measure_that_it_computes():
    def f1_of_a(p):
        return 2 * p[..., 0, 0] / (p[..., 0, :].sum(axis=-1) + p[..., :, 0].sum(axis=-1))

    table = ConfusionMatrix([[50, 13, 2], [4, 54, 2], [9, 4, 22]]).table
    (one,), (other,) = (influences(parse_measure(each, range(3)), [table]) for each in (f1_of_a, "f1[0]"))
    assert one == pytest.approx(other, abs=1e-4)


POWER_ROPE = Rope(-0.01, 0.01)


def power(delta=-0.03, scatter=0.3, width=None, rope=POWER_ROPE, hdi_prob=0.95):
    return NormalPower(rope, hdi_prob, delta, scatter, scatter if width is None else width)


class TestPower:
    """The normal approximation of what a gate decides, against posteriors that are decided one by one."""

    @pytest.mark.parametrize(("delta", "n"), [(-0.03, 1_000), (0.004, 20_000), (0.03, 100)])
    def test_the_rates_are_those_of_normal_posteriors(self, delta, n):
        """At estimates that are equally probable, with posteriors as draws, so that the gate's own rules decide."""
        found, grid = power(delta, width=0.4).rates(n), norm.ppf((np.arange(2_000) + 0.5) / 2_000)
        estimates = norm.ppf((np.arange(50) + 0.5) / 50, delta, 0.3 / np.sqrt(n))
        decided = [
            summarise_delta(Draws(each + grid * 0.4 / np.sqrt(n)), POWER_ROPE, 0.95).decision for each in estimates
        ]
        rates = vars(found)
        for decision in Decision:
            assert np.mean([each is decision for each in decided]) == pytest.approx(
                rates[decision.name.lower()], abs=1 / 50
            )

    @pytest.mark.parametrize("n", [1, 100, 10**7])
    @pytest.mark.parametrize("scatter", [0.0, 0.3])
    def test_the_rates_add_up(self, n, scatter):
        found = power(scatter=scatter, width=0.3).rates(n)
        assert sum(vars(found).values()) == pytest.approx(1)
        assert min(vars(found).values()) >= 0

    def test_the_smallest_test_set_has_the_power_and_one_example_less_has_not(self):
        for wanted in (0.5, 0.8, 0.9):
            found = power(width=0.4)
            n = found.examples_to_fail(wanted)
            assert found.rates(n).much_worse >= wanted > found.rates(n - 1).much_worse

    @pytest.mark.parametrize("delta", [-0.01, 0.0, 0.02])
    def test_no_number_of_examples_fails_what_is_allowed(self, delta):
        assert power(delta).examples_to_fail(0.8) is None


ROPE = Rope(-0.01, 0.02)
POSTERIOR = summarise_delta(Draws(norm.ppf(np.linspace(0.00005, 0.99995, 10_000), 0, 0.01)), ROPE, 0.95)

Z, Z_OF_POWER = norm.ppf([0.975, 0.8])


def accuracy_of(n_discordant, n):
    weight = np.repeat([n - n_discordant, n_discordant], 2) / 2
    table = OutcomeTable.tally(2, *np.array([[0, 1, 0, 1], [0, 1, 0, 0], [0, 1, 1, 1]]), weight=weight)
    return Alternative.seen(Experiment(Model.PAIRED, (table,)), parse_measure("accuracy", (0, 1)))


class TestMinimumDetectableLoss:
    def test_a_loss_that_was_seen_and_a_skewed_posterior(self):
        """Its variance grows in a straight line from where it was seen, and the HDI is narrower above the mean."""
        seen = replace(POSTERIOR, mean=-0.02, std=0.01, hdi=(-0.05, -0.005))

        def spread(loss):
            return sqrt(0.01**2 + 0.0025 * (loss - 0.02))

        likely, even = detectable_losses(seen, ROPE, spread)
        assert even == pytest.approx(0.01 + 1.5 * spread(even), rel=0.001)
        assert likely == pytest.approx(0.01 + (1.5 + Z_OF_POWER) * spread(likely), rel=0.001)

    @pytest.mark.parametrize("seen", np.linspace(0.035, 0.041, 7))
    @pytest.mark.parametrize("share", [0.9, 1.1])
    def test_the_loss_that_was_seen_is_nearly_the_one_that_is_found(self, seen, share):
        """The posterior's own width and that of a loss as large differ by noise, which says nothing of a slope."""
        posterior = replace(POSTERIOR, mean=-seen, hdi=(-seen - Z * 0.01, -seen + Z * 0.01))
        likely, even = detectable_losses(posterior, ROPE, lambda _: share * 0.01)
        assert even == pytest.approx(0.01 + Z * share * 0.01, rel=0.03)
        assert likely == pytest.approx(0.01 + (Z + Z_OF_POWER) * share * 0.01, rel=0.03)

    def test_certainty_sees_all_that_the_rope_does_not_allow(self):
        certain = replace(POSTERIOR, std=0.0, hdi=(0.0, 0.0))
        assert detectable_losses(certain, ROPE, spread_of(certain, None)) == (0.01, 0.01)

    @pytest.mark.parametrize("loss", [0.0, 0.05, 0.2])
    def test_the_spread_is_that_of_new_errors_on_top(self, loss):
        spread = spread_of(POSTERIOR, accuracy_of(n_discordant=400, n=4_000))
        assert spread(loss) == pytest.approx(sqrt(0.01**2 + (loss - loss**2) / 4_000), rel=0.01)

    def test_the_design_effect_multiplies_what_the_loss_adds(self):
        seen = accuracy_of(n_discordant=400, n=4_000)
        more = spread_of(POSTERIOR, seen)(0.2) ** 2 - POSTERIOR.std**2
        assert spread_of(POSTERIOR, seen, 3.0)(0.2) ** 2 - POSTERIOR.std**2 == pytest.approx(3 * more)

    def test_where_no_candidate_loses_as_much_the_posterior_stays_as_wide(self):
        assert spread_of(POSTERIOR, accuracy_of(2_000, 100_000))(2.0) is None


def wide(variance):
    """A posterior about 0 as wide as that, which is what was seen."""
    sd = sqrt(variance)
    return replace(POSTERIOR, mean=0.0, std=sd, hdi=(-Z * sd, Z * sd))


class TestHardLosses:
    """The loss of one class that is found, against the variance of a mean of recalls."""

    def test_the_rarest_class_loses_alone(self):
        """Class 3, with 8% of the examples: its recall falls by five times the loss of the mean."""
        n, sizes, won = 100_000, np.array([40, 10, 30, 8, 12]) / 100, 0.06
        true, old, new = np.repeat(np.arange(5), 4), np.tile([1, 1, 0, 0], 5), np.tile([1, 0, 1, 0], 5)
        count = n * np.outer(sizes, [0.8 - won, won, won, 0.2 - won]).ravel()
        said = (np.where(right, true, (true + 1) % 5) for right in (old, new))
        experiment = Experiment(Model.PAIRED, (OutcomeTable.tally(5, true, *said, weight=count),))
        seen = Alternative.seen(experiment, parse_measure("balanced_accuracy", range(5)))
        found = detectable_losses_of(wide(seen.variance), ROPE, seen, 1.0)

        def too_little(loss):
            lost = np.where(np.arange(5) == 3, 5 * loss, 0)
            variance = ((2 * won + lost - lost**2) / (25 * sizes)).sum()
            return loss - 0.01 - (Z + Z_OF_POWER) * sqrt(variance / n)

        assert found.one_class_80 == pytest.approx(brentq(too_little, 0.0101, 0.15), rel=0.01)
        assert found.one_class_80 > 1.005 * found.power_80
        most = (found.power_80 + found.one_class_80) / 2
        fewer = detectable_losses_of(wide(seen.variance), ROPE, seen, most)
        assert fewer == replace(found, one_class_80=None)

    def test_a_class_without_examples_is_not_the_rarest(self):
        true, old, new = (np.repeat(each, 50) for each in ([0, 0, 1, 1, 3], [0, 1, 1, 0, 3], [0, 1, 1, 1, 3]))
        seen = Alternative.seen(
            Experiment(Model.PAIRED, (OutcomeTable.tally(4, true, old, new),)), parse_measure("accuracy", range(4))
        )
        assert seen.of_rarest_class().losing.tolist() == [False, False, False, True]
        of_one = Experiment(Model.PAIRED, (OutcomeTable.tally(2, np.zeros(9, int), *np.eye(9, dtype=int)[:2]),))
        assert Alternative.seen(of_one, parse_measure("accuracy", range(2))).of_rarest_class() is None

    def test_a_label_is_as_rare_as_it_is_present(self):
        of_labels = np.array([[[[400, 3], [2, 1]], [[5, 4], [1, 9]]], [[[60, 1], [4, 6]], [[2, 30], [80, 70]]]])
        measure = parse_measure("f1_macro", range(2), multilabel=True)
        seen = Alternative.seen(Experiment(Model.PAIRED, (OutcomeTable.of_labels(of_labels),)), measure)
        assert seen.of_rarest_class().losing.tolist() == [True, True, False, False]

    @pytest.mark.parametrize("delta", [-0.1, 0.1])
    def test_it_starts_where_the_two_are_equal(self, delta):
        start = truth().with_delta(delta).of_rarest_class()
        assert start.with_delta(-0.05).delta == pytest.approx(-0.05, abs=1e-7)
        assert start.delta == pytest.approx(0, abs=1e-3)


THREE = (0, 1, 2)
N = 3_000_000  # so many that one pseudo-observation of each class does not tell
RNG = np.random.default_rng(0)
JOINT = RNG.dirichlet(np.ones(27)).reshape(3, 3, 3) / 2 + np.einsum("jk,jl->jkl", np.eye(3), np.eye(3)) / 6


def table(joint, n=N):
    cells = np.nonzero(joint)
    return OutcomeTable.tally(joint.shape[-1], *cells, weight=n * joint[cells])


PAIRED = Experiment(Model.PAIRED, (table(JOINT),))
MARGINS = JOINT.sum(axis=2), JOINT.sum(axis=1)


def of_two(model, n=(N, N)):
    return Experiment(model, tuple(map(table, MARGINS, n)))


def truth(experiment=PAIRED, measure="accuracy"):
    return Alternative.seen(experiment, parse_measure(measure, THREE))


def accuracy(matrix):
    return np.trace(matrix)


class TestAlternatives:
    """Populations near what was seen: their differences and variances, against closed forms."""

    @pytest.mark.parametrize("model", [Model.PAIRED, Model.INDEPENDENT])
    def test_spans_of_every_type_count_that_a_side_finds_misses_or_invents(self, model):
        # of each of three types: both find, only the baseline, only the candidate, none; and who invents
        counts = 10_000 * np.array([[50, 4, 7, 11, 3, 5, 2], [20, 9, 1, 6, 8, 2, 4], [31, 2, 3, 17, 1, 6, 5]])
        there, old, new = np.array([[1, 1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 1, 0, 1], [1, 0, 1, 0, 0, 1, 1]])
        kinds = 2 * np.arange(3)[:, None]
        cells = [(kinds + each).ravel() for each in (there, old, new)]

        def spans(*cells):
            return OutcomeTable.tally(6, *cells, weight=counts.ravel(), multilabel=True, spans=True)

        true, *sides = cells
        tables = (spans(*cells),) if model == Model.PAIRED else tuple(spans(true, side) for side in sides)
        seen = Alternative.seen(Experiment(model, tables), parse_measure("f1_micro", THREE, multilabel=True))
        f1 = [2 * (counts @ (there * side)).sum() / (counts @ (there + side)).sum() for side in (old, new)]
        assert (seen.baseline.score, seen.candidate.score) == pytest.approx(f1, abs=1e-5)
        other = seen.with_delta(-0.1)
        assert other.delta == pytest.approx(-0.1, abs=1e-7)
        before, after = (each.experiment.tables[-1] for each in (seen, other))
        invented = (before.true % 2 == 0) & (before.predicted[-1] % 2 == 1) & (before.predicted[0] == before.true)
        if model == Model.PAIRED:  # as many times as many of every type: there is no total to keep
            assert np.ptp(after.count[invented] / before.count[invented]) == pytest.approx(0, abs=1e-9)
            assert (after.count[invented] > before.count[invented]).all()

    def test_the_variance_of_paired_accuracies_is_mcnemars(self):
        right = np.eye(3)[:, :, None], np.eye(3)[:, None, :]
        gains, losses = JOINT[(right[1] > right[0])].sum(), JOINT[(right[0] > right[1])].sum()
        assert truth().variance == pytest.approx((gains + losses - (gains - losses) ** 2) / N, rel=1e-5)

    def test_the_variance_of_independent_accuracies_is_the_sum_of_theirs(self):
        shares = np.array([accuracy(matrix) for matrix in MARGINS])
        expected = (shares * (1 - shares) / [N, N / 2]).sum()
        assert truth(of_two(Model.INDEPENDENT, (N, N / 2))).variance == pytest.approx(expected, rel=1e-5)

    def test_of_classes_with_stated_shares_only_what_is_right_within_them_varies(self):
        shares, sizes = np.array([0.2, 0.3, 0.5]), (N, N / 2)
        tables = of_two(Model.INDEPENDENT, sizes).tables
        stated = CommonShares(shares=tuple(enumerate(shares)))
        right = [matrix.diagonal() / matrix.sum(axis=1) for matrix in MARGINS]
        seen = truth(Experiment(Model.INDEPENDENT, tables, population=stated))
        assert seen.delta == pytest.approx(shares @ (right[1] - right[0]), abs=1e-6)
        expected = sum(
            (shares**2 * each * (1 - each) / (n * matrix.sum(axis=1))).sum()
            for each, n, matrix in zip(right, sizes, MARGINS, strict=True)
        )
        assert seen.variance == pytest.approx(expected, rel=1e-5)

    def test_the_variance_on_the_same_set_is_that_of_sides_that_err_independently(self):
        class_shares = JOINT.sum(axis=(1, 2))
        independent = np.einsum("j,jk,jl->jkl", 1 / class_shares, *MARGINS)
        paired = truth(Experiment(Model.PAIRED, (table(independent),)), "f1_macro")
        assert truth(of_two(Model.SAME_SET), "f1_macro").variance == pytest.approx(paired.variance, rel=1e-5)

    @pytest.mark.parametrize(
        "measure", ["f1_macro", "matthews_corrcoef", "f1[1]", lambda p: np.einsum("...jj->...", p) ** 2]
    )
    @pytest.mark.parametrize("model", [Model.PAIRED, Model.SAME_SET, Model.INDEPENDENT])
    def test_a_candidate_that_differs_by_so_much(self, model, measure):
        seen = truth(PAIRED if model == Model.PAIRED else of_two(model), measure)
        for delta in (-0.2, 0.0, 0.02):
            assert seen.with_delta(delta).delta == pytest.approx(delta, abs=1e-7)

    def test_the_classes_and_the_baseline_stay_as_they_are(self):
        before, after = truth().experiment.tables[0], truth().with_delta(-0.1).experiment.tables[0]
        for of in (lambda each: each.side(0).count, lambda each: each.row_totals):
            assert of(after) == pytest.approx(of(before))
        assert after.n_samples == N

    def test_the_odds_of_losing_what_the_baseline_gets_right_have_one_factor(self):
        before, after = (each.experiment.tables[0] for each in (truth(), truth().with_delta(-0.1)))

        def odds(outcomes, label):
            given = (outcomes.true == label) & (outcomes.predicted[0] == label)
            wrong = given & (outcomes.predicted[1] != label)
            return outcomes.count[wrong].sum() / outcomes.count[given & ~wrong].sum()

        factors = [odds(after, label) / odds(before, label) for label in THREE]
        assert factors == pytest.approx([factors[0]] * 3)
        assert factors[0] > 1

    def test_what_only_the_candidate_gets_right_stays_whatever_it_loses(self):
        seen = truth()
        for more in (0.01, 0.1):
            before, after = (each.experiment.tables[0] for each in (seen, seen.with_delta(seen.delta - more)))
            assert after.group_counts[:, 2].sum() == pytest.approx(before.group_counts[:, 2].sum())
            new_errors = after.group_counts[:, 1].sum() - before.group_counts[:, 1].sum()
            assert new_errors == pytest.approx(more * N, rel=1e-4)

    def test_a_gain_leaves_the_agreement_as_it_was(self):
        seen = truth()
        before, after = (each.experiment.tables[0] for each in (seen, seen.with_delta(seen.delta + 0.05)))
        alone = [outcomes.group_counts[:, 1:3].sum() for outcomes in (before, after)]
        assert alone[1] == pytest.approx(alone[0])

    def test_no_candidate_loses_more_than_there_is_to_lose(self):
        assert truth().with_delta(-0.99) is None


def counts_of(table):
    """Return the counts by outcome: the true class, then what each side predicts."""
    return dict(zip(zip(table.true.tolist(), *table.predicted.tolist(), strict=True), table.count, strict=True))


def with_pseudo_observations(counts, kind, other):
    """Do it again outcome by outcome: counts by (true, baseline, candidate), ``kind`` and ``other`` of each class."""
    result, trace = dict(counts), 1e-6
    rows = {true: sum(n for each, n in counts.items() if each[0] == true) for true, *_ in counts}
    for true in rows:
        alike = {each: n for each, n in counts.items() if kind(each[0]) == kind(true)}
        groups = [0.5] * 4
        for (row, old, new), n in alike.items():
            groups[2 * (old != row) + (new != row)] += n
        _, lost, won, _ = np.array(groups) / sum(groups)
        for outcome, share in (((true, true, other[true]), lost), ((true, other[true], true), won)):
            result[outcome] = result.get(outcome, 0) + share
        for row, old, new in list(result):
            if row == true and old != row and new == row:
                result[row, old, old] = result.get((row, old, old), 0) + trace
    totals = {true: sum(n for each, n in result.items() if each[0] == true) for true in rows}
    return {each: n * rows[each[0]] / totals[each[0]] for each, n in result.items()}


FEW = {(0, 0, 0): 9, (0, 0, 3): 2, (1, 1, 1): 5, (1, 0, 1): 1, (1, 3, 0): 4, (3, 3, 3): 7, (3, 1, 3): 3, (3, 3, 1): 6}


class TestPseudoObservations:
    """Of few examples: what was seen and one more of every class, which errs as all do, in as many."""

    def test_classes_learn_from_all_the_others(self):
        true, *said = np.array(list(FEW)).T
        seen = OutcomeTable.tally(4, true, *said, weight=np.array(list(FEW.values())))
        alternative = Alternative.seen(Experiment(Model.PAIRED, (seen,)), parse_measure("accuracy", range(4)))
        expected = with_pseudo_observations(FEW, lambda _: 0, {0: 1, 1: 3, 3: 0})  # class 2 does not occur
        assert counts_of(alternative.experiment.tables[0]) == pytest.approx(expected)

    def test_presences_learn_from_presences_and_absences_from_absences(self):
        of_labels = np.array([[[[40, 3], [2, 1]], [[5, 4], [1, 9]]], [[[60, 1], [4, 6]], [[2, 3], [8, 7]]]])
        seen = OutcomeTable.of_labels(of_labels)
        measure = parse_measure("f1_macro", range(2), multilabel=True)
        alternative = Alternative.seen(Experiment(Model.PAIRED, (seen,)), measure)
        expected = with_pseudo_observations(counts_of(seen), lambda true: true % 2, {0: 1, 1: 0, 2: 3, 3: 2})
        assert counts_of(alternative.experiment.tables[0]) == pytest.approx(expected)

    @pytest.mark.parametrize(
        ("matrix", "others"), [([[9, 1, 0], [2, 5, 3], [0, 0, 0]], [1, 0]), ([[0, 0], [3, 8]], [0])]
    )
    def test_a_side_alone_errs_as_often(self, matrix, others):
        counts = np.array(matrix, dtype=float)
        tables = (ConfusionMatrix(matrix).table, ConfusionMatrix(matrix).table)
        alternative = Alternative.seen(
            Experiment(Model.SAME_SET, tables), parse_measure("accuracy", range(len(matrix)))
        )
        wrong = (counts.sum() - np.trace(counts) + 0.5) / (counts.sum() + 1)
        classes = np.flatnonzero(counts.sum(axis=1))
        expected = counts.copy()
        expected[classes, others] += wrong
        expected *= counts.sum(axis=1, keepdims=True) / np.maximum(expected.sum(axis=1, keepdims=True), 1e-9)
        found = counts_of(alternative.experiment.tables[1])
        assert found == pytest.approx({each: expected[each] for each in zip(*np.nonzero(expected), strict=True)})


SHAPES = {
    "straight": lambda x: -x,
    "levels off": lambda x: -tanh(x / 4),
    "steepens": lambda x: 1 - exp(x / 8),
    "has a kink": lambda x: -x if x < 0 else -x / 10,
}


class TestRootFinding:
    @pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
    @given(where=st.floats(-8, 8), guess=st.floats(-40, 40))
    def test_it_is_found_from_any_guess(self, shape, where, guess):
        def function(x):
            return shape(x - where)

        assert abs(function(find_root(function, function(0.0), guess))) <= CLOSE

    @pytest.mark.parametrize("value", [1.0, -1.0])
    def test_a_function_that_is_nowhere_0_has_none(self, value):
        tried = []

        def function(x):
            tried.append(abs(x))
            return value

        assert find_root(function, value, guess=5.0) is None
        assert max(tried) == MOST

    def test_it_is_not_looked_for_beyond_its_bounds(self):
        assert find_root(lambda x: MOST + 1 - x, MOST + 1, inf) is None
