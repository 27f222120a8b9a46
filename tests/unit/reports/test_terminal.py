import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import BaselineError, Decision
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.terminal import (
    ASCII,
    UNICODE,
    WIDTH,
    interval_picture,
    prints_pictures,
    report_lines,
    text_lines,
)
from pytest_bayesf1.results.comparison import DetectableLosses
from tests.unit.hostile import HOSTILE, LONG
from tests.unit.made_up import comparison, entry, error, estimate, score

ZERO = WIDTH // 2
SIZES = st.floats(-1e15, 1e15)


class TestIntervalPicture:
    @pytest.mark.parametrize(
        ("mean", "hdi", "rope", "picture"),
        [
            (0, (-10, 10), (-4, 4), "├─────▒▒▒▒╂▒▒▒▒─────┤"),
            (-8, (-10, -6), (-4, 4), "├─╂─┤ ▒▒▒▒│▒▒▒▒      "),
            (0, (-2, 2), (-10, 10), "▒▒▒▒▒▒▒▒├▒╂▒┤▒▒▒▒▒▒▒▒"),
            (3, (-4, 10), (-2, 0), "      ├─▒▒│──╂──────┤"),
            (7, (5, 10), None, "          │    ├─╂──┤"),
            (0, (0, 0), None, "          ╂          "),
        ],
    )
    def test_what_is_where(self, mean, hdi, rope, picture):
        assert interval_picture(mean, hdi, rope) == picture

    def test_the_same_in_ascii(self):
        shown = interval_picture(-8, (-10, -6), (-4, 4), ASCII)
        assert shown == "[-+-] ####|####      "
        assert shown.isascii()

    @given(*3 * [SIZES], st.floats(-1e15, 0), st.floats(0, 1e15))
    def test_it_always_has_its_width_and_stays_in_order(self, mean, one, other, low, high):
        hdi = min(one, other), max(one, other)
        shown = interval_picture(mean, hdi, (low, high))
        assert len(shown) == WIDTH
        assert shown.count(UNICODE.mean) == 1
        start, end = shown.find(UNICODE.start), shown.find(UNICODE.end)
        assert start == -1 or end == -1 or start < end

    @given(SIZES, SIZES)
    def test_an_interval_is_drawn_on_its_side_of_zero(self, one, other):
        low, high = min(one, other), max(one, other)
        shown = interval_picture((low + high) / 2, (low, high))
        if low > 0:
            assert shown[:ZERO].isspace()
        if high < 0:
            assert shown[ZERO + 1 :].isspace()

    @given(st.floats(0.001, 1), st.floats(0.001, 1), st.floats(1e-6, 1e6))
    def test_the_scale_is_the_pictures_own(self, one, other, scale):
        hdi, rope = (-one, other), (-other, one)
        scaled = [tuple(scale * bound for bound in bounds) for bounds in (hdi, rope)]
        assert interval_picture(0, hdi, rope).count("▒") == pytest.approx(
            interval_picture(0, *scaled).count("▒"), abs=2
        )


LEGEND = "├──╂──┤ HDI and mean   ▒ ROPE   │ 0, or the floor   changes in points"
WORSE = {"decision": Decision.MUCH_WORSE, "mean": -0.0521, "hdi": (-0.07, -0.03), "rope": (-0.01, 0.01)}


def lines(*entries, **options):
    return [line for line, _ in report_lines(Report.of(entries), **{"width": 80, **options})]


