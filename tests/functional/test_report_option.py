"""`--bayesf1-report=DIR` writes report.json, report.md and report.html: always, whole, and the same every time."""

import json
import re
from html.parser import HTMLParser

import pytest

FILES = ("report.html", "report.json", "report.md")

GATES = """
    import pytest
    from pytest_bayesf1 import assert_at_least, assert_not_worse
    from classifiers import BASELINE, BETTER, EQUIVALENT, MUCH_WORSE

    @pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
    def test_not_worse(measure):
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure=measure)

    def test_fails():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

    def test_look(bayes_compare):
        bayes_compare(BASELINE, BETTER, rope=0.02)
        bayes_compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], rope=0.02, measure="g_mean")

    def test_floor():
        assert_at_least(BASELINE, 0.8)
"""

PASSING_TEST = """
    from pytest_bayesf1 import assert_not_worse
    from classifiers import BASELINE, EQUIVALENT

    def test_gate():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""


@pytest.fixture
def run(pytester):
    """Run a test file with a report; return the three files' texts."""

    def run_with_report(source, *arguments, directory="out"):
        pytester.makepyfile(test_gates=source)
        pytester.runpytest(f"--bayesf1-report={directory}", *arguments)
        written = pytester.path / directory
        assert sorted(path.name for path in written.iterdir()) == sorted(FILES)
        return {name: (written / name).read_text("utf-8") for name in FILES}

    return run_with_report


