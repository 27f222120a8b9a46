"""What is made while the site is built: links to the repository, formulas, report.json's page, the gallery."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs.site import outward, schema_page
from docs.site.samples import ROOT, SAMPLES


def test_links_out_of_the_documentation_lead_to_the_repository():
    text = "[a](../../examples/entities) [b](rates.py) [c](../studies/rates.md#x) [d](https://x.org) [e](#here)"
    led = outward.links(text, "explanation/statistics.md")
    assert re.findall(r"\]\((.*?)\)", led) == [
        f"{outward.REPOSITORY}/examples/entities",
        f"{outward.REPOSITORY}/docs/explanation/rates.py",
        "../studies/rates.md#x",
        "https://x.org",
        "#here",
    ]


def test_the_page_of_the_report_links_every_kind_to_its_table():
    page = schema_page.page()
    titles = {title.lower() for title in re.findall(r"^## (\w+)$", page, flags=re.MULTILINE)}
    assert set(re.findall(r"\]\(#(\w+)\)", page)) <= titles
    assert re.search(r"^\| `verdict` \| `failed`, .* \| Of the whole run", page, flags=re.MULTILINE)
    assert re.search(r"^\| `together` \| \[Together\]\(#together\) \|", page, flags=re.MULTILINE)
    assert re.search(r"^\| `changes` \| \[ReportedChanges\]\(#reportedchanges\)\? \|", page, flags=re.MULTILINE)


def test_formulas_are_mathml():
    mathml = pytest.importorskip("docs.site.mathml", reason="needs the extra `docs`", exc_type=ImportError)
    html = r'<p><span class="arithmatex">\(a &lt; \frac12\)</span></p><div class="arithmatex">\[\sum_i x_i\]</div>'
    written = mathml.written(html)
    assert "arithmatex" not in written
    assert "<mfrac>" in written
    assert "&#x0003C;" in written or "&lt;" in written
    assert 'display="block"' in written


def test_every_example_of_a_sample_exists():
    assert all((ROOT / example).is_dir() for sample in SAMPLES for example in sample.examples)


@dataclass(frozen=True)
class Made:
    """A sample that somebody has made."""

    folder: Path
    name: str = "one"
    title: str = "One"
    text: str = "What is seen."
    command: str = "pytest"


def test_the_gallery_shows_what_was_made(tmp_path, monkeypatch):
    gallery = pytest.importorskip("docs.site.gallery", reason="needs the extra `docs`")
    monkeypatch.setattr(gallery, "SAMPLES", [Made(tmp_path / "one"), Made(tmp_path / "two", "two")])
    assert list(gallery.pages()) == ["gallery/index.md"]
    assert "nox -s gallery" in gallery.pages()["gallery/index.md"]
    (tmp_path / "one").mkdir()
    for name in ("report.html", "report.json", "card.svg"):
        (tmp_path / "one" / name).write_text(name, "utf-8")
    (tmp_path / "one" / "report.md").write_text("| a |\n| - |\n| b |\n\n```mermaid\nx-axis\n```\n", "utf-8")
    pages = gallery.pages()
    assert pages["gallery/one/card.svg"] == b"card.svg"
    assert "](one/card.svg)" in pages["gallery/index.md"]
    assert "two" not in pages["gallery/index.md"]
    assert "<td>b</td>" in pages["gallery/one/comment.md"]
    assert '<pre class="mermaid"><code>x-axis' in pages["gallery/one/comment.md"]
