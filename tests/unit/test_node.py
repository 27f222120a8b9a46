import pytest

from tests import node


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch, tmp_path):
    monkeypatch.setattr(node, "FOLDER", tmp_path)


def test_a_test_is_skipped_where_nothing_is_installed(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="npm ci --prefix tests"):
        node.run_node("markdown.mjs")


def test_ci_may_not_skip(monkeypatch):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="npm ci --prefix tests"):
        node.run_node("markdown.mjs")
