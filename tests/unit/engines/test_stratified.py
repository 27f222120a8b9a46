"""The parts of a pool's posterior, against sums over single outcomes."""

import numpy as np
import pytest
from scipy.special import betaln

from pytest_bayesf1 import LabelledPool
from pytest_bayesf1.data.pool import BASELINE, CANDIDATE, N_GROUPS, NEITHER, RIGHT, WRONG
from pytest_bayesf1.engines.stratified import PoolPosterior, _joints
from pytest_bayesf1.measures.formulas import Detail

SAID = [(0, 0)] * 50 + [(1, 1)] * 30 + [(2, 2)] * 7 + [(0, 1)] * 9 + [(1, 0)] * 5 + [(2, 0)] * 4 + [(1, 2)] * 3
SAID += [(2, 1)] * 2  # of the stratum of (2, 0)
TRUE = [0] * 45 + [1] * 3 + [2] * 2 + [1] * 26 + [0] * 4 + [2] * 7 + [0, 1, 1] * 3 + [1, 1, 0, 2, 1] + [2] * 4
TRUE += [1, 2, 0, 1, 2]
LABELLED = np.r_[0:50:3, 46, 47, 49, 50:80:4, 79, 80, 87:102, 102, 105, 107, 108].tolist()


@pytest.fixture(scope="module")
def posterior():
    pool = LabelledPool.from_predictions(*zip(*SAID, strict=True), {at: TRUE[at] for at in LABELLED})
    return PoolPosterior(pool.strata)


def joint_of(posterior, cells, unseen):
    """Add up every outcome of both sides by itself: (2, M, M)."""
    strata, found = posterior.strata, np.zeros((2, 3, 3))
    said = list(zip(strata.baseline.tolist(), strata.candidate.tolist(), strict=True))
    for pair, true, weight in zip(strata.pair, strata.true, cells, strict=True):
        found[[0, 1], true, said[pair]] += weight
    # what was not seen of a group is spread as the pool's predictions are, and over other classes by popularity
    amounts = {}
    for pair, (old, new) in enumerate(said):
        others = [each for each in range(3) if each not in (old, new)]
        popularity = strata.popularity[others] / strata.popularity[others].sum()
        for true, share in {old: 1.0, new: 1.0, **dict(zip(others, popularity, strict=True))}.items():
            kind = (
                (WRONG if true in others else RIGHT)
                if old == new
                else [BASELINE, CANDIDATE, NEITHER][[old, new, true].index(true)]
            )
            of_group = amounts.setdefault((strata.of_pair[pair], kind), {})
            of_group[true, old, new] = strata.n_pool[pair] * share
    for (stratum, kind), outcomes in amounts.items():
        for (true, *each), amount in outcomes.items():
            found[[0, 1], true, each] += unseen[N_GROUPS * stratum + kind] * amount / sum(outcomes.values())
    return found


@pytest.mark.parametrize("detail", list(Detail))
def test_what_a_measure_looks_at_is_the_sum_of_outcomes(posterior, detail):
    weights = posterior.draw(4, np.random.default_rng(1))
    drawn = _joints(sum(sums @ each for sums, each in zip(posterior.sums(detail), weights, strict=True)), 3, detail)
    for joints, (cells, unseen) in ((drawn, weights), (posterior.expected(detail), posterior.mean())):
        for n in range(cells.shape[1]):
            for joint, matrix in zip(joints, joint_of(posterior, cells[:, n], unseen[:, n]), strict=True):
                assert joint.true[n] == pytest.approx(matrix.sum(axis=1))
                assert joint.correct[n] == pytest.approx(matrix.diagonal())
                if detail is Detail.MATRIX:
                    assert joint.matrix[n] == pytest.approx(matrix)
                if detail >= Detail.MARGINS:
                    assert joint.predicted[n] == pytest.approx(matrix.sum(axis=0))


