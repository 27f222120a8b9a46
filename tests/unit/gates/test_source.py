"""What a change of the files of a gate looks like beside the manifest."""

import json
import re

import pytest

from pytest_bayesf1 import LabelledPool
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import evaluate, judge
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.manifest import GatesOfRun, compare_gates, row_of
from pytest_bayesf1.gates.source import Pool
from pytest_bayesf1.git import CHECKED_OUT, Revision
from pytest_bayesf1.results.policy import NOT_WORSE
from tests.unit.committed import Committed
from tests.unit.gates.written_gates import gate_file

pytestmark = pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")


def rows(n=300, *, first=0, runs=0, **changed):
    found = []
    for i in range(first, first + n):
        right = "ab"[i % 2]
        row = {"id": i, "y_true": right, "y_pred": right if i % 9 else "b", "site": "xy"[i % 3 == 0], "doc": i // 3}
        found += [{**row, "run": run} for run in range(runs)] if runs else [row]
    return [row | {name: change(row) for name, change in changed.items()} for row in found]


def without(column, table):
    return [{name: value for name, value in row.items() if name != column} for row in table]


def relabelled(row):
    return {0: "b", 1: "a"}.get(row["id"], row["y_true"])


def moved(row):
    return "x" if row["id"] < 30 else row["site"]


PAIR = {"baseline": "old.csv", "candidate": "new.csv", "rope": [-0.4, 0.4, "wide"]}
FLOOR = {"candidate": "new.csv", "floor": 0.3, "baseline": None, "rope": None}
INDEPENDENT = {**PAIR, "on_new_test_set": "independent"}
RUNS = {**PAIR, "runs": "samples"}
COUNTS = {**INDEPENDENT, "baseline": "old.json", "candidate": "new.json"}
UNLIKE = "the candidate was judged on other examples than its baseline: "


@pytest.fixture
def differ(tmp_path, monkeypatch):
    """Judge a gate as a base commit has it, and once its files have changed; return what differs."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "project"
    folder.mkdir()

    def write(files):
        for name, content in files.items():
            path = folder / name
            if content is None:
                path.unlink()
            elif name.endswith(".csv"):
                lines = [",".join(map(str, row)) for row in [content[0], *(each.values() for each in content)]]
                path.write_text("\n".join([*lines, ""]))
            else:
                path.write_text(json.dumps(content))

    def row(settings, commit=CHECKED_OUT):
        settings = {name: value for name, value in settings.items() if value is not None}
        path = gate_file(folder, json.dumps({"gates": {"spam": settings}}))
        (gate,) = load_gates(path, folder)
        return row_of(evaluate(gate, commit))

    def differ(settings, files, changed):
        write(files)
        before = row(settings)
        repository = Committed.new(folder)
        repository.commit()
        write(changed)
        commit = Revision.of("HEAD", folder, tmp_path / "copies")
        run = GatesOfRun(rows={"spam": [row(settings, commit)]}, why_missing=str)
        return [re.sub(r"\b[0-9a-f]{12}\b", "…", each.text) for each in compare_gates([{"spam": [before]}], run)]

    return differ


BOTH = {"old.csv": rows(), "new.csv": rows()}
NO_IDS = {name: without("id", rows()) for name in BOTH}
SAMPLES = {name: rows(runs=4) for name in BOTH}
GROWN = rows(400)
CASES = {
    # of a pair the baseline's file says which examples there are
    "examples are left out": (PAIR, BOTH, {"new.csv": rows()[20:]}, [f"{UNLIKE}lacks 20"]),
    "labels are corrected": (PAIR, BOTH, {"new.csv": rows(y_true=relabelled)}, [f"{UNLIKE}2 other labels"]),
    "slices without ids": (
        {**PAIR, "slices": ["site", "doc"]}, NO_IDS, {"new.csv": without("id", rows(site=moved))},
        [f"{UNLIKE}10 in other slices"],
    ),
    "slices of the baseline": ({**PAIR, "slices": ["site"]}, BOTH, {"new.csv": rows(site=moved)}, []),
    "examples are added": (PAIR, BOTH, {"new.csv": GROWN}, []),
    "runs are left out": (RUNS, SAMPLES, {"new.csv": rows(runs=1)}, ["runs: was 4, is not set"]),
    "single runs": (
        RUNS, SAMPLES, {"new.csv": without("run", rows(runs=4)[:-3])}, ["missing_runs: was not set, is 3"],
    ),
    # of all others the manifest does
    "floor: examples are left out": (
        FLOOR, BOTH, {"new.csv": rows()[20:]}, ["test_set: was 300 examples (…), is 280 examples (…)"],
    ),
    "floor: labels": (
        FLOOR, BOTH, {"new.csv": rows(y_true=relabelled)}, ["test_set: was 300 examples (…), is 300 examples (…)"],
    ),
    "floor: slices": (
        {**FLOOR, "slices": ["site"]}, BOTH,
        {"new.csv": rows(site=lambda row: {0: "x", 2: "y"}.get(row["id"], row["site"]))},
        ["test_set: was 300 examples (…), is 300 examples (…)"],
    ),
    "floor: clusters": (
        {**FLOOR, "clusters": "doc"}, BOTH, {"new.csv": rows(doc=lambda row: row["id"] // 2)},
        ["test_set: was 300 examples (…), is 300 examples (…)"],
    ),
    "floor: another order": ({**FLOOR, "slices": ["site"]}, BOTH, {"new.csv": rows()[::-1]}, []),
    "floor: files of a pattern": (
        {**FLOOR, "candidate": "run-*.csv"}, {f"run-{n}.csv": rows() for n in range(4)},
        {f"run-{n}.csv": None for n in range(3)}, ["runs: was 4, is not set"],
    ),
    "independent: examples are left out": (
        INDEPENDENT, {"old.csv": rows(), "new.csv": rows(first=500)}, {"new.csv": rows(200, first=500)},
        ["test_set: was 300 examples (…), is 200 examples (…)"],
    ),
    "independent: of counts": (
        COUNTS, {"old.json": {"counts": [[450, 50], [50, 350]]}, "new.json": {"counts": [[440, 60], [60, 440]]}},
        {"new.json": {"counts": [[440, 0], [0, 440]]}}, ["test_set: was 1,000 examples (…), is 880 examples (…)"],
    ),
    "independent: examples are added": (
        {**INDEPENDENT, "looks": 2, "planned_examples": 900},
        {"old.csv": rows(first=500), "new.csv": rows()}, {"new.csv": GROWN}, [],
    ),
    "independent: it is another sample each time": (
        INDEPENDENT, {"old.csv": rows(first=500), "new.csv": rows()}, {"new.csv": GROWN}, [],
    ),
    # of all others, and of the truth itself where it has a file of its own
    "gold": (
        {**PAIR, "gold": "gold.csv"}, {"gold.csv": rows(), **{name: without("y_true", rows()) for name in BOTH}},
        {"gold.csv": rows(y_true=relabelled)},
        ['reading: was gold: "gold.csv of checksum …", is gold: "gold.csv of checksum …"'],
    ),
    # and in whose place the baseline is
    "the candidate becomes the baseline": (
        PAIR, {"old.csv": rows(y_pred=lambda row: "a" if row["id"] % 4 == 1 else row["y_true"]), "new.csv": rows()},
        {"old.csv": rows()}, [],
    ),
    "another baseline": (
        PAIR, BOTH, {"old.csv": rows(y_pred=lambda _: "a")},
        ["this change replaces the baseline by something else than the judged candidate (…)"],
    ),
    "no baseline": (
        PAIR, BOTH, {"old.csv": None},
        ["this change replaces the baseline by something else than the judged candidate (nothing readable)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_change_of_the_files_is_told(differ, name):
    settings, files, changed, told = CASES[name]
    assert differ(settings, files, changed) == told


@pytest.mark.parametrize(("known", "n"), [(range(0, 60, 3), 1), (range(0, 60, 2), 0)])
def test_labels_of_a_pool_may_be_added_but_not_changed(known, n):
    def row(labels):
        pool = LabelledPool.from_predictions(["a", "b"] * 30, ["a"] * 60, labels)
        demand = Demand(policy=NOT_WORSE, arguments={"rope": [-0.9, 0.9, "wide"]})
        return row_of(judge(Pool(pool), demand))

    before, after = row(dict.fromkeys(range(0, 60, 3), "a")), row(dict.fromkeys(known, "b"))
    run = GatesOfRun(rows={"a": [after]}, why_missing=str)
    assert [each.about for each in compare_gates([{"a": [before]}], run)] == ["test_set"] * n
