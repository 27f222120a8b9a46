from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.measures.formulas import Data
from tests.property.kinds import KINDS


def cells_of(table):
    columns = zip(table.true.tolist(), *table.predicted.tolist(), strict=True)
    return dict(zip(columns, table.count.tolist(), strict=True))


OF_COUNTS = {name: kind for name, kind in KINDS.items() if "scores" not in name and name != "values"}


def answers_to(kind, made, at, systems):
    """Return the truth and what each system answers to each question about an example, as codes, and its share."""
    true, said = made.true[at], [made.answers[system][at] for system in systems]
    code = {label: position for position, label in enumerate(made.labels)}
    if kind.data is Data.LABELS:
        return [(*(2 * code[label] + (label in each) for each in (true, *said)), 1.0) for label in made.labels]
    if kind.data is Data.SPANS:
        given = [{*each} for each in (true, *said)]
        return [(*(2 * code[span[2]] + (span in each) for each in given), 1.0) for span in set().union(*given)]
    together = [*product(*(np.ravel(each).tolist() for each in said))]
    return [(code[true], *(code[each] for each in answers), 1 / len(together)) for answers in together]


def contents(table):
    """Count the clusters by what they hold: {(true, predicted, ...): examples}."""
    cells = list(zip(table.true.tolist(), *table.predicted.tolist(), strict=True))
    dense = table.clusters.cells.toarray().round(9).T.tolist()
    held = [frozenset((cell, n) for cell, n in zip(cells, each, strict=True) if n) for each in dense]
    return dict(zip(held, table.clusters.n_clusters.tolist(), strict=True))


@pytest.mark.parametrize("kind", OF_COUNTS.values(), ids=OF_COUNTS)
@pytest.mark.parametrize("systems", [(0,), (1, 2)], ids=["one side", "both"])
@pytest.mark.parametrize("n_clusters", [0, 7])
def test_outcomes_are_those_that_one_counts_by_hand(kind, systems, n_clusters):
    made = replace(kind.draw(np.random.default_rng(21)), clusters=None)
    n = len(made.true)
    if n_clusters:  # of unequal sizes
        made = replace(made, clusters=np.sqrt(np.random.default_rng(2).integers(0, n_clusters**2, n)).astype(int))
    sides = [kind.side(made, system) for system in systems]
    table = sides[0].table if len(sides) == 1 else Sides(*sides).joint
    held = {}
    for at in range(n):
        cells = held.setdefault(at if made.clusters is None else made.clusters[at], Counter())
        for *codes, share in answers_to(kind, made, at, systems):
            cells[tuple(codes)] += share
    assert cells_of(table) == pytest.approx(dict(sum(held.values(), Counter())))
    if n_clusters or kind.data is Data.SPANS or made.answers[systems[0]].ndim == 2:
        expected = (frozenset((cell, round(n, 9)) for cell, n in cells.items()) for cells in held.values() if cells)
        assert contents(table) == Counter(expected)
    else:
        assert table.clusters is None
    for place, side in enumerate(sides):
        assert cells_of(table.side(place)) == pytest.approx(cells_of(side.table))
        if kind.data is Data.SPANS:
            assert contents(table.side(place)) == contents(side.table)
