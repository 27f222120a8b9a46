import json
import os
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import (
    BaselineError,
    ConfusionMatrix,
    InputError,
    MultilabelCounts,
    PairedCounts,
    Scores,
    SpanCounts,
)
from pytest_bayesf1.baselines import store as module
from pytest_bayesf1.baselines.store import Baseline, BaselineStore, ChangedClasses, from_text, to_text
from pytest_bayesf1.git import Revision
from pytest_bayesf1.project import is_baseline
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
AB = ["a", "b"]


def predicted(true=Y_TRUE, said=Y_PRED, **more):
    return ConfusionMatrix.from_predictions(true, said, **more)


SIDES = {
    "matrix": ConfusionMatrix([[50, 2, 0], [5, 43, 1], [0, 0, 9]], labels=["b", "a", "c"]),
    "predictions": predicted(),
    "predictions-with-ids": predicted(ids=IDS),
    "predictions-over-labels-in-order": predicted(labels=["spam", "ham", "?"]),
    "clusters": predicted(ids=IDS, clusters=["x", "x", "y", "x", "z"]),
    "samples": ConfusionMatrix.from_predictions(
        Y_TRUE, [["ham", "spam"], ["ham"], ["spam"] * 3, ["spam"] * 2, ["ham"]], ids=IDS, runs="samples"
    ),
    "seeds-with-unreadable-answers": ConfusionMatrix.from_predictions(
        Y_TRUE, [["ham", None, "spam"]] * 5, clusters=[1, 1, 2, 3, 3], runs="seeds", invalid="wrong"
    ),
    "sets-in-clusters": MultilabelCounts.from_predictions(SETS_TRUE, SETS_PRED, clusters=[2, 2, 1, 3, 3]),
    "unreadable-answers": ConfusionMatrix.from_predictions(Y_TRUE, ["ham", None, "?", "spam", "ham"], invalid="wrong"),
    "unreadable-answers-of-numbers": ConfusionMatrix.from_predictions([3, 1], [3, None], invalid="wrong", ids=[2, 1]),
    "no-unreadable-answer": predicted(invalid="wrong", labels=["spam", "ham"]),
    "matrix-with-unreadable-answers": ConfusionMatrix.from_cells(
        ["ham", "spam"], ["ham", None], [5, 3], labels=["spam", "ham"], invalid="wrong"
    ),
    "sets-with-ids": MultilabelCounts.from_predictions(SETS_TRUE, SETS_PRED, ids=IDS),
    "label-counts": MultilabelCounts(MULTILABEL, labels=["war", "art"]),
    "scores": Scores.from_predictions([0, 1, 1], [0.1, 1 / 3, 5e-324]),
    "scores-with-ids": Scores.from_predictions(Y_TRUE, {"ham": [1, 2, 3, -4, 0.7]}, ids=IDS, clusters=[1, 1, 2, 2, 2]),
    "scores-of-many-classes": Scores.from_predictions(
        [3, 1, 2], [[0.1, 0.2, 0.7], [1, 0, 0], [0, 1, 0]], labels=[2, 3, 1]
    ),
    "spans-of-named-documents": SpanCounts.from_spans(GOLD, FOUND, documents=["b", "c", "a"]),
    "spans-of-users": SpanCounts.from_spans(GOLD, FOUND, documents=["b", "c", "a"], clusters=["x", "y", "x"]),
    "span-counts-by-document": SpanCounts.from_counts([[5, 2], [1, 1]], [[1, 0], [0, 0]], [[0, 3], [0, 0]]),
}
GOLDEN_SIDES = [
    *("matrix", "predictions-with-ids", "predictions-over-labels-in-order", "sets-with-ids", "label-counts"),
    *("spans-of-named-documents", "span-counts-by-document"),
]


def written(side):
    return to_text(Baseline("test_gate", side))


def known_of(side):
    """Return what tells sides apart that have the same counts."""
    runs = side.questions and side.questions.runs
    return repr((side.labels, side.labels_from, side.vocabulary, side.columns(), runs, side.table.n_samples))


def fingerprint(side):
    return Baseline("", side).test_set