class TestTerminal:
    def test_a_comparison_stands_below_its_test(self):
        assert lines(entry(comparison(**WORSE), "failed")) == [
            "tests/test_spam.py::test_f1",
            "  failed  ≪  −5.2  [−7.0, −3.0]  ├──╂──┤  ▒│▒           macro-F1",
            LEGEND,
        ]

    def test_an_estimate_is_held_against_its_floor(self):
        assert lines(entry(estimate(measure="f1", floor=0.75)))[1] == (
            "  passed    0.800  [0.780, 0.820]            │   ├──╂──┤  F1, floor 0.75"
        )

    def test_what_has_no_answer_has_no_picture(self):
        problem = BaselineError("a.csv", "a file", "none")
        assert lines(error(problem, test="g")) == ["g", "  error  no answer"]

    def test_the_parts_of_a_gate_stand_below_it_the_worst_first(self):
        entries = [
            entry(comparison(), "passed", test="gate"),
            entry(comparison(**WORSE, measure="f1[ham]"), "failed", test="gate", part="class ham"),
            entry(comparison(), "warned", test="other"),
        ]
        gate, *parts, other, _, _, _ = lines(*entries)
        assert (gate, other) == ("gate", "other")
        assert [part.split()[0] for part in parts] == ["passed", "failed"]
        assert parts[1].startswith("    failed  ≪  ")
        assert parts[1].endswith("  class ham")

    def test_the_scores_stand_in_a_row_where_there_is_room(self):
        made = entry(comparison(**WORSE), "failed"), entry(estimate(), test="z")
        assert not any("0.800 → 0.802" in line for line in lines(*made, width=99))
        _, failed, _, passed, *_ = lines(*made, width=100)
        assert failed.endswith("  0.800 → 0.748  macro-F1")
        assert passed.endswith("  macro-F1, floor 0.75")
        assert passed.index("macro-F1") == failed.index("macro-F1")

    def test_a_row_fits_into_the_terminal(self):
        part = "language=" + "-".join("abcdefghij")
        entries = [
            entry(comparison(), "undecided", test="a"),
            entry(comparison(**WORSE), "failed", test="a", part=3 * part),
            entry(comparison(measure="f1[" + 3 * part + "]"), "warned", test="b"),
            *(entry(comparison(), test=f"c{number}") for number in range(5)),
        ]
        shown = lines(*entries)
        assert max(map(len, shown)) <= 80
        assert shown[2].endswith("  language=a…-f-g-h-i-j")
        assert any(3 * part in line for line in lines(*entries, width=None))

    def test_an_expected_failure_says_how_to_judge_the_candidate(self):
        shown = lines(entry(comparison(**WORSE), "failed").of_expected_failure())
        assert shown[1].startswith("  expected  ≪  ")
        assert " ".join(shown[3:]).startswith(
            "expected: its test is expected to fail (xfail), so the run is green. Remove"
        )
        assert report_lines(Report.of([entry(comparison(), "expected")]))[1][1] == {"yellow": True}

    def test_where_no_gate_ran_it_says_how_to_make_one(self):
        told = " ".join(" ".join(lines(entry(comparison(), ""))).split())
        assert "No gate ran, so nothing can have failed, and nothing has passed. A comparison becomes a gate by" in told
        assert "No gate ran" not in " ".join(lines(entry(comparison(), ""), entry(comparison())))

    def test_digits_follow_the_width_of_the_interval(self):
        narrow = entry(comparison(mean=0.00012, hdi=(-0.0002, 0.0004)))
        assert "  +0.012  [−0.020, +0.040]  " in lines(narrow)[1]

    def test_a_measure_of_your_own_is_told_as_it_is(self):
        better = {"decision": Decision.MUCH_BETTER, "mean": 12.5, "hdi": (10.0, 15.0)}
        own = entry(comparison(measure="cost", custom_measure=True, **better))
        assert "  +12.5  [+10.0, +15.0]  " in lines(own)[1]
        assert lines(own)[1].endswith("  cost, not in points")

    @pytest.mark.parametrize(
        ("told", "finds"),
        [
            ({"decision": Decision.UNDECIDED}, ", sees 3.5"),
            ({"decision": Decision.EQUIVALENT, "detectable_losses": DetectableLosses(0.00462, 0.004)}, ", sees 0.46"),
            ({"decision": Decision.UNDECIDED, "custom_measure": True}, ", not in points, sees 0.035"),
            ({"decision": Decision.UNDECIDED, "detectable_losses": DetectableLosses(None, 0.9)}, ""),
            ({"decision": Decision.UNDECIDED, "detectable_losses": None}, ""),
            ({"decision": Decision.MUCH_BETTER}, ""),
        ],
    )
    def test_where_no_loss_was_found_a_row_says_which_would_be(self, told, finds):
        assert lines(entry(comparison(**told)))[1].endswith(finds or "  macro-F1")

    @pytest.mark.parametrize(
        ("decision", "symbol"),
        [(Decision.MUCH_WORSE, "<<"), (Decision.EQUIVALENT, "~"), (Decision.MUCH_BETTER, ">>"), (Decision.WORSE, "<")],
    )
    def test_a_terminal_without_unicode_gets_ascii(self, decision, symbol):
        shown = lines(entry(comparison(decision=decision)), entry(comparison(), "", test="z"), ascii_only=True)
        assert all(line.isascii() for line in shown)
        assert shown[3].split()[:2] == ["passed", symbol]
        assert "  [--#####|+####----]  macro-F1" in shown[1]

    @pytest.mark.parametrize(
        ("encoding", "able"), [("utf-8", True), ("gb18030", True), ("cp1252", False), ("ascii", False), ("none", False)]
    )
    def test_whether_a_terminal_prints_pictures(self, encoding, able):
        assert prints_pictures(encoding) is able

    def test_columns_are_aligned_and_leave_room_for_the_name_of_a_measure(self):
        entries = [
            entry(
                comparison(measure="matthews_corrcoef", mean=0.02, hdi=(-0.098, 0.132), detectable_losses=None),
                "failed",
                test="a",
            ),
            entry(comparison(decision=Decision.WORSE, mean=0.001, hdi=(-0.001, 0.003)), "warned", test="b"),
            entry(estimate(score=score(0.5)), "passed", test="c"),
            entry(comparison(detectable_losses=None), "", test="d"),
        ]
        rows = [line for line in lines(*entries) if line.startswith("  ")]
        assert len({row.index("[") for row in rows}) == 1
        assert len({row.index("│") for row in rows}) == 1
        assert [row[58:].strip() for row in rows] == [
            "Matthews correlation",
            "macro-F1",
            "macro-F1",
            "macro-F1, floor 0.75",
        ]
        assert max(map(len, rows)) <= 80

    @pytest.mark.parametrize(
        ("verdict", "markup"),
        [
            ("failed", {"red": True}),
            ("warned", {"yellow": True}),
            ("undecided", {"cyan": True}),
            ("passed", {"green": True}),
            ("", {}),
        ],
    )
    def test_the_colour_tells_the_verdict(self, verdict, markup):
        assert report_lines(Report.of([entry(comparison(), verdict)]))[1][1] == markup

    def test_no_comparison_no_line(self):
        assert report_lines(Report.of([])) == []

    def test_of_very_many_that_passed_only_the_number_is_told(self):
        passed = [entry(comparison(), test=f"test_{number:02}") for number in range(50)]
        assert len(lines(*passed)) == 102
        shown = lines(*passed, entry(comparison(), test="one more"), entry(comparison(), "warned", test="w"))
        assert [line.split()[0] for line in shown] == ["w", "warned", "51", LEGEND.split(maxsplit=1)[0], "sees:"]
        assert shown[2] == "51 passed comparisons not listed"

    def test_of_very_many_classes_that_cannot_tell_only_the_number_is_told_too(self):
        parts = [entry(comparison(), "undecided", test="gate", part=f"class {number:02}") for number in range(50)]
        whole = [entry(comparison(), "undecided", test="gate"), entry(comparison(), test="other")]
        shown = lines(*parts, *whole)
        assert [line.split()[0] for line in shown] == ["gate", "undecided", "51", LEGEND.split(maxsplit=1)[0], "sees:"]
        assert shown[2] == "51 passed comparisons, 50 of which could not tell, not listed"

    @pytest.mark.parametrize("name", HOSTILE)
    def test_no_name_breaks_a_line_or_gives_the_terminal_an_order(self, name):
        made = comparison(measure=f"f1[{name}]", **WORSE)
        shown = lines(entry(made, "failed", test=name, part=name))
        assert len(shown) == 3
        assert all(len(line.splitlines()) == 1 for line in shown)
        assert not set("".join(shown)) & set("\x1b\x07\r\n\u202e\u2066\u200f\ud800")
        assert shown[1].startswith("    failed  ≪  −5.2  [−7.0, −3.0]  ├──╂──┤")

    def test_a_name_is_cut_only_when_nobody_would_read_it_to_its_end(self):
        readable = "tests/test_spam.py::test_f1[" + 160 * "x" + "]"
        assert lines(entry(comparison(), test=readable))[0] == readable
        assert lines(entry(comparison(), test=LONG))[0] == f"{100 * 'x'}[9,800 characters left out]{100 * 'x'}"


