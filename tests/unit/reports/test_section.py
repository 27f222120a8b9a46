from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1.figures.pictures import Landmark
from pytest_bayesf1.figures.plot import Look
from pytest_bayesf1.reports.entry import Judged
from pytest_bayesf1.reports.page import FILE, Figure, Paragraph
from pytest_bayesf1.reports.section import bar_of, behind, heat_map, part_tables
from pytest_bayesf1.results.comparison import Breakdown, ClassDifference
from pytest_bayesf1.results.timeline import Trend, TrendPoint
from tests.unit.made_up import a_slice, comparison, entry, estimate, score
from tests.unit.reports.golden_report import breakdown


def with_cells(cells, labels=("ham", "spam"), n_samples=(100, 100)):
    sizes = n_samples if isinstance(n_samples, list) else [n_samples] * len(labels)
    classes = (ClassDifference(*each, 0.9, 0.8, -0.1, (-0.2, 0.0)) for each in zip(labels, sizes, strict=True))
    breakdown = Breakdown(tuple(classes), tuple(map(tuple, cells)))
    return heat_map(replace(entry(comparison()), breakdown=breakdown, n_classes=len(labels)))


def signs(heat_map):
    return [[(shade > 0) - (shade < 0) for shade in row] for row in heat_map.shades]


class TestHeatMap:
    def test_worse_where_errors_come_and_better_where_they_go(self):
        heat_map = with_cells([[0, 0, 90, 80], [0, 1, 10, 20], [1, 0, 9, 4], [1, 1, 91, 96]])
        assert signs(heat_map) == [[-1, -1], [1, 1]]
        assert heat_map.rows == (("−10.0", "+10.0"), ("−5.0", "+5.0"))

    def test_of_two_test_sets_shares_are_compared(self):
        heat_map = with_cells([[0, 1, 10, 20], [1, 0, 10, 40]], n_samples=(100, 200))
        assert heat_map.rows == (("", ""), ("+10.0", ""))
        heat_map = with_cells([[0, 1, 10, 20], [1, 0, 10, 40]], n_samples=[(100, 200), (50, 1_000)])
        assert heat_map.rows == (("", ""), ("−16.0", ""))

    def test_shades_rise_with_the_change(self):
        shades = [with_cells([[0, 1, 0, count]]).shades[0][1] for count in range(1, 101)]
        assert (np.diff(shades) <= 0).all()
        assert set(shades) == {-1, -2, -3, -4}
        assert with_cells([[0, 1, 0, 1], [1, 0, 1, 0]], n_samples=(1_000, 1_000)).shades == ((0, -1), (1, 0))

    def test_of_many_classes_those_whose_errors_moved_most_are_shown(self):
        labels = [f"class {number}" for number in range(50)]
        cells = [(number, (number + 1) % 50, 0, number + 1) for number in range(50)]
        heat_map = with_cells(cells, labels)
        assert len(heat_map.names) == len(heat_map.rows) == 20
        assert heat_map.names[-1] == "class 49"
        assert "class 1" not in heat_map.names
        assert "the 20 of 50 classes whose errors moved most" in heat_map.title
        heat_map = with_cells([(0, number, 0, number) for number in range(1, 50)], labels)  # predicted, never true
        assert heat_map.names == ("class 0", *labels[31:])


OBSERVED = {"mean": -0.03, "candidate": score(0.77, observed=0.765)}
"""A change of which the posterior mean is another."""


