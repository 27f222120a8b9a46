import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import ConvergenceError, InputError, NutsEngine, compare
from pytest_bayesf1.data.outcomes import CommonShares, Experiment, OutcomeTable
from pytest_bayesf1.engines.chains import Trace, build_model, bulk_ess, dense, largest_r_hat
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.nuts import NutsSampler, ThetaDraws, dirichlet
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import PRIORS
from pytest_bayesf1.results.comparison import Convergence
from pytest_bayesf1.words.notes import UNSETTLED

NOISE = np.random.default_rng(0).normal(size=(4, 1_000))


class TestChains:
    def test_a_constant_counts_fully_and_has_converged(self):
        assert bulk_ess(np.ones((4, 1_000))) == 4_000
        assert largest_r_hat([np.ones((4, 1_000))]) == 1

    def test_one_chain_elsewhere_shows_in_the_largest_r_hat(self):
        stuck = np.stack([NOISE, NOISE], axis=2)
        stuck[0, :, 1] += 3
        assert largest_r_hat([NOISE, stuck]) > 1.2

    def test_a_comparison_goes_to_arviz(self):
        comparison = compare([[48, 2], [3, 47]], [[47, 3], [2, 48]], measure="f1", rope=0.05)
        posterior = comparison.to_arviz()["posterior"]
        assert posterior["delta"].shape == (1, comparison.n_draws)
        np.testing.assert_array_equal(posterior["delta"], comparison.delta[None])
        np.testing.assert_array_equal(posterior["candidate"] - posterior["baseline"], comparison.delta[None])


@pytest.mark.parametrize("multilabel", [False, True])
def test_draws_of_theta_are_added_up_for_each_side_in_their_order(multilabel):
    n_classes, n_outcomes = (6, 2) if multilabel else (3, 3)
    rng, problems = np.random.default_rng(0), np.arange(n_classes).reshape(-1, n_outcomes)
    theta, mass = rng.dirichlet(np.ones(n_outcomes**2), size=(5, n_classes)), rng.random((5, n_classes))
    draws = ThetaDraws(OutcomeTable.empty(n_classes, 2, multilabel=multilabel), theta)
    parts = [list(draws.draw(n, rng, mass[first : first + n])) for first, n in ((0, 2), (2, 3))]
    for side, joints in enumerate(zip(*parts, strict=True)):
        for problem, rows in enumerate(problems):
            cells = (theta * mass[:, :, None])[:, rows].reshape(5, n_outcomes, n_outcomes, n_outcomes)
            matrix = cells.sum(axis=3 - side) / cells.sum(axis=(1, 2, 3))[:, None, None]
            place = (slice(None), problem) if multilabel else (slice(None),)
            for name, expected in (
                ("matrix", matrix),
                ("true", matrix.sum(axis=2)),
                ("predicted", matrix.sum(axis=1)),
                ("correct", np.einsum("njj->nj", matrix)),
            ):
                found = np.concatenate([getattr(joint, name) for joint in joints])
                assert found[place] == pytest.approx(expected)


@pytest.mark.parametrize(
    "given", [{}, {"multilabel": True}, {"population": CommonShares(shares=((1, 0.2),))}],
    ids=["classes", "labels", "stated shares"],
)  # fmt: skip
@pytest.mark.parametrize("prior", ["hierarchical", "nested", "uniform"])
@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
def test_before_data_its_draws_have_the_distribution_of_exact_ones(model, prior, given):
    """Without chains: 81 tests at 1e-5 each, one false alarm in 1,200 seeds."""
    experiment = Experiment.before_data(model, 4, **given)
    multilabel = "multilabel" in given
    measure = parse_measure("f1_macro", range(2 if multilabel else 4), multilabel=multilabel)
    asked = experiment, PRIORS[prior], measure
    found, exact = NutsEngine().sampler(*asked, 0).draw(4_000), ExactEngine().sampler(*asked, 1).draw(4_000)
    assert found.shape == (2, 4_000)
    for drawn, expected in zip((*found, found[1] - found[0]), (*exact, exact[1] - exact[0]), strict=True):
        assert stats.ks_2samp(drawn, expected).pvalue > 1e-5


