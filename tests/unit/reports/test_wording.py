import json
import shlex
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import Decision, InputError
from pytest_bayesf1.errors import ReportError
from pytest_bayesf1.reports.entry import Report, Verdicts, verdict_of
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.overview import page_of
from pytest_bayesf1.reports.page import FILE, plain
from pytest_bayesf1.reports.reading import read_report
from pytest_bayesf1.reports.section import errors_table
from pytest_bayesf1.reports.terminal import report_lines
from pytest_bayesf1.reports.wording import (
    attempts_line,
    blocks,
    by_advice,
    changed_line,
    changes_headline,
    changes_note,
    commands_to_accept,
    error_counts,
    error_name,
    fitted,
    headline,
    incomplete_line,
    redo,
    short_names,
    short_trend,
    telling_examples,
    to_do,
    trend_legend,
    trend_sentence,
)
from pytest_bayesf1.results.comparison import (
    ErrorChange,
    ExampleChange,
    Move,
    NamedExample,
    ReportedChanges,
    UnsupportedClass,
)
from pytest_bayesf1.results.run import UNKNOWN_RUN, Finding, FindingKind
from pytest_bayesf1.results.schema import UNREADABLE
from pytest_bayesf1.results.timeline import Trend, TrendPoint
from pytest_bayesf1.text import AS_THEY_ARE, POINTS
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, error

WORSE = ErrorChange(
    "silver", "bronze", 176, 1_648, -0.03, (NamedExample("a"), NamedExample(7, ("text", "", "two\nlines")))
)
BETTER = ErrorChange("gold", "silver", 9, 4, 0.01)


def changes(change, *errors, rest=0.0):
    return ReportedChanges(change, rest, errors, (), None, ())


class TestChanges:
    @pytest.mark.parametrize(
        ("found", "sentence"),
        [
            (changes(-0.04, WORSE), "fell 4.00 points, 75% of it by silver taken for bronze (176 → 1,648)."),
            (changes(0.01, WORSE, BETTER), "rose 1.00 points, all of it by gold taken for silver (9 → 4)."),
            (changes(-0.04, BETTER), "fell 4.00 points."),
            (changes(0.00001, BETTER), "is the same on both sides."),
        ],
    )
    def test_the_error_that_explains_most_is_named(self, found, sentence):
        assert changes_headline(found, "macro-F1", POINTS) == f"The observed macro-F1 {sentence}"

    def test_a_measure_of_the_user_s_own_has_no_points(self):
        found = changes(-0.04, WORSE)
        assert changes_headline(found, "cost", AS_THEY_ARE).startswith("The observed cost fell 0.04, 75% of it")
        assert self.row(found)["share, in score"] == "\N{MINUS SIGN}0.03"

    def row(self, found, **given):
        names, (row,) = errors_table(found, AS_THEY_ARE, "example", **given).texts
        return dict(zip(names, row, strict=True))

    def test_an_error_is_shown_with_its_examples(self):
        found = changes(-0.04, WORSE, replace(WORSE, contribution=0.0))  # the second explains nothing
        assert self.row(found)["error"] == "silver taken for bronze"
        assert self.row(found)["such as"] == "a, 7"
        assert self.row(found, excerpts=True)["such as"] == "a, 7: text: two lines"

    def test_names_stay_on_one_line_and_shares_of_examples_are_rounded(self):
        found = ErrorChange("a\nb", 7, 1, 2 + 1 / 3, -0.01)
        assert (error_name(found), error_counts(found)) == ("a↵b taken for 7", "1 → 2.3")

    def test_what_no_error_explains_is_told(self):
        assert changes_note(changes(-0.04, WORSE), POINTS).endswith("the shares of all errors add up to it.")
        note = changes_note(changes(-0.04, WORSE, rest=-0.01), POINTS)
        assert note.endswith("add up to it, except \N{MINUS SIGN}1.00 points that come from other class shares.")

    def test_examples_that_moved_the_score_as_it_moved_come_first(self):
        def example(name, contribution, *shown):
            return ExampleChange(name, "a", "b", "c", 1.0, contribution, shown)

        listed = (
            example("up", 0.01, "x"),
            example("down", -0.01, "y"),
            example("no text", -0.01),
            example("same", 0.0, "z"),
        )
        found = telling_examples(replace(changes(-0.04, WORSE), examples=listed))
        assert [each.id for each in found] == ["down", "up", "same"]
        assert telling_examples(None) == []


