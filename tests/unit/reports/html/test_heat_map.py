from dataclasses import replace

import numpy as np

from pytest_bayesf1.reports.html import MOST_CLASSES
from pytest_bayesf1.reports.html import heat_map as map_of
from pytest_bayesf1.results.comparison import Breakdown, ClassDifference
from tests.unit.made_up import comparison, entry


def with_cells(cells, labels=("ham", "spam"), n_samples=(100, 100)):
    classes = (ClassDifference(label, n_samples, 0.9, 0.8, -0.1, (-0.2, 0.0)) for label in labels)
    breakdown = Breakdown(tuple(classes), tuple(map(tuple, cells)), None, None)
    return map_of(replace(entry(comparison()), breakdown=breakdown, n_classes=len(labels)))


def kinds(heat_map):
    return [[cell.kind.partition("-")[0] for cell in row] for row in heat_map.rows]


def test_worse_where_errors_come_and_better_where_they_go():
    heat_map = with_cells([[0, 0, 90, 80], [0, 1, 10, 20], [1, 0, 9, 4], [1, 1, 91, 96]])
    assert kinds(heat_map) == [["worse", "worse"], ["better", "better"]]
    assert [[cell.points for cell in row] for row in heat_map.rows] == [["−10.0", "+10.0"], ["−5.0", "+5.0"]]
    assert heat_map.numbered


def test_what_did_not_change_has_no_kind():
    assert kinds(with_cells([[0, 1, 10, 20]])) == [["", "worse"], ["", ""]]
    assert with_cells([]) is None


def test_of_two_test_sets_shares_are_compared():
    heat_map = with_cells([[0, 1, 10, 20], [1, 0, 10, 40]], n_samples=(100, 200))
    assert [cell.points for row in heat_map.rows for cell in row] == ["", "", "+10.0", ""]


def test_shades_rise_with_the_change():
    shades = [int(with_cells([[0, 1, 0, count]]).rows[0][1].kind[-1]) for count in range(1, 101)]
    assert (np.diff(shades) >= 0).all()
    assert set(shades) == {1, 2, 3, 4}


def test_of_many_classes_those_whose_errors_moved_most_are_shown():
    labels = [f"class {number}" for number in range(50)]
    cells = [(number, (number + 1) % 50, 0, number + 1) for number in range(50)]
    heat_map = with_cells(cells, labels)
    assert len(heat_map.names) == len(heat_map.rows) == MOST_CLASSES
    assert heat_map.names[-1] == "class 49"
    assert "class 1" not in heat_map.names
    assert heat_map.n_classes == 50
    assert not heat_map.numbered
