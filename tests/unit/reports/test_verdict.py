import pytest

from pytest_bayesf1.reports.entry import Verdicts, verdict_of

GRAVEST_FIRST = ["failed", "error", "warned", "undecided", "expected", "passed"]


def verdict(*verdicts, complete=True, loosened=False, undecided=False):
    """Return what a run with these entries comes to."""
    counts = {name: verdicts.count(name) for name in GRAVEST_FIRST}
    return verdict_of(
        Verdicts(total=len(verdicts), **counts), complete=complete, loosened=loosened, undecided=undecided
    )


@pytest.mark.parametrize("gravest", [0, 1, 2, 4, 5])
def test_the_gravest_of_the_entries_decides(gravest):
    assert verdict(*GRAVEST_FIRST[gravest:]) == GRAVEST_FIRST[gravest]


def test_a_class_or_slice_that_cannot_tell_leaves_a_passed_run_passed():
    assert verdict("undecided", "passed") == "passed"
    assert verdict("undecided", "passed", undecided=True) == "undecided"


def test_a_run_without_a_gate_is_no_passed_run():
    assert verdict() == verdict("") == "none"
    assert verdict("", loosened=True) == "none"


def test_what_did_not_finish_is_an_error_unless_something_failed():
    assert verdict("passed", complete=False) == verdict(complete=False) == "error"
    assert verdict("failed", complete=False) == "failed"


def test_loosened_gates_are_graver_than_a_warning():
    assert verdict("warned", loosened=True) == "loosened"
    assert verdict("error", loosened=True) == "error"