GATE_FINDINGS_HOSTILE = "test_a.py::test[<script>|@me\n# x*]"
LOOSER = Finding(
    GATE_FINDINGS_HOSTILE, FindingKind.LOOSENED, "rope", "you allowed 1 point, this pull request allows 5 points"
)
GONE = Finding("b", FindingKind.MISSING, "", "its test was skipped")
NEW = Finding("c", FindingKind.OUTDATED, "", "gates.json does not list it")
NEEDLESS = Finding("d", FindingKind.OUTDATED, "", "gates.json accepts what does not occur any more")
LOOSENED_LINE = "This change loosens 2 gates."
OTHERS_LINE = "2 gates are not as listed in gates.json, but no looser."


def report(*findings, verdict="passed"):
    return Report.of([entry(comparison(), verdict)], findings=findings)


class TestGateFindings:
    @pytest.mark.parametrize(
        ("counts", "more", "expected"),
        [
            ({"failed": 1, "error": 1}, {"loosened": True}, "failed"),
            ({"error": 1, "passed": 1}, {"loosened": True}, "error"),
            ({"passed": 1}, {"complete": False}, "error"),
            ({}, {}, "none"),
            ({"total": 3}, {"loosened": True}, "none"),
            ({"warned": 1}, {"loosened": True}, "loosened"),
            ({"accepted": 1, "passed": 1}, {"loosened": True}, "loosened"),
            ({"accepted": 1, "warned": 1}, {}, "accepted"),
            ({"warned": 1, "undecided": 1, "passed": 1}, {}, "warned"),
            ({"undecided": 2, "passed": 1}, {}, "undecided"),
            ({"expected": 1, "passed": 1}, {}, "expected"),
            ({"passed": 1}, {}, "passed"),
        ],
    )
    def test_the_gravest_verdict_counts(self, counts, more, expected):
        names = ("failed", "error", "accepted", "warned", "undecided", "expected", "passed")
        judged = {**dict.fromkeys(names, 0), **counts}
        total = judged.pop("total", sum(judged.values()))
        found = verdict_of(Verdicts(total=total, **judged), **{"complete": True, "loosened": False, **more})
        assert found == expected

    def test_what_loosens_comes_first(self):
        assert report(NEW, LOOSER, NEEDLESS, GONE).findings == (LOOSER, GONE, NEW, NEEDLESS)
        assert report(NEW, LOOSER, GONE).loosened == (LOOSER, GONE)

    def test_a_report_is_read_back_with_its_findings(self):
        text = report(NEW, LOOSER).to_json()
        assert json.loads(text)["verdict"] == "loosened"
        assert read_report(text).to_json() == text

    def test_a_verdict_that_the_rest_does_not_bear_out_is_refused(self):
        document = json.loads(report(LOOSER).to_json())
        with pytest.raises(ReportError, match="verdict: expected loosened, as the rest says, got passed"):
            read_report(json.dumps({**document, "verdict": "passed"}))

    @pytest.mark.parametrize(
        ("kinds", "said"),
        [("LC", "loosens 1 gate and alters 1 gate"), ("C", "alters 1 gate"), ("LL", "loosens 2 gates: said")],
    )
    def test_what_is_looser_and_what_is_another_are_counted_apart(self, kinds, said):
        kind = {"L": FindingKind.LOOSENED, "C": FindingKind.CHANGED}
        found = [Finding(f"t{n}", kind[each], "", "said" if kinds == "LL" else f"{n}") for n, each in enumerate(kinds)]
        assert headline(report(*found)) == f"This change {said}; the gate passed"

    def test_a_file_that_cannot_be_read_keeps_its_name(self):
        found = Finding("Gates.json", FindingKind.FILE, "", "not JSON")
        unfinished = Report.of([entry(comparison())], ["a"], findings=[found])
        assert headline(report(found)) == "Check Gates.json; the gate passed"
        assert headline(unfinished).startswith("Incomplete, 1 test did not finish: ")

    def test_the_headline_begins_with_it(self):
        assert headline(report(GONE)).startswith("This change loosens 1 gate; the gate passed")
        assert headline(report(NEW)) == headline(report())

    def test_markdown_shows_it_above_the_rows_and_no_success(self):
        lines = markdown(report(NEW, LOOSER, NEEDLESS, GONE)).splitlines()
        assert lines[0].startswith("## ⚠️ ")
        first = lines.index(f"<summary><b>⚠️ {LOOSENED_LINE}</b></summary>")
        others = lines.index(f"<summary><b>{OTHERS_LINE}</b></summary>")
        assert lines[first + 2].startswith(
            "- **test\\_a.py::test\\[&lt;script&gt;\\|@\u200bme↵# x\\*\\]**: you allowed 1 point"
        )
        assert first < others < lines.index("- **c**: gates.json does not list it")
        assert lines[first - 1] == "<details open>"
        assert markdown(report(NEW)).startswith("## ✅ ")

    def test_html_shows_it_below_the_headline(self):
        text = html(report(NEW, LOOSER, GONE))
        assert text.count("<script") == 1  # the page's own
        shown = unescape(text.split('<section class="findings loosened" role="alert">')[1].split("</section>")[0])
        assert f"⚠️ {LOOSENED_LINE}" in shown
        assert "<li><b>b</b>: its test was skipped</li>" in shown
        assert '<details class="findings" open><summary>1 gate is not as listed' in text

    def test_the_terminal_shows_it_below_the_rows(self):
        lines = report_lines(report(NEW, GONE))
        assert [text for text, _ in lines[-4:]] == [
            "This change loosens 1 gate.",
            "  b: its test was skipped",
            "1 gate is not as listed in gates.json, but no looser.",
            "  c: gates.json does not list it",
        ]
        assert lines[-4][1] == {"yellow": True, "bold": True}

    def test_commands_accept_what_can_be_accepted(self):
        changes = [replace(LOOSER, gate=f"t{n}", change=f"c{n}" * (n != 1)) for n in range(9)]
        assert [line.split()[2:5] for line in commands_to_accept(changes).splitlines()] == [
            [f"t{n}", "--loosened", f"c{n}"] for n in (0, 2, 3, 4, 5)
        ]

    def test_what_is_accepted_is_no_alarm(self):
        wanted = report(replace(LOOSER, accepted="a smaller model"), GONE)
        assert [notes.kind for notes in page_of(wanted, FILE).accepted] == ["accepted"]
        assert [notes.kind for notes in page_of(wanted, FILE).notes] == ["loosened"]

    def test_many_are_counted(self):
        many = [Finding(f"test_{number:02}", FindingKind.MISSING, "", "gone") for number in range(25)]
        assert report_lines(report(*many))[-1][0] == "  and 22 more (-v lists them)"
        assert report_lines(report(*many), verbose=True)[-1][0] == "  test_24: gone"

    @pytest.mark.parametrize("verdicts", [[], [""], ["", ""]])
    def test_a_run_in_which_no_gate_judged_is_no_success(self, verdicts):
        made = Report.of([entry(comparison(), verdict, test=f"t{number}") for number, verdict in enumerate(verdicts)])
        assert made.verdict == "none"
        for text in (markdown(made), html(made)):
            assert "No gate ran" in text
            assert "so nothing can have failed, and nothing has passed" in text
        assert markdown(made).startswith("## ⚠️ ")


