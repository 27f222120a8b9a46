"""The documentation: its links lead somewhere, its code runs, and what it lists is what the code declares."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

import pytest_bayesf1
from docs import why_not_figure
from docs.generated import pages as generated_pages
from docs.generated import written
from pytest_bayesf1 import Prior, compare
from pytest_bayesf1.errors import UNREADABLE
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.measures.names import MEASURE_NAMES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("**/*.md"), *ROOT.glob("examples/*/*.md")])
BUILT = {DOCS / "gallery" / "index.md", DOCS / "reference" / "report-json.md"}  # with the site: see docs/site


def name(path):
    return path.relative_to(ROOT).as_posix()


def code(page, kind):
    """Find the code of one language on a page."""
    return re.findall(rf"```{kind}.*?\n(.*?)```", page.read_text("utf-8"), flags=re.DOTALL)


def blocks(kind, *pages):
    """Make a parameter of every piece of code."""
    return [
        pytest.param(text, id=f"{name(page)}-{number}")
        for page in pages
        for number, text in enumerate(code(page, kind))
    ]


def block_of(page, text):
    """Find the Python block of a page that has this text in it."""
    (block,) = (each for each in code(DOCS / page, "python") if text in each)
    return block


def run(page, text):
    names = {}
    exec(block_of(page, text), names)  # noqa: S102 (our own text)
    return names


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", text):
        linked = (page.parent / target).resolve() if target else page
        if linked in BUILT:
            continue
        assert linked.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.*)$", linked.read_text("utf-8"), flags=re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}, anchor


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").split("\nnav:\n")[1]
    listed = re.findall(r"- (?:[^:\n]+: )?([\w/-]+\.md)$", navigation, flags=re.MULTILINE)
    assert sorted(DOCS / each for each in listed) == sorted({*DOCS.glob("**/*.md")} | BUILT)


@pytest.mark.parametrize("page", generated_pages(), ids=name)
def test_what_is_generated_is_up_to_date(page, generated):
    generated(page, written(page.read_text("utf-8")))


def test_every_public_name_is_in_the_reference_once():
    text = "".join(page.read_text("utf-8") for page in (DOCS / "reference" / "python").glob("*.md"))
    assert sorted(re.findall(r"^::: pytest_bayesf1\.(\w+)$", text, re.MULTILINE)) == sorted(pytest_bayesf1.__all__)


def test_every_key_of_a_gate_is_told_with_its_default():
    schema = json.loads((DOCS / "gates.schema.json").read_text("utf-8"))["$defs"]["Declaration"]["properties"]
    table = (
        (DOCS / "reference" / "gate-files.md").read_text("utf-8").split("## What a gate may say")[1].split("\n\n`")[0]
    )
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| `")]
    assert {key for row in rows for key in re.findall(r"`(\w+)`", row[0])} == set(schema)
    for first, *_, default in rows:
        for key in re.findall(r"`(\w+)`", first):
            if told := re.fullmatch(r"`(.*)` \|", default):
                assert yaml.safe_load(told[1]) == schema[key].get("default"), key


@pytest.mark.parametrize("text", blocks("python", *DOCS.glob("**/*.md"), ROOT / "README.md"))
def test_python_compiles_and_imports_public_names(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == "pytest_bayesf1":
            assert all(hasattr(pytest_bayesf1, alias.name) for alias in node.names)


@pytest.mark.parametrize("text", blocks("yaml", *DOCS.glob("**/*.md")))
def test_yaml_is_read(tmp_path, text):
    if "gates:" in text and "jobs:" not in text:
        (tmp_path / "bayesf1.yaml").write_text(text, "utf-8")
        assert load_gates(tmp_path / "bayesf1.yaml", tmp_path)
    else:
        yaml.safe_load(text)


def test_every_measure_that_is_named_exists():
    text = (DOCS / "reference" / "measures.md").read_text("utf-8").partition("## A measure of your own")[0]
    for measure in set(re.findall(r"`([^`]+)`", text)) - {"measure="}:
        classes = ("ham", "spam") if "[" in measure else (0, 1)
        assert parse_measure(measure, (*classes, UNREADABLE), true_labels=classes).name == measure
    bases = {each.split("_")[0] for each in MEASURE_NAMES if each.startswith(("f1", "jaccard", "specificity", "fbeta"))}
    assert all(base in text for base in bases)


@pytest.mark.slow
def test_the_measure_of_ones_own():
    names = run("reference/measures.md", "COST")
    comparison = compare([[90, 10], [10, 90]], [[80, 20], [1, 99]], measure=names["negative_cost"], rope=0.01)
    assert comparison.baseline.observed == pytest.approx(-(10 + 5 * 10) / 200)
    assert comparison.candidate.observed == pytest.approx(-(20 + 5 * 1) / 200)


@pytest.mark.slow
def test_what_two_test_sets_say():
    names = run("explanation/priors.md", "mostly_right")
    march, april = (
        np.array([[[80, 9, 3], [6, 40, 2], [1, 2, 20]], [[75, 9, 8], [6, 41, 1], [0, 2, 21]]]),
        np.eye(3, dtype=int),
    )
    result = names["what_both_test_sets_say"](march, march + april)
    together = compare(*(2 * march + april), rope=0.01, prior=Prior.named("nested", alpha=(8, 2)))
    assert result.prior == "nested, alpha (8, 2) after 163 earlier examples"
    np.testing.assert_array_equal(result.delta, together.delta)


@pytest.mark.slow
def test_ten_more_misses():
    found = run("how-to/choose-a-rope.md", "ten_more_misses")["points_for_ten_more_misses"]([[90, 10], [10, 90]])
    assert found == pytest.approx(100 * (0.9 - 2 * 80 / (2 * 80 + 10 + 20)))


@pytest.mark.slow
def test_no_language_falls_behind():
    rng = np.random.default_rng(0)
    table = pl.DataFrame({side: rng.choice(["ham", "spam"], 600) for side in ("truth", "old", "new")})
    table = table.with_columns(language=pl.Series(rng.choice(["en", "fi"], 600)))
    run("how-to/slices-and-fairness.md", "score_gap")["test_no_language_falls_behind"](table)


FIXTURES = {
    "single": """
        import numpy as np, pytest
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 3, 600)
        pred = lambda p: np.where(rng.random(600) < p, truth, 0)
        old, new = pred(0.9), pred(0.98)
        y_test = pytest.fixture(lambda: truth, name="y_test")
        x_test = pytest.fixture(lambda: [[0.0]] * 600, name="x_test")
        old_pred = pytest.fixture(lambda: old, name="old_pred")
        new_pred = pytest.fixture(lambda: new, name="new_pred")
        y_pred = pytest.fixture(lambda: new, name="y_pred")
        ids = pytest.fixture(lambda: list(range(600)), name="ids")
    """,
    "labels": """
        import numpy as np, pytest
        rng = np.random.default_rng(0)
        truth = rng.random((300, 4)) < 0.3
        pred = lambda p: np.where(rng.random(truth.shape) < p, ~truth, truth)
        old, new = pred(0.2), pred(0.1)
        y_test = pytest.fixture(lambda: truth, name="y_test")
        old_pred = pytest.fixture(lambda: old, name="old_pred")
        new_pred = pytest.fixture(lambda: new, name="new_pred")
        ids = pytest.fixture(lambda: list(range(300)), name="ids")
    """,
    "tags": """
        import pytest
        gold = [["B-PER", "I-PER", "O"], ["O", "B-ORG", "O"]] * 40
        old = [["B-PER", "O", "O"], ["O", "B-ORG", "O"]] * 40
        gold_tags = pytest.fixture(lambda: gold, name="gold_tags")
        old_tags = pytest.fixture(lambda: old, name="old_tags")
        new_tags = pytest.fixture(lambda: gold, name="new_tags")
        document = pytest.fixture(lambda: [f"d{i // 2}" for i in range(80)], name="document")
    """,
    "runs": """
        import numpy as np, pytest
        rng = np.random.default_rng(0)
        truth = np.array(["ham", "spam", "eggs"])[rng.integers(0, 3, 300)]
        pred = lambda p: np.where(rng.random(300) < p, truth, "ham")
        old, new = pred(0.9), pred(0.98)
        answers = [np.stack([pred(p) for _ in range(5)], axis=1).astype(object) for p in (0.9, 0.98)]
        answers[0][0, 0] = "I cannot tell"
        y_test = pytest.fixture(lambda: truth, name="y_test")
        document = pytest.fixture(lambda: [i // 3 for i in range(300)], name="document")
        old_pred = pytest.fixture(lambda: old, name="old_pred")
        new_pred = pytest.fixture(lambda: new, name="new_pred")
        old_answers = pytest.fixture(lambda: answers[0], name="old_answers")
        new_answers = pytest.fixture(lambda: answers[1], name="new_answers")
    """,
    "mlflow": """
        import sys, types
        from types import SimpleNamespace
        predictions = {"models:/spam@champion": old, "models:/spam@challenger": new}
        sys.modules["mlflow"] = types.ModuleType("mlflow")
        load = lambda uri: SimpleNamespace(predict=lambda x: predictions[uri])
        sys.modules["mlflow"].pyfunc = SimpleNamespace(load_model=load)
    """,
    "hub": """
        import sys, types
        from types import SimpleNamespace
        import pyarrow as pa
        names = ["neg", "neu", "pos"]

        class Data(dict):
            features = {"label": SimpleNamespace(int2str=names.__getitem__)}
            def with_format(self, kind): return [pa.table({"label": truth, "v1": old, "v2": new})]

        class Whole(list):
            def __getitem__(self, key): return list.__getitem__(self, 0) if isinstance(key, slice) else super()[key]

        Data.with_format = lambda self, kind: Whole([pa.table({"label": truth, "v1": old, "v2": new})])
        data = Data(label=truth.tolist(), text=[str(i) for i in range(600)])
        said = {"my-org/sentiment-v1": old, "my-org/sentiment-v2": new}
        pipeline = lambda task, model: lambda texts, truncation: [{"label": names[said[model][int(t)]]} for t in texts]
        sys.modules["datasets"] = types.ModuleType("datasets")
        sys.modules["datasets"].load_dataset = lambda name, split: data
        sys.modules["transformers"] = types.ModuleType("transformers")
        sys.modules["transformers"].pipeline = pipeline
    """,
}
TESTS = [
    ("how-to/replace-a-threshold.md", "f1_score", ("single",), 1),
    ("how-to/replace-a-threshold.md", "assert_at_least", ("single",), 1),
    ("how-to/replace-a-threshold.md", "bayes_regression", ("single",), 1),
    ("how-to/new-test-set.md", "independent", ("single",), 1),
    ("reference/baselines.md", "bayes_regression", ("single",), 1),
    ("how-to/multi-label.md", "test_retrained_tagger", ("labels",), 1),
    ("how-to/multi-label.md", "clusters=ids", ("labels",), 1),
    ("how-to/entities.md", "SpanCounts", ("tags",), 1),
    ("how-to/dependent-examples.md", "clusters=document", ("runs",), 2),
    ("how-to/llm-classifiers.md", "old_answers", ("runs",), 1),
    ("how-to/mlflow.md", "mlflow", ("single", "mlflow"), 1),
    ("how-to/hugging-face.md", "pipeline", ("single", "hub"), 1),
    ("how-to/hugging-face.md", "with_format", ("single", "hub"), 1),
    ("explanation/how-to-read-a-verdict.md", "bayes_compare", (), 1),
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "text", "fixtures", "passed"), TESTS)
def test_the_tests_of_a_page_pass(pytester, monkeypatch, page, text, fixtures, passed):
    monkeypatch.delenv("CI", raising=False)
    pytester.makeconftest("".join(FIXTURES[each] for each in fixtures))
    pytester.makepyfile(block_of(page, text))
    pytester.runpytest("--bayesf1-update=new", "-W", "default").assert_outcomes(passed=passed)


def test_the_figures_of_thresholds_are_those_of_the_study(tmp_path):
    known = {(classes, size, rule): figures for classes, size, rule, figures in why_not_figure.rates()}
    page = (DOCS / "explanation" / "why-not-a-threshold.md").read_text("utf-8")
    rows = [re.findall(r"[\d.,]+", line) for line in page.splitlines() if re.match(r"\| \d", line)]
    assert len(rows) == 8
    for size, classes, *told in rows:
        at = int(classes), int(size.replace(",", ""))
        assert [float(each) for each in told] == [known[*at, rule]["fails at 0"] for rule in why_not_figure.RULES]
    passed = [known[20, 400, rule]["−4 ROPE"] for rule in why_not_figure.RULES]
    assert all(f"{each}%" in page for each in passed)
    for text in (page, (ROOT / "README.md").read_text("utf-8")):
        threshold, gate = ([known[m, 400, rule]["fails at 0"] for m in (2, 5, 20)] for rule in why_not_figure.RULES)
        assert f"{min(threshold):.0f} to {max(threshold):.0f}" in text
        assert max(gate) <= 2
        assert "at most 2" in text
    why_not_figure.draw(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").stat().st_size > 10_000
