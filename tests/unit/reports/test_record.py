import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_bayesf1 import InputError
from pytest_bayesf1.errors import ReportError
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.record import load_report, read_report
from pytest_bayesf1.reports.terminal import report_lines
from tests.unit.made_up import comparison, entry, error, estimate

REPORT = Report.of(
    [
        entry(comparison(), "failed", advice="Look."),
        entry(estimate()),
        error(InputError("rope", "a number", "None"), test="test_a", file="", line=0),
    ]
)
TEXT = REPORT.to_json()


def problems_of(text):
    with pytest.raises(ReportError) as caught:
        read_report(text, "a.json")
    return caught.value.problems


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "a.json: Expecting value: line 1 column 1"),
        ("[]", "a.json: expected the format 'pytest-bayesf1 report', got something else"),
        (
            TEXT.replace('"version": 1', '"version": 2'),
            "a.json: expected format version 1, got 2. Install the newer pytest-bayesf1 that wrote it.",
        ),
        (TEXT.replace('"version": 1', '"version": 0'), "a.json: version: Input should be 1"),
        (TEXT.replace('"p_worse": 0.42', '"p_worse": NaN'), "a.json: entries.0.comparison.p_worse: Input should be"),
        ("[" * 100_000, "a.json: maximum recursion depth exceeded"),
        (b"{\xff}", "a.json: 'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_a_document_that_is_no_report(text, problem):
    (found,) = problems_of(text)
    assert found.startswith(problem)


def test_what_follows_from_the_entries_is_found_anew():
    text = json.dumps(json.loads(TEXT) | {"verdict": "passed", "complete": False})
    assert read_report(text).to_json() == TEXT


def test_the_first_problem_is_told_and_the_others_counted():
    document = json.loads(TEXT)
    document["entries"] = [{"kind": "error"}] * 4
    assert problems_of(json.dumps(document)) == ("a.json: entries.0.error.test: Field required (35 more problems)",)


def test_a_file_that_is_missing(tmp_path):
    with pytest.raises(ReportError, match=r"no\.json: No such file"):
        load_report(tmp_path / "no.json")


def test_a_report_is_read_whatever_its_size(tmp_path):
    path = tmp_path / "report.json"
    text = Report.of([entry(comparison(), "passed", test=f"test_{number}") for number in range(3)]).to_json()
    path.write_text(f"{text}{' ' * 30_000_000}", "utf-8")
    assert len(load_report(path).gates) == 3


def _places(value, place=()):
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(child, (*place, key))
    yield place


PLACES = [place for place in _places(json.loads(TEXT)) if place and "values" not in place[:-1]]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)


def assert_can_be_rendered(report, *, draw):
    assert read_report(report.to_json()).to_json() == report.to_json()
    assert markdown(report)
    assert report_lines(report) or not report.entries
    if draw:
        assert html(report)


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(PLACES), ANYTHING, st.booleans())
def test_whatever_is_read_can_be_rendered(place, value, draw):
    document = json.loads(TEXT)
    target = document
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    report = REPORT
    with suppress(ReportError):
        report = read_report(json.dumps(document))
    assert_can_be_rendered(report, draw=draw and place[0] == "entries" and report is not REPORT)


@pytest.mark.parametrize(
    "figures",
    [
        {"hdi": [-1e15, 1e15], "mean": 1e15, "rope": [-1e15, 1e15]},
        {"density": {"low": -1e15, "high": 1e15, "values": [0, 1e100]}},
        {"density": {"low": 0, "high": 5e-324, "values": [5e-324, 0]}, "hdi": [0, 0]},
        {
            "bayes_factor": 1e306,
            "bayes_factor_mcse": 0,
            "n_samples": [10**300, 0],
            "examples_needed": dict.fromkeys(["not_worse", "better", "equivalent"], 10**300),
        },
        {"trend": {"file": "a.csv", "budget": None, "anchor": None, "points": [], "problem": ""}},
    ],
)
@pytest.mark.filterwarnings("error")
def test_extreme_figures_can_be_rendered(figures):
    document = json.loads(TEXT)
    document["entries"][0] |= figures
    assert_can_be_rendered(read_report(json.dumps(document)), draw=True)