ERROR = error(InputError("rope", "a number", "none"), test="a")


def told(*verdicts, missing=(), errors=0):
    entries = [entry(comparison(), verdict, test=f"test_{number}") for number, verdict in enumerate(verdicts)]
    return headline(Report.of([*entries, *errors * [ERROR]], missing))


class TestHeadline:
    @pytest.mark.parametrize(
        ("verdicts", "errors", "expected"),
        [
            (["failed", "failed", "passed"], 0, "2 of 3 gates failed · blocks merge"),
            (["failed", "warned", "warned", ""], 1, "1 of 4 gates failed · blocks merge"),
            (["warned", "passed"], 0, "1 of 2 gates warned"),
            (["passed"], 1, "1 of 2 gates had an error · blocks merge"),
            ([], 1, "The gate had an error · blocks merge"),
            (["passed"] * 12, 0, "All 12 gates passed"),
            (["passed", "", ""], 0, "The gate passed"),
            (["passed"] * 3 + ["undecided"] * 2, 0, "2 of 5 gates could not tell"),
            (["accepted", "passed"], 0, "1 of 2 gates lost what you accepted"),
            (["expected"], 0, "The gate failed as expected (xfail)"),
            (["expected", "passed"], 0, "1 of 2 gates failed as expected (xfail)"),
            (["", ""], 0, "No gate ran: 2 comparisons without a gate"),
            ([], 0, "No gate ran"),
        ],
    )
    def test_gates_are_counted(self, verdicts, errors, expected):
        assert told(*verdicts, errors=errors) == expected

    def test_classes_and_slices_are_counted_in_brackets(self):
        kinds = [("failed", "class a", "per_class"), ("passed", "class b", "per_class"), ("failed", "x=y", "slices")]
        parts = [replace(entry(comparison(), each, part=part), gate=gate) for each, part, gate in kinds]
        report = Report.of([entry(comparison()), *parts])
        assert headline(report) == "The gate failed (1 of 2 classes, 1 of 1 slice) · blocks merge"

    def test_what_is_missing_comes_first(self):
        assert told("passed", missing=["a"]).startswith("Incomplete, 1 test did not finish: the gate passed")
        assert told("passed", "passed", missing="ab").startswith("Incomplete, 2 tests did not finish: all 2 gates")
        assert told(missing=["a"]) == "Incomplete, 1 test did not finish: no gate ran · blocks merge"


