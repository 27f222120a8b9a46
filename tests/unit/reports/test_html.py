import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser

import pytest

from pytest_bayesf1 import Decision, PairedCounts, compare
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.html import MOST_AT_ONCE, blocks, breakable, html
from pytest_bayesf1.reports.markdown import markdown, sheet
from pytest_bayesf1.reports.page import FILE, Column, HeatMap, Notes, grid
from pytest_bayesf1.results.comparison import Density, ErrorChange, ExampleChange, NamedExample, ReportedChanges
from tests.unit.made_up import a_slice, comparison, entry, error, estimate, score
from tests.unit.reports.golden_report import REPORT, breakdown, gap


def gate(name, verdict="passed", mean=0.0, part="", **changes):
    made = comparison(mean=mean, hdi=(mean - 0.01, mean + 0.01), decision=Decision.MUCH_WORSE, **changes)
    return replace(entry(made, verdict, test=f"bayesf1.yaml::{name}", part=part), policy="not_worse")


def articles(page):
    return re.findall(r"<article.*?</article>", page, flags=re.DOTALL)


def title(article):
    return re.sub("<.*?>", "", re.search(r"<h2[^>]*>(.*?)</h2>", article, flags=re.DOTALL)[1])


def heading(page):
    return re.search(r"<h1[^>]*>(.*?)</h1>", page, flags=re.DOTALL)[1]


