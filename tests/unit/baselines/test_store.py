import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import (
    BaselineError,
    ConfusionMatrix,
    InputError,
    MultilabelCounts,
    PairedCounts,
    Scores,
    SpanCounts,
)
from pytest_bayesf1.baselines.classes import ChangedClasses
from pytest_bayesf1.baselines.store import Baseline, BaselineStore, from_text, read_baseline, to_text
from pytest_bayesf1.baselines.store import test_set_columns as columns_of_the_test_set
from pytest_bayesf1.git import Revision
from pytest_bayesf1.project import is_baseline
from tests.unit.baselines.checksums import with_checksum
from tests.unit.committed import Committed

GOLDEN = Path(__file__).parents[2] / "golden"
Y_TRUE = ["ham", "ham", "spam", "spam", "spam"]
Y_PRED = ["ham", "spam", "spam", "spam", "ham"]
IDS = ["mail-3", "mail-1", "mail-5", "mail-2", "mail-4"]
SETS_TRUE = [{"art", "war"}, {"art"}, set(), {"law"}, {"law", "art"}]
SETS_PRED = [{"war"}, {"art"}, {"war"}, {"law"}, set()]
GOLD = [[(0, 2, "PER"), (5, 6, "LOC")], [], [(1, 2, "PER")]]
FOUND = [[(0, 2, "PER")], [(3, 4, "ORG")], [(1, 2, "PER"), (0, 1, "LOC")]]
MULTILABEL = [[[2, 0], [2, 1]], [[3, 0], [0, 2]]]

SIDES = {
    "matrix": ConfusionMatrix([[50, 2, 0], [5, 43, 1], [0, 0, 9]], labels=["b", "a", "c"]),
    "matrix-without-labels": ConfusionMatrix([[50, 2], [5, 43]]),
    "matrix-of-large-counts": ConfusionMatrix([[2**53 - 3, 1], [1, 1]]),
    "predictions": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED),
    "predictions-with-ids": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=IDS),
    "predictions-with-numbers-as-ids": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=[30, -1, 5, 2, 4]),
    "predictions-over-labels-in-order": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, labels=["spam", "ham", "?"]),
    "clusters": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=IDS, clusters=["x", "x", "y", "x", "z"]),
    "samples": ConfusionMatrix.from_predictions(
        Y_TRUE, [["ham", "spam"], ["ham"], ["spam"] * 3, ["spam"] * 2, ["ham"]], ids=IDS, runs="samples"
    ),
    "seeds-with-unreadable-answers": ConfusionMatrix.from_predictions(
        Y_TRUE, [["ham", None, "spam"]] * 5, clusters=[1, 1, 2, 3, 3], runs="seeds", invalid="wrong"
    ),
    "sets-in-clusters": MultilabelCounts.from_predictions(SETS_TRUE, SETS_PRED, clusters=[2, 2, 1, 3, 3]),
    "unreadable-answers": ConfusionMatrix.from_predictions(Y_TRUE, ["ham", None, "?", "spam", "ham"], invalid="wrong"),
    "unreadable-answers-of-numbers": ConfusionMatrix.from_predictions([3, 1], [3, None], invalid="wrong", ids=[2, 1]),
    "no-unreadable-answer": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, invalid="wrong", labels=["spam", "ham"]),
    "matrix-with-unreadable-answers": ConfusionMatrix.from_cells(
        ["ham", "spam"], ["ham", None], [5, 3], labels=["spam", "ham"], invalid="wrong"
    ),
    "integers": ConfusionMatrix.from_predictions([3, 1, 1], [1, 1, 3]),
    "booleans": ConfusionMatrix.from_predictions([True, False, True], [True, True, False]),
    "sets": MultilabelCounts.from_predictions(SETS_TRUE, SETS_PRED),
    "sets-with-ids": MultilabelCounts.from_predictions(SETS_TRUE, SETS_PRED, ids=IDS),
    "sets-of-integers": MultilabelCounts.from_predictions([{0, 1}, {1}, set()], [{1}, {0, 1}, {0}]),
    "indicators": MultilabelCounts.from_predictions([[1, 0], [0, 1], [0, 0]], [[1, 1], [0, 1], [0, 0]]),
    "label-counts": MultilabelCounts(MULTILABEL, labels=["war", "art"]),
    "label-counts-without-labels": MultilabelCounts(MULTILABEL),
    "scores": Scores.from_predictions([0, 1, 1], [0.1, 1 / 3, 5e-324]),
    "scores-with-ids": Scores.from_predictions(Y_TRUE, {"ham": [1, 2, 3, -4, 0.7]}, ids=IDS, clusters=[1, 1, 2, 2, 2]),
    "scores-of-many-classes": Scores.from_predictions(
        [3, 1, 2], [[0.1, 0.2, 0.7], [1, 0, 0], [0, 1, 0]], labels=[2, 3, 1]
    ),
    "values": Scores.from_values([4, 5, 1 / 3]),
    "values-with-ids": Scores.from_values([4, 5, 1 / 3], ids=["b", "c", "a"]),
    "spans": SpanCounts.from_spans(GOLD, FOUND),
    "spans-of-named-documents": SpanCounts.from_spans(GOLD, FOUND, documents=["b", "c", "a"]),
    "spans-of-users": SpanCounts.from_spans(GOLD, FOUND, documents=["b", "c", "a"], clusters=["x", "y", "x"]),
    "span-counts": SpanCounts.from_counts([5, 2], [1, 0], [0, 3], labels=["PER", "LOC"]),
    "span-counts-by-document": SpanCounts.from_counts([[5, 2], [1, 1]], [[1, 0], [0, 0]], [[0, 3], [0, 0]]),
}
GOLDEN_SIDES = ["matrix", "predictions-with-ids", "predictions-over-labels-in-order", "sets-with-ids", "label-counts"]
SPAN_SIDES = ["spans-of-named-documents", "span-counts-by-document"]


