"""The charts of the Markdown report, drawn by Mermaid's own command line in Chromium."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.browser.conftest import CHROMIUM
from tests.node import node_command

pytestmark = pytest.mark.long

GOLDEN = Path(__file__).parents[1] / "golden" / "report-many.md"
MERMAID = "node_modules/@mermaid-js/mermaid-cli/src/cli.js"


@pytest.fixture
def draw(tmp_path):
    """Draw the charts of a Markdown document; return whether that worked, and the drawings."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    browser = tmp_path / "browser.json"
    browser.write_text(json.dumps({"executablePath": CHROMIUM, "args": ["--no-sandbox"]}))

    def run(document):
        files = ["--puppeteerConfigFile", browser, "--input", document, "--output", tmp_path / "drawn.md"]
        command = node_command(MERMAID, "--quiet", *map(str, files))
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
        return done.returncode == 0, [path.read_text("utf-8") for path in sorted(tmp_path.glob("*.svg"))]

    return run


def test_every_chart_is_drawn(draw):
    worked, drawings = draw(GOLDEN)
    assert worked
    assert len(drawings) == GOLDEN.read_text("utf-8").count("```mermaid") == 2
    for drawing in drawings:
        assert "How likely each change is (blue); what you allow (yellow)" in drawing
        for colour in ("#0969da", "#bf8700"):
            assert f'stroke="{colour}"' in drawing


def test_a_chart_that_mermaid_cannot_read_would_be_noticed(draw, tmp_path):
    broken = tmp_path / "broken.md"
    broken.write_text("```mermaid\nxychart-beta\n  line [1e-3, NaN]\n```\n")
    assert draw(broken) == (False, [])