class TestPage:
    def test_the_run_is_the_first_thing_to_be_seen_and_then_the_worst_gate(self):
        entries = [gate("a", "failed", -0.055), gate("b"), gate("c", "failed", -0.081), gate("d", "warned", -0.2)]
        text = html(Report.of(entries))
        assert heading(text) == "2 of 4 gates failed · blocks merge"
        assert [title(each) for each in articles(text)[:3]] == ["Failed: c", "Failed: a", "Warned: d"]

    def test_one_gate_is_told_once(self):
        text = html(Report.of([replace(gate("a", "failed", -0.05), advice="Look at the data.")]))
        assert heading(text) == "The gate failed · blocks merge"
        assert len(articles(text)) == text.count("Look at the data.") == 1
        assert 'id="overview"' not in text

    def test_a_gate_that_failed_by_a_class_is_a_failure_and_names_it(self):
        entries = [gate("a"), gate("a", "failed", -0.05, "class x"), gate("a", part="class y"), gate("b")]
        text = html(Report.of(entries))
        assert heading(text) == "1 of 2 gates failed · blocks merge"
        assert text.count('class="failed part"') == 1
        failed, _ = articles(text)
        assert title(failed) == "Failed: a"
        assert "<b>class x</b>: macro-F1 fell 5.0 points" in failed
        assert '<th scope="row"><span class="name">class y</span></th>' in failed

    def test_no_gate_and_a_run_without_all_of_its_tests_are_no_green_page(self):
        text = html(Report.of([entry(comparison(), "")]))
        assert heading(text) == "No gate ran: 1 comparison without a gate"
        assert "What to do:</strong> No gate ran, so nothing can have failed" in text
        incomplete = html(Report.of([gate("a")], missing=["test_x"]))
        assert heading(incomplete) == "Incomplete, 1 test did not finish: the gate passed · blocks merge"
        assert '<header class="run error">' in incomplete

    def test_where_all_passed_that_is_said_first(self):
        text = html(Report.of([gate("a"), gate("b")]))
        assert heading(text) == "All 2 gates passed"
        assert '<details class="quiet" open>' in text

    def test_an_expected_failure_is_no_failure(self):
        text = html(Report.of([gate("a", "failed", -0.05).of_expected_failure()]))
        assert heading(text) == "The gate failed as expected (xfail)"
        assert 'class="card expected"' in text
        assert '"card failed"' not in text

    def test_an_error_shows_its_message(self):
        text = html(Report.of([error("x.yaml:3: no <baseline>", test="x.yaml::spam")]))
        assert heading(text) == "The gate had an error · blocks merge"
        assert "<pre>x.yaml:3: no &lt;baseline&gt;</pre>" in text

    def test_what_is_to_be_done_about_several_gates_is_said_once(self):
        entries = [replace(gate(name, "failed", -0.05), advice="Look at the data.") for name in "abc"]
        assert html(Report.of(entries)).count("Look at the data.") == 1

    def test_what_could_not_tell_is_one_row_with_what_each_lacks(self):
        open_gates = [gate(name, "undecided", examples_needed=340) for name in "abcde"]
        text = html(Report.of([*open_gates, gate("f", "failed", -0.05)]))
        summary = re.search(r"<summary>(5 could not tell.*?)</summary>", text)[1]
        lacks = ", ".join(f"{name} needs 340 more examples" for name in "abc")
        assert summary == f"5 could not tell: {lacks} and 2 more gates"
        assert '<details class="quiet" open>' not in text

    def test_of_many_gates_those_that_need_somebody_are_told_in_full_and_what_passed_has_a_row(self):
        entries = [gate(f"50%-{number}") for number in range(30)]
        entries += [gate(f"failed-{number}", "failed", -0.05) for number in range(FILE.in_full + 5)]
        text = html(Report.of(entries))
        assert len(articles(text)) == FILE.in_full + 5
        assert ["<details" in each for each in articles(text)] == [True] * FILE.in_full + [False] * 5
        assert text.count("In full, by itself: <code>bayesf1 gate bayesf1.yaml --gate failed-") == 5
        groups = re.search(r'aria-label="Gates by file or prefix".*?</table>', text, flags=re.DOTALL)[0]
        found = [re.findall(r">([^<>]+)</(?:a|td)>", row) for row in groups.split("<tr>")[2:]]
        assert found == [["failed", "15", "15 failed"], ["50%", "30", "30 passed"]]
        assert re.findall(r'href="(.*?)"', groups) == ["#all&amp;q=failed", "#all&amp;q=50%25"]
        shown = articles(html(Report.of([*entries[: FILE.in_full], replace(gate("z"), can_fail=False)])))
        assert "Passed: z" in map(title, shown)
        assert ["By file or prefix" in html(Report.of(entries[n:])) for n in (14, 15)] == [True, False]

    @pytest.mark.parametrize(("names", "n_folded"), [("a", 0), ("ab", 2)])
    def test_the_figures_of_a_gate_that_passed_are_folded_where_it_is_not_alone(self, names, n_folded):
        text = html(Report.of([gate(name) for name in names]))
        assert text.count("<summary>Figures</summary>") == n_folded

    def test_a_posterior_fills_half_of_its_picture_or_more(self):
        density = Density(-0.004, 0.0, (0.1, 1.0, 0.1))
        tiny = entry(comparison(mean=-0.002, hdi=(-0.003, -0.001), rope=(-0.001, 0.001), density=density), "failed")
        text = html(Report.of([tiny, gate("b", "failed", -0.2)]))
        widths = [float(high) - float(low) for low, high in re.findall(r'data-low="(\S+)" data-high="(\S+)"', text)]
        assert len(widths) == 2
        assert 0.4 / min(widths) > 0.5

    def test_five_hundred_gates_fit_into_a_megabyte(self):
        made = replace(gate("a", mean=-0.05), breakdown=breakdown(*(f"class {number}" for number in range(20))))
        verdicts = ("failed", "warned", "undecided", "passed", "passed")
        entries = [replace(made, test=f"bayesf1.yaml::{n}", verdict=verdicts[n % 5]) for n in range(500)]
        assert len(html(Report.of(entries)).encode()) < 1_000_000

    def test_long_tables_are_folded_after_twelve_rows(self):
        made = replace(gate("a", "failed", -0.05), breakdown=breakdown(*(f"class {number}" for number in range(25))))
        text = html(Report.of([made]))
        assert "and 13 more classes" in text
        before, _, after = text.partition('<details class="more">')
        assert (before.count("class 0<"), before.count("class 11<"), after.count("class 12<")) == (1, 1, 1)
        slices = [replace(gate("a"), **a_slice("lang", number)) for number in range(14)]
        assert "and 2 more parts" in html(Report.of([gate("a"), *slices]))

    def test_what_is_allowed_of_a_measure_of_one_s_own_is_not_drawn_for_classes(self):
        own = {"measure": "profit", "custom_measure": True, "rope": (-10.0, 10.0)}
        made = replace(entry(comparison(**own), "failed"), breakdown=breakdown("ham", "spam"))
        text = html(Report.of([made]))
        table = re.search(r'aria-label="By class".*?</table>', text, flags=re.DOTALL)[0]
        assert "rope" not in table
        assert "You allow 10" in text

    def test_one_figure_is_written_the_same_everywhere(self):
        made = replace(gate("a", "failed", -0.05, p_in_rope=0.0004, p_better=0.0), policy="not_worse")
        text = html(Report.of([made]))
        assert "&lt;1%" in text
        assert not re.search(">[01]%", text)
        assert not re.search(r">-\d", text.partition("</style>")[2].partition("<script>")[0])  # a hyphen for a minus

    def test_a_floor_has_its_own_words(self):
        below = estimate(p_below_floor=0.9999, below_floor=True, above_floor=False, score=score(observed=0.805))
        text = html(Report.of([entry(below, "failed")]))
        assert "<dt>posterior mean</dt><dd>0.800</dd>" in text
        assert "<dt>observed</dt><dd>0.805 on 1,000 examples</dd>" in text
        assert "Below the floor of 0.75: macro-F1 is 0.805 (95% likely 0.780 to 0.820)." in text
        assert "<dt>P(below 0.75)</dt><dd>&gt;99%</dd>" in text

    def test_the_posterior_mean_and_the_word_hdi_are_among_the_statistics_alone(self):
        (article,) = articles(html(Report.of([gate("a", "failed", -0.05)])))
        first, statistics = article.split('<details class="statistics">')
        assert "HDI" not in first
        assert "95% HDI" in statistics

    def test_examples_with_text_have_both_answers_side_by_side(self):
        changed = (
            ExampleChange("mail 7", "spam", "spam", "ham", 1.0, -0.001, ("Dear friend",)),
            ExampleChange("mail 8", "ham", "spam", "ham", 1.0, 0.001),
            ExampleChange("mail 9", "ham", "spam", "ham", 1.0, 0.001, ("Dear all",)),
            ExampleChange("mail 5", 0, 1, 0, 1.0, 0.001, ("Dear colleague",)),
            ExampleChange("mail 6", "", 1, 0, 1.0, 0.001, ("Dear nobody",)),
        )
        named = tuple(NamedExample(f"mail {number}") for number in (7, 2, 9, 4, 1))
        error_change = ErrorChange("spam", "ham", 1, 2, -0.01, named)
        changes = ReportedChanges(-0.01, 0.0, (error_change,), (), 2, changed)
        text = html(Report.of([replace(gate("a", "failed", -0.05), changes=changes)]))
        assert "mail 7, mail 2, mail 9<" in text
        for begin, cells in (
            ("friend", ["spam", "✓ spam", "✗ ham"]),
            ("all", ["ham", "✗ spam", "✓ ham"]),
            ("colleague", ["0", "✗ 1", "✓ 0"]),
            ("nobody", ["", "1", "0"]),
        ):
            row = re.search(rf"<tr>(<th[^>]*>[^\n]*Dear {begin}.*?)</tr>", text)[1]
            assert re.findall(r"<td[^>]*>(.*?)</td>", row) == cells
        assert "mail 8</span>" not in text


