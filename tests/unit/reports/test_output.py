import csv
from io import StringIO

import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports import html as render
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.output import changes_csv, write_report
from tests.unit.made_up import comparison, entry


def test_numbers_of_changes_stay_numbers():
    changes = compare(["a", "b"], ["a", "b"], ["b", "b"], rope=0.01, measure="accuracy", n_draws=1_000).changes
    (changed,) = csv.DictReader(StringIO(changes_csv(changes)))
    assert (float(changed["contribution"]), changed["id"]) == (-0.5, "0")


TEXTS = ["report.html", "report.json", "report.md"]


def names(directory):
    return sorted(path.name for path in directory.iterdir())


class TestWriting:
    @pytest.fixture
    def report(self):
        return Report.of([entry(comparison(), "failed", test="tests/test_späm.py::test_f1")])

    def test_a_path_that_ends_in_json_takes_the_json_alone(self, report, tmp_path):
        write_report(report, tmp_path / "all")
        assert "test_späm" in (tmp_path / "all" / "report.html").read_text("utf-8")
        file = tmp_path / "new" / "last-night.json"
        assert write_report(report, file) == file
        assert names(file.parent) == ["last-night.json"]
        assert file.read_bytes() == (tmp_path / "all" / "report.json").read_bytes()

    def test_a_page_that_cannot_be_rendered_says_why_and_loses_no_other(self, report, tmp_path, monkeypatch):
        def fail(_):
            raise ValueError("no <such>\nthing")

        write_report(Report.of([]), tmp_path)
        monkeypatch.setattr(render, "html", fail)
        with pytest.raises(RenderError, match=r"^report\.html: no <such> thing \(ValueError\)\. "):
            write_report(report, tmp_path)
        assert names(tmp_path) == TEXTS
        assert "no &lt;such&gt; thing (ValueError)" in (tmp_path / "report.html").read_text("utf-8")
        for name in ("report.json", "report.md"):
            assert "test_späm" in (tmp_path / name).read_text("utf-8").replace("\\", "")

    def test_a_file_in_the_way_is_a_render_error(self, report, tmp_path):
        in_the_way = tmp_path / "reports"
        in_the_way.write_text("")
        with pytest.raises(RenderError, match="reports: "):
            write_report(report, in_the_way)
