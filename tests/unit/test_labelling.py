"""The files of a pool that is being labelled, by the command that writes them."""

import csv
import json
import re
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

from pytest_bayesf1 import Scores, writing
from pytest_bayesf1 import labelling as files
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.comparison.design import judged_pairs, subject_of_two
from pytest_bayesf1.labelling import Labelling, LabelRow, _hashes, _next_answers, next_examples, read_batch
from tests.unit.called import call

N = 1_000
CLASSES = ("calm", "glad", "sad")


@pytest.fixture
def pool(tmp_path, monkeypatch):
    """Write a pool where the command runs; return the truth by id."""
    rng = np.random.default_rng(0)
    true = rng.choice(3, N, p=[0.6, 0.3, 0.1])
    old, new = (np.where(rng.random(N) < 0.2, rng.choice(3, N), true) for _ in range(2))
    ids = [f"-{number}" for number in range(N)]  # a spreadsheet would take them for formulas
    rows = [(key, f"text {key}", CLASSES[a], CLASSES[b]) for key, a, b in zip(ids, old, new, strict=True)]
    write_csv(tmp_path / "pool.csv", ("key", "text", "old", "new"), rows)
    monkeypatch.chdir(tmp_path)
    return dict(zip(ids, np.array(CLASSES)[true].tolist(), strict=True))


def run(*arguments, code=0):
    return call("label", *arguments, code=code).output


def start(*more, code=0):
    names = ("--id", "key", "--baseline", "old", "--candidate", "new", "--show", "text")
    return run("start", "pool.csv", *names, "--rope", "0.02", "--measure", "accuracy", *more, code=code)


def fill(path, truth, but=()):
    """Label a batch rightly, but for some."""
    header, *rows = read_csv(path)
    for row in rows:
        key = key_of(row)
        row[-1] = dict(but).get(key, truth[key])
    write_csv(path, header, rows)
    return list(map(key_of, rows))


