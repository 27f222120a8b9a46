"""A release is made of the version that its tag names."""

from pathlib import Path

import pytest


@pytest.fixture
def noxfile():
    pytest.importorskip("nox", reason="needs the extra `dev`")
    import noxfile  # noqa: PLC0415 (it imports nox)

    return noxfile


@pytest.mark.parametrize("tag", ["v1.2.4", "1.2.3", "v1.2", "v1.2.3rc1", ""])
def test_another_tag_is_refused(noxfile, tag):
    wheel = Path("dist/pytest_bayesf1-1.2.3-py3-none-any.whl")
    assert noxfile.wrong_tag(tag, wheel) == f"the tag is {tag}, but the version built is that of v1.2.3"
    assert noxfile.wrong_tag("v1.2.3", wheel) is None


def test_a_push_rehearses_the_release(noxfile):
    assert "build" in noxfile.nox.options.sessions
    assert "nox -s build -- " in Path(noxfile.ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