class TestBlocks:
    @pytest.mark.parametrize(("n", "left", "is_open"), [(3, 0, True), (2, 1, True), (3, 1, False), (4, 0, False)])
    def test_a_few_notes_are_open(self, n, left, is_open):
        rows = [(f"gate {number}", "said") for number in range(n)]
        assert (" open>" in blocks([Notes("Known", tuple(rows), left)], 2)) == is_open
        assert ("<details open>" in sheet("", [Notes("Known", tuple(rows), left)])) == (n <= 3)

    def test_rows_beyond_the_first_wait_for_the_script(self):
        n = MOST_AT_ONCE + 7
        table = grid("All", (Column("gate", str, "name"),), range(n), kind="gates")
        before, _, after = blocks([table], 2).partition("<template>")
        assert [each.count("<tbody>") for each in (before, after)] == [MOST_AT_ONCE, 7]
        assert ">7 more rows need JavaScript" in after

    @pytest.mark.parametrize(("n", "numbered"), [(8, True), (9, False)])
    def test_a_small_heat_map_has_numbers(self, n, numbered):
        heat = HeatMap("Changes", ("a",) * n, (("+1.0",) * n,) * n, ((1,) * n,) * n, ("worse", "better"))
        text = blocks([heat], 2)
        assert (text.count(">+1.0<"), text.count('title="+1.0"')) == ((n * n, 0) if numbered else (0, n * n))
        assert [f'class="{sign}-{at}"' in text for sign in ("worse", "better") for at in range(1, 6)] == [
            *[True] * 4,
            False,
        ] * 2


