from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.files import side as module
from pytest_bayesf1.files.side import read_runs, read_side, read_sides, read_systems, system_names
from pytest_bayesf1.results.schema import UNREADABLE
from tests.unit.files.written import write

Y_TRUE, Y_PRED = ["ham", "ham", "spam", "spam"], ["ham", "spam", "spam", "ham"]
REGIONS = ["us", "eu", "eu", "us"]
COLUMNS = {"id": ["w", "x", "y", "z"], "y_true": Y_TRUE, "y_pred": Y_PRED, "region": REGIONS}


def predictions(*labels, **columns):
    return {"y_true": list(labels), "y_pred": list(reversed(labels)), **columns}


class TestColumns:
    @pytest.mark.parametrize("kind", ["y_pred", "y_score"])
    def test_a_class_is_the_same_as_a_number_and_as_text(self, tmp_path, kind):
        true, said = [0, 1, 0, 1], {"y_pred": [1, 1, 0, 0], "y_score": [0.6, 0.7, 0.2, 0.1]}[kind]
        as_numbers = write(tmp_path, "a.json", {"y_true": true, kind: said, "region": [1, 1, 2, 2]})
        as_text = write(tmp_path, "b.json", {"y_true": [*map(str, true)], kind: said, "region": ["1", "1", "2", "2"]})
        both = read_sides(as_numbers, as_text)
        counts = [side.counts() for side in both]
        assert [*map(str, Sides.aligned(*counts).candidate.labels)] == ["0", "1"]
        slices = [side.slice_values("region", of_side) for side, of_side in zip(both, counts, strict=True)]
        assert slices == [["1", "1", "2", "2"]] * 2

    def test_each_side_is_named_in_its_own_errors(self, tmp_path):
        good = write(tmp_path, "a.csv", COLUMNS)
        for side, paths in (("baseline", (tmp_path / "no.csv", good)), ("candidate", (good, tmp_path / "no.csv"))):
            with pytest.raises(InputError) as caught:
                read_sides(*paths)
            told = "file not found. Check the path, or run the step that writes it."
            assert str(caught.value) == f"{side} ({tmp_path / 'no.csv'}): {told}"

    def test_columns_to_show_are_in_one_file_at_least(self, tmp_path):
        with_region, without = write(tmp_path, "a.csv", COLUMNS), write(tmp_path, "b.csv", predictions("a", "b"))
        shown = dict.fromkeys(("baseline", "candidate"), Schema(show=("region",)))
        for paths in ((with_region, without), (without, with_region)):
            assert len(read_sides(*paths, shown)) == 2
        with pytest.raises(InputError, match=r"b\.csv.*Neither file has a column 'region' to show"):
            read_sides(without, without, shown)

    @pytest.mark.parametrize(("name", "separator"), [("a.npz", "T"), ("a.parquet", " ")])
    def test_times_are_told_to_the_nanosecond(self, tmp_path, name, separator):
        times = [f"2026-03-0{day}{separator}00:00:00.000000001" for day in (1, 2)]
        path = write(tmp_path, name, {**COLUMNS, "region": np.repeat(np.array(times, dtype="datetime64[ns]"), 2)})
        side = read_side(path, "baseline")
        assert side.slice_values("region", side.counts()) == [times[0], times[0], times[1], times[1]]


def files(folder, **contents):
    for name, content in contents.items():
        (folder / f"{name}.csv").write_text(content)
    return {name: folder / f"{name}.csv" for name in contents}


class TestSystemFiles:
    @pytest.mark.parametrize(
        ("paths", "names"),
        [
            (["a.csv", "b.json"], ["a", "b"]),
            (["x/a.csv", "y/a.csv", "x/b.csv"], ["x/a.csv", "y/a.csv", "x/b.csv"]),
            (["v1.2.jsonl.gz", "v1.3.csv"], ["v1.2", "v1.3"]),
            (["a.csv", "a.csv"], ["a"]),
        ],
    )
    def test_names_are_as_short_as_they_can_be(self, paths, names):
        assert system_names(tuple(map(Path, paths))) == dict(zip(names, map(Path, dict.fromkeys(paths)), strict=True))

    def test_errors_name_the_system_and_its_file(self, tmp_path):
        with pytest.raises(InputError, match=r"b \(.*b\.csv\)"):
            read_systems(files(tmp_path, a="y_true,y_pred\n0,0\n", b="y_true,other\n0,0\n"))


