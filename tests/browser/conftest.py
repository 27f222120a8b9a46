import os
import shutil

import pytest
from filelock import FileLock

from pytest_bayesf1.reports.html import html
from tests.browser.states import STATES

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def chromium():
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    playwright_api = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    with playwright_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Give the file of a state, rendered once for all workers."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "pages"
    folder.mkdir(exist_ok=True)

    def file(state):
        path = folder / f"{state}.html"
        with FileLock(folder / f"{state}.lock"):
            if not path.exists():
                path.write_text(html(STATES[state]()), "utf-8")
        return path

    return file


@pytest.fixture
def opened(chromium, files):
    """Open a state: a page that notes what it asks for and what it complains about."""
    contexts = []

    def opened(state, width=1000, scheme="light", **options):
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
        contexts.append(context)
        page = context.new_page()
        page.messages, page.requests = [], []
        page.on("console", lambda message: page.messages.append(message.text))
        page.on("pageerror", lambda error: page.messages.append(str(error)))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(files(state).as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