def read_csv(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


def write_csv(path, header, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def key_of(row):
    return row[0].removeprefix("'")


def next_filled(count, truth, name="batch.csv"):
    """Ask for a batch and label it rightly."""
    run("next", "--count", count, "-o", name)
    return fill(Path(name), truth)


def started():
    return Labelling.read(next(Path().glob("*.labelling.json")))


def first_rows(truth, n, batch="a"):
    """Label the next so many examples rightly."""
    labelling = started()
    chosen = next_examples(labelling.pool, labelling.more(n), labelling.started.seed)
    return [LabelRow(key, truth[key], batch) for key in labelling.pool.ids[chosen].tolist()]


def test_a_pool_is_labelled(transcript):
    """Three classes, uneven; the candidate loses more of `b`; what people are asked does not show the answer."""
    kinds = {"a": 24, "b": 11, "c|<i>": 5}
    true = [kind for kind, n in kinds.items() for _ in range(n)]
    old = [{0: "b", 7: "a"}.get(n % 11, kind) for n, kind in enumerate(true)]
    new = ["c|<i>" if kind == "b" and n % 3 else said for n, (kind, said) in enumerate(zip(true, old, strict=True))]
    rows = [f"t{n},text {n},{old[n]},{new[n]}" for n in range(len(true))]
    transcript.write("mail pool.csv", "\n".join(["key,text,old,new", *rows]))
    names = "--id key --baseline old --candidate new --show text --rope 0.05"
    transcript.bayesf1(f"label start 'mail pool.csv' {names} --measure f1_macro")
    for batch, count in ("first.csv", 12), ("second one.csv", 20):
        transcript.bayesf1(f"label next --count {count} -o '{batch}'")
        transcript.cat(batch)
        fill(Path(batch), {f"t{n}": kind for n, kind in enumerate(true)})
        transcript.bayesf1(f"label add '{batch}'")
        transcript.bayesf1("label status")
    transcript.cat("mail pool.labelling.json")


def test_what_was_asked_for_is_what_is_compared(pool, tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    given = {"measure": "f1[glad]", "rope": "-0.03,0.01", "hdi_prob": 0.8, "seed": 7}
    given |= {"id": "key", "baseline": "old", "candidate": "new"}
    monkeypatch.chdir(tmp_path / "sub")
    said = run("start", "../pool.csv", *(f"--{name.replace('_', '-')}={value}" for name, value in given.items()))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub" / "other.labelling.json").write_text("{}")
    assert said.endswith("bayesf1 label next --state ../pool.labelling.json --count 100 -o batch-1.csv\n")
    expected = [row.id for row in first_rows(pool, 17)]
    assert next_filled(17, pool) == expected
    run("add", "batch.csv")
    Path("elsewhere.csv").write_text("id,label,batch\n")
    assert Labelling.read(Path("pool.labelling.json"), Path("elsewhere.csv")).rows == []
    assert [(row.id, row.batch) for row in started().rows] == [(each, "batch") for each in expected]
    shown = json.loads(run("status", "--json"))
    assert [shown[name] for name in ("measure", "rope", "hdi_prob", "seed")] == ["f1[glad]", [-0.03, 0.01], 0.8, 7]


def test_batches_hold_what_people_see_and_nothing_else(pool):
    start()
    labelling = started()
    assert labelling.batch(np.array([5, 2, 9])).splitlines() == [
        "id,text,label",
        *(f"'-{n},text -{n}," for n in (5, 2, 9)),
    ]


def test_the_next_of_each_stratum_are_the_first_by_a_hash_in_an_order_that_tells_nothing(pool):
    start("--seed", "3")
    made = started().pool
    n_strata, more = made.strata.sizes.size, np.arange(made.strata.sizes.size) * 2
    chosen = next_examples(made, more, 3)
    by_hash = np.argsort(_hashes(made.ids.tolist(), 3), kind="stable")
    first = [by_hash[made.stratum[by_hash] == stratum][: more[stratum]] for stratum in range(n_strata)]
    assert sorted(chosen) == sorted(np.concatenate(first))
    for key in (made.stratum, _hashes(made.ids.tolist(), 3)):
        assert abs(np.corrcoef(np.arange(chosen.size), key[chosen])[0, 1]) < 4 / chosen.size**0.5
    assert set(chosen) != set(next_examples(made, more, 4))


@pytest.mark.parametrize("kept", ["pool.labelling.json", "pool.labels.csv"])
def test_a_pool_is_started_once(pool, tmp_path, kept):
    start()
    for path in tmp_path.glob("pool.l*"):
        if path.name != kept:
            path.unlink()
    before = (tmp_path / kept).read_text()
    assert f"{kept}: You started this pool already" in start("--seed", "5", code=2)
    assert {path.name: path.read_text() for path in tmp_path.glob("pool.l*")} == {kept: before}


def test_labels_that_others_add_meanwhile_are_kept(pool, monkeypatch):
    start()
    rows = first_rows(pool, 30)
    mine, others = ([row for row in rows if started().pool.stratum[-int(row.id)] % 2 == odd] for odd in (0, 1))
    labelling, locked = started(), writing.locked
    assert labelling.rows == []  # read before the others add theirs

    @contextmanager
    def waiting(folder):
        monkeypatch.setattr(files, "locked", locked)
        started().add(others)
        with locked(folder):
            yield

    monkeypatch.setattr(files, "locked", waiting)
    assert labelling.add([*mine, *mine]).n_labelled == 30
    assert started().rows == [*others, *mine]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("id,label\n-1,glad\nnone,sad\n", ": 'none'. Are these labels of another pool? Nothing changed."),
        ("id,label\n-1,glad\n-2,happy\n", "'-2' is 'happy'"),
        ("id,class\n-1,glad\n", "No column 'label'"),
        ("id,label\n", "There are no labels"),
        ("id,label\n-1,glad\n-1,sad\n", "Different labels for an id: '-1' is 'glad' and 'sad'"),
    ],
)
def test_labels_that_do_not_fit_are_refused(pool, tmp_path, text, found):
    start()
    before = (tmp_path / "pool.labels.csv").read_text()
    (tmp_path / "batch.csv").write_text(text)
    assert found in run("add", "batch.csv", code=2)
    assert (tmp_path / "pool.labels.csv").read_text() == before


def without_labels(path, *positions):
    header, *rows = read_csv(path)
    left = [rows[position] for position in positions]
    for row in left:
        row[-1] = " "
    write_csv(path, header, rows)
    return list(map(key_of, left))


def test_examples_without_a_label_are_counted_and_listed_again(pool, tmp_path):
    start()
    next_filled(30, pool)
    batch = tmp_path / "batch.csv"
    lacking = without_labels(batch, *range(2, 14))
    said = run("add", batch)
    assert "18 labels added" in said
    assert "12 examples without a label" in said
    status = call("label", "status", "--json")
    assert json.loads(status.stdout)["pool"]["n_labelled"] == 18
    assert "without a label that came first in the random order: " in status.stderr
    more = next_filled(1, pool, "more.csv")
    assert len({*more} - {*lacking}) <= 1
    assert started().more(300).sum() == 300
    run("add", "more.csv")
    assert "came first" not in run("status")
    without_labels(batch, 0, 1)
    said = run("add", batch)  # what has no label here has one already
    assert said.startswith("0 labels added")
    assert len({*lacking} - {*more}) == 1
    assert "\n1 example without a label" in said


def test_what_was_left_out_knowingly_does_not_keep_later_labels_out(pool):
    start()
    left, first = first_rows(pool, 30)[:12], first_rows(pool, 30)[12:]
    before = started().add(first, {row.id for row in left})
    skipped = {*before.ids[started().skipped(before)].tolist()}
    assert 5 < len(skipped) <= 12
    later = [row for row in first_rows(pool, 40, "b") if row.id not in skipped]
    assert started().add(later).n_labelled == 18 + len(later) > 30


def test_files_of_one_batch_are_added_in_one_call(pool, tmp_path):
    start()
    next_filled(60, pool)
    header, *rows = (tmp_path / "batch.csv").read_text().splitlines()
    for number in range(2):
        (tmp_path / f"{number}.csv").write_text("\n".join([header, *rows[number::2], ""]))
    assert "puts first" in run("add", "0.csv", code=2)
    assert "60 labels added" in run("add", "0.csv", "1.csv")


def test_predictions_that_changed_are_refused(pool, tmp_path):
    """The two columns change places."""
    start()
    (tmp_path / "pool.csv").write_text((tmp_path / "pool.csv").read_text().replace("old,new", "new,old"))
    assert "The predictions have changed since labelling started" in run("status", code=2)


def test_a_batch_may_leave_examples_out(tmp_path):
    text = "id,label\n'-1,'-a\n2,b\n'-3, \n"
    for name, written in (("kim.2.csv", text), ("kim.tsv", text.replace(",", "\t"))):
        (tmp_path / name).write_text(written)
        rows, left_out = read_batch(tmp_path / name)
        assert (rows, left_out) == ([LabelRow("-1", "-a", "kim"), LabelRow("2", "b", "kim")], {"-3"})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("id,label\n", "id, label"),
        *((f"id,label,batch\n-1,glad,a\n-2,sad{row}\n", "rows of id, label") for row in ("", ",a,b")),
        ("", "none"),
        ("id,label,batch\n-1,glad,a\n-1, glad ,b\n-2,happy,b\n", "'-2' is 'happy'"),
    ],
)
def test_a_damaged_file_of_labels_is_refused(pool, tmp_path, text, found):
    start()
    (tmp_path / "pool.labels.csv").write_text(text)
    assert found in run("status", code=2)


