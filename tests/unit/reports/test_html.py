import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.html import MOST_AT_ONCE, blocks, breakable, html
from pytest_bayesf1.reports.page import FILE, Column, HeatMap, grid
from pytest_bayesf1.results.comparison import ErrorChange, ExampleChange, NamedExample, ReportedChanges
from tests.unit.made_up import a_slice, comparison, entry
from tests.unit.reports.golden_report import REPORT, breakdown


def gate(name, verdict="passed", mean=0.0, part="", **changes):
    made = comparison(mean=mean, hdi=(mean - 0.01, mean + 0.01), decision=Decision.MUCH_WORSE, **changes)
    return replace(entry(made, verdict, test=f"bayesf1.yaml::{name}", part=part), policy="not_worse")


def articles(page):
    return re.findall(r"<article.*?</article>", page, flags=re.DOTALL)


def title(article):
    return re.sub("<.*?>", "", re.search(r"<h2[^>]*>(.*?)</h2>", article, flags=re.DOTALL)[1])


class TestPage:
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
        assert re.search(r"<details[^>]* open[^>]*><summary>By file or prefix", text)
        assert ["By file or prefix" in html(Report.of(entries[n:])) for n in (14, 15)] == [True, False]

    @pytest.mark.parametrize(("names", "n_folded"), [("a", 0), ("ab", 2)])
    def test_the_figures_of_a_gate_that_passed_are_folded_where_it_is_not_alone(self, names, n_folded):
        text = html(Report.of([gate(name) for name in names]))
        assert text.count("<summary>Figures</summary>") == n_folded

    def test_long_tables_are_folded_after_twelve_rows(self):
        made = replace(gate("a", "failed", -0.05), breakdown=breakdown(*(f"class {number}" for number in range(25))))
        text = html(Report.of([made]))
        assert "and 13 more classes" in text
        before, _, after = text.partition('<details class="more">')
        assert (before.count("class 0<"), before.count("class 11<"), after.count("class 12<")) == (1, 1, 1)
        slices = [replace(gate("a"), **a_slice("lang", number)) for number in range(14)]
        assert "and 2 more parts" in html(Report.of([gate("a"), *slices]))

    def test_examples_with_text_have_both_answers_side_by_side(self):
        changed = (
            ExampleChange("mail 7", "spam", "spam", "ham", 1.0, -0.001, ("Dear friend",)),
            ExampleChange("mail 8", "ham", "spam", "ham", 1.0, 0.001),
            ExampleChange("mail 5", 0, 1, 0, 1.0, 0.001, ("Dear colleague",)),
            ExampleChange("mail 6", "", 1, 0, 1.0, 0.001, ("Dear nobody",)),
        )
        named = tuple(NamedExample(f"mail {number}") for number in (7, 2, 9, 4, 1))
        error_change = ErrorChange("spam", "ham", 1, 2, -0.01, named)
        changes = ReportedChanges(-0.01, 0.0, (error_change,), (), 2, changed)
        text = html(Report.of([replace(gate("a", "failed", -0.05), changes=changes)]))
        assert "mail 7, mail 2, mail 9<" in text
        answers = {"friend": ["spam", "✓ spam", "✗ ham"], "colleague": ["0", "✗ 1", "✓ 0"], "nobody": ["", "1", "0"]}
        for begin, cells in answers.items():
            row = re.search(rf"<tr>(<th[^>]*>[^\n]*Dear {begin}.*?)</tr>", text)[1]
            assert re.findall(r"<td[^>]*>(.*?)</td>", row) == cells
        assert "mail 8</span>" in text


class TestBlocks:
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

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


PAGE = html(REPORT)


class TestHtml:
    def test_html_loads_nothing_from_elsewhere(self):
        outline = Outline(PAGE)
        links = [value for name, value in outline.attributes if name in {"href", "src", "xlink:href", "action"}]
        assert links
        assert {link for link in links if not link.startswith("#")} == {DOCUMENTATION}  # which is asked for on a click
        assert not {"link", "img", "iframe"} & set(outline.tags)

    def test_the_policy_allows_the_page_s_own_script_and_no_other(self):
        policy = dict(Outline(PAGE).attributes)["content"]
        (script,) = re.findall(r"<script>(.*?)</script>", PAGE, flags=re.DOTALL)
        own = b64encode(sha256(script.encode()).digest()).decode()
        assert f"script-src 'sha256-{own}'" in policy
        assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]

    def test_every_link_of_the_html_leads_somewhere(self):
        outline = Outline(PAGE)
        targets = [value for name, value in outline.attributes if name == "id"]
        links = {value[1:] for name, value in outline.attributes if name == "href" and value != DOCUMENTATION}
        kinds = {gate.verdict or "none" for gate in REPORT.gates}  # which the script reads
        assert kinds < links
        assert sum(link.startswith("gate-") for link in links) == len(REPORT.gates)
        assert {targets.count(link) for link in links - kinds} == {1}

    def test_names_may_break_behind_punctuation_alone(self):
        name = "sys.<b>hardware--2026 mail/"
        assert Outline(str(breakable(name))).text == name
        assert breakable(name) == "sys.<wbr>&lt;b&gt;hardware--<wbr>2026 mail/"
        assert not set(breakable("a\x1b\u202eb")) & set("\x1b\u202e")
