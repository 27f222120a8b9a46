"""What a reviewer is told of two baselines."""

import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, Scores, SpanCounts
from pytest_bayesf1.baselines.regression import difference_of_files
from pytest_bayesf1.baselines.store import Baseline, BaselineStore
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.tables import Reading

ROWS = [("a", "x", "x"), ("b", "x", "y"), ("c", "y", "x"), ("d", "y", "y"), ("e", "z", "x"), ("f", "z", "z")]


@pytest.fixture
def csv(tmp_path):
    def write(name, rows, ids=True):
        head = "id,y_true,y_pred" if ids else "y_true,y_pred"
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join([head, *(",".join(map(str, row if ids else row[1:])) for row in rows)]) + "\n")
        return path

    return write


@pytest.fixture
def stored(tmp_path):
    return lambda counts: BaselineStore(tmp_path / "store").write(Baseline("test_a", counts), None)


def test_examples_are_told_by_what_became_of_them(csv):
    new = [("f", "z", "x"), ("a", "x", "y"), ("b", "x", "x"), ("c", "y", "z"), ("d", "z", "y"), ("g", "y", "y")]
    found = difference_of_files(csv("old", ROWS), csv("new", new))
    assert found.examples == {
        "ids added": 1,
        "ids removed": 1,
        "true class changed": 1,
        "right before, wrong now": 3,
        "wrong before, right now": 1,
        "wrong in another way": 1,
    }
    assert found.test_set == "another"
    assert found.n_samples == (6, 6)
    assert found.scores["accuracy"] == pytest.approx((0.5, 2 / 6))


def test_order_is_no_change(csv):
    found = difference_of_files(csv("old", ROWS), csv("new", ROWS[::-1]))
    assert found.test_set == "the same"
    assert set(found.examples.values()) == {0}
    assert found.cells == {}


def test_cells_that_changed_most_come_first_and_right_ones_not_at_all(csv):
    new = [*ROWS, ("g", "x", "z"), ("h", "x", "z"), ("i", "y", "x"), ("j", "z", "z")]
    found = difference_of_files(csv("old", ROWS), csv("new", new))
    assert list(found.cells.items()) == [("x taken for z", (0, 2)), ("y taken for x", (1, 2))]


def test_at_most_ten_cells(csv):
    rows = [(n, f"class {n}", "class 0") for n in range(20)]
    found = difference_of_files(csv("old", rows), csv("new", [(n, true, true) for n, true, _ in rows]))
    assert len(found.cells) == 10


def test_facts_are_written_for_people(csv):
    found = difference_of_files(csv("old", ROWS), csv("new", ROWS[:4]))
    assert found.facts() == {
        "examples": "6 → 4",
        "test set": "another",
        "accuracy": "0.5000 → 0.5000  (+0.0000)",
        "f1_macro": f"{(0.4 + 0.5 + 2 / 3) / 3:.4f} → 0.5000  ({0.5 - (0.4 + 0.5 + 2 / 3) / 3:+.4f})",
        "ids added": "0",
        "ids removed": "2",
        "true class changed": "0",
        "right before, wrong now": "0",
        "wrong before, right now": "0",
        "wrong in another way": "0",
        "errors that changed most": ["z taken for x: 1 → 0"],
    }


@pytest.mark.parametrize(
    ("ids", "new", "told"),
    [
        ((False, False), ROWS, "the same"),
        ((False, False), [("a", "y", "x"), *ROWS[1:]], "another"),
        ((False, False), ROWS[:5], "another"),
        ((True, False), ROWS, "unknown, for only one side has ids"),
        ((False, True), ROWS, "unknown, for only one side has ids"),
    ],
)
def test_without_ids_on_both_sides_examples_are_not_told(csv, ids, new, told):
    found = difference_of_files(csv("old", ROWS, ids[0]), csv("new", new, ids[1]))
    assert found.test_set == told
    assert found.examples == {}


def test_counts_know_the_totals_of_their_classes_only(csv, tmp_path):
    path = tmp_path / "new.json"
    path.write_text('{"labels": ["x", "y", "z"], "counts": [[2, 0, 0], [0, 2, 0], [0, 0, 2]]}')
    found = difference_of_files(csv("old", ROWS), path)
    assert found.test_set == "the same, as far as the totals of the classes tell"
    path.write_text('{"labels": ["x", "y", "z"], "counts": [[2, 0, 0], [0, 3, 0], [0, 0, 2]]}')
    assert difference_of_files(csv("old", ROWS), path).test_set == "another"


