"""Links to lines of files, whatever a stranger calls his file."""

import pytest

from pytest_bayesf1.reports.entry import Place
from pytest_bayesf1.reports.markdown import Source
from tests.unit.hostile import HOSTILE

REPOSITORY = "https://github.com/octo/spam"


def url(file, line=7, folder="."):
    return Source(REPOSITORY, "ab12", folder).line_url(Place(test="t", file=file, line=line))


@pytest.mark.parametrize(
    ("found", "path"),
    [
        (url("tests/test_a.py"), "tests/test_a.py#L7"),
        (url("./test_a.py", 0), "test_a.py"),
        (url("bayesf1.yaml", folder="models/spam"), "models/spam/bayesf1.yaml#L7"),
        (url("../bayesf1.yaml", folder="models"), "bayesf1.yaml#L7"),
        (url("a b(1)|#?.yaml"), "a%20b%281%29%7C%23%3F.yaml#L7"),
    ],
)
def test_a_line_has_a_page(found, path):
    assert found == f"{REPOSITORY}/blob/ab12/{path}"


@pytest.mark.parametrize("file", ["", "../secret", "/etc/passwd", "a/../../b"])
def test_what_is_not_in_the_repository_has_none(file):
    assert url(file) == ""


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_ends_a_link(name):
    assert not set(url(f"x{name}")) & set(" ()<>|[]\n\"'`*\\")
