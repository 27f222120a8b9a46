"""Python, gate files and the command line give one result of the same data and arguments."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_bayesf1 import (
    assert_at_least,
    assert_better,
    assert_equivalent,
    assert_not_inferior,
    assert_not_worse,
    compare,
    plan,
    rank,
)
from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.files.side import read_runs, read_side
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.planning.floors import RunScores
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.writing import json_text
from tests.property.kinds import KINDS, measure_of
from tests.unit.called import call
from tests.unit.comparison.test_human import IDS, table
from tests.unit.comparison.test_human import sides as judged
from tests.unit.files.written import write as write_file
from tests.unit.made_up import recording

pytestmark = pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
ASKED = {"rope": 0.03}
READING: dict[str, dict[str, Any]] = {
    "clusters": {"clusters": "cluster"},
    "samples": {"runs": "samples"},
    "seeds": {"runs": "seeds"},
    "labels": {"kind": "labels"},
    "scores": {"labels": ["a", "b"]},
}
"""What a gate file declares of a kind beyond its columns."""
FIGURES = [
    *("measure", "measure_words", "decision", "mean", "std", "hdi", "p_worse", "p_below_rope", "p_above_rope"),
    *("rope", "hdi_prob", "prevalence", "prior", "engine", "seed", "n_draws", "model", "n_samples", "n_classes"),
    *("examples_needed", "contingency", "can_fail"),
]


def rows(name, made, system):
    """Return what a file of one system has in each row."""
    answers, n = made.answers[system], len(made.true)
    for place in range(n):
        row = {"id": place}
        if name != "values":
            row["gold" if name == "spans" else "y_true"] = _plain(made.true[place])
        if made.clusters is not None:
            row["cluster"] = int(made.clusters[place])
        if name in ("samples", "seeds"):
            yield from ({**row, "run": run, "y_pred": said} for run, said in enumerate(answers[place].tolist()))
        elif name == "scores of three":
            yield row | {f"y_score_{label}": float(answers[place, at]) for at, label in enumerate(made.labels)}
        else:
            column = {"scores": "y_score", "values": "value", "spans": "predicted"}.get(name, "y_pred")
            yield {**row, column: _plain(answers[place])}


def _plain(value):
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, list):
        return [[int(start), int(end), str(name)] for start, end, name in value]
    return getattr(value, "tolist", lambda: value)()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name, made, *systems):
    files = [Path(f"{'abc'[system]}.jsonl") for system in systems]
    for file, system in zip(files, systems, strict=True):
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows(name, made, system)))
    return files


def by_gate_file(**settings):
    Path("bayesf1.yaml").write_text(json.dumps({"gates": {"g": settings}}))
    (gate,) = load_gates(Path("bayesf1.yaml"), Path())
    return evaluate(gate)


def options(settings):
    """Write settings of a gate file as options."""
    for name, value in settings.items():
        if name == "labels":
            yield from (f"--label={each}" for each in value)
        elif value is True:
            yield f"--{name.replace('_', '-')}"
        else:
            text = ",".join(f"{key}={each}" for key, each in value.items()) if isinstance(value, dict) else value
            text = ",".join(map(str, text)) if isinstance(text, list) else text
            yield f"--{name.replace('_', '-')}={text}"


def by_command(*arguments, codes=(0,), **settings):
    shown = call(*arguments, *options(settings))
    assert shown.exit_code in codes, shown.output
    return json.loads(shown.output)


def told(result):
    """Return the figures of a result as JSON has them."""
    return written({name: plain(result.figures()[name]) for name in FIGURES})


def written(figures):
    """Return figures as JSON has them, to twelve digits."""
    return json.loads(json_text(figures))


def assert_one_result(made, kind, reading, **asked):
    files = write(kind, made, 0, 1)
    known = {KINDS[kind].ids: list(range(len(made.true)))}
    python = {name: tuple(value) if isinstance(value, list) else value for name, value in asked.items()}
    expected = compare(*KINDS[kind].sides(made, **known), **{**ASKED, **python})
    settings = {**reading, **ASKED, **asked}
    run = by_gate_file(baseline=str(files[0]), candidate=str(files[1]), **settings)
    entry, *_ = by_command("compare", *files, "--json", codes=(0, 1), **settings)["entries"]
    assert told(run.overall.comparison) == told(expected)
    assert {name: entry[name] for name in FIGURES} == told(expected)
    for side in ("baseline", "candidate"):
        assert entry[side]["observed"] == pytest.approx(getattr(expected, side).observed)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_read_alike(folder, kind):
    made = KINDS[kind].draw(np.random.default_rng(3))
    for measure in (KINDS[kind].measures[0], KINDS[kind].measures[-1]):
        assert_one_result(made, kind, READING.get(kind, {}), measure=measure)


def declared(kind, **others):
    known = {name: Kind(value) if name == "kind" else value for name, value in READING.get(kind, {}).items()}
    return Schema(**known, **others)


def columns_of(records):
    return {name: [row[name] for row in records] for name in records[0]}


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.json", "records.json", "a.npz", "a.parquet"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_read_alike_in_each_format_that_holds_it(folder, kind, name):
    """Also beside another format, where numbers may be text, and in another order."""
    if kind in ("labels", "spans") and name not in ("a.json", "records.json"):
        return  # lists, of several lengths
    made = KINDS[kind].draw(np.random.default_rng(6))
    ids = {KINDS[kind].ids: list(range(1_000, 1_000 + len(made.true)))}  # their text sorts as they do
    expected = Sides(*KINDS[kind].sides(made, **ids))
    read = []
    for system, rows_of in enumerate((list(rows(kind, made, 0)), list(rows(kind, made, 1))[::-1])):
        columns = columns_of(rows_of)
        columns["id"] = [1_000 + each for each in columns["id"]]
        path = write_file(folder, name if system == 0 else "b.json", columns)
        read.append(read_side(path, "candidate", declared(kind)).counts())
    assert read == [expected.baseline, expected.candidate]
    assert Sides(*read).joint.is_equal(expected.joint)


@pytest.mark.parametrize("by_id", [True, False])
@pytest.mark.parametrize("kind", [name for name in KINDS if name != "values"])
def test_the_truth_may_be_in_a_file_of_its_own(folder, kind, by_id):
    if kind in ("samples", "seeds") and not by_id:
        return  # their rows are no examples
    made, true = KINDS[kind].draw(np.random.default_rng(8)), "gold" if kind == "spans" else "y_true"
    answers = [row | {"id": 1_000 + row["id"]} for row in rows(kind, made, 0)]
    truth = {row["id"]: {"key": row["id"], true: row.pop(true), "part": row["id"] % 3} for row in answers}
    gold, said = columns_of([*truth.values()][:: -1 if by_id else 1]), columns_of(answers)
    if not by_id:
        del gold["key"], said["id"]
    write_file(folder, "gold.json", gold)
    schema = declared(kind, gold="gold.json", gold_columns=(("id", "key"),) if by_id else ())
    schema = replace(schema, kind=Kind.SPANS if kind == "spans" else schema.kind)
    side = read_side(write_file(folder, "a.json", said), "candidate", schema)
    assert side.counts() == KINDS[kind].side(made, 0)
    parts = [str(each % 3) for each in range(1_000, 1_000 + len(made.true))]
    assert side.slice_values("part", side.counts()) == parts


@pytest.mark.parametrize("n_files", [2, 3, None], ids=["two", "three", "one each"])
@pytest.mark.parametrize("kind", ["samples", "seeds"])
def test_runs_may_be_in_files_of_their_own(folder, kind, n_files):
    """Each in another order, and some with several runs of each example."""
    made = KINDS[kind].draw(np.random.default_rng(11))
    every = list(rows(kind, made, 1))
    files = [Path(f"run-{number}.jsonl") for number in range(n_files or made.answers[1].shape[1])]
    for number, file in enumerate(files):
        own = [row for row in every if row["run"] % len(files) == number]
        own = [{name: row[name] for name in row if n_files or name != "run"} for row in own]
        file.write_text("".join(f"{json.dumps(row)}\n" for row in own[:: (-1) ** number]))
    expected = assert_at_least(KINDS[kind].side(made, 1, ids=list(range(len(made.true)))), 0.05)
    read = read_runs(files, "candidate", declared(kind))
    assert read.counts() == KINDS[kind].side(made, 1, ids=list(range(len(made.true))))
    reading = {"floor": 0.05, **READING[kind]}
    run = by_gate_file(candidate="run-*.jsonl", **reading)
    found = by_command("check", *files, "--json", **reading)["entries"][0]
    assert run.overall.decided.score.hdi == expected.score.hdi == pytest.approx(tuple(found["score"]["hdi"]))


@pytest.mark.parametrize(
    "asked",
    [
        {"rope": [-0.01, 0.04]},
        {"rope": [0.2, "wide"]},
        {"hdi_prob": 0.8},
        {"model": "same-set"},
        {"model": "independent", "prevalence": "candidate"},
        {"prevalence": {"b": 0.5}},
        {"prior": "uniform"},
        {"seed": 7},
    ],
    ids=",".join,
)
def test_each_argument_is_passed_on(folder, asked):
    made = KINDS["classes"].draw(np.random.default_rng(4))
    assert_one_result(made, "classes", {}, **asked)
    plain_result, result = (
        compare(*KINDS["classes"].sides(made), **{**ASKED, **given}) for given in ({}, _python(asked))
    )
    assert told(plain_result) != told(result)


def _python(asked):
    return {name: tuple(value) if isinstance(value, list) else value for name, value in asked.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_slices_are_judged_alike_and_as_their_examples_alone(folder, kind):
    """In whatever order a file has them; where a side is in memory, it has the candidate's order."""
    made, rng = KINDS[kind].draw(np.random.default_rng(16)), np.random.default_rng(17)
    keys = np.arange(len(made.true))
    columns = {"part": np.array(["x", "y", "z"])[keys % 3], "form": np.array(["long", "short"])[keys % 2]}
    for system, name in enumerate("ab"):
        cut = [{**row, **{each: str(columns[each][row["id"]]) for each in columns}} for row in rows(kind, made, system)]
        Path(f"{name}.jsonl").write_text("".join(f"{json.dumps(cut[at])}\n" for at in rng.permutation(len(cut))))
    asked = {"measure": measure_of(kind), "rope": [0.5, "wide"], "weak_baseline": True, **READING.get(kind, {})}
    files = {"baseline": "a.jsonl", "candidate": "b.jsonl"}
    found = {each.part: each.result for each in by_gate_file(**files, **asked, slices=[*columns]).judged}
    by_option = [f"--slice={name}" for name in columns]
    entries = by_command("compare", *files.values(), "--json", *by_option, codes=(0, 1), **asked)["entries"]
    by_command_line = {each["part"]: each["mean"] for each in entries}
    assert by_command_line == pytest.approx({name: found[name].mean for name in found})
    known = {name: asked[name] for name in ("measure", "weak_baseline")} | {"rope": (0.5, "wide")}
    for name, values in columns.items():
        for value in sorted({*values.tolist()}):
            of_slice = made.reordered(np.flatnonzero(values == value))
            alone = compare(*KINDS[kind].sides(of_slice, **{KINDS[kind].ids: np.flatnonzero(values == value)}), **known)
            assert told(found.pop(f"{name}={value}")) == told(alone)
    assert [*found] == [""]
    if kind not in ("samples", "seeds"):
        with recording() as recorded:
            assert_not_worse(*KINDS[kind].sides(made), **known, slices=columns)
        in_python = {each.part: each.result.mean for each in recorded.runs[0].judged}
        assert in_python == pytest.approx(by_command_line)