def test_what_stated_shares_leave_is_divided_by_the_examples_of_both_test_sets():
    """Of half of all examples, as 90 of which half and 10 of which a fifth are of class 0 let expect."""
    tables = tuple(
        OutcomeTable.tally(3, *[np.arange(3)] * 2, weight=np.array(each)) for each in ([45, 36, 9], [2, 2, 6])
    )
    experiment = Experiment("independent", tables, population=CommonShares(shares=((2, 0.5),)))
    mu = {"mu_baseline": [0.5, 0.4, 0.1], "mu_candidate": [0.2, 0.2, 0.6]}
    theta = {"theta_baseline": np.eye(3), "theta_candidate": np.eye(3)}
    trace = Trace({name: np.array([[value] * 5]) for name, value in (mu | theta).items()}, 0)
    sampler = NutsEngine().sampler(experiment, PRIORS["uniform"], lambda joint: joint.true[:, 0], 0)
    found = sampler._scores(trace, np.random.default_rng(0))
    assert found == pytest.approx(np.full((2, 5), 0.5 * (45 + 2) / (45 + 2 + 36 + 2)))


def logs(counts, shares):
    return (counts * np.log(shares)).sum()


@pytest.mark.parametrize("prior", ["hierarchical", "uniform"])
@pytest.mark.parametrize("multilabel", [False, True])
def test_earlier_examples_are_in_the_weights_and_new_ones_in_the_likelihood(prior, multilabel):
    """Of a second table, whose counts are not those of the first."""
    rng, size = np.random.default_rng(1), 4

    def of(n, right):
        true = rng.integers(0, size, n)
        wrong = true ^ 1 if multilabel else (true + 1) % size
        return OutcomeTable.tally(size, true, np.where(rng.random(n) < right, true, wrong), multilabel=multilabel)

    tables, earlier = (of(30, 0.9), of(50, 0.6)), (of(9, 0.5), of(20, 0.7))
    experiment, shape = Experiment("independent", tables, earlier=earlier), (2, 2) if multilabel else (size,)
    weights = {}

    def with_weights(name, given):
        weights[name] = given
        return dirichlet(name, given)

    model = build_model(experiment, PRIORS[prior], with_weights, with_weights)
    log_likelihoods = {each.name.removesuffix("_counts"): each for each in model.potentials}
    name, now, before = "candidate", tables[1], earlier[1]
    assert weights[f"mu_{name}"] == pytest.approx((before.row_totals + 1.0).reshape(shape))
    mu = rng.dirichlet(np.ones(shape[-1]), shape[:-1])
    found = log_likelihoods[f"mu_{name}"].eval({model[f"mu_{name}"]: mu}, mode="FAST_COMPILE")
    assert found == pytest.approx(logs(now.row_totals.reshape(shape), mu))
    if prior == "uniform":
        given = model[f"theta_{name}"]
        theta = rng.dirichlet(np.ones(now.n_outcomes), size)
        assert given.owner.inputs[-1].eval() == pytest.approx(1 + dense(before))
        expected = logs(dense(now), theta)
    else:
        given, kinds = model[f"eta_{name}"], range(1 + multilabel)
        theta = rng.dirichlet(np.ones(2), len(kinds)) if multilabel else rng.dirichlet(np.ones(2))
        known, expected = experiment.known[1], 0.0
        for row, wrong, n in zip(known.true, known.group, known.count, strict=True):
            eta = theta[row % 2] if multilabel else theta
            weight = eta[wrong] / (1 if multilabel or not wrong else size - 1)
            expected += np.log(weight + np.arange(n)).sum()
    found = log_likelihoods[given.name].eval({given: theta}, mode="FAST_COMPILE")
    assert found == pytest.approx(expected)