class TestNames:
    def test_a_name_leaves_out_its_file_where_no_other_has_it(self):
        assert short_names(["a.py::x", "a.py::y", "b.py::y", "b.py::Class::x", "z"]) == {
            "a.py::x": "x",
            "b.py::Class::x": "Class::x",
            "a.py::y": "a.py::y",
            "b.py::y": "b.py::y",
            "z": "z",
        }

    def test_a_name_that_is_cut_has_a_number_only_beside_one_that_looks_the_same(self):
        assert fitted(["spam", "a-very-long-name"], 12) == ["spam", "a-very…-name"]
        assert fitted(["- ham", "- spam", "- ham"], 12) == ["- ham", "- spam", "- ham"]  # of several gates

    @given(st.lists(st.text("ab", min_size=1, max_size=60), unique=True, max_size=30), st.integers(12, 40))
    def test_names_that_are_cut_stay_distinct(self, names, most):
        cut = fitted(names, most)
        assert max(map(len, cut), default=0) <= most
        assert len(set(cut)) == len(names)


class TestAdvice:
    def test_gates_with_the_same_advice_share_it(self):
        advice = {"a": "Look.", "b": "Look.", "c": "Stop.", "d": ""}
        entries = [entry(comparison(), "failed", test=test, advice=text) for test, text in advice.items()]
        found = by_advice(Report.of(entries).gates)
        assert [[gate.test for gate in alike] for alike in found] == [["a", "b"], ["c"]]

    def test_the_command_is_for_the_first_that_has_one(self):
        entries = [
            entry(comparison(), "failed", test=test, advice="Look.", way_out="Or", command=command)
            for test, command in [("a", ""), ("b", "bayesf1 accept b"), ("c", "bayesf1 accept c")]
        ]
        gates = Report.of(entries).gates
        assert to_do(gates, {"b": "B"}) == ("Look.\nOr. For B:", "bayesf1 accept b")
        assert to_do(gates[1:2], {}) == ("Look.\nOr:", "bayesf1 accept b")
        assert to_do(gates[:1], {}) == ("Look.", "")

    def test_what_passed_or_is_accepted_needs_none(self):
        entries = [entry(comparison(), each, test=each, advice="x") for each in ("passed", "accepted", "undecided")]
        assert by_advice(Report.of(entries).gates) == []


NOTICES_HOSTILE = "test_a.py::test[<script>|@me\n*x*]"
TWELVE = [f"test_a.py::test[{number:02}]" for number in range(12)]

STRAY = (UnsupportedClass("I cannot answer", (1, 0)), UnsupportedClass("d", (0, 0)))


