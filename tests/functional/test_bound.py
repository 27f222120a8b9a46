"""What is bound in a pull request: its job is red by default until somebody accepts the change with a reason."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_bayesf1.github.action import JobDemands, outcome_of
from tests.functional.gates import write_rows
from tests.unit.called import call
from tests.unit.committed import Committed

ROOT = Path(__file__).parents[2]
RED = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]["fail-on"]["default"]
MANIFEST = "__bayesf1__/gates.json"


def rows(n=600, wrong=9):
    truth = ["ab"[i % 2] for i in range(n)]
    return [{"id": i, "y_true": right, "y_pred": right if i % wrong else "b"} for i, right in enumerate(truth)]


PAIR = {"baseline": "old.csv", "candidate": "new.csv", "rope": [-0.15, 0.15, "wide"]}
TEST = """
    def test_gate():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""


@dataclass
class Change:
    """What a pull request changes: settings of a gate, and files (None deletes one)."""

    kind: str
    gate: dict[str, Any] = field(default_factory=lambda: PAIR)
    now: dict[str, Any] = field(default_factory=dict)
    files: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, Any] = field(default_factory=dict)


def of_test(kind, old, new):
    return Change(kind, {}, files={"test_gate.py": TEST}, changed={"test_gate.py": TEST.replace(old, new)})


CHANGES = {
    "gate": of_test("missing", "    assert_not_worse(", "    compare("),
    "xfail": of_test("loosened", "def test_gate", "@pytest.mark.xfail\n    def test_gate"),
    "rope": Change("loosened", now={"rope": [-0.2, 0.2, "wide"]}),
    "examples of the baseline": Change("changed", changed={"new.csv": rows()[20:]}),
    "baseline": Change("changed", changed={"old.csv": rows(wrong=5)}),
    "damaged": Change("file", changed={MANIFEST: "{"}),
    "deleted": Change("file", changed={MANIFEST: None}),
}


@pytest.fixture
def project(pytester, write_tests, monkeypatch):
    """Write a gate and its files, or change them."""
    folder = pytester.path
    monkeypatch.chdir(folder)
    for name in ("old", "new"):
        write_rows(folder / f"{name}.csv", rows())

    def write_file(path, content):
        if content is None:
            path.unlink()
        elif path.suffix == ".py":
            write_tests(**{path.stem: content})
        elif isinstance(content, str):
            path.write_text(content)
        else:
            write_rows(path, content)

    def write(gate, files):
        for name, content in files.items():
            write_file(folder / name, content)
        if gate:
            (folder / "bayesf1.yaml").write_text(json.dumps({"gates": {"spam": gate}}))

    return write


@pytest.fixture
def red(pytester):
    """Run the gates against the base commit; return the exit code of the Action's job, where pytest's own is 0."""

    def red():
        out = pytester.path / "out"
        done = pytester.runpytest("-W", "ignore", f"--bayesf1-report={out}", "--bayesf1-baseline-ref=HEAD")
        assert done.ret == pytest.ExitCode.OK, "no other reason to be red"
        return JobDemands.of(RED).exit_code(outcome_of(int(done.ret), out))

    return red


@pytest.fixture
def base(pytester, project):
    """Commit the gate of a change with its manifest; return what makes the change."""

    def base(change):
        project(change.gate, change.files)
        assert pytester.runpytest("--bayesf1-update=new").ret == pytest.ExitCode.OK
        Committed.new(pytester.path).commit()
        return lambda: project(change.gate | change.now, change.changed)

    return base


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.one_of_many
def test_a_pull_request_that_changes_it_is_red_until_that_is_accepted(base, red, document, name):
    change = base(CHANGES[name])
    assert (red(), document()["findings"]) == (0, [])
    change()
    assert red() == 1
    (finding,) = document()["findings"]
    assert finding["kind"] == CHANGES[name].kind
    if finding["kind"] == "file":
        assert (finding["gate"], finding["change"]) == (MANIFEST, "")
        return
    arguments = ["accept", finding["gate"], "--loosened", finding["change"], "--reason", "half the size"]
    call(*arguments, code=0)
    assert red() == int(name == "gate")  # for then no gate judges at all
    assert [each["accepted"] for each in document()["findings"]] == ["half the size"]


@pytest.mark.parametrize("name", ["pool.labels.csv", "pool.labelling.json"])
def test_a_pool_reads_nothing_that_the_base_commit_lacks(pytester, project, name):
    both = [f"x{n},{'good' if n % 10 and n % 11 else 'bad'},{'good' if n % 10 else 'bad'}" for n in range(600)]
    labels = [f"x{n},{'good' if n % 10 else 'bad'},a" for n in range(0, 600, 4)]
    project({}, {"pool.csv": "\n".join(["id,old,new", *both, ""]), ".gitignore": f"{name}\n__pycache__\n"})
    names = ("--baseline", "old", "--candidate", "new", "--rope", "0.02")
    call("label", "start", "pool.csv", *names, code=0)
    labelled = {"pool.labels.csv": "\n".join(["id,label,batch", *labels, ""])}
    project({"pool": "pool.labelling.json", "measure": "accuracy", "rope": 0.05}, labelled)
    assert pytester.runpytest("--bayesf1-update=new").ret == pytest.ExitCode.OK
    Committed.new(pytester.path).commit()
    result = pytester.runpytest("--bayesf1-baseline-ref=HEAD")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    told = " ".join(result.stdout.str().split())
    assert name in told
    assert "git does not hold this file" in told
