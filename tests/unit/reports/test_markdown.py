import re
from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Place, Report
from pytest_bayesf1.reports.markdown import SourceCommit, escape_markdown, markdown
from tests.unit.made_up import comparison, entry


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a@b.org #12 a @ b # c", "a@\u200bb.org #\u200b12 a @ b # c"),
        ("0.95 f1 ≪ späm 猫", "0.95 f1 ≪ späm 猫"),
        ("\u202egnp \x1b[31m", "\\\\u202egnp \\\\x1b\\[31m"),
        (12, "12"),
        ("deadbeef decade 0123456789abcdef", "deadbe\u200bef decade 012345\u200b6789ab\u200bcdef"),
    ],
)
def test_markdown_escapes(text, escaped):
    assert escape_markdown(text) == escaped


ENTRIES = [
    entry(
        comparison(decision=Decision.EQUIVALENT), verdict, test=f"tests/test_{number:03}.py::test_配送の分類{verdict}"
    )
    for number in range(20)
    for verdict in ("passed", "failed")
]
REPORT = Report.of(ENTRIES)
WORSE = {"decision": Decision.MUCH_WORSE, "mean": -0.0521, "hdi": (-0.07, -0.03)}


def text_of(*entries, **more):
    return markdown(Report.of(entries, **more))


def failed(**changes):
    return entry(comparison(**WORSE, **changes), "failed", test="tests/test_a.py::test_f1", advice="Find what changed.")


def equivalent(test="tests/test_b.py::test_f1"):
    return entry(comparison(decision=Decision.EQUIVALENT), test=test)


def tables(text):
    """Read the tables of gates, each row by the names of its columns; that of the names is called gate."""

    def cells(line):
        return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]

    found = []
    for table in re.findall(r"(?:^\|.*\n)+", text.replace("\u200b", "").replace("&nbsp;", " "), flags=re.MULTILINE):
        head, _, *rows = map(cells, table.splitlines())
        if head[1] == "before → after":
            found.append([dict(zip(["gate", *head[1:]], row, strict=True)) for row in rows])
    return found


def size(text):
    return len(text.encode())


class TestMarkdown:
    def test_of_many_the_worst_are_explained_and_the_others_in_a_fold(self):
        text = markdown(REPORT)
        worst, others, passed = tables(text)
        assert (len(worst), len(others), len(passed)) == (8, 12, 20)
        assert re.findall(r"<summary>(. \d+ .*)</summary>", text) == ["❌ 12 more gates", "✅ 20 passed"]
        also_warned = markdown(Report.of([*REPORT.entries, entry(comparison(), "warned", test="late")]))
        assert "<summary>❌ 13 more gates</summary>" in also_warned
        assert len(re.findall("<summary>❌ test", text)) == 8

    @pytest.mark.parametrize(
        ("most_bytes", "explained", "rows"), [(60_000, 8, 40), (14_000, 3, 40), (8_000, 1, 28), (6_000, 1, 28)]
    )
    def test_the_worst_that_fit_are_shown(self, most_bytes, explained, rows):
        text = markdown(REPORT, most_bytes=most_bytes)
        assert size(text) <= most_bytes
        assert text.count("<details") == text.count("</details>")
        assert len(re.findall("<summary>❌ test", text)) == explained
        assert sum(map(len, tables(text))) == rows
        left = re.findall(r"^(\d+) more gates? in report.html", text, flags=re.MULTILINE)
        assert rows + sum(map(int, left)) == 40
        assert text.rstrip().endswith("</sub>")

    def test_no_number_of_gates_that_passed_takes_the_room_of_those_that_failed(self):
        passed = [equivalent(f"tests/test_b.py::test_{number}") for number in range(1_000)]
        text = markdown(Report.of([failed(), *passed]), most_bytes=60_000)
        assert text.count("Find what changed.") == 1
        assert "<summary>❌ test" in text
        assert "900 more gates in report.html." in text

    def test_of_a_report_without_room_its_title_is_left(self):
        assert "20 of 40 gates failed" in markdown(REPORT, most_bytes=200)

    def test_there_is_room_for_a_long_foot(self):
        versions = {f"package{number}": "1.0" for number in range(100)}
        text = markdown(replace(REPORT, versions=versions), most_bytes=12_000)
        assert "package99 1.0</sub>" in text
        assert size(text) <= 12_000

    def test_tests_and_gates_are_links_to_their_lines(self):
        source = SourceCommit("https://h.org/o/r", "ab12" * 10)
        text = markdown(Report.of([failed(), entry(comparison(), "failed")]), source=source)
        page = f"https://h.org/o/r/blob/{'ab12' * 10}/tests/test_a.py#L1"
        assert f"**[tests/test\\_a.py::\u200btest\\_f1]({page})**" in text
        assert f"[`ab12ab1`](https://h.org/o/r/commit/{'ab12' * 10})" in text
        assert text.count("https://") == 4
        assert text_of(failed()).count("https://") == 1


REPOSITORY = "https://github.com/octo/spam"


def url(file, line=7, folder="."):
    return SourceCommit(REPOSITORY, "ab12", folder).line_url(Place(test="t", file=file, line=line))


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
