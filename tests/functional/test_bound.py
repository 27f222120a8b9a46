"""What SECURITY.md says is bound in a pull request: each is changed in one, and its job is red by default."""

import json
import re
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from pytest_bayesf1.cli.main import main
from pytest_bayesf1.gates.manifest import _CHANGES
from pytest_bayesf1.github.action import JobDemands, outcome_of
from tests.functional.gates import write_rows
from tests.unit.committed import Committed

ROOT = Path(__file__).parents[2]
BOUND = re.findall(r"^\| `(\w+)` \|", (ROOT / "SECURITY.md").read_text("utf-8"), re.MULTILINE)
RED = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]["fail-on"]["default"]


def rows(n=600, *, first=0, runs=0, **changed):
    found = []
    for i in range(first, first + n):
        right = "ab"[i % 2]
        row = {"id": i, "y_true": right, "y_pred": right if i % 9 else "b", "site": "xy"[i % 3 == 0], "doc": i // 3}
        found += [{**row, "run": run} for run in range(runs)] if runs else [row]
    return [row | {name: change(row) for name, change in changed.items()} for row in found]


def without(name, table):
    return [{key: value for key, value in row.items() if key != name} for row in table]


def counted(*cells):
    return json.dumps([[300 - cells[0], cells[0]], [cells[1], 300 - cells[1]]])


def label(path, wrong=None):
    labels = [f"x{n},{'bad' if (n % 10 == 0) != (n == wrong) else 'good'},a,," for n in range(0, 600, 4)]
    path.write_text("\n".join(["id,label,batch,time,annotator", *labels, ""]))


def start_pool(folder):
    both = [f"x{n},{'good' if n % 11 else 'bad'},{'good' if n % 10 else 'bad'}" for n in range(600)]
    (folder / "pool.csv").write_text("\n".join(["id,old,new", *both, ""]))
    names = ("--baseline", "old", "--candidate", "new", "--rope", "0.02")
    assert CliRunner().invoke(main, ["label", "start", "pool.csv", *names]).exit_code == 0
    label(folder / "pool.labels.csv")
    label(folder / "kim.csv")


PAIR = {"baseline": "old.csv", "candidate": "new.csv", "rope": [-0.15, 0.15, "wide"]}
FLOOR = {"candidate": "new.csv", "floor": 0.5}
ANCHORED = {**PAIR, "anchor": "old.csv", "budget": 0.2}
POOL = {"pool": "pool.labelling.json", "measure": "accuracy", "rope": 0.05}
TEST = """
    def test_gate():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""
OF_POOL = """
    def test_gate():
        from pytest_bayesf1 import LabelledPool
        truth = ["ab"[i % 2] for i in range(600)]
        other = [each if i % 9 else "b" for i, each in enumerate(truth)]
        known = {i: truth[i] for i in range(0, 600, 3)}
        assert_not_worse(LabelledPool.from_predictions(other, truth, known), rope=0.05)
"""


@dataclass
class Change:
    """What a pull request changes: settings of a gate, and files (None deletes one)."""

    gate: dict[str, Any] = field(default_factory=lambda: PAIR)
    now: dict[str, Any] = field(default_factory=dict)
    files: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, Any] = field(default_factory=dict)


def of_test(old, new, test=TEST):
    return Change({}, files={"test_gate.py": test}, changed={"test_gate.py": test.replace(old, new)})


CHANGES = {
    "gate": of_test("    assert_not_worse(", "    compare("),
    "xfail": of_test("def test_gate", "@pytest.mark.xfail\n    def test_gate"),
    "manifest": Change(changed={"__bayesf1__/gates.json": "{"}),
    "policy": Change({**PAIR, "fail_on": "<"}, {"fail_on": "<<"}),
    "measure": Change(now={"measure": "accuracy"}),
    "rope": Change(now={"rope": [-0.2, 0.2, "wide"]}),
    "budget": Change(ANCHORED, {"budget": 0.3}),
    "floor": Change(FLOOR, {"floor": 0.4}),
    "run_sd": Change({**FLOOR, "run_sd": 0.01}, {"run_sd": 0.05}),
    "hdi_prob": Change(now={"hdi_prob": 0.8}),
    "looks": Change({**PAIR, "looks": 3, "planned_examples": 900}, {"looks": 2}),
    "planned_examples": Change({**PAIR, "looks": 3, "planned_examples": 900}, {"planned_examples": 9000}),
    "prior": Change(now={"prior": "uniform"}),
    "model": Change(now={"model": "independent"}),
    "per_class": Change({**PAIR, "per_class": True}, {"per_class": False}),
    "slices": Change({**PAIR, "slices": ["site"]}, {"slices": []}),
    "max_gap": Change({**PAIR, "slices": ["site"], "max_gap": 0.3}, {"max_gap": 0.4}),
    "family_level": Change(now={"families": {"all": {"gates": ["*"], "level": 0.01}}}),
    "clusters": Change({**PAIR, "clusters": "doc"}, {"clusters": None}),
    "prevalence": Change({**PAIR, "prevalence": {"b": 0.3}}, {"prevalence": {"b": 0.2}}),
    "on_new_test_set": Change(now={"on_new_test_set": "independent"}),
    "baseline": Change(now={"baseline": "older.csv"}),
    "anchor": Change(ANCHORED, {"anchor": "older.csv"}),
    "labels": Change(POOL, {"labels": "kim.csv"}),
    "reading": Change(now={"rows": {"site": "x"}}),
    "runs": Change(
        {**PAIR, "runs": "samples"}, files={"old.csv": rows(runs=3), "new.csv": rows(runs=3)},
        changed={"new.csv": rows(runs=2)},
    ),
    "missing_runs": Change(
        {**FLOOR, "runs": "samples"}, files={"new.csv": rows(runs=3)}, changed={"new.csv": rows(runs=3)[:-1]}
    ),
    "files": Change(
        {**FLOOR, "candidate": "run-*.csv"}, files={"run-1.csv": rows(), "run-2.csv": rows()},
        changed={"run-2.csv": None},
    ),
    "examples": Change(FLOOR, changed={"new.csv": [row for row in rows() if row["y_true"] == row["y_pred"]]}),
    "truths": Change(FLOOR, changed={"new.csv": rows(y_true=lambda row: row["y_pred"])}),
    "in_slices": Change({**FLOOR, "slices": ["site"]}, changed={"new.csv": rows(site=lambda row: "xy"[row["id"] < 9])}),
    "labelled": of_test("{i: truth[i] for", "{i: truth[i] if i > 40 else 'a' for", OF_POOL),
    "relabelled": Change(POOL, changed={"pool.labels.csv": partial(label, wrong=8)}),
    "lacking": Change(changed={"new.csv": rows()[20:]}),
    "corrected": Change(changed={"new.csv": rows(y_true=lambda row: row["y_true"] if row["id"] > 7 else "a")}),
    "moved": Change(
        {**PAIR, "slices": ["site"]},
        files={"old.csv": without("id", rows()), "new.csv": without("id", rows())},
        changed={"new.csv": without("id", rows(site=lambda row: row["site"] if row["id"] > 60 else "x"))},
    ),
}  # fmt: skip
FOUND_AS = {"gate": "", "manifest": ""}
"""What the finding is about, where it is not named as the list does."""


def test_all_that_is_compared_is_in_the_list():
    assert set(BOUND) == {*CHANGES}
    assert set(_CHANGES) <= set(BOUND)
    assert len(BOUND) == len(set(BOUND))


@pytest.fixture
def project(pytester, write_tests, monkeypatch):
    """Write a gate and its files, or change them."""
    folder = pytester.path
    monkeypatch.chdir(folder)
    for name in ("old", "older", "new"):
        write_rows(folder / f"{name}.csv", rows())
    start_pool(folder)

    def write_file(path, content):
        if content is None:
            path.unlink()
        elif path.suffix == ".py":
            write_tests(**{path.stem: content})
        elif callable(content):
            content(path)
        elif isinstance(content, str):
            path.write_text(content)
        else:
            write_rows(path, content)

    def write(gate, files):
        for name, content in files.items():
            write_file(folder / name, content)
        settings = {name: value for name, value in gate.items() if value is not None and name != "families"}
        if settings:
            families = {name: gate[name] for name in ("families",) if name in gate}
            (folder / "bayesf1.yaml").write_text(json.dumps({"gates": {"spam": settings}, **families}))

    return write


@pytest.fixture
def red(pytester):
    """Run the gates against the base commit; return the exit code of the Action's job, where pytest's own is 0."""

    def red():
        out = pytester.path / "out"
        done = pytester.runpytest("-W", "ignore", f"--bayesf1-report={out}", "--bayesf1-baseline-ref=HEAD")
        assert done.ret == pytest.ExitCode.OK, "no other reason to be red"
        return JobDemands.of(RED, "false").exit_code(outcome_of(int(done.ret), out))

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


@pytest.mark.parametrize("name", BOUND)
@pytest.mark.one_of_many
def test_a_pull_request_that_changes_it_is_red(base, red, document, name):
    change = base(CHANGES[name])
    assert red() == 0
    change()
    assert red() == 1
    findings = [each for each in document()["findings"] if each["about"] == FOUND_AS.get(name, name)]
    assert [each["kind"] for each in findings if each["kind"] not in ("stricter", "unlisted")] != []


@pytest.mark.parametrize("name", ["xfail", "gate", "truths"])
@pytest.mark.one_of_many
def test_a_change_that_is_accepted_by_its_code_is_green(base, red, document, name):
    base(CHANGES[name])()
    allowed = int(name == "gate")  # for then no gate judges at all
    assert red() == 1
    finding = document()["findings"][0]
    arguments = ["accept", finding["gate"], "--loosened", finding["change"], "--reason", "wanted"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert red() == allowed
    assert [each["accepted"] for each in document()["findings"]] == ["wanted"]


WITHOUT_IDS = {"new.csv": without("id", rows())}
PLACES = {
    "truths": Change(
        FLOOR,
        files=WITHOUT_IDS,
        changed={"new.csv": without("id", rows(y_true=lambda row: {0: "b", 1: "a"}.get(row["id"], row["y_true"])))},
    ),
    "in_slices": Change(
        {**FLOOR, "slices": ["site"]},
        files=WITHOUT_IDS,
        changed={"new.csv": without("id", rows(site=lambda row: {0: "x", 2: "y"}.get(row["id"], row["site"])))},
    ),
    "clusters": Change({**FLOOR, "clusters": "doc"}, changed={"new.csv": rows(doc=lambda row: row["id"] // 2)}),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.one_of_many
def test_what_changes_places_is_a_finding_though_all_numbers_stay(base, red, document, name):
    change = base(PLACES[name])
    assert red() == 0
    change()
    assert red() == 1
    assert [each["about"] for each in document()["findings"]] == ["truths" if name == "truths" else "in_slices"]


HAM = {"candidate": "new.csv", "floor": 0.5}
UNLISTED = {
    "looser": ({"spam": FLOOR | {"floor": 0.4}, "ham": HAM}, 1, "other"),
    "gone": ({"ham": HAM}, 1, "missing"),
    "of_another_candidate": ({"spam": FLOOR | {"candidate": "old.csv"}, "ham": HAM, "new": HAM}, 0, None),
}


@pytest.mark.parametrize("name", UNLISTED)
@pytest.mark.one_of_many
def test_a_gate_that_only_its_gate_file_lists_is_bound_by_that(pytester, project, red, document, name):
    gates, exit_code, kind = UNLISTED[name]
    project({}, {"bayesf1.yaml": json.dumps({"gates": {"spam": FLOOR, "ham": HAM}})})
    Committed.new(pytester.path).commit()
    project({}, {"bayesf1.yaml": json.dumps({"gates": gates})})
    assert red() == exit_code
    assert [(each["gate"], each["kind"]) for each in document()["findings"]] == [
        ("bayesf1.yaml::spam", kind)
    ] * exit_code
    for finding in document()["findings"]:
        arguments = ["accept", finding["gate"], "--loosened", finding["change"], "--reason", "wanted"]
        assert CliRunner().invoke(main, arguments).exit_code == 0
        assert red() == 0


@pytest.mark.parametrize("name", ["pool.labels.csv", "pool.labelling.json"])
def test_a_pool_reads_nothing_that_the_base_commit_lacks(pytester, project, name):
    project(POOL, {".gitignore": f"{name}\n__pycache__\n"})
    assert pytester.runpytest("--bayesf1-update=new").ret == pytest.ExitCode.OK
    Committed.new(pytester.path).commit()
    result = pytester.runpytest("--bayesf1-baseline-ref=HEAD")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    told = " ".join(result.stdout.str().split())
    assert name in told
    assert "git does not hold this file" in told
