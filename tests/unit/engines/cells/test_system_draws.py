import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable
from pytest_bayesf1.engines.exact import SystemDraws
from pytest_bayesf1.measures.names import Detail
from pytest_bayesf1.priors import PseudoObservations
from tests.unit.ranked import predictions

N_DRAWS, M = 4_000, 3
TRUE, PREDICTED = predictions(90, (0.5, 0.7, 0.9), M)
TABLE = OutcomeTable.tally(M, TRUE, *PREDICTED)
PRIOR = PseudoObservations.of(TABLE)


def joints(detail, table=TABLE, prior=PRIOR, class_mass=None):
    return list(SystemDraws(table, prior, detail).draw(N_DRAWS, np.random.default_rng(0), class_mass))


def test_whole_matrices_add_up_to_what_is_drawn_in_less_detail():
    for cells, margins, right in zip(
        joints(Detail.MATRIX), joints(Detail.MARGINS), joints(Detail.CORRECT), strict=True
    ):
        np.testing.assert_allclose(cells.matrix.sum(axis=(1, 2)), 1)
        np.testing.assert_allclose(cells.matrix.sum(axis=1), margins.predicted, atol=1e-12)
        np.testing.assert_allclose(cells.matrix.sum(axis=2), margins.true, atol=1e-12)
        np.testing.assert_allclose(np.einsum("nii->ni", cells.matrix), right.correct, atol=1e-12)
        np.testing.assert_allclose(margins.correct, right.correct, atol=1e-12)


def test_cells_have_the_mean_of_their_examples_and_of_one_imagined_example_per_class():
    for joint, own in zip(joints(Detail.MATRIX), PREDICTED, strict=True):
        counts = np.zeros((M, M))
        np.add.at(counts, (TRUE, own), 1)
        chance_wrong = ((own != TRUE).sum() + 1) / (TRUE.size + 2)  # two more examples are right half of the time
        pseudo = np.where(np.eye(M), 1 - chance_wrong, chance_wrong / (M - 1))
        expected = (counts + pseudo) / (TRUE.size + M)
        error = joint.matrix.std(axis=0) / N_DRAWS**0.5
        assert (np.abs(joint.matrix.mean(axis=0) - expected) < 5 * error).all()


def test_class_proportions_can_be_given():
    mass = np.random.default_rng(1).gamma(5, size=(N_DRAWS, M))
    for joint in joints(Detail.MATRIX, class_mass=mass):
        np.testing.assert_allclose(joint.true, mass / mass.sum(axis=1, keepdims=True))
        np.testing.assert_allclose(joint.matrix.sum(axis=2), joint.true)


def test_units_of_one_example_are_examples():
    clusters = ClusterContents.of_one_example(np.ones(TRUE.size))
    alone = OutcomeTable.tally(M, TRUE, *PREDICTED, clusters=clusters)
    for one, other in zip(joints(Detail.MARGINS), joints(Detail.MARGINS, alone), strict=True):
        np.testing.assert_array_equal(one.predicted, other.predicted)


@pytest.mark.parametrize("size", [2, 10])
def test_units_widen_what_their_examples_share(size):
    clusters = ClusterContents.of_rows(np.repeat(np.arange(TRUE.size // size), size))
    order = np.lexsort([*PREDICTED, TRUE])  # examples alike share a cluster
    table = OutcomeTable.tally(M, TRUE[order], *PREDICTED[:, order], clusters=clusters)
    wide, plain = (
        np.mean([joint.correct.sum(axis=1).std() for joint in joints(Detail.CORRECT, each)]) for each in (table, TABLE)
    )
    assert wide > 0.7 * size**0.5 * plain