def written(side):
    return to_text(Baseline("test_gate", side))


def assert_same_predictions(found, expected):
    """Compare what was predicted; examples with ids are stored in the order of these."""
    if expected is None:
        assert found is None
        return
    if expected.ids is not None:
        expected = expected.take(np.argsort(expected.ids))
        assert found.ids.tolist() == expected.ids.tolist()
        assert found.ids.dtype.kind == expected.ids.dtype.kind
    else:
        assert found.ids is None
    assert found.runs == expected.runs
    assert found.clusters is expected.clusters or found.clusters.tolist() == expected.clusters.tolist()
    for name in ("example", "true", "said", "place"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def fingerprint(side):
    return Baseline("", side).test_set


class TestBaseline:
    def test_a_class_that_nobody_was_said_to_have_is_part_of_it(self):
        truth = ["ham", "spam", "ham"]
        two, three = (
            ConfusionMatrix.from_predictions(truth, truth, labels=labels)
            for labels in (["ham", "spam"], ["ham", "spam", "eggs"])
        )
        assert Baseline("test_gate", two).says_the_same(two)
        assert not Baseline("test_gate", two).says_the_same(three)

    @pytest.mark.parametrize("side", SIDES.values(), ids=SIDES)
    def test_what_is_written_is_read(self, side):
        text = written(side)
        baseline = from_text(text, "here")
        assert baseline.counts.table.n_samples == side.table.n_samples
        assert baseline.name == "test_gate"
        assert baseline.counts == side
        assert type(baseline.counts) is type(side)
        assert list(map(type, baseline.counts.labels)) == list(map(type, side.labels))
        assert baseline.counts.labels_from == side.labels_from
        assert_same_predictions(baseline.counts.questions, side.questions)
        assert to_text(baseline) == text

    @pytest.mark.parametrize("name", [*GOLDEN_SIDES, *SPAN_SIDES])
    def test_the_format_changes_only_on_purpose(self, name, generated):
        generated(GOLDEN / f"{name}.json", written(SIDES[name]))

    def test_each_example_has_a_line(self):
        lines = written(SIDES["predictions-with-ids"]).splitlines()
        start = lines.index('"rows": [')
        assert lines[start + 1 : start + 3] == ['["mail-1", "ham", "spam"],', '["mail-2", "spam", "spam"],']

    @pytest.mark.parametrize("kind", [ConfusionMatrix, MultilabelCounts], ids=["classes", "labels"])
    def test_with_ids_the_order_of_examples_does_not_matter(self, kind):
        columns = (Y_TRUE, Y_PRED) if kind is ConfusionMatrix else (SETS_TRUE, SETS_PRED)
        order = [3, 0, 4, 2, 1]
        there = kind.from_predictions(*([column[i] for i in order] for column in columns), ids=[IDS[i] for i in order])
        assert written(there) == written(kind.from_predictions(*columns, ids=IDS))

    def test_without_ids_the_order_of_examples_is_kept(self):
        rows = written(SIDES["predictions"]).partition('"rows": [\n')[2].splitlines()
        assert rows[:3] == ['["ham", "ham"],', '["ham", "spam"],', '["spam", "spam"],']

    def test_a_test_set_is_recognised_whatever_was_predicted(self):
        other = ConfusionMatrix.from_predictions(Y_TRUE[::-1], ["ham"] * 5, ids=IDS[::-1])
        assert fingerprint(other) == fingerprint(SIDES["predictions-with-ids"])
        assert fingerprint(other).startswith("id and y_true, sha256:")

    @pytest.mark.parametrize(
        "change", [{"ids": [*IDS[:-1], "mail-6"]}, {"y_true": ["spam", *Y_TRUE[1:]]}, {"ids": None}]
    )
    def test_another_test_set_has_another_fingerprint(self, change):
        other = ConfusionMatrix.from_predictions(**{"y_true": Y_TRUE, "y_pred": Y_PRED, "ids": IDS, **change})
        assert fingerprint(other) != fingerprint(SIDES["predictions-with-ids"])

    def test_of_counts_the_class_totals_tell_the_test_set(self):
        one, other = (
            ConfusionMatrix([[50, 2], [5, 43]], labels=["a", "b"]),
            ConfusionMatrix([[8, 40], [1, 51]], ["b", "a"]),
        )
        assert fingerprint(one) == fingerprint(other)
        assert fingerprint(one).startswith("class totals, sha256:")
        assert fingerprint(ConfusionMatrix([[51, 2], [5, 43]], labels=["a", "b"])) != fingerprint(one)

    def test_windows_line_ends_are_the_stores_business(self):
        with pytest.raises(BaselineError, match="Someone edited the file"):
            from_text(written(SIDES["matrix"]).replace("\n", "\r\n"), "here")

    def test_unreadable_answers_are_null(self):
        text = written(SIDES["unreadable-answers"])
        assert '"labels": ["ham", "spam", null],' in text
        assert '["ham", null],' in text

    def test_the_test_set_is_the_same_whatever_is_predicted(self):
        names = ("predictions", "unreadable-answers", "no-unreadable-answer")
        assert len({Baseline("", SIDES[name]).test_set for name in names}) == 1
        plain = ConfusionMatrix.from_cells(["ham", "spam"], ["ham", "ham"], [5, 3], labels=["spam", "ham"])
        assert Baseline("", plain).test_set == Baseline("", SIDES["matrix-with-unreadable-answers"]).test_set

    def test_units_are_of_the_test_set_and_runs_are_not(self):
        test_set = Baseline("", SIDES["clusters"]).test_set
        assert test_set.startswith("id and cluster and y_true, sha256:")
        moved = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=IDS, clusters=["x", "y", "y", "x", "z"])
        assert Baseline("", moved).test_set != test_set
        assert Baseline("", SIDES["samples"]).test_set == Baseline("", SIDES["predictions-with-ids"]).test_set

    def test_counts_do_not_know_their_units(self):
        pairs = PairedCounts.from_predictions([0, 1, 1], [0, 1, 0], [0, 1, 1], clusters=[1, 1, 2])
        with pytest.raises(InputError, match="Counts of a table do not say which examples a cluster holds"):
            written(pairs.baseline)

    def test_a_test_set_of_scores_is_recognised_whatever_they_are(self):
        first, second = (Scores.from_predictions([0, 1, 1], given) for given in ([0.1, 0.2, 0.3], [0.9, 0.2, 0.1]))
        assert (
            fingerprint(first)
            == fingerprint(second)
            != fingerprint(Scores.from_predictions([0, 1, 0], [0.1, 0.2, 0.3]))
        )
        assert fingerprint(Scores.from_values([1, 2])) == fingerprint(Scores.from_values([3, 4])) == "2 examples"


