import io
import sys
from itertools import permutations

import pytest

from pytest_bayesf1 import BaselineError, BayesF1Error, ConvergenceError, GateFileError, InputError
from pytest_bayesf1.cli import console
from pytest_bayesf1.cli.console import Exit, exit_code, most_severe
from pytest_bayesf1.errors import EngineError, RenderError, ReportError


class Terminal(io.StringIO):
    """Stands for one."""

    encoding = "utf-8"

    def isatty(self):
        return True


class TestConsole:
    @pytest.fixture
    def written(self, monkeypatch):
        """Let a stream of this encoding stand for standard output, and read what was written to it."""

        def call(encoding, write):
            stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
            monkeypatch.setattr(sys, "stdout", stream)
            write()
            stream.flush()
            return stream.buffer.getvalue()

        return call

    @pytest.mark.parametrize(
        ("encoding", "shown"),
        [
            ("utf-8", "≪ ± − é 漢\n"),
            ("ascii", "\\u226a \\xb1 - \\xe9 \\u6f22\n"),
            ("cp1252", "\\u226a ± - é \\u6f22\n"),
        ],
    )
    def test_what_a_terminal_cannot_write_is_spelt_out(self, written, encoding, shown):
        assert written(encoding, lambda: console.say("≪ ± − é 漢")) == shown.encode(encoding)

    @pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
    def test_documents_are_utf_8_everywhere(self, written, encoding):
        assert written(encoding, lambda: console.say_json(["≪", "\ud800"])) == '[\n  "≪",\n  "\\ud800"\n]\n'.encode()

    def test_text_is_neither_markup_nor_an_order_to_the_terminal(self, capsys):
        console.say("[red]a[/red] \x1b[31mb\x07\r\x9b :smile:\nc")
        assert capsys.readouterr().out == "[red]a[/red] \\x1b[31mb\\x07\\r\\x9b :smile:\nc\n"

    def test_colours_are_for_terminals(self, monkeypatch, capsys):
        console.say_lines([("a", {"red": True, "bold": True}), ("b", {})])
        assert capsys.readouterr().out == "a\nb\n"
        stream = Terminal()
        monkeypatch.setattr(sys, "stdout", stream)
        console.say_lines([("a", {"red": True, "bold": True}), ("b", {"purple": True})])
        assert stream.getvalue() == "\x1b[31m\x1b[1ma\x1b[0m\n\x1b[35mb\x1b[0m\n"

    def test_a_table_is_aligned_but_for_its_last_column(self, capsys):
        console.show_table(["name", "n", "file"], [["a", "1,000", "x" * 100], ["long name", "2", "y"]])
        lines = ["name       n      file", f"a          1,000  {'x' * 100}", "long name  2      y"]
        assert capsys.readouterr().out.splitlines() == lines

    @pytest.mark.parametrize(
        ("terminal", "items", "shown"), [(True, [1, 2], True), (True, [1], False), (False, [1, 2], False)]
    )
    def test_the_progress_bar_is_for_terminals(self, monkeypatch, terminal, items, shown):
        stream = Terminal() if terminal else io.StringIO()
        monkeypatch.setattr(sys, "stderr", stream)
        assert list(console.with_progress(items, "Comparing", len(items))) == items
        assert ("Comparing" in stream.getvalue()) is shown


PARTS = ("rope", "a number", "None")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError(*PARTS), 2),
        (GateFileError(["bayesf1.yaml:1: no"]), 2),
        (ReportError(["report.json: no"]), 2),
        (BayesF1Error("no"), 2),
        (BaselineError(*PARTS), 4),
        (EngineError(*PARTS), 5),
        (ConvergenceError(*PARTS), 5),
        (RenderError("no"), 5),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_error_has_its_code(error, code):
    assert exit_code(type(error)) == code


ORDER = [5, 2, 4, 1, 3, 0]


@pytest.mark.parametrize("number", range(5))
def test_what_kept_a_gate_from_answering_comes_before_answers(number):
    for codes in permutations(map(Exit, ORDER[number:])):
        assert most_severe(codes) == ORDER[number]
    assert most_severe([]) == Exit.PASSED