class TestNotices:
    def test_a_report_is_complete_unless_something_is_missing(self):
        assert Report.of([]).complete
        assert not Report.of([], ["a"]).complete

    def test_what_is_missing_is_sorted_and_named_once(self):
        assert Report.of([], ["b", "a", "b"]).missing == ("a", "b")

    @pytest.mark.parametrize(("missing", "complete"), [([], True), (TWELVE, False)])
    def test_json_names_everything_that_is_missing(self, missing, complete):
        document = json.loads(Report.of([], missing).to_json())
        assert (document["complete"], document["missing"]) == (complete, missing)

    def test_the_line_names_every_test_of_a_few(self):
        assert incomplete_line(Report.of([], ["a"])) == "Incomplete: 1 test did not finish: a"
        assert incomplete_line(Report.of([], "cab")) == "Incomplete: 3 tests did not finish: a, b, c"
        assert incomplete_line(Report.of([], TWELVE[:10])).endswith(", test_a.py::test[09]")

    def test_the_line_counts_the_rest_of_many(self):
        line = incomplete_line(Report.of([], TWELVE))
        assert line.startswith("Incomplete: 12 tests did not finish: test_a.py::test[00], ")
        assert line.endswith(", test_a.py::test[09] and 2 more")

    def test_the_terminal_says_so_last_and_in_red(self):
        *_, (line, markup) = report_lines(Report.of([entry(comparison())], [NOTICES_HOSTILE]))
        assert line == "Incomplete: 1 test did not finish: test_a.py::test[<script>|@me↵*x*]"
        assert markup == {"red": True, "bold": True}

    def test_html_says_so_in_the_title_and_below_the_heading(self):
        text = html(Report.of([entry(comparison())], [NOTICES_HOSTILE]))
        assert "<title>Incomplete, 1 test did not finish: the gate passed" in text
        assert text.count("<script") == 1  # the page's own
        shown = text.split('<p class="notice failed" role="alert"><span class="name">')[1].split("</span>")[0]
        assert unescape(shown) == "Incomplete: 1 test did not finish: test_a.py::test[<script>|@me↵*x*]"

    def test_markdown_says_so_first_and_shows_no_success(self):
        lines = markdown(Report.of([entry(comparison())], [NOTICES_HOSTILE])).splitlines()
        assert lines[0].startswith("## ❌ Incomplete")
        (line,) = (line for line in lines[1:] if "did not finish" in line)
        escaped = "test\\_a.py::test\\[&lt;script&gt;\\|@\u200bme↵\\*x\\*\\]"
        assert line == f"**Incomplete: 1 test did not finish: {escaped}**"
        assert lines.index(line) < next(number for number, text in enumerate(lines) if text.startswith("|"))

    @pytest.mark.parametrize("render", [html, markdown])
    def test_a_complete_report_does_not_speak_of_it(self, render):
        assert "ncomplete:" not in render(Report.of([entry(comparison())]))

    def test_classes_that_are_never_true_follow_the_result_once_for_each_gate(self):
        of_a_class = entry(comparison(unsupported=STRAY), part="class a")
        report = Report.of([entry(comparison(unsupported=STRAY)), of_a_class, entry(comparison(), test="t.py::other")])
        (notes,) = page_of(report, FILE).caveats
        assert notes.title == "About the test sets:"
        told = (
            "'I cannot answer': predicted 1 time by the baseline, never true: counted as wrong, in no average. "
            "'d': never predicted, never true: in no average."
        )
        assert notes.rows == ((of_a_class.test, told),)
        page = html(report)
        assert page.index('id="overview"') < page.index("<article") < page.index(notes.title)
        for text in (html(report), markdown(report), "\n".join(line for line, _ in report_lines(report))):
            assert notes.title in text
            assert text.count("predicted 1 time by the baseline, never true") >= 1

    def test_of_many_gates_the_first_are_named(self):
        entries = [entry(comparison(unsupported=STRAY), test=f"t.py::test_{number}") for number in range(23)]
        (notes,) = page_of(Report.of(entries), FILE).caveats
        assert (len(notes.rows), notes.left) == (20, 3)
        assert "<li>and 3 more: see report.json</li>" in html(Report.of(entries))

    def test_nothing_is_said_where_every_class_is_true(self):
        assert page_of(Report.of([entry(comparison())]), FILE).caveats == ()

    def test_unreadable_answers_are_told_of_a_report_that_was_read_back(self):
        found = comparison(
            n_samples=(1_000, 1_000),
            unsupported=(UnsupportedClass(UNREADABLE, (24, 0)),),
            largest_moves=(Move("ham", UNREADABLE, 24, 0),),
        )
        report = read_report(Report.of([entry(found)]).to_json())
        (read,) = report.entries
        assert (read.unsupported, read.largest_moves) == (found.unsupported, found.largest_moves)
        (((_, said),),) = (each.rows for each in page_of(report, FILE).caveats)
        assert said == "2.4% of the baseline's answers are unreadable and count as wrong."

    def test_of_no_unreadable_answer_nothing_is_said(self):
        none = comparison(unsupported=(UnsupportedClass(UNREADABLE, (0, 0)),))
        assert page_of(Report.of([entry(none)]), FILE).caveats == ()