SIDE = ConfusionMatrix.from_predictions(["ham", "ham", "spam"], ["ham", "spam", "spam"], ids=["a", "b", "c"])
TEXT = to_text(Baseline("test_gate", SIDE))
LINES = TEXT.splitlines()
POSITIONS = st.integers(0, len(LINES) - 1)
RESTORE = "Restore the file from version control, or delete it and write a new one with --bayesf1-update=new."


def problem(text):
    with pytest.raises(BaselineError) as caught:
        from_text(text, "folder/test_gate.json")
    assert caught.value.where == "folder/test_gate.json"
    return caught.value


def joined(lines):
    return "\n".join([*lines, ""])


class TestDamagedBaseline:
    @given(POSITIONS)
    def test_a_line_that_is_missing(self, position):
        problem(joined(LINES[:position] + LINES[position + 1 :]))

    @given(POSITIONS)
    def test_a_line_that_stands_twice(self, position):
        problem(joined([*LINES[:position], LINES[position], *LINES[position:]]))

    @given(POSITIONS, POSITIONS)
    def test_two_lines_that_changed_places(self, one, other):
        lines = list(LINES)
        lines[one], lines[other] = lines[other], lines[one]
        if lines != LINES:
            problem(joined(lines))

    @given(POSITIONS, st.data())
    def test_a_character_that_changed(self, number, data):
        line = LINES[number]
        position = data.draw(st.integers(0, len(line) - 1))
        character = data.draw(st.characters(exclude_characters=line[position] + " \t\r\n"))
        problem(joined([*LINES[:number], line[:position] + character + line[position + 1 :], *LINES[number + 1 :]]))

    @given(st.integers(0, len(TEXT) - 2))
    def test_a_file_that_was_cut_off(self, length):
        problem(TEXT[:length])

    @pytest.mark.slow
    @given(st.text())
    def test_any_other_text(self, text):
        problem(text)

    def test_text_that_is_cut_off_is_told_with_the_place(self):
        error = problem(TEXT[:-10])
        assert error.found.startswith("The file is damaged or cut off (Unterminated string starting at: line 16 column")
        assert error.advice == RESTORE

    def test_an_edit_is_told(self):
        error = problem(TEXT.replace('["b", "ham", "spam"]', '["b", "ham", "ham"]'))
        assert error.problem == "Someone edited the file, or merged two"
        assert error.advice == RESTORE

    @pytest.mark.parametrize("text", ["[]", "1", '{"format": "another"}', "{}"])
    def test_another_document(self, text):
        assert str(problem(text)) == (
            f"folder/test_gate.json: Not a file of the format 'pytest-bayesf1 baseline'. {RESTORE}"
        )

    def test_brackets_without_end(self):
        assert "recursion" in problem("[" * 100_000).found

    def test_a_newer_version(self):
        assert str(problem(TEXT.replace('"version": 1', '"version": 2'))) == (
            "folder/test_gate.json: expected format version 1, got 2. Install the newer pytest-bayesf1 that wrote it."
        )

    @pytest.mark.parametrize("version", ["0", "-1", "null", '"1"', "1.5"])
    def test_a_version_that_never_was_is_an_edit(self, version):
        assert "Someone edited the file" in problem(TEXT.replace('"version": 1', f'"version": {version}')).found

    @pytest.mark.parametrize("style", ["merge", "diff3"])
    def test_a_merge_conflict_has_a_message_of_its_own(self, style):
        base = ["||||||| 1234567", '"checksum": "older"'] if style == "diff3" else []
        conflict = ["<<<<<<< HEAD", LINES[-2], *base, "=======", '"checksum": "other"', ">>>>>>> branch"]
        error = problem(joined([*LINES[:-2], *conflict, LINES[-1]]))
        assert error.found == "There is an unresolved merge conflict"
        assert error.advice == "Keep the side of the branch that you merge into, then update the baseline."

    def test_a_label_that_looks_like_a_conflict_is_none(self):
        side = ConfusionMatrix.from_predictions(["\u2028<<<<<<<", "b"], ["b", "b"])
        assert problem(to_text(Baseline("", side))[:-3]).found.startswith("The file is damaged")

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ('"columns": ["id", "y_true", "y_pred"]', '"columns": ["id", "y_true"]'),
            ('"columns": ["id", "y_true", "y_pred"]', '"columns": ["id", "y_true", "y"]'),
            ('["b", "ham", "spam"]', '["a", "ham", "spam"]'),
            ('["b", "ham", "spam"]', '["b", "ham"]'),
            ('"labels": ["ham", "spam"]', '"labels": ["ham"]'),
            ('"kind": "one class per example"', '"kind": 1'),
        ],
    )
    def test_a_content_without_sense_is_an_error_too(self, old, new):
        body = TEXT.rpartition('"checksum": ')[0].replace(old, new)
        assert body.count(new) == 1
        text = with_checksum(body)
        json.loads(text)
        error = problem(text)
        assert error.found.startswith("Not a baseline: ")
        assert not error.found.endswith(".")
        assert error.advice == RESTORE

    def test_the_check_of_that_test_is_the_packages_own(self):
        assert with_checksum(TEXT.rpartition('"checksum": ')[0]) == TEXT


