"""Photograph the top of a report for the README: ``python docs/make_picture.py REPORT_DIR``."""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parent / "report.png"


def main() -> None:
    """Open the HTML report in Chromium and save what stands above the first comparison's details."""
    report = Path(sys.argv[1]).resolve() / "report.html"
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 900}, device_scale_factor=1.5)
        page.goto(report.as_uri())
        below = page.locator("article figure + p").first.bounding_box()
        assert below is not None
        page.screenshot(path=PICTURE, full_page=True, clip={"x": 0, "y": 0, "width": 1000, "height": below["y"]})
        browser.close()


if __name__ == "__main__":
    main()