class TestBaseline:
    def test_a_class_that_nobody_was_said_to_have_is_part_of_it(self):
        two, three = (predicted(labels=labels) for labels in (["ham", "spam"], ["ham", "spam", "eggs"]))
        assert Baseline("test_gate", two).says_the_same(two)
        assert not Baseline("test_gate", two).says_the_same(three)
        assert not Baseline("test_gate", two).says_the_same(predicted(said=Y_TRUE))

    @pytest.mark.parametrize("side", SIDES.values(), ids=SIDES)
    def test_what_is_written_is_read(self, side):
        text = written(side)
        baseline = from_text(text, "here")
        assert baseline.name == "test_gate"
        assert (type(baseline.counts), baseline.counts) == (type(side), side)
        assert known_of(baseline.counts) == known_of(side)
        assert to_text(baseline) == text

    @pytest.mark.parametrize("name", GOLDEN_SIDES)
    def test_the_format_changes_only_on_purpose(self, name, generated):
        generated(GOLDEN / f"{name}.json", written(SIDES[name]))

    @pytest.mark.parametrize(
        ("one", "other", "what"),
        [
            (SIDES["predictions-with-ids"], predicted(Y_TRUE[::-1], ["ham"] * 5, ids=IDS[::-1]), "id and y_true"),
            (SIDES["predictions-with-ids"], SIDES["samples"], "id and y_true"),
            (SIDES["predictions"], SIDES["unreadable-answers"], "y_true"),
            (SIDES["scores"], Scores.from_predictions([0, 1, 1], [0.9, 0.2, 0.1]), "y_true"),
            (ConfusionMatrix([[50, 2], [5, 43]], AB), ConfusionMatrix([[8, 40], [1, 51]], AB[::-1]), "class totals"),
            (
                SIDES["matrix-with-unreadable-answers"],
                ConfusionMatrix([[5, 0], [3, 0]], ["ham", "spam"]),
                "class totals",
            ),
            (Scores.from_values([1, 2]), Scores.from_values([3, 4]), "2 examples"),
        ],
    )
    def test_a_test_set_is_recognised_whatever_was_predicted(self, one, other, what):
        assert fingerprint(one) == fingerprint(other)
        assert fingerprint(one).partition(", sha256:")[0] == what

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (SIDES["predictions-with-ids"], predicted(ids=[*IDS[:-1], "mail-6"])),
            (SIDES["predictions-with-ids"], predicted(["spam", *Y_TRUE[1:]], ids=IDS)),
            (SIDES["predictions-with-ids"], SIDES["predictions"]),
            (SIDES["clusters"], predicted(ids=IDS, clusters=["x", "y", "y", "x", "z"])),
            (SIDES["scores"], Scores.from_predictions([0, 1, 0], [0.1, 0.2, 0.3])),
            (ConfusionMatrix([[50, 2], [5, 43]], AB), ConfusionMatrix([[51, 2], [5, 43]], AB)),
        ],
    )
    def test_another_test_set_has_another_fingerprint(self, one, other):
        assert fingerprint(one) != fingerprint(other)

    def test_counts_do_not_know_their_units(self):
        pairs = PairedCounts.from_predictions([0, 1, 1], [0, 1, 0], [0, 1, 1], clusters=[1, 1, 2])
        with pytest.raises(InputError, match="Counts of a table do not say which examples a cluster holds"):
            written(pairs.baseline)


SIDE = ConfusionMatrix.from_predictions(["ham", "ham", "spam"], ["ham", "spam", "spam"], ids=["a", "b", "c"])
TEXT = to_text(Baseline("test_gate", SIDE))
LINES = TEXT.splitlines()
RESTORE = "Restore the file from version control, or delete it and write a new one with --bayesf1-update=new."


def problem(text):
    with pytest.raises(BaselineError) as caught:
        from_text(text, "folder/test_gate.json")
    assert caught.value.where == "folder/test_gate.json"
    return caught.value


def with_checksum(body):
    """Return a text as only this package writes it, in which something is odd all the same."""
    digest = sha256(body.encode() + b"\n").hexdigest()[:32]
    return f'{body}"checksum": "sha256:{digest}"\n}}\n'


