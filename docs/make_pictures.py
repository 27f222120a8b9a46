"""Draw the README's card and notebook, photograph a report in Chromium: ``python -m docs.make_pictures``."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from docs import lesson

HERE = Path(__file__).parent
GATE = HERE.parent / "examples/newsgroups/test_newsgroups.py"
TEST = "test_bernoulli_bayes_must_not_replace_the_multinomial_one"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
WIDTH = 1_000


def main() -> None:
    """Make every picture again."""
    card()
    notebook()
    tutorial()


def card() -> None:
    """Run a gate that fails on published counts without its xfail mark, and keep the card of its report."""
    with TemporaryDirectory() as folder:
        pytest = [sys.executable, "-m", "pytest", "-q", "--runxfail", f"--bayesf1-report={folder}", f"{GATE}::{TEST}"]
        subprocess.run(pytest, check=False, cwd=GATE.parent.parent)  # noqa: S603 (our own test; it is to fail)
        shutil.copyfile(Path(folder, "card.png"), HERE / "card.png")


def notebook() -> None:
    """Run the cells of the page of notebooks, and keep the figure."""
    cells = [text for kind, _, text in lesson.blocks(HERE / "how-to" / "notebooks.md") if kind == "python"]
    with TemporaryDirectory() as folder:
        python = [sys.executable, "-c", "\n".join(cells)]
        subprocess.run(python, check=True, cwd=folder, env={**os.environ, "MPLBACKEND": "Agg"})  # noqa: S603 (our page)
        shutil.copyfile(Path(folder, "digits.png"), HERE / "how-to" / "notebooks.png")


def tutorial() -> None:
    """Follow the tutorial until its model is broken, and photograph the top of the report."""
    with TemporaryDirectory() as above, sync_playwright() as playwright:
        folder = Path(above, "digits")
        folder.mkdir()
        lesson.follow(folder, "5 Make it better")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 760}, color_scheme="light")
        page.goto((folder / "report" / "report.html").as_uri())
        page.screenshot(path=HERE / "tutorial" / "report.png")
        browser.close()


if __name__ == "__main__":
    main()