@pytest.mark.parametrize("declared", [True, False])
def test_a_baseline_that_knows_nothing_is_declared_alike(folder, declared):
    made = KINDS["classes"].draw(np.random.default_rng(5))
    weak = made.renamed(["b", "c", "a"]).answers[0]
    made = type(made)(made.true, (weak, made.answers[1]), made.labels)
    if declared:
        assert_one_result(made, "classes", {}, weak_baseline=True)
        return
    files = write("classes", made, 0, 1)
    with pytest.raises(Exception, match="weak_baseline"):
        by_gate_file(baseline=str(files[0]), candidate=str(files[1]), **ASKED)
    by_command("compare", *files, "--json", codes=(2,), **ASKED)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_each_policy_fails_alike_and_with_sides_turned_as_its_mirror(folder, seed, turned):
    made = KINDS["classes"].draw(np.random.default_rng(seed))
    order = (1, 0) if turned else (0, 1)
    files, sides = write("classes", made, *order), [KINDS["classes"].side(made, each) for each in order]
    for fail_on, judge in (("<<", assert_not_worse), ("unproven", assert_not_inferior)):
        fails = failing(judge, *sides)
        run = by_gate_file(baseline=str(files[0]), candidate=str(files[1]), fail_on=fail_on, **ASKED)
        assert (str(run.outcome) == "failed") is fails
        entries = by_command("compare", *files, "--json", codes=(1, 3) if fails else (0,), fail_on=fail_on, **ASKED)
        assert (entries["entries"][0]["verdict"] == "failed") is fails
    assert failing(assert_not_worse, *sides) is not failing(assert_better, *sides[::-1])
    assert failing(assert_equivalent, *sides) is failing(assert_equivalent, *sides[::-1])