def test_a_test_set_is_known_without_what_was_said_of_it():
    columns = {
        "id": [1],
        "cluster": [2],
        "y_true": [0],
        "y_score": [0.5],
        "y_score_a": [0.1],
        "value": [1],
        "y_pred": [1],
    }
    assert list(columns_of_the_test_set(columns)) == ["id", "cluster", "y_true"]


STORE_PREDICTED = ConfusionMatrix.from_predictions(["a", "b", "b"], ["a", "b", "a"], ids=["1", "2", "3"])


def test_bare_counts_with_another_number_of_classes_have_other_classes():
    two, three = ConfusionMatrix([[5, 1], [2, 6]]), ConfusionMatrix([[5, 1, 0], [2, 6, 1], [0, 1, 4]])
    assert ChangedClasses.between(two, two) is None
    assert ChangedClasses.between(two, three).new == (2,)
    assert ChangedClasses.between(three, two).gone == (2,)


def matrix(count=50):
    return ConfusionMatrix([[count, 2], [5, 43]], labels=["ham", "spam"])


def write(store, name="test_f1", side=None, replaces=None, anchor=None):
    return store.write(Baseline(name, side or matrix()), replaces, anchor)


def names(store):
    return sorted(path.name for path in store.directory.iterdir())


RACER = """
import sys
import time
from pathlib import Path
from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.baselines.store import Baseline
from pytest_bayesf1.baselines.store import BaselineStore

number, shared, folder = int(sys.argv[1]), sys.argv[2] == "shared", Path(sys.argv[3])
store, won = BaselineStore(folder / "store"), 0
(folder / f"ready{number}").touch()
while not all((folder / f"ready{each}").exists() for each in range(3)):
    time.sleep(0.001)
for turn in range(25):
    name = "shared" if shared else f"own-{number}-{turn}"
    stored = store.find(name)
    right = 1 if stored is None else int(stored.baseline.counts.counts[0, 0]) + 1
    try:
        won += store.write(Baseline(name, ConfusionMatrix([[right, number], [turn, 1]])), stored) is not None
    except BaselineError as error:
        assert "meanwhile" in str(error), error
print(won)
"""


