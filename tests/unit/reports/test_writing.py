import json
from pathlib import Path

import pytest

from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports import html as render
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.writing import write_report
from pytest_bayesf1.results.comparison import ClassChange
from tests.unit.made_up import comparison, entry

TEXTS = ["report.html", "report.json", "report.md"]
NAMES = ["card.png", "card.svg", *TEXTS]


@pytest.fixture
def report():
    return Report.of([entry(comparison(), "failed", test="tests/test_späm.py::test_f1")])


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def test_all_files_are_written_into_a_new_directory(report, tmp_path):
    directory = tmp_path / "new" / "reports"
    assert write_report(report, directory) == directory / "report.html"
    assert names(directory) == NAMES


def test_a_path_that_ends_in_json_takes_the_json_alone(report, tmp_path):
    write_report(report, tmp_path / "all")
    file = tmp_path / "new" / "last-night.json"
    assert write_report(report, file) == file
    assert names(file.parent) == ["last-night.json"]
    assert file.read_bytes() == (tmp_path / "all" / "report.json").read_bytes()


def test_the_files_are_utf_8_and_hold_the_report(report, tmp_path):
    write_report(report, tmp_path)
    document = json.loads((tmp_path / "report.json").read_bytes().decode("utf-8"))
    assert document["entries"][0]["test"] == "tests/test_späm.py::test_f1"
    assert "test_späm" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "späm" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_lines_end_alike_on_every_platform(report, tmp_path):
    write_report(report, tmp_path)
    for name in TEXTS:
        assert b"\r" not in (tmp_path / name).read_bytes()


def test_older_files_are_replaced_and_others_left_alone(report, tmp_path):
    (tmp_path / "report.md").write_text("old " * 100_000)
    (tmp_path / "notes.txt").write_text("mine")
    write_report(report, tmp_path)
    assert not (tmp_path / "report.md").read_text(encoding="utf-8").startswith("old")
    assert names(tmp_path) == sorted(["notes.txt", *NAMES])


def test_a_report_that_cannot_be_rendered_changes_no_file(report, tmp_path, monkeypatch):
    def fail(_):
        raise RenderError("report.html.j2: no such thing")

    (tmp_path / "report.json").write_text("old")
    monkeypatch.setattr(render, "html", fail)
    with pytest.raises(RenderError, match="no such thing"):
        write_report(report, tmp_path)
    assert names(tmp_path) == ["report.json"]
    assert (tmp_path / "report.json").read_text() == "old"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), OSError("No space left on device")])
def test_a_write_that_fails_leaves_no_partial_file(report, tmp_path, monkeypatch, error):
    def fail(*_):
        raise error

    (tmp_path / "report.json").write_text("old")
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(RenderError, match="No space left on device"):
        write_report(report, tmp_path)
    assert names(tmp_path) == ["report.json"]
    assert (tmp_path / "report.json").read_text() == "old"


def test_a_directory_in_the_way_leaves_older_files_alone(report, tmp_path):
    (tmp_path / "report.json").write_text("old")
    (tmp_path / "report.md").mkdir()
    with pytest.raises(RenderError, match=r"report\.md: "):
        write_report(report, tmp_path)
    assert names(tmp_path) == ["report.json", "report.md"]
    assert (tmp_path / "report.json").read_text() == "old"


def test_a_label_that_utf_8_cannot_write_is_escaped(tmp_path):
    drops = (ClassChange("half \ud800 pair", 0.9, 0.8),)
    write_report(Report.of([entry(comparison(largest_drops=drops), "failed")]), tmp_path)
    for name in TEXTS:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "half \\ud800 pair" in text.replace("\\\\", "\\")  # Markdown shows two backslashes as one


def test_a_file_in_the_way_is_a_render_error(report, tmp_path):
    in_the_way = tmp_path / "reports"
    in_the_way.write_text("")
    with pytest.raises(RenderError, match="reports: "):
        write_report(report, in_the_way)


def test_the_card_is_of_the_worst_entry(report, tmp_path):
    passed = entry(comparison(), "passed", test="a.py::test_a")
    write_report(Report.of([passed, *report.entries]), tmp_path)
    assert "test_späm" in (tmp_path / "card.svg").read_text("utf-8")


def test_an_older_card_is_removed_where_there_is_nothing_to_draw(report, tmp_path):
    write_report(report, tmp_path)
    write_report(Report.of([]), tmp_path)
    assert names(tmp_path) == TEXTS
