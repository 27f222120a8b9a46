"""Photograph the first comparison of a report for the README: ``python docs/make_picture.py REPORT_DIR``."""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parent / "report.png"


def main() -> None:
    """Open the HTML report in Chromium and save its first article."""
    report = Path(sys.argv[1]).resolve() / "report.html"
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 900, "height": 900})
        page.goto(report.as_uri())
        page.locator("article").first.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
