import json
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from pytest_bayesf1.github.action import annotations_of, set_outputs
from pytest_bayesf1.github.api import Draft, body
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.reports.markdown import GUIDE, SourceCommit, code_block, escape_markdown, escape_summary
from pytest_bayesf1.reports.record import read_report
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.text import flowed
from tests.unit.hostile import HOSTILE
from tests.unit.reports.golden_report import REPORT

CONSTRUCTS = (
    *("# ✅ All good, approved.", "###### x", "#", "- - -", "***", "___", "===", "---", "- x", "+ x", "* x", "-", "+"),
    *("1. x", "1) x", "1", "1.", "12)", "999999999.", "> x", "> [!NOTE]\n> x", "    x", "\tx", "```\nx\n```", "~~~\nx"),
    *("- [ ] x", "[x]: https://evil.example", "[^1]: x", "[^1]", "| a | b |\n| - | - |", "a\n:-:", ":-", "a|b", "|"),
    *("\\|", "<div>", "</details>", "</summary>", "<!--", "-->", "<?", "<![CDATA[", "<script>", "<b>x</b>"),
    *("<https://evil.example>", "*x*", "**x**", "_x_", "__x__", "`x`", "``", "~x~", "~~x~~", "[x](y)", "![x](y)"),
    *("[x][y]", "\\", "\\\\", "&amp;", "&#42;", "https://evil.example", "http://evil.example/x?y=z"),
    *("1http://evil.example", "_https://evil.example", "ftp://evil.example", "www.evil.example", "*www.evil.example"),
    *("a@evil.example", "a.b-c_d@-evil.example", "mailto:a@evil.example", "xmpp:a@evil.example", "@octocat"),
    *("@octo/team", "#1", "octo/spam#1", "GH-1", "0123456789abcdef0123456789abcdef01234567", "deadbeef", "1234567"),
    *(":+1:", ":white_check_mark:", "$x$", "$$x$$", "$`x`$", "$\\color{green}\\Huge x$", "\n", "\r\n", "\n\n"),
    *("\u2028", "\t", " ", "  ", "\x00", "\x1b[31m", "\u202e", "\ud800", "x", "1", ".", ")", "::error::x"),
    *("::set-output name=x::y", "%0A::error::x", "test::x"),
    *HOSTILE[:-1],
)
TEXTS = (
    st.lists(st.one_of(st.sampled_from(CONSTRUCTS), st.text(max_size=5)), min_size=1, max_size=4)
    .map("".join)
    .filter(flowed)
)
PLACES = (
    *("{}", "x\n{}", "{}\nx", "x\n\n{}\n\nx", "> {}", "- {}", "1. {}", "# {}", "**{}**", "x {}", "x{}x", "({})"),
    *("| {} |\n| --- |\n| {} |", "<sub>{}</sub>", "<details>\n<summary>{}</summary>\n\n</details>"),
)
OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
BY_GITHUB = re.compile(r"(?i)@[\w-]|#\d|\bgh-\d|\b[\da-f]{7,40}\b|\$|https?:|www\.|(?-i::[a-z\d_+-]+:)")
"""What GitHub makes links, pictures and formulas of after Markdown, in text that is no code."""

SOURCE, RUN_URL = SourceCommit("https://github.com/t/s", "0123456789abcdef"), "https://github.com/t/s/actions/runs/1"


class Shown(HTMLParser):
    """Elements by name, but for those of single dollar signs; their attributes; text, and what of it is prose."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text, self.prose, self._open = Counter(), [], "", "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self._open.append(tag)
        self.tags[tag] += 1
        self.attributes += attrs

    def handle_endtag(self, tag):
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_comment(self, data):
        self.tags["<!--"] += 1

    def handle_data(self, data):
        self.text += data
        if data == "$" and self._open[-1:] == ["span"]:
            self.tags["span"] -= 1
            self.prose += "<>"
        elif not {"code", "a"} & set(self._open):
            self.prose += f"{data}<>"  # what stands before and behind an element is not one word


def rendered(markdown):
    return Shown(
        cmarkgfm.github_flavored_markdown_to_html(markdown.encode("utf-8", "replace").decode(), options=OPTIONS)
    )


def harmless(text):
    """Return a text without any meaning, but for what tells a test's file from its name."""
    return "x::x" if text.partition("::")[2] else "x"


def texts_of(value, place=()):
    """Yield the place of every text."""
    if isinstance(value, str):
        yield place
    else:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in items:
            yield from texts_of(inner, (*place, key))


def put(document, place, text):
    """Return a copy of a document with another text in a place."""
    if not place:
        return text
    key, *rest = place
    copy = dict(document) if isinstance(document, dict) else list(document)
    copy[key] = put(copy[key], rest, text)
    return copy