class TestDamagedBaseline:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            (TEXT[:-10], "The file is damaged or cut off (Unterminated string starting at: line 16 column"),
            (TEXT.replace('["b", "ham", "spam"]', '["b", "ham", "ham"]'), "Someone edited the file, or merged two"),
            (TEXT.replace("\n", "\r\n"), "Someone edited the file, or merged two"),
            (TEXT.replace('"version": 1', '"version": null'), "Someone edited the file"),
            ("[]", "Not a file of the format 'pytest-bayesf1 baseline'"),
            ('{"format": "another"}', "Not a file of the format 'pytest-bayesf1 baseline'"),
            ("[" * 100_000, "The file is damaged or cut off (maximum recursion"),
        ],
    )
    def test_what_is_wrong_is_told_and_what_to_do(self, text, found):
        error = problem(text)
        assert error.found.startswith(found)
        assert error.advice == RESTORE

    def test_a_newer_version(self):
        assert str(problem(TEXT.replace('"version": 1', '"version": 2'))) == (
            "folder/test_gate.json: expected format version 1, got 2. Install the newer pytest-bayesf1 that wrote it."
        )

    def test_a_merge_conflict_has_a_message_of_its_own(self):
        conflict = ["<<<<<<< HEAD", LINES[-2], "=======", '"checksum": "other"', ">>>>>>> branch"]
        error = problem("\n".join([*LINES[:-2], *conflict, LINES[-1], ""]))
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
        assert with_checksum(TEXT.rpartition('"checksum": ')[0]) == TEXT  # the check is the package's own


def of_classes(labels, n=2):
    return ConfusionMatrix(np.eye(n, dtype=int) + 1, labels=labels and list(labels))


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        (of_classes(None, 3), of_classes(None), "gone: 2"),
        (of_classes("ab"), of_classes(None, 3), "gone: 'a', 'b'; new: 0, 1, 2"),
        (of_classes("abc", 3), of_classes("cad", 3), "gone: 'b'; new: 'd'"),
        (of_classes("ab"), of_classes("bca", 3), None),
        (of_classes("ab"), SIDES["sets-with-ids"], None),
    ],
)
def test_classes_are_others_if_one_is_gone(before, now, words):
    changed = ChangedClasses.between(before, now)
    assert (changed and changed.words) == words


def matrix(count=50):
    return ConfusionMatrix([[count, 2], [5, 43]], labels=["ham", "spam"])


def write(store, name="test_f1", side=None, replaces=None, anchor=None):
    return store.write(Baseline(name, side or matrix()), replaces, anchor)


def moved(store):
    """Write a baseline, and another one over it."""
    write(store)
    first = store.find("test_f1")
    write(store, side=matrix(51), replaces=first, anchor=first)


def names(store):
    return sorted(path.name for path in store.directory.iterdir())