def _parsed(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


# What is written


def test_json_is_versioned(run):
    document = _parsed(run(GATES)["report.json"])
    assert (document["format"], document["version"]) == ("pytest-bayesf1 report", 1)
    assert set(document["versions"]) == {"python", "pytest-bayesf1", "numpy", "scipy"}


def test_json_counts_the_verdicts(run):
    document = _parsed(run(GATES)["report.json"])
    assert document["counts"] == {"total": 6, "failed": 1, "warned": 0, "passed": 3}
    assert len(document["entries"]) == 6


def test_json_holds_every_figure_of_a_comparison(run):
    (entry,) = _parsed(run(PASSING_TEST)["report.json"])["entries"]
    assert (entry["test"], entry["decision"], entry["verdict"]) == ("test_gates.py::test_gate", "≈", "passed")
    low, high = entry["hdi"]
    assert low < entry["mean"] < high
    assert entry["p_worse"] + entry["p_better"] == pytest.approx(1)
    assert entry["p_below_rope"] + entry["p_in_rope"] + entry["p_above_rope"] == pytest.approx(1)
    assert (entry["baseline"]["observed"], entry["candidate"]["observed"]) == pytest.approx((0.9, 0.899))
    assert len(entry["density"]["values"]) > 50


@pytest.mark.parametrize("name", ["report.md", "report.html"])
def test_pages_tell_what_failed_and_what_to_do(run, name):
    text = run(GATES)[name]
    assert "1 failed, 0 warned, 3 passed, 2 without a gate" in text
    assert "The candidate is significantly worse: " in text
    assert "Find what changed (data, features, labels)" in text


def test_html_has_a_figure_for_every_entry(run):
    page = _Page.of(run(GATES)["report.html"])
    assert page.tags.count("svg") == 6


@pytest.mark.parametrize("source", ["def test_nothing(): pass", ""], ids=["no comparison", "no test"])
def test_written_without_a_comparison_too(run, source):
    files = run(source)
    assert _parsed(files["report.json"])["entries"] == []
    assert "No comparison was made in this run." in files["report.md"]
    assert "No comparison was made in this run." in files["report.html"]


def test_written_when_collecting_fails(run):
    assert _parsed(run("import there_is_no_such_module")["report.json"])["entries"] == []


def test_not_written_when_tests_are_only_collected(pytester):
    pytester.makepyfile(PASSING_TEST)
    pytester.runpytest("--bayesf1-report=out", "--collect-only")
    assert not (pytester.path / "out").exists()


def test_not_written_without_being_asked(pytester):
    before = set(pytester.path.iterdir())
    pytester.makepyfile(test_gates=PASSING_TEST)
    pytester.runpytest("-p", "no:cacheprovider")
    written = {path.name for path in set(pytester.path.iterdir()) - before}
    assert written - {"__pycache__"} == {"test_gates.py"}


def test_a_later_run_replaces_the_report(run):
    run(GATES)
    (entry,) = _parsed(run(PASSING_TEST)["report.json"])["entries"]
    assert entry["test"] == "test_gates.py::test_gate"


@pytest.mark.parametrize(
    "arguments",
    [["-n0"], ["-n2"], ["--randomly-seed=1"], ["--randomly-seed=2"]],
    ids=lambda arguments: arguments[0],
)
def test_the_same_bytes_in_every_run(run, arguments):
    assert run(GATES, *arguments, directory="again") == run(GATES, "-pno:randomly")


# Nothing from outside, nothing let in


class _Page(HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""

    @classmethod
    def of(cls, text):
        page = cls()
        page.feed(text)
        return page

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def test_html_refers_to_nothing_outside_itself(run):
    page = _Page.of(run(GATES)["report.html"])
    assert not {"script", "link", "img", "iframe", "object", "embed", "base"} & set(page.tags)
    for name, value in page.attributes:
        if re.search("https?:|//", value or ""):
            assert name.startswith("xmlns") or name == "rdf:resource"  # they name a vocabulary, and load nothing
        if name in ("href", "xlink:href", "src"):
            assert value.startswith("#")


def test_html_styles_load_nothing(run):
    text = run(GATES)["report.html"]
    assert "@import" not in text
    assert all(target.startswith("#") for target in re.findall(r"url\(['\"]?([^)]*)\)", text))


SCRIPT, PIPE, MENTION = '<script>alert("1")</script>', "a|b\nc", "@mention 'quoted' `#1`"

HOSTILE = f"""
    import pytest
    from pytest_bayesf1 import ConfusionMatrix, assert_not_worse

    LABELS = [{SCRIPT!r}, {PIPE!r}, {MENTION!r}]

    @pytest.mark.parametrize("measure", ["f1_macro", "f1[" + LABELS[0] + "]"], ids=[{SCRIPT!r}, "a|b @mention"])
    def test_gate(measure):
        baseline = ConfusionMatrix([[900, 50, 50], [50, 900, 50], [50, 50, 900]], LABELS)
        candidate = ConfusionMatrix([[800, 100, 100], [100, 800, 100], [100, 100, 800]], LABELS)
        assert_not_worse(baseline, candidate, rope=0.02, measure=measure)
"""


def test_json_keeps_names_as_they_are(run):
    entries = _parsed(run(HOSTILE)["report.json"])["entries"]
    assert {change["label"] for change in entries[0]["largest_drops"]} == {SCRIPT, PIPE, MENTION}
    assert {entry["test"] for entry in entries} == {
        f"test_gates.py::test_gate[{SCRIPT}]",
        "test_gates.py::test_gate[a|b @mention]",
    }


def test_html_shows_names_as_they_are_and_runs_nothing(run):
    page = _Page.of(run(HOSTILE)["report.html"])
    assert "script" not in page.tags
    for name in (SCRIPT, PIPE, MENTION, f"test_gate[{SCRIPT}]", f"f1[{SCRIPT}]"):
        assert name in page.text


def test_html_names_stay_inside_their_attributes(run):
    source = """
    from pytest_bayesf1 import ConfusionMatrix, assert_not_worse

    def test_gate():
        label = '" onload="alert(1)'
        matrix = ConfusionMatrix([[90, 5], [5, 90]], [label, "ham"])
        assert_not_worse(matrix, matrix, rope=0.5, measure=f"f1[{label}]")
    """
    page = _Page.of(run(source)["report.html"])
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert 'f1[" onload="alert(1)]' in page.text


def test_markdown_has_neither_tags_nor_mentions_of_others_making(run):
    text = run(HOSTILE)["report.md"]
    assert "<script" not in text
    assert not re.search(r"@mention|#1\b", text)
    assert not re.search(r"(?<!\\)`", text)


def test_markdown_tables_keep_their_shape(run):
    lines = run(HOSTILE)["report.md"].splitlines()
    columns = 0
    for previous, line in zip(["", *lines], lines, strict=False):
        if not line.startswith("|"):
            continue
        found = len(re.findall(r"(?<!\\)\|", line))
        columns = found if not previous.startswith("|") else columns
        assert found == columns
    assert any("a\\|b c" in line and line.startswith("|") for line in lines)


# Where it is written


def test_directory_on_the_command_line_is_relative_to_where_pytest_was_called(pytester, monkeypatch):
    pytester.makeini("[pytest]")
    pytester.makepyfile(PASSING_TEST)
    monkeypatch.chdir(pytester.mkdir("below"))
    pytester.runpytest("--bayesf1-report=deep/out", "..")
    assert (pytester.path / "below" / "deep" / "out" / "report.json").is_file()


def test_directory_in_the_ini_file_is_relative_to_rootdir(pytester, monkeypatch):
    pytester.makeini("[pytest]\nbayesf1_report = deep/out")
    pytester.makepyfile(PASSING_TEST)
    monkeypatch.chdir(pytester.mkdir("below"))
    pytester.runpytest("..")
    assert (pytester.path / "deep" / "out" / "report.json").is_file()


def test_absolute_directories_stay(pytester, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    pytester.makepyfile(PASSING_TEST)
    pytester.runpytest(f"--bayesf1-report={elsewhere}")
    assert (elsewhere / "report.json").is_file()


def test_the_command_line_beats_the_ini_file(pytester):
    pytester.makeini("[pytest]\nbayesf1_report = from_ini")
    pytester.makepyfile(PASSING_TEST)
    pytester.runpytest("--bayesf1-report=from_command_line")
    assert (pytester.path / "from_command_line" / "report.json").is_file()
    assert not (pytester.path / "from_ini").exists()


def test_terminal_says_where(pytester, section):
    pytester.makepyfile("def test_nothing(): pass")
    assert section(pytester.runpytest("--bayesf1-report=out")) == [f"report: {pytester.path / 'out' / 'report.html'}"]


# When it cannot be written


@pytest.fixture
def occupied(pytester):
    """Return a file that stands where the directory should."""
    return pytester.makefile(".txt", out="mine").rename(pytester.path / "out")


@pytest.mark.parametrize("source", [PASSING_TEST, ""], ids=["passing", "no test"])
def test_a_report_that_cannot_be_written_fails_the_run_and_says_why(pytester, section, occupied, source):
    pytester.makepyfile(source)
    result = pytester.runpytest("--bayesf1-report=out")
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    assert section(result)[-1] == f"report NOT written: {occupied}: File exists"
    assert occupied.read_text() == "mine"


def test_a_report_that_cannot_be_written_leaves_failures_failures(pytester, section, occupied):
    pytester.makepyfile(GATES)
    result = pytester.runpytest("--bayesf1-report=out")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert section(result)[-1].startswith("report NOT written")


def test_a_report_that_cannot_be_written_leaves_the_last_one_whole(pytester, run):
    before = run(PASSING_TEST)
    page = pytester.path / "out" / "report.html"
    page.unlink()
    page.mkdir()
    pytester.makepyfile(test_gates=GATES)
    assert pytester.runpytest("--bayesf1-report=out").ret != pytest.ExitCode.OK
    for name in ("report.json", "report.md"):
        assert (page.parent / name).read_text("utf-8") == before[name]
    assert sorted(path.name for path in page.parent.iterdir()) == sorted(FILES)


def test_figures_that_do_not_exist_are_null(run):
    source = """
    import numpy as np

    def test_gate(bayes_compare):
        def constant(p):
            return np.ones(p.shape[:-2])

        bayes_compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], rope=0.02, measure=constant)
    """
    (entry,) = _parsed(run(source)["report.json"])["entries"]
    assert entry["mean"] == 0