def failing(judge, *sides, **given):
    try:
        judge(*sides, **{**ASKED, **given})
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("kind", [name for name in KINDS if name != "spans"])
@pytest.mark.parametrize("asked", [{}, {"hdi_prob": 0.7, "seed": 5}, {"run_sd": 0.02}], ids=",".join)
def test_a_floor_is_judged_alike(folder, kind, asked):
    made = KINDS[kind].draw(np.random.default_rng(6))
    (file,) = write(kind, made, 1)
    measure = KINDS[kind].measures[0]
    given = {"measure": measure, **asked}
    floor = -5.0 if kind == "values" else 0.05
    expected = assert_at_least(KINDS[kind].side(made, 1), floor, **given)
    run = by_gate_file(candidate=str(file), floor=floor, **READING.get(kind, {}), **given)
    found = by_command("check", file, "--json", floor=floor, **READING.get(kind, {}), **given)["entries"][0]
    names = ("measure", "hdi_prob", "run_sd", "p_below_floor", "above_floor", "n_samples", "prior")
    for name in names:
        assert getattr(expected, name) == getattr(run.overall.decided, name)
        assert plain(getattr(expected, name)) == pytest.approx(found[name])
    score = expected.score
    assert score.hdi == run.overall.decided.score.hdi == pytest.approx(tuple(found["score"]["hdi"]))
    assert score.mean == run.overall.decided.score.mean == pytest.approx(found["score"]["mean"])


