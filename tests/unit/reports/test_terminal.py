from dataclasses import replace

import pytest

from pytest_bayesf1 import BaselineError, Decision
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.terminal import brief_lines, prints_pictures, report_lines
from pytest_bayesf1.results.run import Finding, FindingKind
from pytest_bayesf1.text import display_width
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import a_class, comparison, entry, error, estimate

WORSE = {"decision": Decision.MUCH_WORSE, "mean": -0.0521, "hdi": (-0.07, -0.03), "rope": (-0.01, 0.01)}


def lines(*entries, missing=(), **options):
    return [line for line, _ in report_lines(Report.of(entries, missing), **{"width": 80, **options})]


def failed(**said):
    return entry(comparison(**WORSE), "failed", **said)


LONG = " ".join(["words"] * 20)


class TestTerminal:
    def test_one_gate_has_its_row(self):
        head, names, row = lines(failed())
        assert head == "The gate failed · blocks merge"
        assert row.startswith("FAILED    test_f1 ")
        for name, cell in {
            "before → after": "0.800 → 0.748",
            "change": "−5.2",
            "95% likely": "−7.0 to −3.0",
            "allow": "1",
        }.items():
            end = names.index(name) + len(name)
            assert row[:end].endswith(f" {cell}")

    def test_pictures_where_there_is_room_on_one_scale(self):
        small = entry(comparison(mean=-0.005, hdi=(-0.007, -0.003)), "warned", test="b")
        _, _, large, little = lines(failed(), small, width=100)
        assert "├────●────┤" in large
        assert little.index("│") == large.index("│")
        assert little.index("●") > large.index("●")
        assert "●" not in "".join(lines(failed(), small, width=99))

    def test_an_estimate_is_held_against_its_floor(self):
        row = lines(entry(estimate(measure="f1", floor=0.75)))[2]
        assert [row.startswith("passed    test_f1 "), *(f" {cell}" in row for cell in ("0.800", "0.780 to 0.820"))] == [
            True
        ] * 3
        assert row.endswith(" ≥ 0.75")

    def test_an_error_is_told_as_it_is(self):
        problem = BaselineError("a.csv", "a file", "none", "Make one.")
        shown = ["The gate had an error · blocks merge", "ERROR     g     a.csv: expected a file, got none. Make one."]
        width = len(shown[1])
        assert lines(error(problem, test="g")) == lines(error(problem, test="g"), width=width) == shown
        assert lines(error(problem, test="g"), width=width - 1)[1] == f"{shown[1][:-2]}…"

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

    def test_what_failed_says_what_to_do_once(self):
        gates = [
            entry(
                comparison(**WORSE),
                "failed",
                test=f"t{n}",
                advice="Look.",
                way_out="If so, commit gates.json",
                command=f"bayesf1 accept t{n} --reason '{LONG}'",
            )
            for n in range(3)
        ]
        shown = lines(*gates)
        assert [line for line in shown if "Look" in line] == ["do: Look."]
        command = f"bayesf1 accept t0 --reason '{LONG}'"  # on one line, however long it is
        assert shown[-2:] == ["  If so, commit gates.json. For t0:", command]
        assert lines(gates[0])[-3:] == ["do: Look.", "  If so, commit gates.json:", command]

    @pytest.mark.parametrize(("n_advices", "begin"), [(1, "do: Look 0"), (2, "do: t0, t2, t4: Look 0")])
    def test_of_several_pieces_of_advice_each_names_its_gates(self, n_advices, begin):
        gates = [failed(advice=f"Look {n % n_advices}.", test=f"t{n}") for n in range(6)]
        (first, *_) = [line for line in lines(*gates) if line.startswith("do: ")]
        assert first == f"{begin}."

    def test_three_pieces_of_advice_are_given(self):
        gates = [failed(advice=f"Look {n}.", test=f"t{n}") for n in range(5)]
        advice = [line for line in lines(*gates) if line.startswith("do: ")]
        assert advice == [f"do: t{n}: Look {n}." for n in range(3)]

    def test_what_to_know_of_the_test_set_is_said_of_whole_gates(self):
        whole, part = failed(), replace(failed(), part="class spam", gate="per_class")
        known = [replace(each, caveats=(said,)) for each, said in ((whole, "It is old."), (part, "It is small."))]
        other = replace(known[0], test="b")
        assert lines(*known, other)[-3:] == ["About the test sets:", "  b: It is old.", f"  {whole.test}: It is old."]

    def test_all_that_could_not_tell_have_one_line_with_what_each_lacks(self):
        gates = [entry(comparison(examples_needed=340 + n), "undecided", test=f"t{n}") for n in range(5)]
        shown = lines(*gates, entry(comparison()), width=200)
        lacks = ", ".join(f"t{n} needs 340 more examples" for n in range(3))
        assert shown == [
            "5 of 6 gates could not tell · 1 passed",
            f"5 could not tell: {lacks} and 2 more gates (-v lists them)",
            "1 passed (-v lists them)",
        ]
        assert "t4 · needs" in "".join(lines(*gates, entry(comparison()), width=None, verbose=True))

    def test_five_hundred_gates_take_sixty_lines(self):
        kinds = ("failed", "warned", "undecided", "passed")
        gates = [entry(comparison(**WORSE), kinds[n % 4], test=f"t{n}", advice=f"Look {n % 9}") for n in range(500)]
        assert len(lines(*gates)) <= 60
        assert len(lines(*gates, verbose=True)) >= 500

    def test_names_that_are_cut_stay_distinct(self):
        long = "a-model-with-a-very-long-name-of-a-hundred-characters-" + 40 * "x"
        gates = [
            entry(comparison(**WORSE), "failed", test=f"tests/test_a.py::test[{long}{n}{long}]") for n in range(25)
        ]
        shown = [line for line in lines(*gates) if line.startswith("FAILED")]
        assert max(map(len, lines(*gates))) <= 80
        assert len({line[:37] for line in shown}) == 25

    def test_wide_names_take_two_columns_a_character(self):
        gates = [entry(comparison(**WORSE), "failed", test=f"a.yaml::{name}") for name in ("spam", "配送の分類" * 10)]
        shown = [line for line in lines(*gates) if line.startswith("FAILED")]
        assert len({display_width(line) for line in shown}) == 1
        assert max(map(display_width, shown)) <= 80

    def test_measures_and_counts_follow_names_where_there_is_room(self):
        parts = [
            entry(comparison(**WORSE), "failed", test="a.yaml::spam", part=f"class {n}", gate="per_class")
            for n in (1, 2)
        ]
        gates = [
            entry(comparison(**WORSE), "failed", test="a.yaml::spam"),
            *parts,
            entry(comparison(**WORSE, measure="accuracy"), "failed", test=f"a.yaml::{'x' * 100}"),
        ]
        narrow, wide = ("\n".join(lines(*gates, width=width)) for width in (80, 200))
        assert "FAILED    spam " in narrow
        assert "macro-F1" not in narrow
        assert "spam (2 of 2 classes) · macro-F1" in wide

    @pytest.mark.parametrize("width", [40, 80, 120])
    def test_every_line_fits(self, width):
        long = 100 * "x"
        gates = [
            entry(comparison(), "undecided", test=f"a{long}"),
            entry(comparison(**WORSE, measure=f"f1[{long}]"), "failed", test=f"b{long}", part=f"class {long}"),
            error("c" + long, test="c"),
        ]
        assert max(len(line) for line in lines(*gates, width=width) if " " in line.strip()) <= max(width, 110)

    def test_an_expected_failure_says_how_to_judge_the_candidate(self):
        way_out = {"way_out": "If the loss is wanted, accept it", "command": "bayesf1 accept spam"}
        shown = lines(replace(failed(), **way_out).of_expected_failure())
        assert "accept" not in " ".join(shown)  # the test would pass then, which a strict xfail forbids
        assert shown[0] == "The gate failed as expected (xfail)"
        assert shown[2].startswith("expected  test_f1")
        assert " ".join(" ".join(shown[3:]).split()).startswith(
            "do: Its test is expected to fail (xfail), so it does not fail the run. Remove"
        )

    def test_where_no_gate_ran_it_says_how_to_make_one(self):
        told = " ".join(" ".join(lines(entry(comparison(), ""))).split())
        assert "No gate ran, so nothing can have failed, and nothing has passed. A comparison becomes a gate by" in told
        assert "No gate ran" not in " ".join(lines(entry(comparison(), ""), entry(comparison())))

    def test_digits_follow_the_width_of_the_interval(self):
        narrow = entry(comparison(mean=0.00012, hdi=(-0.00004, 0.0001)))
        assert "  +0.012  −0.004 to +0.010  " in lines(narrow)[2]

    def test_a_measure_of_your_own_is_told_as_it_is(self):
        better = {"decision": Decision.MUCH_BETTER, "mean": 12.5, "hdi": (10.0, 15.0)}
        (row,) = lines(entry(comparison(measure="cost", custom_measure=True, **better)))[2:]
        assert row.startswith("passed    test_f1 ")
        assert "  +12.5  +10.0 to +15.0  " in row

    def test_a_terminal_without_unicode_gets_ascii(self):
        shown = lines(failed(), entry(comparison(), "", test="z"), ascii_only=True, verbose=True, width=120)
        assert all(line.isascii() for line in shown)
        assert "|--o----|" in shown[2]

    @pytest.mark.parametrize(
        ("encoding", "able"), [("utf-8", True), ("gb18030", True), ("cp1252", False), ("ascii", False), ("none", False)]
    )
    def test_whether_a_terminal_prints_pictures(self, encoding, able):
        assert prints_pictures(encoding) is able

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

    def test_the_headline_has_the_colour_of_the_run(self):
        passed = [entry(comparison(), test=test) for test in "ab"]
        loosened = Finding("b", FindingKind.MISSING, "", "gone")
        for report, colour in (
            (Report.of(passed, ["c"]), "red"),
            (Report.of(passed, findings=[loosened]), "yellow"),
            (Report.of(passed), "green"),
        ):
            assert report_lines(report)[0][1] == {colour: True, "bold": True}

    @pytest.mark.parametrize("of_part", ["", "Look at spam.csv. Then merge."])
    def test_one_gate_in_brief_has_the_first_thing_to_do(self, of_part):
        whole = entry(comparison(**WORSE), "warned", test="a", advice="Look at all.csv. Then merge.")
        part = entry(comparison(**WORSE), "failed", test="a", **a_class("spam"), advice=of_part)
        whole, part = replace(whole, caveats=("It is old.", "It is small.")), replace(part, caveats=("It is new.",))
        (first, markup), *others = brief_lines(Report.of([whole, part]))
        facts = [line for line, _ in others]
        assert markup == {"red": True, "bold": True}
        assert "  note        It is old. It is small." in facts
        assert first == "Failed: class spam: the candidate is significantly worse."
        assert "  95% likely  −7.0 to −3.0" in facts
        assert f"  do          Look at {'spam' if of_part else 'all'}.csv." in facts
        assert facts[-1].startswith("FAILED    - class spam ")
        alone = [line for line, _ in brief_lines(Report.of([whole]))]
        assert not [line for line in alone if line.startswith("warned ")]

    def test_one_gate_in_brief_gets_ascii_too(self):
        shown = brief_lines(Report.of([failed()]), ascii_only=True)
        assert all(line.isascii() for line, _ in shown)
        assert any("-7.0 to -3.0" in line for line, _ in shown)

    def test_comparisons_without_a_gate_are_counted_beside_the_gates(self):
        passed = [entry(comparison(), "passed", test=test) for test in "abc"]
        assert lines(*passed, entry(comparison(), "", test="d"))[0] == "All 3 gates passed · 1 without a gate"

    def test_no_comparison_no_line(self):
        assert report_lines(Report.of([])) == []

    def test_what_is_missing_is_told(self):
        assert lines(missing=["test_b"])[-1] == "Incomplete: 1 test did not finish: test_b"

    @pytest.mark.parametrize("name", HOSTILE)
    def test_no_name_breaks_a_line_or_gives_the_terminal_an_order(self, name):
        made = comparison(measure=f"f1[{name}]", **WORSE)
        shown = lines(entry(made, "failed", test=name, part=name, advice=name))
        assert all(len(line.splitlines()) == 1 for line in shown)
        assert not set("".join(shown)) & set("\x1b\x07\r\n\u202e\u2066\u200f\ud800")
        assert max(map(len, shown)) < 500
