from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from pytest_bayesf1 import WideRopeWarning
from pytest_bayesf1.plugin.recording import ENTRIES
from pytest_bayesf1.plugin.reporting import Shortened


@dataclass
class Warned:
    """A warning, as pytest's terminal keeps it."""

    message: str
    nodeid: str | None = "t.py::a"
    fslocation: tuple[str, int] | None = ("t.py", 3)


def gate(number, of_gate_file=True):
    name = "bayesf1.yaml" if of_gate_file else "t.py"
    known = {"nodeid": f"{name}::{number}", "longrepr": f"said {number}", "location": (name, 1, "x")}
    return SimpleNamespace(**known, **{ENTRIES: [1]})


def shortened(warnings=(), failed=(), verbose=0):
    """Return what the terminal is to show of these."""
    stats = {"warnings": [*warnings], "failed": [*failed]}
    plugins = SimpleNamespace(get_plugin=lambda _: SimpleNamespace(stats=stats))
    made = Shortened(SimpleNamespace(pluginmanager=plugins, option=SimpleNamespace(verbose=verbose)))
    for category in (WideRopeWarning, UserWarning):
        made.pytest_warning_recorded(SimpleNamespace(category=category))
    made.pytest_sessionfinish()
    return made, stats


class TestShortened:
    @pytest.mark.parametrize(("n", "is_shortened"), [(10, False), (11, True)])
    def test_more_than_ten_warnings_of_ours_are_one_line(self, n, is_shortened):
        ours = [Warned(f"t.py:3: WideRopeWarning: number {number}") for number in range(n)]
        others = [Warned("t.py:3: UserWarning: a"), Warned("t.py:9: UserWarning: WideRopeWarning")]
        _, stats = shortened([others[0], *ours, others[1]])
        if not is_shortened:
            assert stats["warnings"] == [others[0], *ours, others[1]]
            return
        line = "11 warnings of gates: see the section bayesf1 below; -v lists all gates."
        assert stats["warnings"] == [*others, Warned(line, None, None)]

    @pytest.mark.parametrize(("n", "verbose", "left"), [(10, 0, 0), (11, -1, 10), (12, 0, 11), (12, 1, 0)])
    def test_of_more_than_ten_gates_of_files_the_first_is_explained(self, n, verbose, left):
        failed = [gate("of a test", of_gate_file=False), *map(gate, range(n))]
        made, stats = shortened((), failed, verbose)
        assert stats["failed"] == failed
        assert made.left == {f"bayesf1.yaml::{number}" for number in range(1, 1 + left)}
        assert [hasattr(each, "_pdbshown") for each in failed] == [False, False, *[left > 0] * (n - 1)]
        more = f"said 0\n\n{left} more gates failed, each a line in the short summary; -v explains them all."
        assert failed[1].longrepr == (more if left else "said 0")
        assert failed[0].longrepr == "said of a test"

    def test_without_a_terminal_there_is_nothing_to_shorten(self):
        config = SimpleNamespace(pluginmanager=SimpleNamespace(get_plugin=lambda _: None))
        Shortened(config).pytest_sessionfinish()