@pytest.mark.parametrize("number", [False, True])
def test_a_stored_baseline_and_a_file_of_the_same_predictions(csv, stored, number):
    rows = [(n if number else name, true, said) for n, (name, true, said) in enumerate(ROWS)]
    ids, y_true, y_pred = zip(*rows, strict=True)
    path = stored(ConfusionMatrix.from_predictions(y_true, y_pred, ids=ids))
    for pair in [(path, csv("new", rows)), (csv("new", rows), path), (path, path)]:
        found = difference_of_files(*pair)
        assert found.test_set == "the same"
        assert set(found.examples.values()) == {0}
        assert found.cells == {}


def test_labels_of_examples(tmp_path, stored):
    old = stored(MultilabelCounts.from_predictions([{"a"}, {"b"}, set()], [{"a"}, {"a"}, {"b"}], ids=[1, 2, 3]))
    new = tmp_path / "new.json"
    new.write_text(
        '{"labels": ["a", "b"], "id": [1, 2, 3], "y_true": [["a"], ["b"], []], "y_pred": [["a"], ["b"], []]}'
    )
    found = difference_of_files(old, new)
    assert found.examples["wrong before, right now"] == 2
    assert found.test_set == "the same"
    assert found.cells == {
        "b, fp": (1, 0),
        "a, fp": (1, 0),
        "a, tn": (1, 2),
        "b, fn": (1, 0),
        "b, tn": (1, 2),
        "b, tp": (0, 1),
    }


def test_spans_of_documents(tmp_path, stored):
    gold = [[(0, 2, "PER"), (5, 6, "LOC")], []]
    old = stored(SpanCounts.from_spans(gold, [[(0, 2, "PER")], [(3, 4, "ORG")]], documents=["a", "b"]))
    new = tmp_path / "new.jsonl"
    new.write_text(
        '{"id": "b", "gold": [], "predicted": []}\n'
        '{"id": "a", "gold": [[0, 2, "PER"], [5, 6, "LOC"]], "predicted": [[0, 2, "LOC"], [5, 6, "LOC"]]}\n'
    )
    found = difference_of_files(old, new)
    assert found.test_set == "the same"
    assert found.scores["f1_micro"] == pytest.approx((0.5, 0.5))
    assert found.cells == {
        "LOC invented": (0, 1),
        "LOC missed": (1, 0),
        "ORG invented": (1, 0),
        "PER missed": (0, 1),
    }


def test_classes_of_one_side_only_are_classes(csv):
    found = difference_of_files(csv("old", ROWS), csv("new", [*ROWS[:5], ("f", "z", "w")]))
    assert found.cells == {"z taken for w": (0, 1)}


def test_other_kinds_of_labels_cannot_be_compared(csv, tmp_path):
    path = tmp_path / "sets.json"
    path.write_text('[{"id": 1, "y_true": ["a"], "y_pred": ["a"]}, {"id": 2, "y_true": ["b"], "y_pred": ["a"]}]')
    with pytest.raises(InputError, match="candidate: expected ConfusionMatrix, as baseline, got MultilabelCounts"):
        difference_of_files(csv("old", ROWS), path)


def test_scores_are_told_by_how_many_changed(stored, tmp_path):
    old = stored(Scores.from_predictions([0, 1, 1], [0.1, 0.4, 0.3], ids=["a", "b", "c"]))
    new = tmp_path / "new.csv"
    new.write_text("id,y_true,y_score\na,0,0.1\nb,1,0.5\nc,0,0.3\n")
    found = difference_of_files(old, new)
    assert found.examples == {"ids added": 0, "ids removed": 0, "true class changed": 1, "scored in another way": 1}
    assert (found.test_set, found.cells) == ("another", {})
    assert found.scores["roc_auc"] == (1, 1)


def test_scores_and_counts_cannot_be_compared(csv, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("y_true,y_score\n0,0.1\n1,0.5\n")
    with pytest.raises(InputError, match="expected ConfusionMatrix, as baseline, got Scores"):
        difference_of_files(csv("old", ROWS), new)


def test_numbers_of_examples_have_no_true_class(tmp_path):
    for name, values in (("old", (1, 0, 1)), ("new", (1, 1, 0))):
        rows = "".join(f"{row},{value}\n" for row, value in enumerate(values))
        (tmp_path / f"{name}.csv").write_text(f"id,value\n{rows}")
    found = difference_of_files(tmp_path / "old.csv", tmp_path / "new.csv")
    assert found.test_set == "the same"
    assert (found.examples["true class changed"], found.examples["scored in another way"]) == (0, 2)


def test_each_file_is_read_as_its_side_is(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("id,y_true,old,new\n1,a,a,b\n2,b,b,b\n")
    readings = {
        side: Reading(columns=(("y_pred", name),)) for side, name in (("baseline", "old"), ("candidate", "new"))
    }
    assert difference_of_files(path, path, readings).scores["accuracy"] == (1, 0.5)
