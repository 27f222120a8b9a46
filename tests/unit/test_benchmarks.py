import json
import os

import numpy as np
import pytest

from benchmarks import page
from benchmarks.against import compared
from benchmarks.isolation import run
from benchmarks.plan import AGAINST, FULL, QUICK
from benchmarks.speed import RECORDED, ratio
from benchmarks.table import table

SIZE = {"n_classes": 20, "n_examples": 7_532}
DOCUMENTS = {"n_documents": 231, "n_types": 10}
ROWS = [
    {"series": "start-up", "n_runs": 3, "seconds": 0.0123, "bare": 0.2, "megabytes": 40.0},
    {"series": "gate file", "n_gates": 20, **SIZE, "report": "report", "seconds": 4.0, "megabytes": 170.0},
    {"series": "gate file", "n_gates": 500, **SIZE, "report": "", "seconds": 60.0, "megabytes": 170.0},
    {"series": "load", "n_gates": 5_000, **SIZE, "workers": 2, "seconds": 200.0, "megabytes": 400.0},
    {"series": "tests", "n_tests": 2_000, "report": "", "seconds": 30.0, "megabytes": 100.0},
    {"series": "draws of tests", "n_tests": 2_000, "seconds": 15.0, "megabytes": 80.0},
    {"series": "rank", **SIZE, "n_systems": 10, "seconds": 2.0, "megabytes": 100.0},
    {"series": "history", **SIZE, "n_versions": 200, "seconds": 15.0, "megabytes": 100.0},
    {"series": "draws", **SIZE, "n_draws": 20_000, "seconds": 0.25, "megabytes": 80.0},
    {"series": "draws", **SIZE, "n_draws": 80_000, "seconds": 1.0, "megabytes": 80.0},
    {"series": "bootstrap", **SIZE, "n_draws": 100, "seconds": 1.0, "megabytes": 90.0},
    {"series": "NUTS", **SIZE, "seconds": 60.0, "per_draw": 0.1, "draws": 200, "ess": 100.0, "megabytes": 300.0},
    {"series": "spans", **DOCUMENTS, "seconds": 0.2, "megabytes": 90.0},
    {"series": "bootstrap of spans", **DOCUMENTS, "n_draws": 100, "seconds": 30, "megabytes": 90.0},
    {"series": "two matrices", **SIZE, "n_draws": 10_000, "seconds": 0.5, "megabytes": 80.0},
    {"series": "prob_conf_mat", **SIZE, "n_draws": 10_000, "failure": "more than 8 GB"},
]


def lines():
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table(ROWS).splitlines()[2:]]


def test_a_case_runs_in_a_process_of_its_own_and_tells_its_time_and_memory():
    found = run("ours.draws", n_classes=3, n_examples=60, n_draws=1_000)
    assert found["seconds"] > 0
    assert found["cells"] > 3
    assert found["megabytes"] > 20


@pytest.mark.slow
@pytest.mark.skipif("COVERAGE_PROCESS_START" in os.environ, reason="what is measured takes longer")
def test_a_comparison_takes_less_than_twice_the_time_recorded():
    """Beside numpy in the same process: see benchmarks/speed.py."""
    assert ratio() < 2 * RECORDED


def test_a_case_that_takes_too_long_is_a_failure():
    assert run("ours.draws", seconds=0.05, **SIZE, n_draws=1_000) == {"failure": "more than 0.05 s"}


def test_times_are_set_against_ours_of_the_same_run():
    found = {line[0].split(":")[0]: line[1:] for line in lines()}
    assert found["what the plugin adds to `pytest --collect-only`"] == ["12 ms", "", ""]
    load = "pytest, 5,000 gates of 20 classes, 7,532 examples, half of them open by 2 workers"
    assert found[load] == ["3 min", "", "400 MB"]
    assert found["a ranking of 10 systems, 20 classes, 7,532 examples"] == ["2.0 s", "", "100 MB"]
    assert found["**20,000 paired draws of macro F1, 20 classes, 7,532 examples**"] == ["250 ms", "1", "80 MB"]
    # a hundred bootstrap samples stand for 20,000
    assert found["paired bootstrap with scikit-learn's `f1_score`"] == ["3 min", "800", "90 MB"]
    assert found["**paired f1_micro of spans, 231 documents, 10 types**"] == ["200 ms", "1", "90 MB"]
    of_spans = found["paired bootstrap of 231 documents with seqeval's `f1_score`"]
    assert of_spans == ["100 min", "30,000", "90 MB"]
    # 40 s of compilation and tuning, then 40,000 draws for 20,000 effective ones
    assert found["our NUTS engine"] == ["67 min", "16,160", "300 MB"]


def test_a_page_changes_between_its_marks_only(tmp_path):
    path = tmp_path / "performance.md"
    path.write_text(page.PAGE.read_text("utf-8"), "utf-8")
    page.write(ROWS, path)
    once = path.read_text("utf-8")
    page.write(ROWS, path)
    assert path.read_text("utf-8") == once
    assert table(ROWS) in once
    before, after = (page.PAGE.read_text("utf-8").partition(mark) for mark in ("<!-- begin", "<!-- end"))
    assert once.startswith(before[0])
    assert once.endswith(after[2])


@pytest.mark.parametrize("plan", [FULL, QUICK, AGAINST], ids=["full", "quick", "against"])
def test_every_case_of_a_plan_exists(plan):
    for case in plan.cases():
        module, function = case.function.split(".")
        assert callable(getattr(__import__(f"benchmarks.{module}", fromlist=[function]), function))
        json.dumps(case.arguments)


def test_two_commits_are_compared_round_by_round():
    """Half as fast in every round of a machine that gets slower and slower; the interval is Student's."""
    runs = [({"processor": 1.0 * slow}, {"processor": 2.0 * slow * noise}) for slow, noise in [(1, 1.1), (3, 1 / 1.1)]]
    before, now, ratio = compared(runs)
    assert (before, now) == ("1.0 s", "2.2 s")
    half = 12.7062 * np.std([np.log(1.1), -np.log(1.1)], ddof=1) / np.sqrt(2)
    assert ratio == f"2.00 ({2 * np.exp(-half):.2f} to {2 * np.exp(half):.2f})"


def test_what_a_commit_cannot_run_is_told():
    runs = [({"failure": "no such case"}, {"processor": 1.0})] * 2
    assert compared(runs) == ("no such case", "", "")
