from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import Decision
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.overview import headline, page_of
from pytest_bayesf1.reports.page import COMMENT, FILE, TERMINAL, Advice, plain
from pytest_bayesf1.results.comparison import UnsupportedClass
from pytest_bayesf1.results.run import Finding, FindingKind
from pytest_bayesf1.text import fitted
from tests.unit.made_up import a_class, comparison, entry, error, judged, score
from tests.unit.reports.golden_report import OF_A_POOL

LOOSER = Finding("a", FindingKind.LOOSENED, "rope", "you allowed 1 point, this pull request allows 5 points")
GONE = Finding("b", FindingKind.MISSING, "", "its test was skipped")
NEW = Finding("c", FindingKind.OUTDATED, "", "gates.json does not list it")
NEEDLESS = Finding("d", FindingKind.OUTDATED, "", "gates.json accepts what does not occur any more")


def report(*findings, verdict="passed"):
    return Report.of([entry(comparison(), verdict)], findings=findings)


@pytest.mark.parametrize(
    ("verdicts", "errors", "expected"),
    [
        (["failed", "warned", "warned", ""], 1, "1 of 4 gates failed · blocks merge"),
        (["warned", "passed"], 0, "1 of 2 gates warned"),
        ([], 1, "The gate had an error · blocks merge"),
        (["passed"] * 12, 0, "All 12 gates passed"),
        (["passed", "", ""], 0, "The gate passed"),
        (["passed"] * 3 + ["undecided"] * 2, 0, "2 of 5 gates could not tell"),
        (["accepted", "passed"], 0, "1 of 2 gates lost what you accepted"),
        (["expected"], 0, "The gate failed as expected (xfail)"),
        (["", ""], 0, "No gate ran: 2 comparisons without a gate"),
        ([], 0, "No gate ran"),
    ],
)
def test_the_headline_counts_gates(verdicts, errors, expected):
    entries = [entry(comparison(), verdict, test=f"test_{number}") for number, verdict in enumerate(verdicts)]
    entries += errors * [error(InputError("rope", "a number", "none"), test="a")]
    assert headline(Report.of(entries)) == expected
    if verdicts in ([], ["", ""]) and not errors:
        assert "nothing has passed" in page_of(Report.of(entries), FILE).advice[0].text


def test_the_headline_counts_classes_and_slices_in_brackets():
    kinds = [("failed", "class a", "per_class"), ("passed", "class b", "per_class"), ("failed", "x=y", "slices")]
    parts = [replace(entry(comparison(), each, part=part), gate=gate) for each, part, gate in kinds]
    found = headline(Report.of([entry(comparison()), *parts]))
    assert found == "The gate failed (1 of 2 classes, 1 of 1 slice) · blocks merge"


@pytest.mark.parametrize(
    ("kinds", "said"),
    [("LC", "loosens 1 gate and alters 1 gate"), ("C", "alters 1 gate"), ("LL", "loosens 2 gates: said")],
)
def test_what_is_looser_and_what_is_another_are_counted_apart(kinds, said):
    kind = {"L": FindingKind.LOOSENED, "C": FindingKind.CHANGED}
    found = [Finding(f"t{n}", kind[each], "", "said" if kinds == "LL" else f"{n}") for n, each in enumerate(kinds)]
    assert headline(report(*found)) == f"This change {said}; the gate passed"
    both = [Finding("t", each, "", f"{n}", change="c") for n, each in enumerate(kind.values())]
    assert headline(report(*both)) == "This change loosens 1 gate; the gate passed"
    (advice,) = page_of(report(*both), replace(TERMINAL, root="../..")).advice
    assert advice.commands.startswith("bayesf1 accept t --loosened c --root ../.. --reason")


def test_findings_are_listed_what_loosens_first_with_the_commands_that_accept_it():
    changes = [replace(LOOSER, gate=f"t{n}", change=f"c{n}" * (n != 1)) for n in range(9)]
    page = page_of(report(NEW, NEEDLESS, GONE, *changes), FILE)
    assert [(each.kind, len(each.rows)) for each in page.notes] == [("loosened", 10), ("", 2)]
    (advice,) = page.advice
    commands = [line.split()[2:5] for line in advice.commands.splitlines()]
    assert commands == [[f"t{n}", "--loosened", f"c{n}"] for n in (0, 2, 3, 4, 5)]
    wanted = page_of(report(replace(LOOSER, accepted="a smaller model"), GONE), FILE)
    assert [each.kind for each in (*wanted.accepted, *wanted.notes)] == ["accepted", "loosened"]
    many = [Finding(f"test_{number:02}", FindingKind.MISSING, "", "gone") for number in range(25)]
    assert [each.left for each in page_of(report(*many), TERMINAL).notes] == [22]


