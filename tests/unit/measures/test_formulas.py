"""Every row of the table of measures: what it declares is compared with what its formula does.

The tests find the rows themselves. A new one needs a value to compare with, in `REFERENCES`, and nothing else here.
"""

from dataclasses import replace
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from sklearn import metrics

from pytest_bayesf1 import InputError, MultilabelCounts, SpanCounts
from pytest_bayesf1.comparison.compare import ComparisonTask
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable, ScoreTable
from pytest_bayesf1.measures.classification import Joint, parse_measure, require_defined
from pytest_bayesf1.measures.formulas import MEASURES, ROWS, ByClass, Data, Detail, Needs, Overall
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.measures.ranking import Weighting, parse_score_measure, scorer
from pytest_bayesf1.results.schema import UNREADABLE
from tests.property.kinds import KINDS

pytestmark = pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")


def _recalls(true, predicted):
    return metrics.recall_score(true, predicted, average=None, labels=np.unique(true))


def _negative_brier(true, scores, sample_weight=None):
    """Of many classes scikit-learn has it from 1.7 on."""
    if scores.ndim == 1:
        return -metrics.brier_score_loss(true, scores, sample_weight=sample_weight)
    return -np.average(((scores - np.eye(scores.shape[1])[true]) ** 2).sum(axis=1), weights=sample_weight)


def _negative_log_loss(*args, **kwargs):
    return -metrics.log_loss(*args, **kwargs)


ONE_CLASS = {
    "f1": partial(metrics.f1_score, zero_division=0),
    "fbeta": partial(metrics.fbeta_score, beta=2, zero_division=0),
    "precision": partial(metrics.precision_score, zero_division=0),
    "recall": partial(metrics.recall_score, zero_division=0),
    "jaccard": partial(metrics.jaccard_score, zero_division=0),
    "specificity": partial(metrics.recall_score, pos_label=0, zero_division=0),
}
"""Of one class: which examples are of it, and which are predicted to be."""


def _ignores_negatives(reference):
    true, said = np.array([[1, 1, 0, 1, 0], [1, 0, 1, 1, 0]])
    return reference(true, said) == reference(true[:4], said[:4])


REFERENCES = {
    Data.CLASSES: {
        "accuracy": metrics.accuracy_score,
        "balanced_accuracy": metrics.balanced_accuracy_score,
        "matthews_corrcoef": metrics.matthews_corrcoef,
        "cohen_kappa": metrics.cohen_kappa_score,
        "g_mean": lambda true, predicted: np.prod(_recalls(true, predicted)) ** (1 / len(np.unique(true))),
        "answered": lambda true, predicted: np.isin(predicted, true).mean(),
        **ONE_CLASS,
    },
    Data.LABELS: {"accuracy": lambda true, predicted: 1 - metrics.hamming_loss(true, predicted), **ONE_CLASS},
    Data.SPANS: {name: reference for name, reference in ONE_CLASS.items() if _ignores_negatives(reference)},
    Data.SCORES_OF_TWO: {
        "roc_auc": metrics.roc_auc_score,
        "average_precision": metrics.average_precision_score,
        "neg_log_loss": _negative_log_loss,
        "neg_brier_score": _negative_brier,
    },
    Data.SCORES_OF_MANY: {
        "roc_auc_ovr": partial(metrics.roc_auc_score, multi_class="ovr"),
        "average_precision_macro": metrics.average_precision_score,
        "neg_log_loss": _negative_log_loss,
        "neg_brier_score": _negative_brier,
    },
    Data.VALUES: {"mean": lambda _, values, sample_weight=None: np.average(values, weights=sample_weight)},
}


def names_of(row):
    """Write a name for every average, or for the first class."""
    return [f"{name}[0]" if isinstance(row, ByClass) and not parse_name(name).average else name for name in row.names]


def serving(data):
    """List rows and names of measures that serve a kind of data."""
    return [pytest.param(row, name, id=name) for row in ROWS if row.data & data for name in names_of(row)]