class TestCommandsToRepeat:
    @pytest.mark.parametrize(
        ("test", "command"),
        [
            ("tests/test_a.py::test_b", "pytest tests/test_a.py::test_b"),
            ("tests/test_a.py::test_b[x y]", "pytest 'tests/test_a.py::test_b[x y]'"),
            ("tests/test_a.py::Test::test_b[a::b]", "pytest 'tests/test_a.py::Test::test_b[a::b]'"),
            ("models/bayesf1.yaml::spam", "bayesf1 gate models/bayesf1.yaml --gate spam"),
            ("bayesf1-old.yml::it's", """bayesf1 gate bayesf1-old.yml --gate 'it'"'"'s'"""),
            ("old.csv → new.csv", ""),
        ],
    )
    def test_the_command_runs_what_made_it(self, test, command):
        assert redo(entry(comparison(), test=test)) == command

    def test_a_shared_fixtures_file_is_run_as_a_whole(self):
        assert redo(replace(entry(comparison(), test="tests/test_a.py::model"), file="")) == "pytest tests/test_a.py"

    @pytest.mark.parametrize("name", HOSTILE)
    def test_a_hostile_name_is_one_word_of_the_command(self, name):
        command = redo(entry(comparison(), test=f"test_a.py::test[{name}]"))
        assert len(command.splitlines()) == 1
        assert len(shlex.split(command)) == 2


TREND_TEXT_POINTS = tuple(
    TrendPoint(f"2026-05-{day:02}", "abc", score, (score - 0.01, score + 0.01))
    for day, score in ((1, 0.9), (2, 0.91), (3, 0.93))
)


def shown(trend, verdict="passed"):
    return replace(entry(comparison(decision=Decision.EQUIVALENT), verdict), trend=trend)


class TestTrendText:
    def test_words(self):
        made = shown(Trend("a.json", 0.02, 0.9, TREND_TEXT_POINTS))
        assert short_trend(made) == "0.900 ▁▃█ 0.930"
        assert trend_sentence(made).startswith(
            "The last 3 baselines: 0.900 on 2026-05-01 to 0.930 on 2026-05-03; the candidate 0.8"
        )
        assert trend_legend(made.trend) == "The dot is the candidate, the dashed line (0.880) the least that you allow."
        assert trend_legend(Trend("a.json", None, None, TREND_TEXT_POINTS)) == "The dot is the candidate."

    def test_a_new_test_set_is_marked(self):
        first, second, third = TREND_TEXT_POINTS
        trend = Trend("a.json", None, None, (first, replace(second, new_test_set=True), third))
        assert short_trend(shown(trend)) == "0.900 ▁§▃█ 0.930, § another test set"
        assert trend_legend(trend) == "The dot is the candidate. A vertical line marks a new test set."

    def test_nothing_to_tell(self):
        assert short_trend(shown(None)) == ""
        assert short_trend(shown(Trend("a.json", 0.02))) == ""

    def test_blocks_of_equal_numbers(self):
        assert blocks([0.5, 0.5]) == "▅▅"
        assert blocks([0.5]) == "▅"

    def test_a_comment_has_a_line_and_a_sentence(self):
        trend = Trend("a.json", 0.02, 0.9, TREND_TEXT_POINTS)
        lines = markdown(Report.of([shown(trend, "failed")])).splitlines()
        assert lines[lines.index("0.900 ▁▃█ 0.930") + 2].startswith("The last 3 baselines: 0.900 on 2026-05-01 to ")
        without = markdown(Report.of([shown(None, "failed"), shown(None)]))
        assert "baselines" not in without


def test_changed_files_are_named_with_the_version_that_counted():
    read = {"old.csv": "base", "new.csv": "new", "b.csv": "base", "pool.csv": "checked out"}
    assert changed_line(Report.of([], changed=read)) == (
        "4 baseline or gate files changed: b.csv, new.csv, old.csv, pool.csv. "
        "The base commit's version counts: b.csv, old.csv. "
        "Read as this change has them, so review them: pool.csv. "
        "The base commit has none, so these new gates use this change's own: new.csv."
    )
    of_one_kind = changed_line(Report.of([], changed={"old.csv": "base", "b.csv": "base"}))
    assert of_one_kind == "2 baseline or gate files changed: b.csv, old.csv. The base commit's version counts."


@pytest.mark.parametrize(
    ("attempt", "attempts", "line"),
    [
        (1, {}, ""),
        (3, {}, "This is attempt 3 of the workflow's run."),
        (
            1,
            {"t.py::b": 2, "t.py::a": 3},
            "Tried again until they had an answer: t.py::a (3 times), t.py::b (2 times).",
        ),
    ],
)
def test_what_was_tried_again_is_told(attempt, attempts, line):
    report = Report.of([], run=replace(UNKNOWN_RUN, attempt=attempt), attempts=attempts)
    assert attempts_line(report) == line
    assert [plain(each.text) for each in page_of(report, FILE).notices] == [line] * bool(line)
