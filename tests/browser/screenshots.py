"""Photograph every state of the HTML report, for people to look at.

``python -m tests.browser.screenshots [DIR [STATE ...]]`` writes each state in light and dark, on a telephone, as
printed, and as three kinds of colour-blind readers see it.
"""

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from pytest_bayesf1.reports.html import html
from tests.browser.conftest import CHROMIUM
from tests.browser.states import STATES

DEFICIENCIES = ("deuteranopia", "protanopia", "tritanopia")
TALLEST = 6_000


def main(folder: str = "screenshots", *states: str) -> None:
    """Write a page and its pictures for each state, by default for all of them."""
    where = Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for state in states or STATES:
            file = where.resolve() / f"{state}.html"
            file.write_text(html(STATES[state]()), "utf-8")
            photograph(browser, file)
        browser.close()


def photograph(browser: Browser, file: Path) -> None:
    """Write all pictures of a page beside it."""
    for name, width, scheme in (("light", 1_100, "light"), ("dark", 1_100, "dark"), ("telephone", 360, "light")):
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.goto(file.as_uri())
        save(page, file.with_name(f"{file.stem}-{name}.png"))
        if name == "light":
            page.pdf(path=file.with_suffix(".pdf"))
            session = page.context.new_cdp_session(page)
            for kind in DEFICIENCIES:
                session.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
                save(page, file.with_name(f"{file.stem}-{kind}.png"))
        page.close()


def save(page: Page, path: Path) -> None:
    """Photograph a page from its top, as far as a picture can reach."""
    page.add_style_tag(content="article { content-visibility: visible !important }")  # what is out of sight too
    size = page.evaluate("[innerWidth, document.documentElement.scrollHeight]")
    clip = {"x": 0, "y": 0, "width": size[0], "height": min(size[1], TALLEST)}
    page.screenshot(path=path, full_page=True, clip=clip)


if __name__ == "__main__":
    main(*sys.argv[1:])
