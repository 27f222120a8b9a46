"""Templates print what has a type, and nothing else: a misspelt attribute is found before any report is made."""

import pytest
from jinja2 import DictLoader, Environment

from pytest_bayesf1.reports.entry import AnyEntry, Gate, Report
from pytest_bayesf1.reports.html import Card, DrawnTable, Forest, HeatMap, Page, Plot, html_templates
from pytest_bayesf1.reports.markdown import Source, markdown_templates
from pytest_bayesf1.reports.parts import PartTable
from pytest_bayesf1.results.versions import History
from tests.unit.reports.template_types import Checker, types_of_filters

PARAMETERS = {
    "entry": AnyEntry,
    "report": Report,
    "page": Page,
    "card": Card,
    "forest": Forest,
    "figure": Plot,
    "map": HeatMap,
    "cards": list[Card],
    "gate": Gate,
    "table": DrawnTable,
    "tables": list[PartTable],
    "source": Source,
    "drawn": list[tuple[History, Forest, Forest]],
    "histories": list[History],
}
"""What macros and templates are given, by the names that they know it by."""

TEMPLATES = {
    "report.html.j2": html_templates,
    "entry.html.j2": html_templates,
    "overview.html.j2": html_templates,
    "sections.html.j2": html_templates,
    "history.html.j2": html_templates,
    "report.md.j2": markdown_templates,
    "history.md.j2": markdown_templates,
}


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_attribute_is_one_of_its_type(template):
    environment = TEMPLATES[template]().environment
    checker = Checker(environment, template, PARAMETERS, types_of_filters(environment.filters)).check()
    assert checker.missing == []
    assert checker.followed >= (2 if template == "history.md.j2" else 10)  # whose cells are a tuple


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("{{ entry.measure }}", []),
        ("{{ entry.mesure }}", ["mesure"]),
        ("{{ entry.baseline.density.peak }}", ["peak"]),
        ("{% for move in entry.largest_moves %}{{ move.true }}{{ move.label }}{% endfor %}", ["label"]),
        ("{% set counts = entry.contingency %}{{ counts.total }}{{ counts.both }}", ["both"]),
        ("{% macro row(entry) %}{{ entry.hdi }}{{ entry.hdy }}{% endmacro %}", ["hdy"]),
        ("{% if entry.verdikt %}{{ report.to_json() }}{{ report.to_jso() }}{% endif %}", ["verdikt", "to_jso"]),
        ("{% for n, score in ((1, entry.baseline),) %}{{ score.mean }}{{ score.men }}{% endfor %}", ["men"]),
        ("{{ ('a' ~ entry.partt) | upper }}", ["partt"]),
    ],
)
def test_a_misspelt_attribute_is_found(text, missing):
    environment = Environment(loader=DictLoader({"t": text}), autoescape=True)
    checker = Checker(environment, "t", PARAMETERS, {}).check()
    assert [each.rpartition(".")[2] for each in checker.missing] == missing