def test_chains_are_run_as_the_engine_says_and_all_their_divergences_counted(monkeypatch):
    asked, seeds, rng = {}, set(), np.random.default_rng(0)

    def sample(**options):
        asked.update(options)
        seeds.add(options["random_seed"])
        chains = {"mu": rng.dirichlet(np.ones(3), (3, 34)), "eta": rng.dirichlet(np.ones(2), (3, 34))}
        return SimpleNamespace(posterior=chains, sample_stats={"diverging": np.arange(102).reshape(3, 34) % 50 == 0})

    monkeypatch.setattr("pymc.sample", sample)
    table = OutcomeTable.tally(3, np.array([0, 1, 2]), np.array([0, 1, 1]))
    engine = NutsEngine(chains=3, draws=100, tune=150, cores=2, progressbar=True)
    sampler = engine.sampler(Experiment("single", (table,)), PRIORS["nested"], parse_measure("f1_macro", range(3)), 1)
    assert sampler.draw(100).shape == (1, 102)
    told = {"draws": 34, "tune": 150, "chains": 3, "cores": 2, "progressbar": True, "quiet": False}
    assert {name: asked[name] for name in told} == told
    sampler.draw(100)
    assert [each.divergences for each in sampler._traces] == [3, 3]
    assert len(seeds) == 2
    assert (engine.first_draws, engine.most_draws) == (300, 1_200)


def test_a_parameter_for_each_of_very_many_cells_is_refused():
    experiment = Experiment.before_data("paired", 13)
    sampler = NutsEngine().sampler(experiment, PRIORS["uniform"], parse_measure("accuracy", range(13)), 0)
    said = "engine: expected at most 2,000 cells, got 2,197. Use 'exact', which takes far more."
    with pytest.raises(InputError, match=said):
        sampler.draw(100)


def test_cells_in_rows_of_true_classes_with_the_candidate_fastest():
    cells = np.array([[0, 2, 1], [0, 2, 2], [2, 0, 1]])
    rows = dense(OutcomeTable.tally(3, *cells.T, weight=np.array([4, 7, 9])))
    expected = np.zeros((3, 3, 3))
    expected[tuple(cells.T)] = 4, 7, 9
    assert rows.reshape(3, 3, 3).tolist() == expected.tolist()
    labels = dense(OutcomeTable.of_labels(np.arange(16).reshape(2, 2, 2, 2)))
    assert labels.tolist() == np.arange(16).reshape(4, 4).tolist()


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"spans": True}, "engine: expected 'exact' for spans, got 'pymc'"),
        ({"unsupported": (0, 1)}, "engine: 2 labels without an example"),
    ],
)
def test_what_chains_do_not_know_is_left_to_the_other_engine(known, said):
    experiment = Experiment.before_data("paired", 6, multilabel=True, **known)
    with pytest.raises(InputError, match=said):
        build_model(experiment, PRIORS["uniform"], dirichlet, dirichlet)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["engines.chains", "comparison.pymc_model"])
