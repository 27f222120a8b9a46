"""Histories as Markdown and as a page."""

import pytest

from pytest_bayesf1.reports.html import history_html
from pytest_bayesf1.reports.markdown import history_markdown
from tests.unit.hostile import HOSTILE
from tests.unit.reports.html.test_render import Outline
from tests.unit.reports.test_history_told import FIRST, WORSE, history, version


def test_markdown_has_a_table_for_each():
    text = history_markdown([history(FIRST, WORSE, shallow=True), history(FIRST, file="b.csv")])
    lines = text.splitlines()
    assert lines[0] == "## spam.csv"
    assert "## b.csv" in lines
    assert "| 2026-05-02 | `1a2b3c4` | 0.899 (0.880 to 0.920) | the first | the anchor |  | a commit |" in lines
    rows = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in rows} == {8}
    assert lines[lines.index(rows[0]) + 4] == ""
    assert "This clone is shallow" in text


def test_the_page_is_one_file_without_scripts():
    text = history_html([history(FIRST, WORSE), history(version(problem="damaged"), file="b.csv")])
    outline = Outline(text)
    assert outline.open == []
    assert "script" not in outline.tags
    assert outline.tags.count("svg") == 3  # two scores and a total; the second has nothing to draw
    assert outline.tags.count("table") == 2
    policy = dict(outline.attributes)["content"]
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in outline.attributes, policy
    assert not any(name in ("src", "href") for name, value in outline.attributes if not str(value).startswith("#"))
    assert "≪ −5.0 (−6.2 to −3.8)" in outline.text


@pytest.mark.parametrize("name", HOSTILE)
def test_strangers_names_are_text(name):
    hostile = history(FIRST, version(subject=name, problem=name), file=name, measure_words=name)
    plain = history(FIRST, version(subject="a", problem="a"))
    outlines = [Outline(history_html([each])) for each in (hostile, plain)]
    assert outlines[0].tags.count("tr") == outlines[1].tags.count("tr")
    assert "script" not in outlines[0].tags
    assert "img" not in outlines[0].tags
    text = history_markdown([hostile])
    assert "<script" not in text
    assert "\x1b" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 4


def test_no_history_at_all():
    assert history_markdown([]) == ""
    assert Outline(history_html([])).open == []