DOCUMENTATION = "https://github.com/pytest-bayesf1/pytest-bayesf1/tree/main/docs"
HOSTILE = '<script>alert("x")</script>'
VOID = {"meta", "br", "img", "link", "input", "hr", "path", "use", "rect", "wbr"}


class Outline(HTMLParser):
    """Collects tags and attributes, and checks that elements are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.text = [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.extend(attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.extend(attrs)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def text_of(page):
    """Return a page without its style and its script."""
    return re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)


def worse(**changes):
    return comparison(decision=Decision.MUCH_WORSE, mean=-0.0521, hdi=(-0.07, -0.03), **changes)


class TestHtml:
    @pytest.fixture
    def report(self):
        return Report.of(
            [
                entry(estimate(floor=0.75), "passed", test="tests/test_b.py::test_floor", gate="assert_at_least"),
                entry(comparison(), "", test="tests/test_c.py::test_look", gate="compare"),
                entry(worse(), "failed", test="tests/test_a.py::test_f1", advice="Find what changed."),
            ]
        )

    @pytest.fixture
    def hostile(self):
        made = worse(measure=f"f1[{HOSTILE}|]", model_reason=HOSTILE)
        return Report.of([entry(made, "failed", test=f"test[{HOSTILE}\n|@me]", advice=HOSTILE)])

    def test_html_is_well_formed_and_has_one_heading_and_an_article_an_entry(self, report):
        outline = Outline(html(report))
        assert outline.open == []
        assert outline.tags.count("h1") == 1
        assert outline.tags.count("article") == 3

    def test_html_loads_nothing_from_elsewhere(self, report):
        outline = Outline(html(report))
        links = [value for name, value in outline.attributes if name in {"href", "src", "xlink:href", "action"}]
        assert links
        assert {link for link in links if not link.startswith("#")} == {DOCUMENTATION}  # which is asked for on a click
        assert not {"link", "img", "iframe"} & set(outline.tags)

    def test_the_policy_allows_the_page_s_own_script_and_no_other(self, report):
        page = html(report)
        policy = dict(Outline(page).attributes)["content"]
        (script,) = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
        own = b64encode(sha256(script.encode()).digest()).decode()
        assert f"script-src 'sha256-{own}'" in page
        assert "unsafe-inline" not in page.partition("script-src")[2].partition(";")[0][:100]
        assert policy

    def test_every_link_of_the_html_leads_somewhere(self, report):
        outline = Outline(html(report))
        targets = [value for name, value in outline.attributes if name == "id"]
        links = {value[1:] for name, value in outline.attributes if name == "href" and value != DOCUMENTATION}
        kinds = {"failed", "passed", "none"}  # which the script reads
        assert kinds < links
        assert sum(link.startswith("gate-") for link in links) == 3
        assert {targets.count(link) for link in links - kinds} == {1}

    def test_what_it_was_made_with_is_named_at_the_end(self):
        assert " · python 3.11.0 · pytest-bayesf1 0.1.0</footer>" in html(REPORT)

    def test_html_counts_the_verdicts_and_tells_every_outcome(self, report):
        text = Outline(html(report)).text
        assert "1 failed 1 without a gate 1 passed" in " ".join(text.split())
        for made in report.entries:
            assert f"{made.headline}." in text
            assert made.test in text
        assert "Find what changed." in text

    def test_html_tells_what_the_data_cannot_tell_from_what_passed(self):
        verdicts = ("passed", "undecided", "undecided")
        entries = [entry(comparison(), verdict, test=f"t{n}") for n, verdict in enumerate(verdicts)]
        outline = Outline(html(Report.of(entries)))
        assert "2 of 3 gates could not tell" in outline.text
        assert "all 3" in outline.text
        assert ("value", "undecided") in outline.attributes
        assert outline.attributes.count(("class", "undecided")) == 3  # one of them leads to the others
        assert outline.attributes.count(("class", "card undecided")) == 2

    def test_html_tells_the_figures(self, report):
        text = Outline(html(report)).text
        for figure in (
            "−5.2",
            "95% HDI",
            "−7.0 to −3.0",
            "12%, 67%, 21%",
            "6.25 ± 0.03 for a difference inside the ROPE",
            "20,000 by the exact engine",
            "0.75",
        ):
            assert figure in text

    def test_html_tells_the_frequentist_tests_of_a_comparison(self, report):
        outline = Outline(html(report))
        assert outline.text.count("Frequentist tests") == 2
        row = " ".join(outline.text[outline.text.index("p-test") :].split("\n")[0].split())
        assert row == "p-testaccuracy as if unpaired2,2000.029>"
        assert outline.text.count("not that the two are equivalent") == 2

    @pytest.mark.parametrize("render", [html, markdown])
    def test_every_frequentist_test_is_explained(self, render):
        joint = PairedCounts.from_predictions([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2], [0, 0, 1, 2, 2, 0])
        tests = compare(joint, rope=0.1, n_draws=1_000).classical_tests
        text = unescape(render(Report.of([entry(comparison(classical_tests=tests))])))
        assert [text.count(test.name) for test in tests] == [1, 1, 1, 1, 1]

    @pytest.mark.parametrize("render", [html, markdown])
    def test_p_tests_say_of_what_they_are(self, render):
        joint = PairedCounts.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0])
        text = unescape(render(Report.of([entry(compare(joint, measure="f1", rope=0.1, n_draws=1_000))])))
        assert [text.count(f"{of} as if unpaired") for of in ("accuracy", "recall", "precision")] == [1, 1, 1]

    @pytest.mark.parametrize("render", [html, markdown])
    def test_paired_outcomes_are_told_where_data_are_paired(self, render):
        text = unescape(render(Report.of([entry(comparison(), "failed")])))
        for figure in ("P(π₁ > π₂) 97.8%", "E(π₁ − π₂) +0.0200", "E(ln π₁/π₂) +0.41"):
            assert figure in text.replace("\\", "")
        assert "π₁" not in render(Report.of([entry(comparison(model="same-set"), "failed")]))

    @pytest.mark.parametrize("render", [html, markdown])
    def test_an_undefined_bayes_factor_is_called_so(self, render):
        assert "undefined" in render(Report.of([entry(comparison(bayes_factor_sd=float("nan")))]))
        assert "undefined" not in text_of(render(Report.of([entry(comparison())])))

    def test_html_shows_user_text_as_text(self, hostile):
        outline = Outline(html(hostile))
        assert outline.tags.count("script") == 1
        assert outline.text.count(HOSTILE) >= 5
        assert outline.open == []

    def test_a_run_without_comparisons_has_a_report_too(self):
        assert "No gate ran, so nothing can have failed" in html(Report.of([]))
        assert markdown(Report.of([])).startswith("## ⚠️ No gate ran\n")

    def test_slices_have_observed_scores(self):
        whole = replace(gate("a", "failed", -0.05), gaps=(gap("language", "fi", HOSTILE),))
        parts = [replace(gate("a", "failed", -0.05), **a_slice("language", name)) for name in ("fi", HOSTILE)]
        page = html(Report.of([whole, *parts]))
        (article,) = articles(page)
        table = re.search(r'aria-label="By language".*?</table>', article, flags=re.DOTALL)[0]
        assert table.count("0.800 → 0.750") == 2
        assert HOSTILE in Outline(page).text
        assert HOSTILE not in page

    def test_names_may_break_behind_punctuation_alone(self):
        name = "sys.<b>hardware--2026 mail/"
        assert Outline(str(breakable(name))).text == name
        assert breakable(name) == "sys.<wbr>&lt;b&gt;hardware--<wbr>2026 mail/"
        assert not set(breakable("a\x1b\u202eb")) & set("\x1b\u202e")