DOCUMENTS = TypeAdapter(Report)


def is_free(document, place):
    try:
        DOCUMENTS.validate_python(put(document, place, "anything at all"))
    except ValidationError:
        return False
    return True


SHORT = {(entry.kind, entry.verdict, getattr(entry, "model", None)): entry for entry in REPORT.entries}
DOCUMENT = json.loads(Report.of(SHORT.values(), REPORT.missing, REPORT.changed).to_json())
FREE = [place for place in texts_of(DOCUMENT) if is_free(DOCUMENT, place)]
"""Where a stranger may write what comes to mind."""


def forged(text):
    """Return a report that says the same thing everywhere, so that all comparisons are of one gate."""
    document = DOCUMENT
    for place in FREE:
        document = put(document, place, text)
    said = DOCUMENTS.validate_python(document)
    whole = Report.of(said.entries, said.missing, said.changed, said.findings, said.run)
    document |= {"counts": plain(whole.counts), "verdict": plain(whole.verdict)}
    return read_report(json.dumps({**document, "versions": {text[:100]: text[:100]}}))


def comment(text):
    return rendered(body(Draft(1, forged(text), "gates", "1.1", SOURCE, RUN_URL)))


@cache
def elements_of_comment(text):
    return +comment(text).tags


def require_text(text):
    shown = comment(text)
    expected = elements_of_comment(harmless(text))
    assert shown.tags["a"] <= expected["a"]  # a file outside the repository has no page to link to
    assert {**+shown.tags, "a": 0} == {**expected, "a": 0}
    assert not {"ol", "h1", "hr", "em", "del", "img", "input", "script"} & set(+shown.tags)
    links = {value for name, value in shown.attributes if name == "href"}
    own = {RUN_URL, SOURCE.commit_url, GUIDE}
    assert own <= links
    assert all(link.startswith(f"{SOURCE.repository}/blob/{SOURCE.commit}/") for link in links - own)
    assert not BY_GITHUB.search(shown.prose)


class TestInjection:
    """Texts of a stranger's report, made of whatever Markdown and GitHub give a meaning, as cmark-gfm renders them."""

    @pytest.mark.parametrize("place", PLACES)
    @given(text=TEXTS)
    def test_an_escaped_text_is_a_text_wherever_it_stands(self, place, text):
        escape = escape_summary if "<summary>" in place else escape_markdown
        shown = rendered(place.replace("{}", escape(text)))
        assert +shown.tags == +rendered(place.replace("{}", "x")).tags
        assert flowed(text) in shown.text.replace("\u200b", "") or "\u200b" in text
        assert not BY_GITHUB.search(shown.prose)

    @given(TEXTS)
    def test_nothing_ends_a_block_of_code(self, text):
        shown = rendered(code_block(text, "sh") + "\n\nx")
        assert +shown.tags == {"pre": 1, "code": 1, "p": 1}

    def test_a_stranger_may_write_in_many_places(self):
        assert len({place[-1] for place in FREE if isinstance(place[-1], str)}) >= 12

    @pytest.mark.parametrize("text", [text for text in CONSTRUCTS if flowed(text)])
    def test_a_forged_report_of_one_construct_is_a_text_in_the_comment(self, text):
        require_text(text)

    @settings(max_examples=20)
    @given(TEXTS)
    @example("/")
    def test_a_forged_report_is_a_text_in_the_comment(self, text):
        require_text(text)

    @settings(max_examples=10)
    @given(TEXTS)
    def test_a_forged_report_is_a_text_in_html(self, text):
        pages = (html(forged(each)).replace("<wbr>", "") for each in (text, harmless(text)))  # where lines may break
        shown, expected = map(Shown, pages)
        assert shown.tags == expected.tags
        assert [name for name, _ in shown.attributes] == [name for name, _ in expected.attributes]
        assert shown.tags["script"] == 1  # the page's own

    @settings(max_examples=30)
    @given(TEXTS)
    def test_a_forged_report_orders_the_runner_about_by_no_annotation(self, text):
        for annotation in annotations_of(forged(text)):
            command = annotation.command().encode().decode()
            assert re.fullmatch(r"::(error|warning) [^:\r\n]*::[^\r\n]*", command)
            assert "\x1b" not in command

    @given(TEXTS)
    def test_a_forged_report_sets_no_output_but_its_own(self, tmp_path_factory, text):
        file = tmp_path_factory.mktemp("outputs") / "output"
        set_outputs(file, {"failed-gates": text})
        first, *value, last = file.read_text("utf-8").removesuffix("\n").split("\n")
        name, _, delimiter = first.partition("<<")
        assert (name, last) == ("failed-gates", delimiter)
        assert delimiter not in value
