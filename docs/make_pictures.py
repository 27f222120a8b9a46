"""Draw the notebook's figure, photograph reports in Chromium: ``python -m docs.make_pictures``."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from docs import lesson

HERE = Path(__file__).parent
EXAMPLES = ("examples/newsgroups", "examples/digits")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
WIDTH = 1_000


def main() -> None:
    """Make every picture again."""
    card()
    notebook()
    tutorial()


def card() -> None:
    """Run the README's examples without their xfail mark, and photograph the failed gate down to its worst classes."""
    with TemporaryDirectory() as folder, chromium() as browser:
        pytest = [sys.executable, "-m", "pytest", "-q", "--runxfail", f"--bayesf1-report={folder}", *EXAMPLES]
        subprocess.run(pytest, check=False, cwd=HERE.parent)  # noqa: S603 (our own tests; one is to fail)
        page = browser.new_page(viewport={"width": WIDTH, "height": 790}, color_scheme="light", device_scale_factor=2)
        page.goto(Path(folder, "report.html").as_uri())
        page.locator("article.failed").evaluate("article => article.scrollIntoView()")
        page.screenshot(path=HERE / "card.png")


def notebook() -> None:
    """Run the cells of the page of notebooks, and keep the figure."""
    cells = [text for kind, _, text in lesson.blocks(HERE / "how-to" / "notebooks.md") if kind == "python"]
    with TemporaryDirectory() as folder:
        python = [sys.executable, "-c", "\n".join(cells)]
        subprocess.run(python, check=True, cwd=folder, env={**os.environ, "MPLBACKEND": "Agg"})  # noqa: S603 (our page)
        shutil.copyfile(Path(folder, "digits.png"), HERE / "how-to" / "notebooks.png")


def tutorial() -> None:
    """Follow the tutorial until its model is broken, and photograph the top of the report."""
    with TemporaryDirectory() as above, chromium() as browser:
        folder = Path(above, "digits")
        folder.mkdir()
        lesson.follow(folder, "5 Make it better")
        page = browser.new_page(viewport={"width": WIDTH, "height": 760}, color_scheme="light")
        page.goto((folder / "report" / "report.html").as_uri())
        page.screenshot(path=HERE / "tutorial" / "report.png")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


if __name__ == "__main__":
    main()