def test_a_clear_gain_is_in_the_first_table_with_its_range_and_the_other_passes_are_counted():
    gain = comparison(decision=Decision.MUCH_BETTER, candidate=score(0.871), baseline=score(0.8), hdi=(0.05, 0.09))
    entries = [entry(gain, "passed", test="gain"), *(entry(comparison(), "passed", test=f"test_{n}") for n in range(3))]
    for extent in (TERMINAL, COMMENT, FILE):
        table, fold = page_of(Report.of(entries), extent).gates
        assert ["+7.1" in str(row) and "+5.0 to +9.0" in str(row) for row in table.rows] == [True]
        assert fold.summary == "3 more passed"


def test_accepted_losses_name_the_part():
    part = entry(comparison(), "accepted", test="a", **a_class("ham"))
    (notes,) = page_of(Report.of([entry(comparison(), test="a"), part]), FILE).accepted
    assert [name for name, _ in notes.rows] == ["a class ham"]


def test_a_name_leaves_out_its_file_where_no_other_has_it():
    tests = ["a.py::x", "a.py::y", "b.py::y", "b.py::Class::x", "z"]
    (grid,) = page_of(Report.of(entry(comparison(), "failed", test=test) for test in tests), TERMINAL).gates
    names = {plain(row.cells[1]) for row in grid.rows}
    assert names == {"x", "Class::x", "a.py::y", "b.py::y", "z"}


@given(st.lists(st.text("ab", min_size=1, max_size=60), unique=True, max_size=30), st.integers(12, 40))
def test_names_that_are_cut_stay_distinct(names, most):
    cut = fitted(names, most)
    assert max(map(len, cut), default=0) <= most
    assert len(set(cut)) == len(names)


def test_gates_with_the_same_advice_share_it_and_the_first_command():
    advice = {"a": "Look.", "b": "Look.", "c": "Stop.", "d": ""}
    entries = [
        entry(comparison(), "failed", test=test, advice=text, way_out="Or", command=f"accept {test}" * (test == "b"))
        for test, text in advice.items()
    ]
    entries += [entry(comparison(), each, test=each, advice="x") for each in ("passed", "accepted", "undecided")]
    found = page_of(Report.of(entries), TERMINAL).advice
    assert [(each.about, each.text, each.commands) for each in found] == [
        ("a, b", "Look.\nOr. For b:", "accept b"),
        ("c", "Stop.", ""),
    ]


def test_what_is_missing_is_named_and_counted():
    many = [f"test_a.py::test[{number:02}]" for number in range(12)]
    page = page_of(Report.of([], many), FILE)
    assert page.title == "Incomplete, 12 tests did not finish: no gate ran · blocks merge"
    (line,) = (plain(each.text) for each in page.notices)
    assert line.endswith("test_a.py::test[09] and 2 more")


def test_caveats_of_the_data_are_listed_once_for_each_gate():
    stray = comparison(unsupported=(UnsupportedClass("I cannot answer", (1, 0), listed=False),))
    entries = [entry(stray, test=f"t{number}") for number in range(23)]
    parts = [entry(stray, test=test, part="class a") for test in ("t0", "of parts alone")]
    whole = entry(comparison(), test="of parts alone")
    (notes,) = page_of(Report.of([*entries, whole, *parts]), FILE).caveats
    assert (len(notes.rows), notes.left) == (20, 3)
    assert "'I cannot answer'" in notes.rows[0][1]
    assert page_of(report(), FILE).caveats == ()


def test_changed_files_are_named_with_the_version_that_counted():
    read = {"old.csv": "base", "new.csv": "new", "b.csv": "base", "pool.csv": "checked out"}
    (line,) = (plain(each.text) for each in page_of(Report.of([], changed=read), FILE).notices)
    assert line.startswith("4 baseline or gate files changed")
    assert [sentence.rpartition(": ")[2] for sentence in line.removesuffix(".").split(". ")[1:]] == [
        "b.csv, old.csv",
        "pool.csv",
        "new.csv",
    ]


