import re
import xml.etree.ElementTree as ET

import pytest

from pytest_bayesf1.figures.plots import posterior_svg, text_width
from tests.unit.made_up import comparison, entry, estimate


def texts(svg):
    """Return every text in the figure; reading it proves that it is well formed."""
    root = ET.fromstring(svg)  # noqa: S314
    return ["".join(element.itertext()).strip() for element in root.iter() if element.tag.endswith("text")]


def references(svg):
    return set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))


def test_a_figure_is_one_svg_element():
    svg = posterior_svg(entry(comparison()), "a")
    assert svg.startswith("<svg")
    assert svg.rstrip().endswith("</svg>")


def test_a_comparison_shows_its_measure_its_interval_and_the_rope():
    shown = texts(posterior_svg(entry(comparison()), "a"))
    assert "67% in ROPE" in shown
    assert "+0.2 (−1.8 to +2.2)" in shown
    assert "δ of macro-F1: candidate − baseline, in points" in shown
    assert "42% < 0 < 58%" in shown


def test_an_estimate_shows_its_interval_and_the_floor():
    shown = texts(posterior_svg(entry(estimate(p_below_floor=0.25)), "a"))
    assert not any("ROPE" in text for text in shown)
    assert "0.800 (0.780 to 0.820)" in shown
    assert "25% below the floor" in shown


@pytest.mark.parametrize("floor", [0.0, 0.79, 2.0])
def test_no_label_is_cut_off(floor):
    svg = posterior_svg(entry(estimate(floor=floor, p_below_floor=1.0 - 1e-9)), "a")
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
    root = ET.fromstring(svg)  # noqa: S314
    labels = [each for each in root.iter() if each.tag.endswith("text") and "anchor: middle" in each.get("style")]
    assert ">99.9% below the floor" in [each.text for each in labels]
    for each in labels:
        half = 72 * text_width(each.text, 9) / 2
        x = float(re.search(r"[\d.]+", each.get("x") or each.get("transform"))[0])
        assert half - 1 <= x <= width - half + 1


@pytest.mark.parametrize("label", ["<script>alert(1)</script>", "a & b", "$x$", '"quoted"', "späm"])
def test_a_label_is_text_whatever_it_holds(label):
    shown = texts(posterior_svg(entry(comparison(measure=f"f1[{label}]")), "a"))
    assert any(f"F1 of {label}" in text for text in shown)


def test_the_same_entry_gives_the_same_figure():
    made = entry(comparison())
    assert posterior_svg(made, "a") == posterior_svg(made, "a")


def test_figures_in_one_document_do_not_refer_to_each_other_s_parts():
    made = entry(comparison())
    one, other = (references(posterior_svg(made, salt)) for salt in ("a", "b"))
    assert one
    assert not one & other


def test_a_figure_loads_nothing():
    svg = posterior_svg(entry(comparison()), "a")
    assert "<script" not in svg
    assert not re.search(r'(?:href|src)="(?!#)', svg)