OF_CLASSES = [pytest.param(row, id=row.name) for row in ROWS if Data.CLASSES in row.data]


class Decisions(NamedTuple):
    """Whether each example is of each class, and is predicted to be, and which of these decisions count: (N, K)."""

    data: Data
    true: np.ndarray
    predicted: np.ndarray
    counted: np.ndarray
    table: OutcomeTable

    def measure(self, name):
        n_labels = self.true.shape[1]
        if self.data is Data.CLASSES:  # the last one is never true
            return parse_measure(name, (*range(n_labels - 1), UNREADABLE))
        return parse_measure(name, range(n_labels), multilabel=True, spans=self.data is Data.SPANS)

    def without_first(self):
        """Leave the decisions about the first class out."""
        return self._replace(**{name: getattr(self, name)[:, 1:] for name in ("true", "predicted", "counted")})

    def expected(self, row):
        """Return the reference's score by every average, and of the first class or of all."""
        reference = REFERENCES[self.data][row.name]
        if isinstance(row, Overall):
            both = self.true, self.predicted
            return {"": reference(*(each.argmax(axis=1) for each in both) if self.data is Data.CLASSES else both)}
        totals = self.true.sum(axis=0)
        columns = (each[:, totals > 0].T for each in (self.true, self.predicted, self.counted))
        scores = [reference(true[counted], said[counted]) for true, said, counted in zip(*columns, strict=True)]
        return {
            "": scores[0],
            "macro": np.mean(scores),
            "micro": reference(self.true[self.counted], self.predicted[self.counted]),
            "weighted": np.average(scores, weights=totals[totals > 0]),
        }


def classes(seed, n_classes, n_unreadable=1):
    rng, n_labels = np.random.default_rng(seed), n_classes + n_unreadable
    true = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, 60)])
    said = np.where(rng.random(true.size) < rng.uniform(0.1, 0.95), true, rng.integers(0, n_labels, true.size))
    is_true, is_said = (each[:, None] == np.arange(n_labels) for each in (true, said))
    counted = is_said | is_true.any(axis=0)  # nothing is rightly not of a class of none
    return Decisions(Data.CLASSES, is_true, is_said, counted, OutcomeTable.tally(n_labels, true, said))


def labels(seed, n_labels):
    """Make up rare and common labels, one never true and one never predicted."""
    rng = np.random.default_rng(seed)
    true = rng.random((80, n_labels)) < rng.uniform(0.05, 0.8, n_labels)
    said = np.where(rng.random(true.shape) < rng.uniform(0, 0.5), ~true, true)
    true[:, 1:2] = said[:, 2:3] = False
    table = MultilabelCounts.from_predictions(true, said).table
    return Decisions(Data.LABELS, true, said, np.ones_like(true), table)


def spans(seed, n_types):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 30, (n_types, 3))
    kinds = np.repeat(np.tile([[True, True], [False, True], [True, False]], (n_types, 1)), counts.ravel(), axis=0)
    of_type = np.repeat(np.eye(n_types, dtype=bool), counts.sum(axis=1), axis=0)
    true, said = (of_type & kind[:, None] for kind in kinds.T)
    return Decisions(
        Data.SPANS, true, said, of_type, SpanCounts.from_counts(*counts.T, labels=range(len(counts))).table
    )


CASES = [make(seed, n) for make in (classes, labels, spans) for seed, n in enumerate((2, 3, 7, 30, 2, 3, 7, 5))]


COUNTS = np.array([[30, 9, 1, 2], [4, 40, 6, 1], [3, 2, 50, 4], [0, 0, 0, 0]])