JUDGE = judged((0.1, 2, 9), (-0.2, 3, 8))
POOL = replace(OF_A_POOL, n_pool=100, n_labelled=99)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"pool": replace(POOL, n_labelled=100)}, "t needs a larger pool"),
        ({"pool": POOL}, "t may need a larger pool"),
        ({"pool": POOL, "examples_needed": 1}, "t needs 1 more label"),
        ({"judge": JUDGE}, "t needs more answers, graded by people and the judge"),
        ({"judge": JUDGE, "examples_needed": 340}, "t needs 340 more answers"),
        ({}, "t no number of examples is likely to settle it"),
        ({"examples_needed": 340}, "t needs 340 more examples"),
        ({"examples_needed": 0}, "t"),
    ],
)
def test_what_an_open_gate_lacks_is_told(figures, said):
    open_one = entry(comparison(**{"examples_needed": None, **figures}), "undecided", test="t")
    failed = entry(comparison(examples_needed=340), "failed", test="u")
    table, fold = page_of(Report.of([open_one, failed]), TERMINAL).gates
    assert plain(fold.summary) == f"1 could not tell: {said}"
    assert [plain(row.cells[1]) for row in table.rows] == ["u"]


def test_what_cannot_fail_looks_as_what_could_not_tell_and_no_gate_at_all_is_told():
    blind = replace(entry(comparison()), can_fail=False)
    signs = [page_of(Report.of([each]), FILE).sign for each in (blind, entry(comparison()))]
    assert signs == ["❔", "✅"]
    looked = [page_of(Report.of(each), TERMINAL).advice for each in ([entry(comparison(), "")], [], [blind])]
    assert [len(each) for each in looked] == [1, 0, 0]


def test_findings_about_a_gate_are_counted_by_gate_and_those_about_none_are_notices():
    page = page_of(
        report(NEW, NEEDLESS, replace(NEW, text="more"), Finding("", FindingKind.OUTDATED, "", "of all")), FILE
    )
    (notes,) = page.notes
    assert (notes.title.split(",")[0], len(notes.rows)) == ("2 gates are not as listed in gates.json", 3)
    assert [plain(each.text) for each in page.notices] == ["of all"]


@pytest.mark.parametrize(("n", "is_open"), [(50, True), (51, False)])
def test_gates_that_passed_are_folded_where_they_are_many(n, is_open):
    *_, fold = page_of(Report.of(entry(comparison(), test=f"{each}") for each in range(n)), FILE).gates
    assert fold.is_open is is_open


@pytest.mark.parametrize(("verdict", "title"), [("accepted", ""), ("failed", "What to do:")])
def test_the_reason_of_an_accepted_loss_is_nothing_to_do(verdict, title):
    (article,) = page_of(Report.of([entry(comparison(), verdict, advice="Speed matters.")]), FILE).sections
    assert [each.title for each in article.blocks if isinstance(each, Advice)] == [title]


def test_gains_behind_the_first_rows_of_a_comment_are_counted():
    """Those in the rows are not counted again."""
    gain = {"decision": Decision.MUCH_BETTER, "mean": 0.05, "hdi": (0.03, 0.07), "rope": (-0.01, 0.01)}
    found = [entry(comparison(**gain), "passed", test=f"test_{number}") for number in range(COMMENT.gates + 2)]
    _, fold, *_ = page_of(Report.of(found), COMMENT).gates
    assert fold.summary == "2 more gates, 2 clearly better"


@pytest.mark.parametrize(("files", "names"), [(2, ["a0.py", "a1.py"]), (1, ["test", "gate"])])
def test_many_gates_are_grouped_by_file_or_of_one_file_by_the_beginning_of_their_names(files, names):
    found = [
        entry(comparison(), "passed", test=f"a{number % files}.py::{'test' if number % 3 else 'gate'}_{number}")
        for number in range(60)
    ]
    first, *_ = page_of(Report.of(found), FILE).gates
    (table,) = first.blocks
    assert sorted(plain(row.cells[0].text) for row in table.rows) == sorted(names)
