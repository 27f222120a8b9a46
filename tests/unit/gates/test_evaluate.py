import json

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, WideRopeWarning, compare
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.files.tables import Reading
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import POLICIES, load_gates
from pytest_bayesf1.settings import Runs, Session, active
from tests.functional import classifiers
from tests.unit.gates.written_gates import (
    BASELINE,
    CANDIDATE,
    N,
    counts,
    figures,
    gate_file,
    one_gate,
    parts,
    result_of,
    side,
)

CANDIDATES = {
    "<<": classifiers.MUCH_WORSE,
    "<": classifiers.WORSE,
    "?": classifiers.UNDECIDED,
    "~": classifiers.EQUIVALENT,
    ">": classifiers.BETTER,
    ">>": classifiers.MUCH_BETTER,
}
VERDICTS = {
    "<<": {"<<": "failed", "<": "warned", "?": "undecided"},
    "<": {"<<": "failed", "<": "failed", "?": "undecided"},
    "?": {"<<": "failed", "<": "failed", "?": "failed"},
}


@pytest.mark.parametrize("decision", CANDIDATES)
@pytest.mark.parametrize("fail_on", POLICIES)
def test_what_fails_on_what(tmp_path, fail_on, decision):
    result = result_of(tmp_path, classifiers.BASELINE, CANDIDATES[decision], rope=classifiers.ROPE, fail_on=fail_on)
    assert result.overall.comparison.decision == decision
    assert result.verdict == VERDICTS[fail_on].get(decision, "passed")
    assert result.overall.gate == f'fail_on "{fail_on}"'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "of_one_class"),
    [
        ("f1_macro", "f1"),
        ("f1[b]", "f1"),
        ("fbeta_macro(2)", "fbeta(2)"),
        ("fbeta_macro(0.1234567)", "fbeta(0.1234567)"),
        ("precision_weighted", "precision"),
        ("jaccard_micro", "jaccard"),
        ("specificity_macro", "specificity"),
        ("recall_macro", "recall"),
        ("accuracy", "f1"),
        ("balanced_accuracy", "recall"),
        ("g_mean", "recall"),
        ("matthews_corrcoef", "f1"),
        ("cohen_kappa", "f1"),
    ],
)
@pytest.mark.one_of_many
def test_every_class_is_compared_by_what_corresponds_to_the_measure(tmp_path, measure, of_one_class):
    result = result_of(tmp_path, BASELINE, CANDIDATE, measure=measure, prior="jeffreys", per_class=True)
    found = parts(result)
    assert list(found) == ["", "class a", "class b", "class c"]
    assert [each.measure for each in found.values()] == [measure, *(f"{of_one_class}[{label}]" for label in "abc")]
    assert [judgement.gate for judgement in result.judgements] == ['fail_on "<<"', *["per_class"] * 3]
    for each in found.values():
        direct = compare(counts(BASELINE), counts(CANDIDATE), measure=each.measure, prior="jeffreys", rope=0.02)
        assert figures(each) == figures(direct)


def test_the_measure_of_two_classes(tmp_path):
    sides = side(0.9, 1, (0, 1)), side(0.9, 2, (0, 1))
    found = parts(result_of(tmp_path, *sides, measure="f1", per_class=True))
    assert [each.measure for each in found.values()] == ["f1", "f1[0]", "f1[1]"]
    assert found[""].mean == found["class 1"].mean


def test_the_measure_of_two_names_needs_one_of_them(tmp_path):
    sides = side(0.9, 1, ("hateful", "non-hateful")), side(0.9, 2, ("hateful", "non-hateful"))
    with pytest.raises(InputError, match=r"Use 'f1\[hateful\]' or 'f1\[non-hateful\]'"):
        result_of(tmp_path, *sides, measure="f1")


@pytest.mark.parametrize("n_baseline", [0, 1], ids=["of the candidate", "of both"])
def test_probabilities_are_no_predictions(tmp_path, n_baseline):
    labels, scores = side(0.9, 1, ("0", "1")), side(0.9, 2, ("0", "1"))
    scores["y_pred"] = [f"{score:.3f}" for score in np.random.default_rng(3).random(N)]
    with pytest.raises((InputError, BaselineError), match=r"y_pred: .*Pass labels, not probabilities."):
        result_of(tmp_path, (labels, scores)[n_baseline], scores, fail_on="?")