@pytest.mark.one_of_many
def test_the_first_import_of_a_day_is_quiet(module, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where ArviZ notes on which day it has warned
    command = [sys.executable, "-W", "error::FutureWarning", "-c", f"import pytest_bayesf1.{module}"]
    done = subprocess.run(command, capture_output=True, text=True)  # noqa: PLW1510
    assert done.returncode == 0, done.stderr


MATRIX = [[48, 2], [3, 47]]


@dataclass(frozen=True)
class MadeUpChains:
    """An engine whose delta is normal around ``mean``, in chains that converge, or that do up to some draws."""

    mean: float
    converged: int = 1_000_000
    name = "pymc"
    first_draws = NutsEngine().first_draws
    most_draws = NutsEngine().most_draws

    def sampler(self, *_):
        return MadeUpDraws(self, np.random.default_rng(1))


@dataclass(frozen=True)
class MadeUpDraws:
    engine: MadeUpChains
    rng: np.random.Generator

    def draw(self, n):
        delta = self.engine.mean + 0.01 * self.rng.normal(size=n)
        return np.stack([np.full(n, 0.5), 0.5 + delta])[:, :, None]

    def convergence(self, values):
        if values.size > self.engine.converged:
            raise ConvergenceError("engine pymc", "R-hat up to 1.01", "R-hat 1.5")
        return Convergence(float(values.size), n_chains=values.size // 1_000, r_hat=1.0)


def converge(*deltas, **variables):
    sampler = NutsSampler(NutsEngine(), None, None, None, 0)
    sampler._traces = [Trace({"eta": NOISE, **variables}, divergences=3 + n) for n, _ in enumerate(deltas)]
    return sampler.convergence(np.concatenate(deltas).ravel())


def compared(mean, converged=1_000_000):
    return compare(MATRIX, MATRIX, rope=0.01, engine=MadeUpChains(mean, converged))


@cache
def edge():
    """Return the mean that moves the upper end of the HDI onto the ROPE's lower end."""
    result = compared(-0.06)
    assert (result.decision, result.settled, result.n_draws) == ("<<", True, 4_000)
    return result.rope[0] - (result.hdi[1] - result.mean)


APART, SLOW = NOISE + np.arange(4)[:, None], NOISE.copy()
for step in range(1, 1_000):
    SLOW[:, step] = 0.95 * SLOW[:, step - 1] + NOISE[:, step]


class TestConvergence:
    def test_chains_that_agree_are_trusted_all_together(self):
        for n, deltas, divergences in ((4, [NOISE], 3), (8, [NOISE, NOISE[:, ::-1]], 7)):
            found = converge(*deltas)
            assert (found.n_chains, found.divergences) == (n, divergences)
            assert found.r_hat <= 1.01
            assert found.ess == pytest.approx(1_000 * n, rel=0.15)

    @pytest.mark.parametrize(
        ("deltas", "variables", "said"),
        [
            ([APART], {}, r"R-hat up to 1.01 .*got 4 chains, R-hat 1\.\d+, ESS .*3 divergences"),
            ([NOISE], {"mu": APART}, "use engine: exact"),
            ([SLOW], {}, "at least 400 effective draws"),
            ([NOISE, NOISE + 1], {}, "got 8 chains"),
        ],
        ids=["apart", "a parameter", "slow", "added"],
    )
    def test_chains_that_disagree_or_are_slow_are_an_error(self, deltas, variables, said):
        with pytest.raises(ConvergenceError, match=said):
            converge(*deltas, **variables)

    def test_a_decision_within_the_error_of_chains_gets_more_of_them_until_it_is_settled(self):
        close, settled = compared(edge()), compared(edge() - 0.001)
        assert (close.settled, close.n_draws, close.convergence.n_chains) == (False, 16_000, 16)
        assert UNSETTLED in close.notes()
        assert close.decision in ("<<", "<")
        assert (settled.decision, settled.settled, settled.n_draws) == ("<<", True, 8_000)

    @pytest.mark.parametrize("converged", [0, 4_000])
    def test_chains_that_have_not_converged_are_an_error_at_the_edge_too(self, converged):
        with pytest.raises(ConvergenceError, match=r"R-hat 1\.5"):
            compared(edge(), converged)

    @pytest.mark.parametrize(("name", "value"), [("chains", 1), ("draws", 10), ("tune", 0), ("cores", 0)])
    def test_settings_that_cannot_work(self, name, value):
        with pytest.raises(InputError, match=rf"NutsEngine\.{name}: expected at least"):
            NutsEngine(**{name: value})


def test_a_refusal_does_not_wait_for_pymc():
    code = """
import sys
from pytest_bayesf1 import InputError, Scores, compare
sides = [Scores.from_predictions([0, 1] * 5, [place / 10 for place in range(10)]) for _ in range(2)]
try:
    compare(*sides, rope=0.01, measure="roc_auc", engine="pymc")
except InputError:
    print("pymc" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
