import io
import sys

import pytest
from rich.console import Console

from pytest_bayesf1.cli import console


@pytest.fixture
def written(monkeypatch):
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
        ("utf-8", "≪ → δ ± − ≈ ≫ é 漢\n"),
        ("ascii", "<< -> delta +- - ~ >> \\xe9 \\u6f22\n"),
        ("cp1252", "<< -> delta +- - ~ >> é \\u6f22\n"),
    ],
)
def test_what_a_terminal_cannot_write_is_spelt_out(written, encoding, shown):
    assert written(encoding, lambda: console.say("≪ → δ ± − ≈ ≫ é 漢")) == shown.encode(encoding)


def test_greek_letters_are_spelt_out(written):
    assert written("ascii", lambda: console.say("P(π₁ > π₂) E(Δ) E(ρ)")) == b"P(pi_1 > pi_2) E(Delta) E(rho)\n"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_documents_are_utf_8_everywhere(written, encoding):
    assert written(encoding, lambda: console.say_json(["≪", "\ud800"])) == '[\n  "≪",\n  "\\ud800"\n]\n'.encode()


def test_text_is_neither_markup_nor_an_order_to_the_terminal(capsys):
    console.say("[red]a[/red] \x1b[31mb\x07\r\x9b :smile:\nc")
    assert capsys.readouterr().out == "[red]a[/red] \\x1b[31mb\\x07\\r\\x9b :smile:\nc\n"


def test_long_lines_stay_whole(capsys):
    console.say("word " * 100 + "end")
    assert capsys.readouterr().out == "word " * 100 + "end\n"


def test_colours_are_for_terminals(monkeypatch, capsys):
    console.say_lines([("a", {"red": True, "bold": True}), ("b", {})])
    assert capsys.readouterr().out == "a\nb\n"
    stream = io.StringIO()
    terminal = Console(file=stream, force_terminal=True, color_system="standard", highlight=False)
    monkeypatch.setattr(console, "_OUT", terminal)
    console.say_lines([("a", {"red": True, "bold": True}), ("b", {})])
    assert stream.getvalue() == "\x1b[1;31ma\x1b[0m\nb\n"


def test_a_table_is_aligned_but_for_its_last_column(capsys):
    console.show_table(["name", "n", "file"], [["a", "1,000", "x" * 100], ["long name", "2", "y"]])
    lines = ["name       n      file", f"a          1,000  {'x' * 100}", "long name  2      y"]
    assert capsys.readouterr().out.splitlines() == lines


def test_pairs(capsys):
    console.show_pairs({"a": 1, "long": ["x", "y"], "none": []})
    assert capsys.readouterr().out.splitlines() == ["  a     1", "  long  x", "        y", "  none  none"]
    console.show_pairs({})
    assert capsys.readouterr().out == "  none\n"


@pytest.mark.parametrize(
    ("terminal", "items", "shown"), [(True, [1, 2], True), (True, [1], False), (False, [1, 2], False)]
)
def test_the_progress_bar_is_for_terminals(monkeypatch, terminal, items, shown):
    stream = io.StringIO()
    monkeypatch.setattr(console, "_ERR", Console(file=stream, force_terminal=terminal, width=80))
    assert list(console.with_progress(items, "Comparing", len(items))) == items
    assert ("Comparing" in stream.getvalue()) is shown