HEADLINE = comparison().headline


def lines_of(*entries, missing=()):
    return [line for line, _ in text_lines(Report.of(entries, missing))]


class TestText:
    def test_what_passed_takes_one_line(self):
        report = Report.of([entry(comparison()), entry(estimate())])
        assert text_lines(report) == [*report_lines(report), ("0 failed, 0 warned, 2 passed", {"bold": True})]

    def test_what_failed_says_what_to_do(self):
        failed = entry(comparison(examples_needed=50), "failed", test="test_a", advice="Look at the data.")
        assert lines_of(failed)[:5] == [
            "test_a",
            HEADLINE,
            "  About 50 more test examples would give an even chance of settling it.",
            "  Look at the data.",
            "",
        ]

    def test_parts_of_one_gate_are_advised_once(self):
        entries = [entry(comparison(), "failed", test="g", part=part, advice="Look.") for part in ("", "class ham")]
        assert lines_of(*entries)[:5] == ["g", HEADLINE, f"class ham: {HEADLINE}", "  Look.", ""]

    def test_what_the_data_cannot_tell_is_told_of_whole_gates(self):
        entries = [
            entry(comparison(), "undecided", test="g", advice="Test on more."),
            entry(comparison(), "undecided", test="g", part="class ham", advice="Test on more."),
        ]
        told = text_lines(Report.of(entries))
        assert told[:2] == [("g", {"bold": True}), (HEADLINE, {"cyan": True})]
        assert [line for line, _ in told[2:4]] == ["  Test on more.", ""]
        assert told[-1][0] == "0 failed, 0 warned, 0 passed, 2 could not tell"

    def test_an_error_is_told_as_it_is(self):
        problem = BaselineError("a.csv", "a file", "none", "Make one.")
        assert lines_of(error(problem, test="g")) == [
            "g",
            "a.csv: expected a file, got none. Make one.",
            "",
            "g",
            "  error  no answer",
            "0 failed, 1 without an answer, 0 warned, 0 passed",
        ]

    def test_colours_follow_the_verdict(self):
        lines = text_lines(Report.of([entry(comparison(), "warned", test="test_a")]))
        assert lines[:2] == [("test_a", {"bold": True}), (HEADLINE, {"yellow": True})]

    def test_what_is_missing_is_told(self):
        assert "Incomplete: 1 test did not finish: test_b" in lines_of(missing=["test_b"])

    @pytest.mark.parametrize("name", HOSTILE)
    def test_no_name_gives_the_terminal_an_order_or_fills_it(self, name):
        lines = lines_of(entry(comparison(measure=f"f1[{name}]"), "failed", test=name, part=name, advice=name))
        assert all(len(line.splitlines()) <= 1 for line in lines)
        assert not set("".join(lines)) & set("\x1b\x07\r\n\u202e\u2066\u200f\ud800")
        assert max(map(len, lines)) < 2_500