class TestDeclared:
    def test_names_are_unique_and_understood(self):
        names = [name for row in ROWS for name in names_of(row)]
        words = {parse_name(name).words for name in names}
        assert len(MEASURES) == len(ROWS)
        assert len(words) == len(set(names)) == len(names)
        assert all(row.words for row in ROWS)
        assert [parse_name(name).base for name in names] == [row.name for row in ROWS for _ in names_of(row)]

    @pytest.mark.parametrize("row", [row for row in ROWS if row.takes_beta], ids=lambda row: row.name)
    def test_a_beta_makes_another_measure(self, row):
        assert score(f"{row.name}_macro(2)", COUNTS) != score(f"{row.name}_macro(3)", COUNTS)

    def test_every_measure_of_a_kind_of_data_has_a_reference(self):
        expected = {data: {row.name for row in ROWS if data in row.data} for data in Data}
        assert {data: {*references} for data, references in REFERENCES.items()} == expected

    @pytest.mark.parametrize("row", [row for row in ROWS if isinstance(row, Overall)], ids=lambda row: row.name)
    def test_a_score_that_class_shares_leave_alone_is_about_recalls(self, row):
        here, there = (score(row.name, each) for each in (COUNTS, COUNTS * [[1], [5], [2], [1]]))
        assert row.class_base == ("recall" if here == pytest.approx(there) else "f1")


def joint(counts):
    p = counts / counts.sum(axis=(-2, -1), keepdims=True)
    return Joint(p.sum(axis=-1), np.diagonal(p, axis1=-2, axis2=-1), p.sum(axis=-2), p)


def score(name, counts, order=None):
    order = range(counts.shape[-1] - 1) if order is None else order
    return parse_measure(name, (*order, UNREADABLE))(joint(counts))


def matrices(n_classes, values):
    """Make all matrices of such counts; the last column is of unreadable answers, and its row is empty."""
    cells = np.array([*product(values, repeat=n_classes * (n_classes + 1))])[1:]
    return np.pad(cells.reshape(-1, n_classes, n_classes + 1), ((0, 0), (0, 1), (0, 0)))


def gives(measure, joint, expected):
    try:
        return measure(joint) == pytest.approx(expected, abs=1e-12)
    except AssertionError:  # a formula that lacks what it looks at
        return False


class TestScores:
    @pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.data.name} {case.true.shape[1]}")
    def test_scores_are_those_of_the_reference(self, case):
        for row in (row for row in ROWS if case.data in row.data):
            expected = case.expected(row)
            for name in names_of(row):
                found = case.measure(name)(Joint.observed(case.table, Detail.MATRIX))
                assert found == pytest.approx(expected[parse_name(name).average], abs=1e-12), name

    @pytest.mark.parametrize("kind", [Data.CLASSES, Data.LABELS, Data.SPANS], ids=lambda kind: kind.name)
    def test_an_average_may_leave_a_class_out(self, kind):
        """As scikit-learn's does with ``labels=``; relation extraction counts no "no relation" so."""
        cases = [case for case in CASES if case.data is kind and case.true.shape[1] > 3]
        rows = [row for row in ROWS if kind in row.data and isinstance(row, ByClass)]
        for case, row in product(cases, rows):
            expected = case.without_first().expected(row)
            for average in row.averages:
                name = next(name for name in row.names if parse_name(name).average == average)
                measure = case.measure(f"{name}[without 0]")
                found = measure(Joint.observed(case.table, measure.detail))
                assert found == pytest.approx(expected[average], abs=1e-12), name
        assert cases

    @pytest.mark.parametrize("row", OF_CLASSES)
    def test_the_declared_detail_is_the_least_that_gives_the_score(self, row):
        enough = {}
        for case, name in product((case for case in CASES if case.data is Data.CLASSES), names_of(row)):
            measure, full = case.measure(name), Joint.observed(case.table, Detail.MATRIX)
            seen = {
                Detail.TOTAL: Joint(np.ones(1), full.correct.sum(keepdims=True)),
                Detail.CORRECT: Joint(full.true, full.correct),
                Detail.MARGINS: replace(full, matrix=None),
                Detail.MATRIX: full,
            }
            for detail, joint in seen.items():
                key = measure.detail, detail
                enough[key] = enough.get(key, True) and gives(measure, joint, measure(full))
        assert enough == {(declared, detail): detail >= declared for declared, detail in enough}

    @pytest.mark.parametrize(("row", "name"), serving(Data.CLASSES))
    def test_the_lowest_score_is_reached_and_none_is_lower(self, row, name):
        scores = np.concatenate([score(name, each) for each in (matrices(2, (0, 1, 40)), matrices(3, (0, 1)))])
        assert (scores.min(), scores.max()) == pytest.approx((row.lowest, 1))

    @pytest.mark.parametrize("row", OF_CLASSES)
    def test_what_sets_the_last_class_apart_needs_unreadable_answers(self, row):
        plain = classes(1, 3, n_unreadable=0)
        found = plain.measure(names_of(row)[-1])(Joint.observed(plain.table, Detail.MATRIX))
        expected = [*plain.expected(row).values()][-1]
        assert (Needs.UNREADABLE in row.needs) == (found != pytest.approx(expected))