def race(tmp_path, kind):
    """Let three processes write 25 times each; return the store and how often each succeeded."""
    arguments = [sys.executable, "-c", RACER]
    racers = [
        subprocess.Popen([*arguments, str(number), kind, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for number in range(3)
    ]
    outputs = [racer.communicate(timeout=120)[0] for racer in racers]
    assert [racer.returncode for racer in racers] == [0, 0, 0]
    return BaselineStore(tmp_path / "store"), list(map(int, outputs))


class TestStore:
    @pytest.fixture
    def store(self, tmp_path):
        return BaselineStore(tmp_path / "__bayesf1__" / "test_gate")

    def test_what_is_written_is_found(self, store):
        assert write(store) == store.directory / "test_f1.json"
        stored = store.find("test_f1")
        assert stored.baseline == Baseline("test_f1", matrix())
        assert stored.content == stored.path.read_bytes()

    def test_a_baseline_that_lacks(self, store):
        assert store.find("test_f1") is None
        write(store, "test_f2")
        assert store.find("test_f1") is None

    def test_nothing_else_is_left_in_the_directory(self, store):
        write(store)
        write(store, side=matrix(51), replaces=store.find("test_f1"))
        assert names(store) == ["test_f1.json"]

    @pytest.mark.parametrize(
        ("name", "file"),
        [
            ("test_f1[a-b=1]", "test_f1[a-b=1].json"),
            ("TestSpam.test_f1", "TestSpam.test_f1.json"),
            ("test_f1[a/b]", "test_f1[a_b]-43b8b578.json"),
            ("test_f1[a\\b]", "test_f1[a_b]-5b4d43b5.json"),
            ("späm", "sp_m-b6859eff.json"),
            ("..", "_..-5ec1f7e7.json"),
            ("", "-e3b0c442.json"),
        ],
    )
    def test_a_file_is_named_as_its_baseline_where_it_can_be(self, store, name, file):
        assert write(store, name).name == file
        assert store.find(name).baseline.name == name

    @pytest.mark.parametrize("name", ["x" * 1000, "\ud800", "a\nb", 'a "b"', "a:b", "../up", "/", "x.json"])
    def test_every_name_serves(self, store, name):
        path = write(store, name)
        assert path.parent == store.directory
        assert len(path.name) < 128
        assert store.find(name).baseline.name == name

    def test_names_that_look_alike_are_kept_apart(self, store):
        alike = [
            "a b",
            "a_b",
            "a/b",
            "x" * 100,
            "x" * 101,
            "x" * 102,
            "t[bert]",
            "t[BERT]",
            "t[Bert]",
            "t[a\nb]",
            "t[a_b]",
        ]
        assert len({write(store, name).name.casefold() for name in alike}) == len(alike)

    @pytest.mark.parametrize("name", ["con", "AUX", "nul.b", "com1", "Lpt9.x.y", ".hidden", "a:b", "a\\b", "a?", "a."])
    def test_windows_takes_the_name_and_it_is_no_hidden_one(self, store, name):
        path = write(store, name)
        devices = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
        assert path.name.split(".")[0].lower() not in devices
        assert not set(path.name) & set('<>:"/\\|?*')
        assert is_baseline(path.name)
        assert store.find(name).baseline.name == name

    def test_a_file_under_another_name_is_told(self, store):
        write(store).rename(store.directory / "test_f2.json")
        with pytest.raises(BaselineError) as caught:
            store.find("test_f2")
        assert str(caught.value) == (
            f"{store.directory / 'test_f2.json'}: It has the baseline of 'test_f1', not of 'test_f2'. "
            "Pass check(..., name=...)."
        )

    def test_line_ends_of_windows_read_well(self, store):
        path = write(store)
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        assert store.find("test_f1").baseline.counts == matrix()

    def test_line_ends_are_no_change(self, store):
        path = write(store)
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        before = path.read_bytes()
        assert write(store, replaces=store.find("test_f1")) is None
        assert path.read_bytes() == before

    def test_the_same_baseline_is_not_written_again(self, store):
        path = write(store)
        os.utime(path, (1, 1))
        assert write(store, replaces=store.find("test_f1")) is None
        assert path.stat().st_mtime == 1

    def test_a_baseline_that_moves_leaves_its_anchor_beside_it(self, store):
        write(store)
        first = store.find("test_f1")
        assert store.anchor_of(first) is None
        write(store, side=matrix(51), replaces=first, anchor=first)
        assert names(store) == ["test_f1.anchor.json", "test_f1.json"]
        assert store.anchor_of(store.find("test_f1")).baseline.counts == matrix()
        write(store, side=matrix(52), replaces=store.find("test_f1"), anchor=store.anchor_of(store.find("test_f1")))
        assert store.anchor_of(store.find("test_f1")).baseline.counts == matrix()

    @pytest.mark.parametrize("count", [50, 52], ids=["a way back", "counted anew"])
    def test_a_baseline_that_is_its_anchor_has_no_second_file(self, store, count):
        write(store)
        first = store.find("test_f1")
        write(store, side=matrix(51), replaces=first, anchor=first)
        anchor = store.anchor_of(store.find("test_f1")) if count == 50 else None
        write(store, side=matrix(count), replaces=store.find("test_f1"), anchor=anchor)
        assert names(store) == ["test_f1.json"]

    def test_the_same_baseline_counts_anew_where_its_anchor_goes(self, store):
        write(store)
        first = store.find("test_f1")
        write(store, side=matrix(51), replaces=first, anchor=first)
        assert write(store, side=matrix(51), replaces=store.find("test_f1")) is not None
        assert names(store) == ["test_f1.json"]

    def test_of_a_new_baseline_the_base_commit_has_no_anchor_and_what_is_checked_out_counts(self, store):
        repository = Committed.new(store.directory)
        repository.commit()
        write(store)
        first = store.find("test_f1")
        write(store, side=matrix(51), replaces=first, anchor=first)
        base = Revision.of("HEAD", store.directory, store.directory).of_gate(is_new=True)
        beside = BaselineStore(store.directory, base)
        assert beside.anchor_of(beside.find("test_f1")).baseline.counts == matrix()

    def test_an_anchor_of_another_name_is_told(self, store):
        write(store)
        anchor = store.directory / "test_f2.anchor.json"
        write(store, "test_f2")
        (store.directory / "test_f1.json").rename(anchor)
        with pytest.raises(BaselineError, match=r"test_f2\.anchor\.json: It has the baseline of 'test_f1'"):
            store.anchor_of(store.find("test_f2"))

    @pytest.mark.parametrize(
        ("name", "content", "found"),
        [
            ("test_f1.json", b"", "damaged or cut off"),
            ("test_f1.json", b"\xff\xfe{", "can't decode byte 0xff"),
            ("test_f1.json", b"{}", "Not a file of the format"),
        ],
        ids=["empty", "no UTF-8", "another document"],
    )
    def test_a_file_that_cannot_be_read_is_told(self, store, name, content, found):
        store.directory.mkdir(parents=True)
        (store.directory / name).write_bytes(content)
        with pytest.raises(BaselineError, match=found) as caught:
            store.find("test_f1")
        assert caught.value.where == str(store.directory / name)
        assert "delete it and write a new one" in caught.value.advice

    def test_a_directory_in_the_way_is_told(self, store):
        (store.directory / "test_f1.json").mkdir(parents=True)
        with pytest.raises(BaselineError, match=r"Is a directory|Permission denied"):
            store.find("test_f1")

    def test_a_file_that_is_closed_is_told(self, store, monkeypatch):
        def fail(path):
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(Path, "read_bytes", fail)
        with pytest.raises(BaselineError, match=r"test_f1\.json: Cannot read the file: Permission den"):
            store.find("test_f1")

    def test_a_place_that_cannot_be_written_is_told(self, store):
        store.directory.parent.write_text("a file in the way")
        with pytest.raises(BaselineError, match=r"test_f1\.json: Cannot write the file: .*__bayesf1__"):
            write(store)

    def test_a_baseline_that_appeared_meanwhile_is_not_replaced(self, store):
        write(store)
        with pytest.raises(BaselineError) as caught:
            write(store, side=matrix(51))
        assert str(caught.value) == (
            f"{store.directory / 'test_f1.json'}: Another process has written the baseline meanwhile. "
            "Run again, and give each test a baseline of its own: check(..., name=...)."
        )
        assert store.find("test_f1").baseline.counts == matrix()

    @pytest.mark.parametrize("change", ["edited", "deleted"])
    def test_a_baseline_that_changed_meanwhile_is_not_replaced(self, store, change):
        path = write(store)
        stored, content = store.find("test_f1"), path.read_bytes()
        path.unlink()
        if change == "edited":
            path.write_bytes(content + b" ")
        before = names(store)
        with pytest.raises(BaselineError, match="meanwhile"):
            write(store, side=matrix(51), replaces=stored)
        assert names(store) == before

    def test_two_that_write_the_same_do_not_collide(self, store):
        write(store)
        assert write(store) is None

    def test_a_user_without_a_home_can_write(self, store, monkeypatch):
        monkeypatch.setattr(os.path, "expanduser", lambda path: path)
        assert write(store).exists()

    @pytest.mark.slow
    def test_processes_lose_nothing_of_different_baselines(self, tmp_path):
        store, won = race(tmp_path, "own")
        assert won == [25, 25, 25]
        assert len(names(store)) == 75
        assert all(read_baseline(path).baseline for path in store.directory.iterdir())

    @pytest.mark.slow
    def test_processes_lose_nothing_of_one_baseline(self, tmp_path):
        """Each success adds one to what it replaced: none was lost when the last holds as many as there were."""
        store, won = race(tmp_path, "shared")
        assert store.find("shared").baseline.counts.counts[0, 0] == sum(won)
        assert names(store) == ["shared.json"]