def test_a_stray_answer_leaves_the_positive_class_known(tmp_path):
    sides = side(0.9, 1, ("0", "1")), side(0.9, 2, ("0", "1"))
    sides[1]["y_pred"][0] = "N/A"
    found = parts(result_of(tmp_path, *sides, measure="f1"))[""]
    assert found.headline.split(": ")[1].startswith("F1 of 1 ")


@pytest.mark.slow
def test_labels_of_multi_label_data_are_compared_one_by_one(tmp_path):
    def tagged(seed):
        drawn = np.random.default_rng(seed)
        truth = [[tag for tag in "xyz" if (number + ord(tag)) % 3 == 0] for number in range(N)]
        guess = [[tag for tag in "xyz" if (tag in tags) != (drawn.random() < 0.1)] for tags in truth]
        return {"id": list(range(N)), "y_true": truth, "y_pred": guess}

    sides = tagged(1), tagged(2)
    found = parts(result_of(tmp_path, *sides, per_class=True))
    assert list(found) == ["", "class x", "class y", "class z"]
    for each in found.values():
        direct = compare(*(counts(columns, MultilabelCounts) for columns in sides), measure=each.measure, rope=0.02)
        assert figures(each) == figures(direct)


def test_a_class_that_falls_makes_the_gate_fail_though_all_the_data_do_not(tmp_path):
    before = [[9000, 10, 0], [10, 9000, 0], [0, 5, 195]]
    after = [[9005, 5, 0], [5, 9005, 0], [0, 80, 120]]
    result = result_of(tmp_path, before, after, measure="accuracy", per_class=True)
    assert [(judgement.part, judgement.verdict) for judgement in result.judgements] == [
        ("", "passed"),
        ("class 0", "passed"),
        ("class 1", "passed"),
        ("class 2", "failed"),
    ]
    assert result.verdict == "failed"
    assert result.message.startswith("≪ class 2, F1 of 2 −")


@pytest.mark.slow
@pytest.mark.parametrize("label", ["a]b", "x[y]", "[", "]", "f1[a]", "two\nlines", "", " ", "ש\u200f"])
def test_hostile_class_labels(tmp_path, label):
    labels = (label, "other") if label else ("x", "other")
    sides = side(0.9, 1, labels), side(0.9, 2, labels)
    found = parts(result_of(tmp_path, *sides, per_class=True, rope=0.1))
    assert len(found) == 3
    direct = compare(*map(counts, sides), measure=f"f1[{labels[0]}]", rope=0.1)
    assert figures(direct) in [figures(each) for each in found.values()]
    assert not any("\n" in part for part in found)


@pytest.mark.slow
def test_a_label_that_is_never_true_is_no_class(tmp_path):
    baseline, candidate = side(0.9, 1, ("ham", "spam")), side(0.9, 2, ("ham", "spam"))
    candidate["y_pred"][0] = "neither"
    for sides in ((baseline, candidate), (candidate, baseline)):
        found = parts(result_of(tmp_path, *sides, per_class=True, rope=0.1))
        assert list(found) == ["", "class ham", "class spam"]
        assert found[""].notes()[0].startswith("'neither': predicted 1 time by the ")
        assert figures(found[""]) == figures(compare(*map(counts, sides), rope=0.1))


def test_parts_are_the_same_whether_paired_once_or_in_each_comparison(tmp_path):
    found = parts(result_of(tmp_path, BASELINE, CANDIDATE, per_class=True))
    pairs = PairedCounts.from_predictions(BASELINE["y_true"], BASELINE["y_pred"], CANDIDATE["y_pred"])
    assert figures(found["class b"]) == figures(compare(pairs, measure="f1[b]", rope=0.02))
    assert found[""].model == "paired"


@pytest.mark.slow
@pytest.mark.parametrize("model", ["same-set", "independent"])
@pytest.mark.one_of_many
def test_another_model_that_the_file_asks_for(tmp_path, model):
    found = parts(result_of(tmp_path, BASELINE, CANDIDATE, per_class=True, model=model))
    for each in found.values():
        direct = compare(counts(BASELINE), counts(CANDIDATE), measure=each.measure, rope=0.02, model=model)
        assert figures(each) == figures(direct)


def test_two_test_sets_must_be_declared(tmp_path):
    other = {**CANDIDATE, "id": [number + N for number in range(N)]}
    with pytest.raises(
        InputError, match=r"^candidate\.ids: .* For two different test sets pass model='independent'\.$"
    ):
        result_of(tmp_path, BASELINE, other)
    assert result_of(tmp_path, BASELINE, other, model="independent").overall.comparison.model == "independent"


