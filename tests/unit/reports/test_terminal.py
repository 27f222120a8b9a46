from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.terminal import report_lines
from pytest_bayesf1.results.run import Finding, FindingKind
from pytest_bayesf1.text import display_width
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, error

WORSE = {"decision": Decision.MUCH_WORSE, "mean": -0.0521, "hdi": (-0.07, -0.03), "rope": (-0.01, 0.01)}


def lines(*entries, missing=(), **options):
    return [line for line, _ in report_lines(Report.of(entries, missing), **{"width": 80, **options})]


def failed(**said):
    return entry(comparison(**WORSE), "failed", **said)


class TestTerminal:
    def test_a_gate_that_failed_by_its_parts_names_them(self):
        entries = [
            entry(comparison(), "passed", test="gate"),
            entry(comparison(**WORSE, measure="f1[ham]"), "failed", test="gate", part="class ham", gate="per_class"),
            entry(comparison(measure="f1[spam]"), "undecided", test="gate", part="class spam", gate="per_class"),
            entry(comparison(), "passed", test="other"),
        ]
        shown = lines(*entries)
        assert shown[0] == "1 of 2 gates failed (1 of 2 classes) · blocks merge · 1 passed"
        assert shown[1] == "FAILED    gate (1 of 2 classes)  class ham: 0.800 → 0.748"
        assert shown[2] == "1 passed (-v lists them)"
        eggs = entry(comparison(measure="f1[eggs]"), "passed", test="gate", part="class eggs", gate="per_class")
        every = lines(*entries, eggs, verbose=True)
        signs = ("FAILED    - class ham ", "undecided - class spam ", "passed    - class eggs ")
        assert [line.startswith(sign) for line, sign in zip(every[3:6], signs, strict=True)] == [True] * 3, every
        accepted = replace(entries[1], verdict="accepted")
        assert "accepted  gate      class ham: 0.800 → 0.748" in lines(entries[0], accepted, *entries[2:])

    def test_the_second_note_and_the_second_command_are_printed_whole_too(self):
        words = "a command that no terminal of eighty columns prints on one line, and which a reader copies"
        gates = [
            failed(test=f"t{n}", advice=f"Look {n}.", way_out="Accept it:", command=f"bayesf1 {n} {words}")
            for n in range(2)
        ]
        shown = lines(*(replace(each, caveats=("Identical predictions.",)) for each in gates))
        assert [line for line in shown if line.startswith("bayesf1 ")] == [f"bayesf1 {n} {words}" for n in range(2)]
        assert [line for line in shown if "Identical" in line] == [f"  t{n}: Identical predictions." for n in range(2)]

    @pytest.mark.parametrize(("n", "left"), [(3, 0), (5, 2)])
    def test_notes_that_are_left_out_are_counted(self, n, left):
        gone = [Finding(f"t{each}", FindingKind.MISSING, "", f"gone {each}") for each in range(n)]
        shown = "\n".join(line for line, _ in report_lines(Report.of([], findings=gone)))
        assert [f"gone {each}" in shown for each in range(n)] == [each < 3 for each in range(n)]
        assert (f"  and {left} more (-v lists them)" in shown) is bool(left)
        (line, *_) = report_lines(Report.of([], missing=["t"]))
        assert "1 test did not finish" in line[0]

    def test_five_hundred_gates_take_sixty_lines(self):
        kinds = ("failed", "warned", "undecided", "passed")
        gates = [entry(comparison(**WORSE), kinds[n % 4], test=f"t{n}", advice=f"Look {n % 9}") for n in range(500)]
        assert len(lines(*gates)) <= 60
        assert len(lines(*gates, verbose=True)) >= 500

    @pytest.mark.parametrize("width", [40, 80, 120])
    def test_every_line_fits(self, width):
        long = 100 * "x" + 10 * "配送の分類"
        gates = [
            entry(comparison(), "undecided", test=f"a{long}"),
            entry(comparison(**WORSE, measure=f"f1[{long}]"), "failed", test=f"b{long}", part=f"class {long}"),
            error("c" + long, test="c"),
        ]
        shown = [line for line in lines(*gates, width=width) if " " in line.strip()]
        assert max(map(display_width, shown)) <= max(width, 110)

    @pytest.mark.parametrize(
        ("verdict", "markup"),
        [
            ("failed", {"red": True}),
            ("accepted", {"purple": True}),
            ("warned", {"yellow": True}),
            ("undecided", {"cyan": True}),
            ("passed", {"green": True}),
            ("", {}),
        ],
    )
    def test_the_colour_tells_the_verdict(self, verdict, markup):
        (_, head), _, (_, row) = report_lines(Report.of([entry(comparison(), verdict)]))[:3]
        assert (head, row) == (markup | {"bold": True}, markup)

    @pytest.mark.parametrize(("gates", "is_told"), [((failed(), error("no", test="e")), True), ((error("no"),), False)])
    def test_columns_are_named_where_any_gate_has_figures(self, gates, is_told):
        assert any("before → after" in line for line in lines(*gates)) is is_told

    def test_no_comparison_no_line(self):
        assert report_lines(Report.of([])) == []

    @pytest.mark.parametrize("name", HOSTILE)
    def test_no_name_breaks_a_line_or_gives_the_terminal_an_order(self, name):
        made = comparison(measure=f"f1[{name}]", **WORSE)
        shown = lines(entry(made, "failed", test=name, part=name, advice=name))
        assert all(len(line.splitlines()) == 1 for line in shown)
        assert not set("".join(shown)) & set("\x1b\x07\r\n\u202e\u2066\u200f\ud800")
        assert max(map(len, shown)) < 500