@pytest.mark.parametrize("classes", [("0", "2", "10"), ("US", "CA", "NA")])
def test_classes_that_are_named_may_be_numbers_and_words_for_no_value(pool, tmp_path, classes):
    first, _, last = classes
    (tmp_path / "pool.csv").write_text(f"key,old,new,text\n1,{first},{last},x\n2,{last},{last},y\n")
    assert "2 examples, 3 classes" in start(*(f"--class={each}" for each in classes))
    (tmp_path / "labels.csv").write_text(f"id,label\n2,{last}\n")
    assert "1 label added" in run("add", "labels.csv")
    assert started().pool.labels == classes


@pytest.mark.parametrize(
    ("content", "given", "found"),
    [
        ("key,old,new,text\n", (), "There are no examples"),
        ("key,old,new,text\n1,a,b,x\n1,b,b,y\n", (), "Error: pool.csv, ids: 1 of 2 is duplicate ('1'"),
        ("key,old,new,text\n1,a,b,x\n,a,b,y\n", (), "id: 1 of 2 is no value (a missing value; first at line 3"),
        *(
            (f"key,old,new,text\n1,a,b,x\n2,{row},y\n", (), ": 1 of 2 is no value (a missing value; first at line 3")
            for row in (",b", "a,")
        ),
        ("key,old,text\n1,a,x\n", (), "'new'"),
        *(("", ("--show", name), f"{name!r} would show predictions") for name in ("old", "new")),
        *(("", ("--show", name), f"each column once, got {name!r} 2 times") for name in ("text", "id", "label")),
        ("", ("--show", "nope"), "No column 'nope' to show"),
        ("", ("--measure", "roc_auc"), "Pools do not support scores yet"),
        ("", ("--measure", "f1[nope]"), "'nope'"),
    ],
)
def test_what_cannot_be_labelled_is_refused_before_anything_is_written(pool, tmp_path, content, given, found):
    if content:
        (tmp_path / "pool.csv").write_text(content)
    assert found in start(*given, code=2)
    assert not list(tmp_path.glob("pool.l*"))