TWO_CLASSES = matrices(2, (0, 3))


def is_refused_by(require, *args):
    try:
        require(*args)
    except InputError:
        return True
    return False


def undefined(name, *, refused):
    """Find counts, refused or let through, of which a trace of another example changes the score."""
    table_labels = (0, 1, UNREADABLE)
    for counts in TWO_CLASSES:
        true, said = np.nonzero(counts)
        table = replace(OutcomeTable.tally(3, true, said, weight=counts[true, said]), unsupported=(2,))
        measure = parse_measure(name, table_labels)
        if is_refused_by(require_defined, Experiment("single", (table,)), table_labels, measure) != refused:
            continue
        rows = range(2) if measure.named.average != "micro" else np.unique(true)  # no decisions are about other classes
        cells = [(row, column) for row in rows for column in range(3)]
        traces = np.zeros((len(cells), 3, 3))
        traces[np.arange(len(cells)), *np.transpose(cells)] = 1e-9
        yield counts, np.abs(measure(joint(counts + traces)) - measure(joint(counts))).max() > 0.01


class TestNeeds:
    @pytest.mark.parametrize(("row", "name"), serving(Data.CLASSES))
    def test_no_score_is_undefined(self, row, name):
        assert not any(changes for _, changes in undefined(name, refused=False))

    @pytest.mark.parametrize(("row", "name"), serving(Data.CLASSES))
    def test_what_is_refused_is_undefined_or_lacks_a_class(self, row, name):
        """A correlation with predictions that never vary is refused too, though kappa is then 0."""
        for counts, changes in undefined(name, refused=True):
            never_varies = Needs.VARIATION in row.needs and counts.any(axis=0).sum() == 1
            lacks_a_class = not counts[:2].any(axis=1).all()
            assert changes or never_varies or lacks_a_class, f"refused, though it has a limit: {counts.tolist()}"

    @pytest.mark.parametrize("row", OF_CLASSES)
    def test_without_a_need_some_score_would_be(self, row, monkeypatch):
        for need in row.needs & ~Needs.UNREADABLE:
            monkeypatch.setitem(MEASURES, row.name, replace(row, needs=row.needs & ~need))
            assert any(changes for name in names_of(row) for _, changes in undefined(name, refused=False))


N_SCORED = 500
FEW, MANY = np.eye(1, N_SCORED, dtype=int)[0], np.arange(N_SCORED)  # one example of a class
BEST = {
    Data.SCORES_OF_TWO: (FEW, FEW),
    Data.SCORES_OF_MANY: (MANY, np.eye(N_SCORED)),
    Data.VALUES: (0 * FEW, 1e6 * FEW),
}
WORST = {
    Data.SCORES_OF_TWO: [(FEW, 1 - FEW)],
    Data.SCORES_OF_MANY: [
        (MANY, (1 - np.eye(N_SCORED)) / (N_SCORED - 1)),
        (MANY, np.roll(np.eye(N_SCORED), 1, axis=0)),
    ],
    Data.VALUES: [(0 * FEW, -1e6 * FEW)],
}


