import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable
from pytest_bayesf1.priors import PseudoObservations

CODES = np.array([0, 1, 1, 0])


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ({"n_classes": 2}, ("jeffreys", 2.0, False)),
        ({"n_classes": 3}, ("pseudo-observation", 1.0, True)),
        ({"n_classes": 2, "multilabel": True}, ("pseudo-observation", 1.0, True)),
        ({"n_classes": 2, "multilabel": True, "spans": True}, ("jeffreys", 2.0, True)),
        (
            {"n_classes": 2, "clusters": ClusterContents.of_rows(np.array([0, 0, 1, 1]))},
            ("pseudo-observation", 1.0, True),
        ),
    ],
    ids=["two classes", "more", "labels", "spans", "clusters"],
)
def test_it_goes_by_the_kind_of_data(kind, expected):
    prior = PseudoObservations.of(OutcomeTable.tally(kind.pop("n_classes"), CODES, CODES, CODES, CODES, **kind))
    assert (str(prior), prior.mass, prior.makes_joint_dirichlet) == expected
    assert prior.n_examples == 0