def test_what_stands_in_the_file_decides(tmp_path):
    settings = {"rope": 0.5, "measure": "accuracy", "hdi_prob": 0.6, "prior": "uniform", "seed": 9, "n_draws": 1_000}
    with active(Session(settings)):
        found = result_of(tmp_path, BASELINE, CANDIDATE).overall.comparison
    assert figures(found) == figures(compare(counts(BASELINE), counts(CANDIDATE), rope=0.02))


def test_evaluating_tells_the_session_nothing(tmp_path):
    heard = []
    with active(Session(listener=heard.append)):
        result_of(tmp_path, BASELINE, CANDIDATE, per_class=True)
    assert heard == []


def test_a_missing_baseline_names_the_command_that_makes_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (gate,) = load_gates(gate_file(tmp_path, one_gate("the gate's"), "bayesf1 it.yaml"), tmp_path)
    with pytest.raises(BaselineError) as caught:
        evaluate(gate)
    assert str(caught.value) == (
        "bayesf1 it.yaml:1: gates.the gate's.baseline: expected a file, got none at a.json. To make the candidate the "
        "baseline, run: bayesf1 baseline update 'bayesf1 it.yaml' --gate 'the gate'\"'\"'s' --new"
    )


@pytest.mark.parametrize(
    ("baseline", "candidate", "told"),
    [
        ("a.json", "none.json", r"^candidate \(.*none\.json\): expected a file, got no such file$"),
        ("a.json", "folder.json", r"^candidate \(.*\): expected a file, got a directory$"),
        ("damaged.json", "a.json", r"^baseline \(.*\): line 1, column 2: expected JSON, got "),
        ("folder.json", "a.json", r"^baseline \(.*\): expected a file, got a directory$"),
        ("x" * 300 + ".csv", "a.json", r"^baseline \(.*\): expected a file that can be read, got File name too long$"),
        ("a.json", "a.txt", r"^candidate \(.*\): expected a file that ends in \.csv, .*, got 'a\.txt'$"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, baseline, candidate, told):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "damaged.json").write_text("{")
    (tmp_path / "a.json").write_text(json.dumps(BASELINE))
    (gate,) = load_gates(gate_file(tmp_path, one_gate(baseline=baseline, candidate=candidate)), tmp_path)
    with pytest.raises(BaselineError if told.startswith("^baseline") else InputError, match=told):
        evaluate(gate)


@pytest.mark.slow
def test_a_wide_rope_warns_once_at_the_line_of_its_gate(tmp_path):
    with pytest.warns(WideRopeWarning) as caught:
        result_of(
            tmp_path,
            {**BASELINE, "half": ["a", "b"] * 200},
            {**CANDIDATE, "half": ["a", "b"] * 200},
            rope=0.3,
            per_class=True,
            slices=["half"],
        )
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (str(tmp_path / "bayesf1.yaml"), 1)
    assert str(warning.message).startswith("The rope 0.3 means that you tolerate 30 points")


@pytest.mark.slow
@pytest.mark.parametrize(("rope", "bounds"), [([0.3, "wide"], (-0.3, 0.3)), ([-0.3, 0.1, "wide"], (-0.3, 0.1))])
def test_a_wide_rope_can_be_confirmed(tmp_path, rope, bounds):
    assert result_of(tmp_path, BASELINE, CANDIDATE, rope=rope).overall.comparison.rope == bounds


def test_a_gate_that_cannot_fail_says_so_though_its_rope_is_confirmed(tmp_path):
    result = result_of(tmp_path, BASELINE, CANDIDATE, rope=[0.95, "wide"])
    (record,) = result.records()
    assert any("cannot fail" in note for note in record.result.to_dict()["notes"])


def unreadable(columns, n, answer=None):
    return {**columns, "y_pred": [answer] * n + columns["y_pred"][n:]}


def test_answers_that_could_not_be_read(tmp_path):
    """They count as wrong in every part, and in no average, whichever side has them."""
    part = ["x", "y"] * (N // 2)
    sides = [unreadable({**side(0.9, seed), "part": part}, n) for seed, n in ((1, 0), (2, 40))]
    result = result_of(tmp_path, *sides, invalid="wrong", per_class=True, slices=["part"])
    known = result.overall.comparison
    predicted = [unreadable(each, n, "?")["y_pred"] for each, n in zip(sides, (0, 40), strict=True)]
    unexpected = PairedCounts.from_predictions(sides[0]["y_true"], *predicted, labels=["a", "b", "c", "?"])
    assert known.hdi == run_comparison(unexpected, rope=0.02).hdi
    assert known.notes()[0] == "10% of the candidate's answers could not be read: counted as wrong."
    assert list(parts(result)) == ["", "class a", "class b", "class c", "part=x", "part=y"]
    assert result.left_out == ()


def test_the_share_of_readable_answers_can_be_gated(tmp_path):
    baseline, candidate = unreadable(BASELINE, 2), unreadable(BASELINE, 60)
    failed = result_of(tmp_path, baseline, candidate, invalid="wrong", measure="answered")
    assert failed.overall.comparison.decision == "<<"
    assert failed.overall.comparison.headline.startswith(
        "The candidate is worse: share of readable answers falls by 14"
    )


def test_without_invalid_they_are_errors(tmp_path):
    with pytest.raises(InputError, match=r'row 1, y_pred: .* invalid="wrong"'):
        result_of(tmp_path, BASELINE, unreadable(BASELINE, 1))
    with pytest.raises(BaselineError, match=r'row 1, y_pred: .* invalid="wrong"'):
        result_of(tmp_path, unreadable(BASELINE, 1), BASELINE)


DOCS = [f"d{row // 8}" for row in range(N)]


def test_a_gate_names_its_units(tmp_path):
    sides = [{**each, "doc": DOCS, "part": ["x", "y"] * (N // 2)} for each in (BASELINE, CANDIDATE)]
    result = result_of(tmp_path, *sides, clusters="doc", measure="accuracy", per_class=True, slices=["part"])
    both = (counts(each, clusters=DOCS) for each in sides)
    direct = run_comparison(*both, measure="accuracy", rope=0.02)
    assert result.overall.comparison.hdi == direct.hdi
    assert {each.clusters.n for each in parts(result).values()} == {(50, 50)}
    assert "50 clusters of doc, 400 examples, design effect" in " ".join(result.overall.comparison.notes())


def test_defaults_may_name_units_and_runs_for_all_gates(tmp_path):
    text = """
defaults: {rope: 0.01, clusters: doc, runs: samples, invalid: wrong}
gates:
  one: {baseline: a.csv, candidate: b.csv}
  other: {baseline: a.csv, candidate: b.csv, clusters: user, runs: seeds, invalid: error}
  none: {baseline: a.csv, candidate: b.csv, clusters: null, runs: null}
"""
    readings = [gate.reading("candidate") for gate in load_gates(gate_file(tmp_path, text), tmp_path)]
    assert readings == [
        Reading("wrong", "doc", Runs.SAMPLES),
        Reading("error", "user", Runs.SEEDS),
        Reading("wrong", "", None),
    ]


def runs_of(accuracies, **columns):
    """Return a row for every prediction of several runs."""
    runs = [side(accuracy, seed) for seed, accuracy in enumerate(accuracies, start=1)]
    long = {name: [value for run in runs for value in run[name]] for name in runs[0]}
    return {**long, "run": [number for number in range(len(runs)) for _ in range(N)], **columns}


@pytest.mark.parametrize("kind", ["samples", "seeds"])
def test_several_runs_of_each_example(tmp_path, kind):
    sides = runs_of([0.9, 0.8, 0.85, 0.9, 0.9]), runs_of([0.3, 0.32, 0.35, 0.25, 0.3, 0.3])
    result = result_of(tmp_path, *sides, runs=kind, measure="accuracy")
    wide = [np.array(each["y_pred"]).reshape(-1, N).T for each in sides]
    ids = list(range(N))
    both = (ConfusionMatrix.from_predictions(sides[0]["y_true"][:N], each, ids=ids, runs=kind) for each in wide)
    direct = run_comparison(*both, measure="accuracy", rope=0.02)
    found = result.overall.comparison
    assert (found.hdi, found.clusters.runs, found.clusters.trainings) == (direct.hdi, (5, 6), direct.clusters.trainings)


def test_without_being_told_so_they_are_an_error(tmp_path):
    with pytest.raises(BaselineError, match=r"400 duplicate ids .* runs='samples' .* runs='seeds'"):
        result_of(tmp_path, runs_of([0.9, 0.8]), runs_of([0.9, 0.8]))