def test_a_class_that_neither_side_predicts_can_be_named_later(pool, tmp_path):
    start()
    (key,) = next_filled(1, dict.fromkeys(pool, "angry"))
    assert f"{key!r} is 'angry'. Correct them. If" in run("add", "batch.csv", code=2)
    state = tmp_path / "pool.labelling.json"
    state.write_text(state.read_text().replace('"glad",', '"glad", "angry",'))
    assert "1 label added" in run("add", "batch.csv")


class TestJudge:
    @pytest.fixture
    def graded(self, tmp_path, monkeypatch):
        """Write a judge's grades of 300 answers of each side, in clusters of three; return those of people by id."""
        rng = np.random.default_rng(4)
        people = {f"-{number}": rng.integers(0, 2, 2) for number in range(300)}
        for side, name in enumerate(("old", "new")):
            flips = rng.random(300) < 0.1
            rows = [
                (key, number // 3, abs(both[side] - flips[number])) for number, (key, both) in enumerate(people.items())
            ]
            write_csv(tmp_path / f"{name}.csv", ("id", "talk", "value"), rows)
        monkeypatch.chdir(tmp_path)
        return people

    def judge(self, *more, code=0):
        return run("judge", "old.csv", "new.csv", "--rope", "0.01", "--human", "people.csv", *more, code=code)

    def fill(self, people):
        """Grade all that is to be graded; return the ids."""
        header, *rows = read_csv(Path("people.csv"))
        write_csv(Path("people.csv"), header, [(row[0], *people[key_of(row)], *row[3:]) for row in rows])
        return list(map(key_of, rows))

    def test_answers_are_drawn_by_their_ids_alone_and_more_go_on(self, graded):
        assert "40 answers" in self.judge("--count", 40)
        first = self.fill(graded)
        assert "more answers, graded by people," in self.judge()
        assert self.fill(graded) == first
        assert "25 answers" in self.judge("--count", 25)
        both = self.fill(graded)
        assert (len(both), both[:40], len({*both})) == (65, first, 65)
        write_csv(Path("old.csv"), ("id", "value"), [(key, 1) for key in reversed(graded)])
        Path("people.csv").unlink()
        self.judge("--count", 65)
        assert self.fill(graded) == both

    def test_clusters_are_drawn_whole_until_there_are_enough(self, graded):
        assert "30 answers" in self.judge("--count", 29, "--clusters", "talk")
        assert {*Counter(-int(key) // 3 for key in self.fill(graded)).values()} == {3}
        assert "at least 20 clusters" in self.judge("--clusters", "talk", code=2)
        assert "60 answers" in self.judge("--count", 60, "--clusters", "talk")

    def test_every_answer_is_drawn_equally_often(self, graded):
        sides = [Scores.from_values(np.zeros(300), ids=[*graded]) for _ in range(2)]
        judged = judged_pairs(subject_of_two(*sides, CompareOptions.resolve(measure="mean", rope=0.1)), "human")
        times = np.bincount(np.concatenate([_next_answers(judged, set(), 30, seed) for seed in range(400)]))
        assert chisquare(times).pvalue > 0.001

    def test_it_is_refused_while_grades_lack_and_once_all_are_given(self, graded):
        self.judge("--count", 300)
        assert "300 of 300 are no value" in self.judge(code=2)
        self.fill(graded)
        assert "People graded every answer already" in self.judge("--count", 1, code=2)

    def test_grades_of_answers_that_have_changed_are_refused(self, graded):
        self.judge()
        first, *_ = self.fill(graded)
        Path("new.csv").write_text(
            re.sub(rf"^({first},\d+),.*$", r"\1,0.5", Path("new.csv").read_text(), flags=re.MULTILINE)
        )
        assert f"1 of 50 have other grades by the judge than when people graded them ('{first}'" in self.judge(code=2)
