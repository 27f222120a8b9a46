"""The code in the README runs."""

import re
from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import Prior, assert_not_worse, compare
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.measures.measures import parse_measure
from pytest_bayesf1.measures.names import MEASURE_NAMES
from pytest_bayesf1.unreadable import UNREADABLE

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def block_with(text):
    return next(block for block in BLOCKS if text in block)


@pytest.mark.slow
def test_the_ten_line_test(pytester):
    pytester.makeconftest("""
        import numpy as np, pytest
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 3, 300)

        @pytest.fixture
        def y_test(): return truth

        @pytest.fixture
        def old_pred(): return np.where(rng.random(300) < 0.8, truth, 0)

        @pytest.fixture
        def new_pred(): return np.where(rng.random(300) < 0.9, truth, 0)
    """)
    block = block_with("from_predictions(y_test")
    assert len(block.splitlines()) <= 10
    pytester.makepyfile(block)
    pytester.runpytest().assert_outcomes(passed=1)


@pytest.mark.slow
def test_the_test_of_labels(pytester):
    pytester.makeconftest("""
        import numpy as np, pytest
        rng = np.random.default_rng(0)
        truth = rng.random((300, 4)) < 0.3

        @pytest.fixture
        def y_test(): return truth

        @pytest.fixture
        def old_pred(): return np.where(rng.random(truth.shape) < 0.2, ~truth, truth)

        @pytest.fixture
        def new_pred(): return np.where(rng.random(truth.shape) < 0.1, ~truth, truth)
    """)
    pytester.makepyfile(block_with("MultilabelCounts"))
    pytester.runpytest().assert_outcomes(passed=1)


@pytest.mark.slow
def test_the_fixture(pytester):
    pytester.makepyfile(block_with("bayes_compare"))
    pytester.runpytest().assert_outcomes(passed=1)


@pytest.mark.slow
def test_the_stored_baseline(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makeconftest("""
        import pytest

        @pytest.fixture
        def ids(): return list(range(4_000))

        @pytest.fixture
        def y_test(): return ["ham", "spam"] * 2_000

        @pytest.fixture
        def y_pred(y_test): return y_test
    """)
    pytester.makepyfile("from pytest_bayesf1 import ConfusionMatrix\n\n" + block_with("bayes_regression"))
    pytester.runpytest().assert_outcomes(failed=1)
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
    pytester.runpytest().assert_outcomes(passed=1)


def test_the_gate_file(tmp_path):
    block = next(block for block in re.findall(r"```yaml\n(.*?)```", README, flags=re.DOTALL) if "gates:" in block)
    (tmp_path / "bayesf1.yaml").write_text(block)
    (gate,) = load_gates(tmp_path / "bayesf1.yaml", tmp_path)
    assert (gate.name, gate.fail_on, gate.per_class, gate.slices) == ("spam", "<<", True, ("language",))


@pytest.mark.parametrize("path", ["README.md", "CONTRIBUTING.md", *(f"docs/{each.name}" for each in DOCS.glob("*.md"))])
def test_links_lead_somewhere(path):
    text = (ROOT / path).read_text()
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", text):
        linked = (ROOT / path).parent / target if target else ROOT / path
        assert linked.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.*)$", linked.read_text(), flags=re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.slow
def test_the_measure_of_ones_own():
    names = {}
    exec(block_with("COST"), names)  # noqa: S102
    comparison = compare([[90, 10], [10, 90]], [[80, 20], [1, 99]], measure=names["negative_cost"], rope=0.01)
    assert comparison.baseline.observed == pytest.approx(-(10 + 5 * 10) / 200)
    assert comparison.candidate.observed == pytest.approx(-(20 + 5 * 1) / 200)


@pytest.mark.slow
def test_what_two_test_sets_say():
    names = {}
    exec(block_with("as_prior"), names)  # noqa: S102
    march, april = (
        np.array([[[80, 9, 3], [6, 40, 2], [1, 2, 20]], [[75, 9, 8], [6, 41, 1], [0, 2, 21]]]),
        np.eye(3, dtype=int),
    )
    result = names["what_both_test_sets_say"](march, march + april)
    together = compare(*(2 * march + april), rope=0.01, prior=Prior.named("nested", alpha=(8, 2)))
    assert result.prior == "nested, alpha (8, 2) after 163 earlier examples"
    np.testing.assert_array_equal(result.delta, together.delta)


def test_every_measure_that_is_named_exists():
    section = README.partition("## Measures")[2].partition("```")[0]
    for name in re.findall(r"`([^`]+)`", section):
        classes = ("ham", "spam") if "[" in name else (0, 1)
        assert parse_measure(name, (*classes, UNREADABLE), true_labels=classes).name == name
    bases = {name.split("_")[0] for name in MEASURE_NAMES if name.startswith(("f1", "jaccard", "specificity", "fbeta"))}
    assert all(base in section for base in bases)


def test_the_workflow_fits_into_fifteen_lines():
    workflow = re.search(r"```yaml\n(.*?)```", README, flags=re.DOTALL)[1]
    assert len(workflow.splitlines()) <= 15
    assert np.all(["\t" not in line for line in workflow.splitlines()])


@pytest.mark.slow
def test_the_message_is_the_one_that_people_get():
    matrices = Path(__file__).parents[2] / "examples" / "newsgroups" / "matrices"
    multinomial, bernoulli = (np.loadtxt(matrices / f"{name}.csv", delimiter=",") for name in ("nb_mult", "nb_bern"))
    with pytest.raises(AssertionError) as caught:
        assert_not_worse(multinomial, bernoulli, rope=0.005)
    shown = re.search(r"```text\n(.*?)\n\.\.\.\n```", README, flags=re.DOTALL)[1]
    lines = [line.removeprefix("E   ").removeprefix("AssertionError: ") for line in shown.splitlines()]
    actual = str(caught.value).splitlines()[: len(lines)]
    # another version of numpy may draw other numbers
    assert [re.sub(r"\d", "#", line) for line in actual] == [re.sub(r"\d", "#", line) for line in lines]