def test_in_the_pool_only_what_is_not_labelled_is_as_drawn(posterior):
    cells, unseen = posterior.draw(40_000, np.random.default_rng(3))
    assert (cells.sum(axis=0) + unseen.sum(axis=0)) == pytest.approx(np.ones(40_000))
    strata, total = posterior.strata, len(SAID)
    left = 1 - strata.labelled / strata.sizes
    labelled = cells.mean(axis=1) * left[strata.group // N_GROUPS] + strata.n_labelled / total
    in_pool = joint_of(posterior, labelled, unseen.mean(axis=1) * np.repeat(left, N_GROUPS))
    # `mean` takes fewer draws of the prior's parameters
    expected, not_seen = (each[:, 0] for each in posterior.mean())
    assert labelled == pytest.approx(expected, abs=0.003)
    assert unseen.mean(axis=1) * np.repeat(left, N_GROUPS) == pytest.approx(not_seen, rel=0.1, abs=1e-12)
    expected = joint_of(posterior, expected, not_seen)
    assert (np.abs(in_pool - expected) < 0.007 * np.sqrt(expected)).all()  # the spread is about 0.06 of the root
    assert expected.sum(axis=(1, 2)) == pytest.approx(1)


def test_outcomes_weigh_as_often_as_they_were_labelled_beside_one_that_was_not_seen(posterior):
    """Of every group: the parts are Dirichlet(n_1, n_2, ..., 1)."""
    cells, unseen = posterior.draw(40_000, np.random.default_rng(6))
    group, n = posterior.strata.group, np.append(posterior.strata.n_labelled, np.ones(len(unseen)))
    parts, of_part = np.vstack([cells, unseen]), np.append(group, np.arange(len(unseen)))
    sums, totals = np.zeros_like(unseen), np.bincount(of_part, n)
    np.add.at(sums, of_part, parts)
    occurs = sums[of_part].min(axis=1) > 0
    parts, mean = (parts / np.where(sums > 0, sums, 1)[of_part])[occurs], (n / totals[of_part])[occurs]
    deviation = np.sqrt(mean * (1 - mean) / (totals[of_part][occurs] + 1))
    assert (np.abs(parts.mean(axis=1) - mean) <= 4.5 * deviation / np.sqrt(40_000) + 1e-12).all()
    assert parts.std(axis=1) == pytest.approx(deviation, rel=0.05, abs=1e-9)
    labelled, expected = posterior.strata.n_labelled, [each[:, 0] for each in posterior.mean()]
    in_pool = expected[0] - labelled / len(SAID)
    assert in_pool == pytest.approx(labelled * expected[1][group])  # unseen is as one of them


def test_shares_of_strata_vary_as_a_pool_drawn_from_production(posterior):
    cells, unseen = posterior.draw(40_000, np.random.default_rng(7))
    sizes = posterior.strata.sizes
    stratum = np.append(posterior.strata.group, np.arange(len(unseen))) // N_GROUPS
    shares = np.zeros((sizes.size, 40_000))
    np.add.at(shares, stratum, np.vstack([cells, unseen]))
    mean = sizes / sizes.sum()
    deviation = np.sqrt(mean * (1 - mean) / (sizes.sum() + 1))
    assert (np.abs(shares.mean(axis=1) - mean) < 4.5 * deviation / np.sqrt(40_000)).all()
    assert shares.std(axis=1) == pytest.approx(deviation, rel=0.03)


def mean_rates(yes, no, *, learned, rarer):
    """Integrate over the prior's parameters: the mean of every stratum's probability of the first outcome."""
    if not learned:
        least = 0.5 * rarer ** ((np.arange(1_000) + 0.5) / 1_000)
        return [np.mean((first + 0.5) / (first + 0.5 + second + least)) for first, second in zip(yes, no, strict=True)]
    eta, kappa = np.meshgrid((np.arange(2_000) + 0.5) / 2_000, 2 ** (np.arange(-2, 17) / 2))
    first, second = kappa * eta, kappa * (1 - eta)
    log = sum(betaln(first + each, second + other) - betaln(first, second) for each, other in zip(yes, no, strict=True))
    weight = np.exp(log - log.max())
    return [np.sum(weight * (first + y) / (kappa + y + n)) / weight.sum() for y, n in zip(yes, no, strict=True)]


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_the_probabilities_of_every_stratum_are_those_of_an_integral(n_classes):
    """Of agreements and of both kinds of disagreements, some of them without a label."""
    rng, n = np.random.default_rng(n_classes), 20_000
    said = np.minimum(rng.geometric(0.5, (2, 300)) - 1, n_classes - 1)
    said[1, :150] = said[0, :150]
    true = np.where(rng.random(300) < 0.5, said[0], np.where(rng.random(300) < 0.5, said[1], rng.integers(n_classes)))
    is_labelled = (rng.random(300) < 0.2) & ((n_classes == 2) | (said[0] != n_classes - 1) | (said[0] != said[1]))
    labels = {at: int(true[at]) for at in np.flatnonzero(is_labelled)}
    strata = LabelledPool.from_predictions(*said, labels, classes=range(n_classes)).strata
    cells, shares = PoolPosterior(strata).draw(n, rng)
    np.add.at(shares, strata.group, cells)
    shares = shares.reshape(-1, N_GROUPS, n)
    counts = np.zeros((len(shares), N_GROUPS))
    for group, times in zip(strata.group, strata.n_labelled, strict=True):
        counts[group // N_GROUPS, group % N_GROUPS] += times
    rates = [(strata.agree, RIGHT, [WRONG], 0.25), (~strata.agree, CANDIDATE, [BASELINE], 1.0)]
    if n_classes > 2:
        rates.append((~strata.agree, NEITHER, [BASELINE, CANDIDATE], 1.0))
    else:
        assert not shares[~strata.agree, NEITHER].any()
    for strata_of_kind, first, others, rarer in rates:
        yes, no = counts[strata_of_kind, first], counts[strata_of_kind][:, others].sum(axis=1)
        drawn = shares[strata_of_kind, first]
        drawn = drawn / (drawn + shares[strata_of_kind][:, others].sum(axis=1))
        expected = mean_rates(yes, no, learned=n_classes > 2, rarer=rarer)
        assert (np.abs(drawn.mean(axis=1) - expected) < 4.5 * drawn.std(axis=1) / np.sqrt(n)).all()
        assert (yes != no).any()