@pytest.mark.filterwarnings("ignore")
def test_people_s_grades_correct_a_judge_alike(folder):
    sides, asked = judged(), {"measure": "mean", "rope": 0.05, "human": "people.csv"}
    for name, side in zip("ab", sides, strict=True):
        write_file(folder, f"{name}.csv", {"id": IDS, "value": side.scores[:, 0].tolist()})
    of_both = table()
    write_file(folder, "people.csv", of_both)
    write_file(folder, "of_one.csv", {"id": of_both["id"], "value": of_both["candidate"]})
    expected = compare(*sides, **asked)
    run = by_gate_file(baseline="a.csv", candidate="b.csv", **asked)
    entry = by_command("compare", "a.csv", "b.csv", "--json", codes=(0, 1), **asked)["entries"][0]
    assert told(run.overall.comparison) == told(expected) == {name: entry[name] for name in FIGURES}
    one = {"measure": "mean", "human": "of_one.csv"}
    expected = assert_at_least(sides[1], 0.1, **one)
    found = by_command("check", "b.csv", "--json", floor=0.1, **one)["entries"][0]
    run = by_gate_file(candidate="b.csv", floor=0.1, **one)
    assert run.overall.decided.score.hdi == expected.score.hdi == pytest.approx(tuple(found["score"]["hdi"]))


@pytest.mark.parametrize(
    "asked", [{}, {"measure": "accuracy", "hdi_prob": 0.8, "prevalence": {"b": 0.4}, "loss": 0.09}], ids=["", "all"]
)
def test_a_plan_is_made_alike(folder, asked):
    made = KINDS["classes"].draw(np.random.default_rng(7))
    files, sides = write("classes", made, 0, 2), [KINDS["classes"].side(made, each) for each in (0, 2)]
    expected = json.loads(plan(*sides, rope=0.03, **asked).to_json())
    assert by_command("plan", *files, "--format=json", rope=0.03, **asked) == expected
    assert asked == {} or expected["hdi_prob"] == 0.8


@pytest.mark.parametrize("kind", ["classes", "clusters", "seeds", "scores"])
@pytest.mark.parametrize("asked", [{}, {"hdi_prob": 0.7, "seed": 3}, {"prevalence": {"b": 0.6}}], ids=",".join)
def test_systems_are_ranked_alike(folder, kind, asked):
    made = KINDS[kind].draw(np.random.default_rng(8))
    files = write(kind, made, 0, 1, 2)
    given = {"measure": KINDS[kind].measures[0], **ASKED, **asked}
    expected = rank({name: KINDS[kind].side(made, place) for place, name in enumerate("abc")}, **given)
    assert by_command("rank", *files, "--format=json", **READING.get(kind, {}), **given) == json.loads(
        json.dumps(expected.to_dict())
    )


@pytest.mark.parametrize("n_new", [1, 4])
def test_floors_are_proposed_alike(folder, n_new):
    made = KINDS["classes"].draw(np.random.default_rng(9))
    files = write("classes", made, 0, 1, 2)
    sides = {name: KINDS["classes"].side(made, place) for place, name in enumerate("abc")}
    expected = RunScores.of(sides, 0.05, measure="accuracy", hdi_prob=0.9).to_dict(n_new)
    given = {"measure": "accuracy", "hdi_prob": 0.9, "false_alarms": 0.05, "new_runs": n_new}
    assert by_command("floor", *files, "--format=json", **given) == json.loads(json.dumps(expected))
    assert expected["n_runs"] == n_new
    together = [row | {"run": system} for system in range(3) for row in rows("classes", made, system)]
    Path("all.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in together))
    assert by_command("floor", "all.jsonl", "--format=json", **given)["scores"] == expected["scores"]