SPAM_OR_HAM = r"(?i)\b(spam|ham)\b"
SAID = ["I think it's Spam.", "HAM", "ham", "spam or ham?", "who knows", "spam"]


def answered(folder, said, pattern=SPAM_OR_HAM, invalid="wrong", truth=("spam", "ham", "ham", "spam", "ham", "ham")):
    path = write(folder, "a.json", {"y_true": list(truth), "y_pred": said})
    return read_side(path, "candidate", Schema(invalid=invalid, answer=pattern)).counts()


class TestAnswers:
    def test_the_class_is_read_off_an_answer_and_what_could_not_be_is_counted(self, tmp_path):
        counts = answered(tmp_path, SAID)
        read = ["spam", "ham", "ham", None, None, "spam"]
        assert counts == ConfusionMatrix.from_predictions(
            ["spam", *["ham", "ham", "spam"], "ham", "ham"], read, invalid="wrong"
        )
        assert counts.notes == (
            "candidate: 2 answers of 6 rewritten by answer, such as \"I think it's Spam.\" to 'spam'.",
            "candidate: 1 unreadable answer of 6: they hold several classes, such as 'spam or ham?'.",
            "candidate: 1 unreadable answer of 6: they hold no class, such as 'who knows'.",
        )
        assert answered(tmp_path, ["spam"] * 6).notes == ()

    @pytest.mark.parametrize(
        "pattern", [r'"label": *"(\w+)"', r'^\s*\{"label": *"(\w+)".*\}$', r'"(\w+)"\}$', r'(?i)LABEL": "(\w+)']
    )
    def test_the_pattern_sees_the_punctuation_at_the_ends(self, tmp_path, pattern):
        said = [f' {{"label": "{each}"}}\n' for each in ("spam", "ham", "ham", "spam", "ham", "ham")]
        counts = answered(tmp_path, said, pattern, "error")
        assert counts.counts.trace() == 6

    @pytest.mark.parametrize("pattern", ["(a|aa)+$", "(?:.*?a){12}b"])
    def test_a_pattern_that_does_not_end_is_stopped(self, tmp_path, monkeypatch, pattern):
        monkeypatch.setattr(module, "_SECONDS", 0.05)
        said = ["ham", f"{'a' * 60}!", *SAID[:4]]
        with pytest.raises(InputError, match=r"row 2, answer: The pattern has not read .* after 0.05 s: 'aaa"):
            answered(tmp_path, said, pattern)

    @pytest.mark.parametrize("pattern", [".+", "{classes}"])
    def test_case_and_punctuation_count_unless_the_pattern_says_otherwise(self, tmp_path, pattern):
        truth = ["US", "us", "C", "C++", "C#", "c"]
        assert answered(tmp_path, truth, pattern, "error", truth).counts.trace() == 6
        said = ["Us", "us!", *truth[2:]]
        assert answered(tmp_path, said, "{classes}", "wrong", truth).counts.trace() == 5

    @pytest.mark.parametrize(
        ("pattern", "said"),
        [
            ("(?i){classes}", "I think it's {}."),
            ('(?i)"label": "{classes}"', '{{"why": "no spam", "label": "{}"}}'),
            ("(?i)(?:is|maybe) ({classes})", "maybe {}, I think"),
            ("(?i).+", "{}"),
        ],
    )
    def test_a_pattern_may_stand_for_any_class(self, tmp_path, pattern, said):
        truth = ["Spam", "not spam", "C++", "Spam", "not spam", "C++"]
        answers = [said.format(each.upper()) for each in truth]
        assert answered(tmp_path, answers, pattern, "error", truth).counts.trace() == 6

    def test_a_class_may_be_said_twice_and_be_one_that_only_the_labels_have(self, tmp_path):
        path = write(tmp_path, "a.json", {"y_true": ["spam", "ham"], "y_pred": ["It is spam: spam", "eggs, I think"]})
        counts = read_side(path, "candidate", Schema(answer="{classes}", labels=("spam", "eggs", "ham"))).counts()
        assert (counts.labels, counts.counts.tolist()) == (("spam", "eggs", "ham"), [[1, 0, 0], [0, 0, 0], [0, 1, 0]])

    def test_a_class_that_an_answer_denies_is_not_meant(self, tmp_path):
        said = ["not spam", "This isn't a spam.", "non-spam", "Not ham but spam", "No, it is ham", "Notably spam"]
        counts = answered(tmp_path, said, "{classes}", truth=["ham", "ham", "ham", "spam", "ham", "spam"])
        assert counts.labels == ("ham", "spam", UNREADABLE)
        assert counts.counts[:2].tolist() == [[1, 0, 3], [0, 2, 0]]

    def test_numbers_stay_numbers(self, tmp_path):
        said = ["It is 1.", "0", "0", "1", "0?", "1"]
        counts = answered(tmp_path, said, r"\d", truth=[1, 0, 0, 1, 0, 0])
        assert (counts.labels, counts.counts[:2, :2].tolist()) == ((0, 1, UNREADABLE), [[3, 1], [0, 2]])