class TestStore:
    @pytest.fixture
    def store(self, tmp_path):
        return BaselineStore(tmp_path / "__bayesf1__" / "test_gate")

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

    @pytest.mark.parametrize(
        "name",
        [
            *("x" * 1000, "\ud800", "a\nb", 'a "b"', "a:b", "../up", "/", "x.json", "con", "AUX", "nul.b", "com1"),
            *("Lpt9.x.y", ".hidden", "a\\b", "a?", "a.", "t.anchor", "T.ANCHOR"),
        ],
    )
    def test_every_system_takes_every_name(self, store, name):
        path = write(store, name)
        devices = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
        assert path.name.split(".")[0].lower() not in devices
        assert not set(path.name) & set('<>:"/\\|?*')
        assert (path.parent, is_baseline(path.name), len(path.name) < 128) == (store.directory, True, True)
        assert store.find(name).baseline.name == name

    def test_names_that_look_alike_are_kept_apart(self, store):
        alike = ["a b", "a_b", "a/b", *("x" * n for n in (100, 101, 102))]
        alike += ["t[bert]", "t[BERT]", "t[Bert]", "t[a\nb]", "t[a_b]"]
        assert len({write(store, name).name.casefold() for name in alike}) == len(alike)

    @pytest.mark.parametrize("suffix", ["json", "anchor.json"])
    def test_a_file_under_another_name_is_told(self, store, suffix):
        write(store, "test_f2")
        stored = store.find("test_f2")
        write(store).rename(store.directory / f"test_f2.{suffix}")
        with pytest.raises(BaselineError) as caught:
            store.find("test_f2") if suffix == "json" else store.anchor_of(stored)
        assert str(caught.value) == (
            f"{store.directory / f'test_f2.{suffix}'}: It has the baseline of 'test_f1', not of 'test_f2'. "
            "Pass check(..., name=...)."
        )

    def test_line_ends_of_windows_read_well_and_are_no_change(self, store):
        path = write(store)
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        before = path.read_bytes()
        assert store.find("test_f1").baseline.counts == matrix()
        assert write(store, replaces=store.find("test_f1")) is None
        assert path.read_bytes() == before

    @pytest.mark.parametrize("count", [50, 51, 52], ids=["a way back", "the same counted anew", "counted anew"])
    def test_a_baseline_that_is_its_anchor_has_no_second_file(self, store, count):
        moved(store)
        anchor = store.anchor_of(store.find("test_f1")) if count == 50 else None
        assert write(store, side=matrix(count), replaces=store.find("test_f1"), anchor=anchor) is not None
        assert names(store) == ["test_f1.json"]

    def test_of_a_new_baseline_the_base_commit_has_no_anchor_and_what_is_checked_out_counts(self, store):
        repository = Committed.new(store.directory)
        repository.commit()
        moved(store)
        base = Revision.of("HEAD", store.directory, store.directory).of_gate(is_new=True)
        beside = BaselineStore(store.directory, base)
        assert beside.anchor_of(beside.find("test_f1")).baseline.counts == matrix()

    def test_an_anchor_that_a_change_adds_to_a_baseline_of_the_base_commit_does_not_count(self, store, tmp_path):
        repository = Committed.new(store.directory)
        write(store)
        repository.commit()
        write(store, side=matrix(52), replaces=store.find("test_f1"))
        other = store.find("test_f1")
        write(store, side=matrix(53), replaces=other, anchor=other)
        (tmp_path / "copies").mkdir()
        beside = BaselineStore(store.directory, Revision.of("HEAD", store.directory, tmp_path / "copies"))
        assert beside.anchor_of(beside.find("test_f1")) is None

    def test_a_file_that_cannot_be_read_is_told(self, store):
        store.directory.mkdir(parents=True)
        (store.directory / "test_f1.json").write_bytes(b"\xff\xfe{")
        with pytest.raises(BaselineError, match="can't decode byte 0xff") as caught:
            store.find("test_f1")
        assert caught.value.where == str(store.directory / "test_f1.json")
        assert "delete it and write a new one" in caught.value.advice

    def test_a_directory_in_the_way_is_told(self, store):
        (store.directory / "test_f1.json").mkdir(parents=True)
        with pytest.raises(BaselineError, match=r"Is a directory|Permission denied"):
            store.find("test_f1")

    def test_a_place_that_cannot_be_written_is_told(self, store):
        store.directory.parent.write_text("a file in the way")
        with pytest.raises(BaselineError, match=r"test_f1\.json: Cannot write the file: .*__bayesf1__"):
            write(store)

    @pytest.mark.parametrize("change", ["appeared", "edited", "deleted"])
    def test_a_baseline_that_changes_while_this_process_waits_is_not_replaced(self, store, monkeypatch, change):
        path = write(store)
        stored, content = None if change == "appeared" else store.find("test_f1"), path.read_bytes()

        @contextmanager
        def locked(folder):
            assert folder == store.directory
            path.unlink()
            if change != "deleted":
                path.write_bytes(content + b" " * (change == "edited"))
            yield

        monkeypatch.setattr(module, "locked", locked)
        with pytest.raises(BaselineError, match="Another process has written the baseline meanwhile"):
            write(store, side=matrix(51), replaces=stored)
        assert names(store) == ["test_f1.json"] * (change != "deleted")

    def test_a_user_without_a_home_can_write(self, store, monkeypatch):
        monkeypatch.setattr(os.path, "expanduser", lambda path: path)
        assert write(store).exists()
