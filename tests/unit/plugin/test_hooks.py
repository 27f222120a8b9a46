from types import SimpleNamespace
from typing import Any

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.plugin import hooks
from pytest_bayesf1.plugin.recording import ENTRIES, Recorder

WORSE, SAME, BETTER = Decision.MUCH_WORSE, Decision.EQUIVALENT, Decision.MUCH_BETTER


class TestAsserts:
    @pytest.fixture
    def explained(self):
        """Explain a plain assert of a test that came to these decisions."""

        def explained(op, left, right, *decisions):
            recorder = object.__new__(Recorder)
            recorder._summaries = [(each.value, [f"said of {each}"]) for each in decisions]
            item: Any = SimpleNamespace(stash=pytest.Stash())
            config: Any = SimpleNamespace(stash=pytest.Stash())
            item.stash[hooks._RECORDER], config.stash[hooks._RUNNING] = recorder, item
            return hooks.pytest_assertrepr_compare(config, op, left, right)

        return explained

    @pytest.mark.parametrize(
        ("op", "left", "right", "lines"),
        [
            ("==", WORSE, "~", ["≪ == ~", "said of ≪"]),
            ("not in", SAME, ("~", ">"), ["≈ not in ('~', '>')", "said of ≈"]),
            ("in", ">>", [WORSE], None),
            (
                "!=",
                ">>",
                BETTER,
                [">> != ≫", "≫ means significantly better; the comparison was made before this test."],
            ),
            ("==", WORSE, SAME, ["≪ == ≈", "said of ≪"]),
            ("==", BETTER, WORSE, ["≫ == ≪", "said of ≪"]),
            ("<", WORSE, SAME, None),
        ],
    )
    def test_they_explain_the_decision_that_the_test_came_to(self, explained, op, left, right, lines):
        assert explained(op, left, right, WORSE, SAME) == lines

    def test_not_between_tests(self):
        assert hooks.pytest_assertrepr_compare(SimpleNamespace(stash=pytest.Stash()), "==", WORSE, "~") is None


@pytest.mark.parametrize(
    ("verdict", "message"), [("failed", "AssertionError: lost"), ("warned", "AssertionError: lost\nand more")]
)
def test_the_short_summary_has_the_first_line_of_a_failed_gate(verdict, message):
    taken = {ENTRIES: [(None, SimpleNamespace(verdict="passed")), (None, SimpleNamespace(verdict=verdict))]}
    item = SimpleNamespace(stash=pytest.Stash())
    item.stash[hooks._RECORDER] = SimpleNamespace(take=lambda when: taken if when == "call" else {})
    crash = SimpleNamespace(message="AssertionError: lost\nand more")
    making = hooks.pytest_runtest_makereport(item, SimpleNamespace(when="call", excinfo=None))
    next(making)
    with pytest.raises(StopIteration) as end:
        making.send(SimpleNamespace(longrepr=SimpleNamespace(reprcrash=crash)))
    assert crash.message == message
    assert getattr(end.value.value, ENTRIES) == taken[ENTRIES]