class TestRuns:
    @staticmethod
    def read(folder, *contents):
        paths = [*files(folder, **dict(zip("abc", contents, strict=False))).values()]
        return read_runs(paths, "candidate", Schema()), paths

    def test_of_one_file_are_what_it_says_alone(self, tmp_path):
        read, (path,) = self.read(tmp_path, "id,y_true,y_pred\n1,a,a\n2,b,a\n")
        assert (read.where, read.schema.runs, read.place(1)) == (f"candidate ({path})", None, "line 3")

    def test_of_several_files_are_samples_unless_declared(self, tmp_path):
        read, paths = self.read(tmp_path, *["id,y_true,y_pred\n1,a,a\n2,b,a\n"] * 3)
        assert (read.where, read.schema.runs) == (f"candidate (3 files, {paths[0]} and others)", "samples")

    @pytest.mark.parametrize(("text", "ids"), [("id,value\nx,{}\n", ["x"]), ("value\n{}\n", ["1"])])
    def test_of_a_single_value_need_no_id(self, tmp_path, text, ids):
        read, _ = self.read(tmp_path, text.format(3), text.format(5))
        assert read.counts().columns() == {"id": ids, "value": [4]}

    @pytest.mark.parametrize(
        ("header", "ids", "message"),
        [
            (
                "id,y_true,y_pred",
                ["12", "23", "34"],
                r"c\.csv\): No id is one of .*a\.csv, and each of several files is",
            ),
            ("id,y_true,y_score", ["12", "12"], "runs: It goes with classes, values, and these are scores"),
            ("y_true,y_pred,x", ["12", "12"], r"a\.csv\): No column 'id' though each of several files is a run"),
        ],
    )
    def test_what_are_no_runs(self, tmp_path, header, ids, message):
        rows = ("".join(f"{each},{each},0\n" for each in own) for own in ids)
        with pytest.raises(InputError, match=message):
            self.read(tmp_path, *(f"{header}\n{each}" for each in rows))

    def test_have_the_same_columns(self, tmp_path):
        with pytest.raises(InputError, match=r"b\.csv\): expected the columns of .*a\.csv, got columns 'id', 'y_true'"):
            self.read(tmp_path, "id,y_true,y_pred,x\n1,a,a,0\n", "id,y_true,y_pred\n1,a,a\n")


def test_labels_that_are_declared_come_before_those_of_the_file(tmp_path):
    path = write(tmp_path, "a.json", {"y_true": ["a", "b"], "y_pred": ["a", "a"], "labels": ["b", "a", "c"]})
    found = [read_side(path, "candidate", Schema(labels=labels)).counts().labels for labels in (None, ("a", "b"))]
    assert found == [("b", "a", "c"), ("a", "b")]