def score_table(true, scores, n_classes=None):
    return ScoreTable.tally(n_classes or true.max() + 1, true, scores.reshape(true.size, -1).astype(float))


def scored(row, table, weights=None):
    weights = table.count[None] * 1.0 if weights is None else weights
    return scorer(row.name, table, 0)(Weighting.of_outcomes(weights.T))


def is_refused(row, table):
    labels = () if table.n_classes == 1 else tuple(range(table.n_classes))
    return is_refused_by(parse_score_measure, row.name, labels, ((table, 0),))


def random_scores(n_classes, *, ties=False):
    rng = np.random.default_rng(7)
    true = np.arange(300) % n_classes
    scores = rng.dirichlet(np.ones(n_classes), 300) if n_classes > 2 else rng.random((300, 1))
    if ties:
        scores = np.round(3 * scores + 0.5)
        scores /= scores.sum(axis=1, keepdims=True) if n_classes > 2 else 4
    return true, scores


OF_SCORES = [pytest.param(row, data, id=f"{row.name} {data.name}") for row in ROWS for data in row.data & Data.SCORES]
N_CLASSES = {Data.SCORES_OF_TWO: 2, Data.SCORES_OF_MANY: 4, Data.VALUES: 1}


class TestMeasuresOfScores:
    @pytest.mark.parametrize("ties", [False, True], ids=["distinct", "ties"])
    @pytest.mark.parametrize(("row", "data"), OF_SCORES)
    def test_at_fixed_weights_they_are_those_of_the_reference(self, row, data, ties):
        reference, table = REFERENCES[data][row.name], score_table(*random_scores(N_CLASSES[data], ties=ties))
        weights = np.random.default_rng(8).gamma(1, size=(3, table.count.size))
        given = table.scores[0] if table.scores[0].shape[1] > 1 else table.scores[0][:, 0]
        expected = [reference(table.true, given, sample_weight=each) for each in (*weights, table.count)]
        found = scored(row, table, np.concatenate([weights, table.count[None]]))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)

    @pytest.mark.parametrize("row", [row for row in ROWS if row.data & Data.SCORES], ids=lambda row: row.name)
    def test_the_lowest_score_is_reached(self, row):
        low = [scored(row, score_table(*worst)) for data in row.data for worst in WORST[data]]
        high = [scored(row, score_table(*BEST[data])) for data in row.data]
        assert max(low) < min(high)
        assert min(low) == pytest.approx(row.lowest, abs=0.01) if np.isfinite(row.lowest) else min(low) < -30

    @pytest.mark.parametrize(("row", "data"), OF_SCORES)
    def test_what_takes_scores_for_probabilities_says_so(self, row, data):
        true, scores = random_scores(N_CLASSES[data])
        table, larger = score_table(true, scores), score_table(true, 3 * scores)
        changes = data is not Data.VALUES and scored(row, table) != pytest.approx(scored(row, larger))
        assert changes == (Needs.PROBABILITIES in row.needs)

    @pytest.mark.filterwarnings("ignore:invalid value encountered")
    @pytest.mark.parametrize(("row", "data"), OF_SCORES)
    def test_what_ranks_a_class_needs_an_example_of_it(self, row, data):
        true, scores = random_scores(N_CLASSES[data])
        table = score_table(true[true == 0], scores[true == 0], N_CLASSES[data])
        assert is_refused(row, table) == (not np.isfinite(scored(row, table))) == (Needs.EXAMPLE in row.needs)


@pytest.mark.parametrize("name", KINDS)
def test_measures_that_do_not_declare_a_kind_of_data_are_refused(name):
    kind = KINDS[name]
    sides = kind.sides(kind.draw(np.random.default_rng(1)))
    task = ComparisonTask.of(*sides, rope=0.01, measure=kind.measures[0], weak_baseline=True)
    known = {parse_name(each).base for each in kind.measures if "@" not in each}
    for measure in {each for row in ROWS if row.name not in known for each in names_of(row)}:
        with pytest.raises(InputError, match=r"^measure: "):
            task.measure(measure)
