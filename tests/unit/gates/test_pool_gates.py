"""Gates of gate files that judge what is labelled of a pool."""

import json
import re

import pytest

from pytest_bayesf1 import GateFileError, InputError
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.manifest import GatesOfRun, compare_gates, row_of
from pytest_bayesf1.git import Revision
from pytest_bayesf1.labelling import Labelling
from tests.unit.called import call
from tests.unit.committed import Committed

GATES = """\
gates:
  tone:
    pool: pool.labelling.json
    measure: accuracy
    rope: 0.02
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Write a pool whose candidate is right in most of the labelled examples on which the sides differ."""
    monkeypatch.chdir(tmp_path)
    rows = [f"x{n},{'good' if n % 10 and n % 3 else 'bad'},{'good' if n % 10 else 'bad'}" for n in range(600)]
    (tmp_path / "pool.csv").write_text("\n".join(["id,old,new", *rows, ""]))
    start()
    (tmp_path / "bayesf1.yaml").write_text(GATES)
    return tmp_path


def start(*more):
    names = ("--baseline", "old", "--candidate", "new", "--rope", "0.02", *more)
    call("label", "start", "pool.csv", *names, code=0)


def label(folder, wrong=()):
    rows = [f"x{n},{'bad' if (n % 10 == 0) != (n in wrong) else 'good'},a" for n in range(0, 600, 4)]
    (folder / "pool.labels.csv").write_text("\n".join(["id,label,batch", *rows, ""]))


def gate(folder, text=GATES):
    (folder / "bayesf1.yaml").write_text(text)
    (found,) = load_gates(folder / "bayesf1.yaml", folder)
    return found


def test_judges_what_is_labelled_so_far(folder):
    label(folder)
    result = evaluate(gate(folder))
    assert str(result.outcome) == "passed"
    comparison = result.overall.comparison
    assert str(comparison.decision) == "≫"
    assert comparison.pool.n_labelled == 150
    assert result.source.baseline_file is None
    early = evaluate(gate(folder, f"{GATES}    looks: 4\n    planned_examples: 600\n"))
    assert early.overall.comparison.hdi_prob > 0.999  # looks count labels


def test_an_update_of_baselines_leaves_it_out(folder, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    label(folder)
    assert "a pool has both sides" in call("baseline", "update", code=0).output


def test_judges_other_labels_of_the_pool(folder):
    label(folder, wrong=range(0, 600, 3))
    (folder / "second").mkdir()
    (folder / "pool.labels.csv").rename(folder / "second" / "kim.csv")
    label(folder)
    other = f"{GATES}    labels: second/kim.csv\n"
    results = [evaluate(gate(folder, text)) for text in (GATES, f"{other}    per_class: true\n")]
    assert [str(each.outcome) for each in results] == ["passed", "failed"]
    before, after = ({"tone": [{**row_of(each), "per_class": None}]} for each in results)
    assert {each.part for each in results[1].judged} == {"", "class bad", "class good"}
    findings = compare_gates([before], GatesOfRun(rows=after, why_missing=str))
    assert [(each.kind, each.text) for each in findings] == [("changed", "labels: was not set, is second/kim.csv")]
    (folder / "second" / "kim.csv").unlink()
    with pytest.raises(InputError, match=r"second/kim.csv: file not found. Restore it"):
        evaluate(gate(folder, other))


def test_labels_of_the_base_commit_that_are_gone_or_others_are_counted(folder, tmp_path_factory):
    label(folder)
    Committed.new(folder).commit()
    head, *rows = (folder / "pool.labels.csv").read_text().splitlines()
    other = rows[2].replace("good", "bad")
    rows = [other, *rows[3:], "x1,good,a", "x2,good,a", "x3,good,a"]
    (folder / "pool.labels.csv").write_text("\n".join([head, *rows, ""]))
    commit = Revision.of("HEAD", folder, tmp_path_factory.mktemp("copies"))
    assert evaluate(gate(folder), commit).source.unlike_baseline(()) == {"lacking": 2, "relabelled": 1}


@pytest.mark.parametrize("more", [(), ("--class", "bad", "--class", "good", "--class", "odd")])
def test_other_predictions_or_classes_are_another_baseline(folder, more):
    label(folder)
    before = {"tone": [row_of(evaluate(gate(folder)))]}
    pool = folder / "pool.csv"
    pool.write_text(pool.read_text() if more else pool.read_text().replace("x1,good,", "x1,bad,"))
    (folder / "pool.labelling.json").unlink()
    (folder / "pool.labels.csv").unlink()
    start(*more)
    label(folder)
    run = GatesOfRun(rows={"tone": [row_of(evaluate(gate(folder)))]}, why_missing=str)
    (finding,) = compare_gates([before], run)
    assert (finding.kind, finding.about) == ("changed", "baseline")
    assert len({*re.findall(r"test set (\w{12})", finding.text)}) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{GATES}    baseline: pool.csv\n", "gates.tone.baseline: baseline does not go with pool. Leave baseline out"),
        (GATES.replace("pool: ", "pool: ../"), "pool: '../pool.labelling.json' leads out of"),
        (
            f"{GATES.replace('pool: ', 'candidate: ')}    labels: a.csv\n    baseline: b.csv\n",
            "gates.tone.labels: expected a list, got 'a.csv",
        ),
    ],
)
def test_refuses_what_does_not_go_together(folder, text, said):
    with pytest.raises(GateFileError, match=said):
        gate(folder, text)


@pytest.mark.parametrize("where", ["../pool.csv", "link.csv", "sub/../../pool.csv"])
def test_a_state_file_points_nowhere_outside_its_folder(folder, where):
    inside = folder / "sub"
    (inside / "sub").mkdir(parents=True)
    (inside / "link.csv").symlink_to(folder / "pool.csv")
    state = json.loads((folder / "pool.labelling.json").read_text())
    (inside / "pool.labelling.json").write_text(json.dumps({**state, "pool": where}))
    with pytest.raises(InputError, match=r"The file is not in the folder of pool\.labelling\.json"):
        _ = Labelling.read(inside / "pool.labelling.json", folder / "pool.labels.csv").unlabelled
