from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.figures.pictures import Landmark
from pytest_bayesf1.reports.entry import Judged
from pytest_bayesf1.reports.page import FILE, Fold, Paragraph, Section, plain
from pytest_bayesf1.reports.section import article, bar_of, behind, heat_map, lead, part_sections, part_tables
from pytest_bayesf1.results.comparison import (
    Breakdown,
    ClassDifference,
    ErrorChange,
    ExampleChange,
    GapEstimate,
    NamedExample,
    ReportedChanges,
    ScoreGap,
    SpanErrors,
)
from tests.unit.made_up import a_class, a_slice, comparison, entry, estimate, judged, score
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
    """Dots of bars show what was observed, in points, not the posterior mean."""

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


JUDGE = judged((0.1, 2, 9), (-0.2, 3, 8))
TAKEN = ErrorChange("ham", "spam", 3, 41, -0.03, tuple(NamedExample(n) for n in range(5)))
SPAN_ERRORS = SpanErrors(1, 2, 3, 4), SpanErrors(5, 6, 7, 8)
EXAMPLES = tuple(ExampleChange(name, "ham", "ham", "spam", 1.0, gain) for name, gain in (("up", 0.1), ("down", -0.1)))


def of(*errors, examples=(), span_errors=None, change=-0.03):
    return ReportedChanges(change, 0.0, errors, (), 42, examples, span_errors)


def texts_of(blocks):
    return [plain(each.text) for each in blocks if isinstance(each, Paragraph)]


class TestBehind:
    def test_what_a_gate_came_to_names_the_judge_and_the_part_that_decided(self):
        whole = entry(comparison(judge=JUDGE), "passed", test="a")
        part = entry(comparison(decision=Decision.MUCH_WORSE), "failed", test="a", **a_slice("lang", "fi"))
        said, judge, decided = texts_of(lead(Judged((whole, part))))
        assert said == f"{whole.headline}."
        assert "2 of 9 answers of the baseline" in judge
        assert decided == f"lang=fi: {part.headline}."
        other = replace(part, part="", value="")
        assert texts_of(lead(Judged((whole, other))))[-1] == f"macro-F1: {part.headline}."
        assert len(texts_of(lead(Judged((replace(whole, judge=None),))))) == 1

    def test_errors_are_shown_with_all_wrong_spans_and_how_many_examples_differ(self):
        shown = shown_of(comparison(), changes=of(TAKEN, replace(TAKEN, contribution=0.0), span_errors=SPAN_ERRORS))
        (errors,) = (each for each in shown if isinstance(each, Section) and each.title == "Errors")
        said, table, wrong, note = errors.blocks
        assert "ham taken for spam (3 → 41)" in plain(said.text)
        assert table.texts == (
            ["error", "examples", "effect, in points", "such as"],
            [["ham taken for spam", "3 → 41", "−3.00", "0, 1, 2"]],
        )
        assert "wrong type 1 → 5, wrong boundary 2 → 6, missed 3 → 7, spurious 4 → 8" in plain(wrong.text)
        assert plain(note.text).endswith("The two answer 42 examples differently.")

    @pytest.mark.parametrize("judge", [None, JUDGE])
    def test_of_values_the_examples_that_fell_are_named(self, judge):
        shown = shown_of(comparison(judge=judge), changes=of(examples=EXAMPLES))
        (errors,) = (each for each in shown if isinstance(each, Section) and each.title == "Errors")
        said, table = errors.blocks
        assert plain(said.text).endswith("1 example got worse: down; 1 example got better.")
        assert ("by the judge" in plain(said.text)) is (judge is not None)
        assert [row[0] for row in table.texts[1]] == ["down", "up"]  # of a loss first those that fell

    def test_slices_show_examples_of_their_own(self):
        parts = [
            replace(entry(comparison(), "failed", **a_slice("lang", name)), changes=changes)
            for name, changes in (("fi", of(examples=EXAMPLES, change=0.1)), ("de", of(TAKEN)), ("sv", None))
        ]
        shown = behind(Judged((entry(comparison()), *parts)), FILE)
        (fold,) = (each for each in shown if isinstance(each, Fold) and each.summary.startswith("Examples"))
        assert fold.summary == "Examples of lang=fi"
        assert [row[0] for row in fold.blocks[0].texts[1]] == ["up", "down"]

    @pytest.mark.parametrize(
        ("test", "file", "command"),
        [
            ("a b.yaml::g 1", "a b.yaml", "bayesf1 gate 'a b.yaml' --gate 'g 1'"),
            ("t.py::C::t", "t.py", "pytest t.py::C::t"),
            ("t.py::fixture", "", "pytest t.py"),
            ("a gate", "", None),
        ],
    )
    def test_without_figures_a_gate_says_what_explains_most_and_how_to_see_all(self, test, file, command):
        gate = Judged((replace(entry(comparison(), "failed", test=test), changes=of(TAKEN), file=file),))
        found = article(gate, test, FILE, [], in_full=False, alone=False)
        _, why, *redo = texts_of(found.blocks)
        assert "Without ham taken for spam" in why
        assert redo == ([f"In full, by itself: {command}"] if command else [])
        assert found.about == "macro-F1 · assert_not_worse"
        assert article(gate, "short", FILE, [], in_full=False, alone=False).about.endswith(f" · {test}")


class TestParts:
    def test_columns_with_a_gap_come_first_and_each_class_has_its_own_size(self):
        gap = ScoreGap("lang", "de", "fi", *[GapEstimate(0.0, (0.0, 0.1))] * 2)
        whole = replace(entry(comparison()), gaps=(gap,), breakdown=breakdown("ham", "spam"))
        slices = [entry(comparison(), **a_slice(*each)) for each in (("form", "x"), ("lang", "de"))]
        classes = [entry(comparison(measure=f"f1[{name}]"), **a_class(name)) for name in ("spam", "eggs")]
        tables = part_tables(whole, [*slices, *classes, entry(comparison(measure="accuracy"), test="b")])
        assert [(each.name, each.score) for each in tables] == [
            ("By class", "F1"),
            ("By lang", "macro-F1"),
            ("By form", "macro-F1"),
            ("Also compared", "accuracy"),
        ]
        assert [row.size for row in tables[0].rows] == ["101, 120", ""]
        assert [row.size for row in tables[1].rows] == ["1,000, 1,200"]
        (of_slice,) = part_tables(entry(comparison()), [entry(comparison(measure="f1[ham]"), **a_slice("lang", "fi"))])
        assert of_slice.score == "F1 of ham"
        mixed = [entry(comparison(measure=name), test="b") for name in ("accuracy", "f1_macro")]
        assert [each.score for each in part_tables(whole, mixed)] == ["F1", "score"]
        assert [bool(each.few) for each in part_tables(replace(whole, n_classes=3), [])] == [True]
        assert [bool(each.few) for each in part_tables(replace(whole, n_classes=2), [])] == [False]

    @pytest.mark.parametrize(("n", "n_notes"), [(1, 0), (3, 1)])
    def test_of_several_intervals_it_is_told_how_many_may_miss(self, n, n_notes):
        parts = [entry(comparison(), **a_slice("lang", each)) for each in range(n)]
        (section,) = part_sections(entry(comparison()), parts, FILE)
        assert len(texts_of(section.blocks)) == n_notes

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