class TestObserved:
    """Dots of bars and trends show what was observed, in points, not the posterior mean."""

    def test_of_gates_and_parts(self):
        assert bar_of(entry(comparison(**OBSERVED))).at == pytest.approx(-3.5)
        (table,) = part_tables(entry(comparison()), [entry(comparison(**OBSERVED), **a_slice("lang", "fi"))])
        assert [row.bar.at for row in table.rows] == pytest.approx([-3.5])
        whole = replace(entry(comparison()), breakdown=breakdown("ham", "spam"))
        classes = [replace(each, mean=-0.2) for each in whole.breakdown.classes]
        whole = replace(whole, breakdown=replace(whole.breakdown, classes=tuple(classes)))
        (table,) = part_tables(whole, [])
        assert [row.bar.at for row in table.rows] == pytest.approx([-10, -8])
        assert all(row.bar.rope and row.beyond for row in table.rows)
        (table,) = part_tables(replace(whole, custom_measure=True), [])
        assert not any(row.bar.rope or row.beyond for row in table.rows)

    def test_of_a_trend(self):
        points = tuple(TrendPoint(f"2026-05-0{day}", "abc", 0.9, (0.89, 0.91)) for day in (1, 2))
        result = comparison(candidate=score(0.87, observed=0.89))
        gate = Judged((replace(entry(result), trend=Trend("a.csv", 0.02, 0.9, points)),))
        shown = behind(gate, FILE)
        (spark,) = [each for each in shown if isinstance(each, Figure) and each.kind == "spark"]
        plot = spark.plot()
        (dot,), (least,) = plot.drawn(Look.MEAN), plot.drawn(Look.BUDGET)
        assert dot.points[0][1] < least.points[0][1]  # the observed score is above the least that is allowed, 0.88


def shown_of(result, **others):
    gate = Judged((replace(entry(result), **others),))
    return [*behind(gate, FILE)]


@pytest.mark.parametrize(
    ("policy", "rope", "landmarks"),
    [
        ("not_worse", (-0.01, 0.02), [(-1, "you allow to here: −1"), (0, "no change")]),
        ("", (-0.01, 0.02), [(-1, "you allow to here: −1"), (0, "no change")]),
        ("not_inferior", (0.0, 0.02), [(0, "no change: you allow no loss")]),
        ("better", (-0.01, 0.02), [(0, "no change"), (2, "better from here: +2")]),
        ("better", (-0.01, 0.0), [(0, "no change: better from here")]),
        ("equivalent", (-0.01, 0.02), [(-1, "equivalent from here: −1"), (2, "equivalent to here: +2")]),
    ],
)
def test_the_picture_names_what_the_policy_asks_about(policy, rope, landmarks):
    picture, *others = shown_of(comparison(rope=rope, **OBSERVED), policy=policy)
    (shown,) = picture.plot.args
    assert shown.landmarks == tuple(Landmark(at, words) for at, words in landmarks)
    assert shown.here == "you are here: −3.5"
    losses_found = [each for each in others if "this gate catches" in str(each)]
    assert bool(losses_found) == (policy != "better")


def test_the_picture_of_a_score_names_its_floor():
    (picture, tested, *_) = shown_of(estimate(score=score(0.8, observed=0.805)))
    (shown,) = picture.plot.args
    assert shown.landmarks == (Landmark(0.75, "the floor is here: 0.75"),)
    assert (shown.here, shown.reference) == ("you are here: 0.805", 0.75)
    assert tested == Paragraph("Tested on 1,000 examples.", "soft")


class TestParts:
    def shown(self, *parts):
        tables = part_tables(entry(comparison()), parts)
        return [(table.name, table.score, [row.name for row in table.rows]) for table in tables]

    def test_slices_are_shown_by_their_columns_whatever_these_are_called(self):
        names = [("class", "a"), ("comparison", "c"), ("class", "b=c"), ("class", ""), ("class", "a")]
        parts = [entry(comparison(), **a_slice(*name)) for name in names]
        assert self.shown(*parts) == [
            ("By class", "macro-F1", ["a", "b=c", "class=", "a"]),
            ("By comparison", "macro-F1", ["c"]),
        ]

    @pytest.mark.parametrize(
        ("verdicts", "came_to"),
        [
            (["", "", ""], " – 1 of 3 clearly lost more than you allow"),
            (["warned", "failed", "failed"], " – 2 of 3 failed"),
            (["warned", "passed", "passed"], ""),
            (["failed", "", "passed"], " – 1 of 3 failed"),
        ],
    )
    def test_those_that_failed_or_clearly_lost_too_much_are_counted(self, verdicts, came_to):
        ends, rope = [(-0.03, -0.02), (-0.03, 0.02), (0.0, 0.01)], (-0.01, 0.01)
        parts = [
            entry(comparison(hdi=hdi, rope=rope), verdict, **a_slice("lang", n))
            for n, (hdi, verdict) in enumerate(zip(ends, verdicts, strict=True))
        ]
        (table,) = part_tables(entry(comparison()), parts)
        assert [row.beyond for row in table.rows] == [True, False, False]
        assert table.title == f"By lang{came_to}"
