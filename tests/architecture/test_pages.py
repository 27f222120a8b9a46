import ast
import inspect
import json
import re
import shlex
import shutil
import warnings
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from runpy import run_path
from textwrap import dedent
from types import FunctionType, SimpleNamespace
from typing import Any

import ibis
import numpy as np
import polars as pl
import pytest
import yaml

import pytest_bayesf1
from docs import figures, lesson
from docs.generated import pages as generated_pages
from docs.generated import written
from docs.site import schema_page
from docs.site.first import shown_test
from docs.site.samples import ROOT
from pytest_bayesf1 import ClassSharesWarning, ConfusionMatrix, PairedCounts, Prior, Ranking, compare
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.files.records import at
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.results.policy import Outcome
from pytest_bayesf1.systems import SystemFigures
from tests.unit.called import call
from tests.unit.files.logged import FOLDER
from tests.unit.files.written import write_csv

DOCS = ROOT / "docs"


def text_of(name):
    return (DOCS / name).read_text("utf-8")


def fenced(kind, text):
    """Find the blocks of one language in the text of a page."""
    return re.findall(rf"```{kind}.*?\n(.*?)```", text, flags=re.DOTALL)


def block_of(name, words, kind="python"):
    """Find the block of a page that has these words in it."""
    (block,) = (each for each in fenced(kind, text_of(name)) if words in each)
    return block


def run(name, words):
    """Run the Python block of a page that has these words in it; return what it defines."""
    names = {}
    exec(block_of(name, words), names)  # noqa: S102 (our own text)
    return names


# What ARCHITECTURE.md points at is there, and no room of the package is left out.
ARCHITECTURE = text_of("../ARCHITECTURE.md")
LAYERS = text_of("../pyproject.toml").split("layers = [")[1].split("]")[0]
ROOMS = [*re.findall(r"\w+", LAYERS.partition('"choices ')[0]), "choices"]


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:pytest_bayesf1|tests|docs)/[\w/.]+)`", ARCHITECTURE))))
def test_every_path_exists(path):
    assert (ROOT / path).exists()


def test_an_hours_reading_is_short():
    """At most twelve files and 2,500 lines show one comparison."""
    listed = re.findall(r"^\d+\. `(pytest_bayesf1/[\w/]+\.py)`", ARCHITECTURE, flags=re.MULTILINE)
    assert 5 < len(listed) <= 12
    assert sum(len((ROOT / path).read_text("utf-8").splitlines()) for path in listed) <= 2_500


def test_arrows_point_downwards():
    """The layers of the import contract, top first, as the picture has them."""
    heights = {room: n for n, layer in enumerate(LAYERS.split(",")) for room in re.findall(r"\w+", layer)}
    arrows = re.findall(r'^    (\w+)\[".*?"\] --> (.*)$', ARCHITECTURE, flags=re.MULTILINE)
    assert {upper for upper, _ in arrows} == set(ROOMS)
    for upper, lower in arrows:
        for room in re.findall(r"^\w+|(?<=& )\w+", lower):
            assert heights[upper] < heights[room]


WAREHOUSES = "how-to/where-the-data-are.md"
NAMES = {"y_true": "truth", "baseline": "old", "candidate": "new"}


@pytest.fixture(scope="module")
def predictions():
    rng = np.random.default_rng(3)
    classes, languages = ["ham", "spam", "eggs"], ["en", "fi"]
    table = pl.DataFrame({name: rng.choice(classes, 300) for name in ("truth", "old", "new")})
    days = pl.date_range(pl.date(2026, 10, 30), pl.date(2026, 11, 3), eager=True)
    return table.with_columns(
        language=pl.Series(rng.choice(languages, 300)), day=days.sample(300, with_replacement=True, seed=1)
    )


def cells(pairs):
    return pairs.labels, pairs.table.true.tolist(), pairs.table.predicted.tolist(), pairs.table.count.tolist()


class TestDataPage:
    """The code in docs/how-to/where-the-data-are.md runs, and the SQL that it sends to warehouses."""

    pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # between Ibis and DuckDB

    def test_the_first_example(self):
        names = run(WAREHOUSES, 'rows = [("ham", "spam", "ham", "en")')
        columns = (names["predictions"][name] for name in NAMES.values())
        assert cells(names["both"]) == cells(PairedCounts.from_predictions(*columns))
        assert names["slices"]["fi"].n_samples == 2
        assert names["one"] == names["both"].baseline

    def test_every_engine(self, predictions, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("predictions").mkdir()
        for part in range(3):
            predictions[part::3].write_parquet(f"predictions/{part}.parquet")
        made = {
            name: value
            for name, value in run(WAREHOUSES, "import ibis\nimport pandas").items()
            if name.startswith("from_")
        }
        filtered = made.pop("from_duckdb")
        assert len(made) == 5
        assert len({str(cells(pairs)) for pairs in made.values()}) == 1
        assert filtered.n_samples == (predictions["truth"] != "eggs").sum()

    def test_two_tables(self, predictions):
        baseline, candidate = (
            predictions.select("truth", pl.col(name).alias("predicted")).with_row_index("id") for name in ("old", "new")
        )
        functions = run(WAREHOUSES, "def sides_of_two(")
        expected = PairedCounts.from_frame(predictions, **NAMES)
        old, new = functions["sides_of_two"](baseline, candidate.reverse())
        assert cells(PairedCounts.from_table(Sides(old, new).joint, old.labels)) == cells(expected)
        assert cells(functions["counts_of_two"](baseline.lazy(), candidate.reverse().lazy())) == cells(expected)

    def test_the_recipe_for_a_warehouse_with_duckdb_for_one(self, predictions, monkeypatch, tmp_path):
        predictions.write_parquet(tmp_path / "predictions.parquet")
        connection = ibis.duckdb.connect()
        connection.read_parquet(tmp_path / "predictions.parquet", table_name="predictions")
        monkeypatch.setitem(vars(ibis), "bigquery", SimpleNamespace(connect=lambda **_: connection))
        slices = run(WAREHOUSES, "def counts_of_a_warehouse(")["counts_of_a_warehouse"]()
        november = predictions.filter(pl.col("day") >= pl.date(2026, 11, 1))
        assert {language: pairs.n_samples for language, pairs in slices.items()} == dict(
            november.group_by("language").len().iter_rows()
        )


PAGE = text_of("reference/gate-files.md")
COMMANDS = re.findall(r"^bayesf1 (compare .*)$", PAGE, flags=re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_on_files_run(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    truth, old, new = (list(said) * 10 for said in ("aabb", "aaba", "abbb"))
    for name, said in (("old.csv", old), ("new.csv", new)):
        write_csv(Path(name), {"doc": range(40), "gold": truth, "answer": said})
    write_csv(Path("truth.csv"), {"key": range(40), "label": truth})
    write_csv(Path("both.csv"), {"gold": truth, "old": old, "new": new})
    systems = ["v1"] * 40 + ["v2"] * 40
    rows = {"id": [*range(40)] * 2, "y_true": truth * 2, "y_pred": old + new, "system": systems}
    pl.DataFrame(rows).write_parquet("all.parquet")
    for name, width in {"gold": 1, "old": 1, "new": 1, "systems": 4}.items():
        tagged, missed = (f"word {' '.join(['B-PER'] * (width - 1) + [last])}\n" for last in ("B-PER", "O"))
        Path(f"{name}.conll").write_text("\n".join([*[tagged] * 39, tagged if width == 1 else missed]))
    assert "on 40" in call(*shlex.split(command), "-v").output


def lay_out_runs_and_tags(folder):
    """Put the logs of two runs into a folder, a judge's grades, and tags of two systems: in one file and in two."""
    examples = ROOT / "examples"
    for file in (examples / "judges").glob("*.csv"):
        shutil.copy(file, folder)
    for name in ("v1", "v2"):
        shutil.copytree(examples / "evaluations" / name, folder / name)
    for name, log in (("v1", "first"), ("v2", "second")):
        shutil.copy(ROOT / "tests" / "data" / "logs" / f"promptfoo-{log}.json", folder / f"{name}.json")
    text = (examples / "tagged-columns" / "tweets.conll").read_text("utf-8")
    (folder / "tweets.conll").write_text(text, "utf-8")
    rows = [line.split() for line in text.splitlines()[1:]]
    for column, system in enumerate(("gold", "crf", "bert"), 1):
        lines = [f"{row[0]} {row[column]}" if row else "" for row in rows]
        (folder / f"{system}.conll").write_text("\n".join(lines), "utf-8")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnevenJudgeWarning")
@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnexpectedPredictionsWarning")
@pytest.mark.parametrize("name", ["llm-classifiers", "judges", "entities"])
def test_the_commands_on_logs_and_tags_print_what_is_shown(tmp_path, monkeypatch, name):
    lay_out_runs_and_tags(tmp_path)
    monkeypatch.chdir(tmp_path)
    text = text_of(f"how-to/{name}.md")
    commands = [*map(shlex.split, re.findall(r"^bayesf1 ((?:compare|label) .*)$", text, flags=re.MULTILINE))]
    assert commands
    printed = [call(*each) for each in commands]
    printed += [call(*each, "-v") for each in commands if each[0] == "compare"]
    assert all(each.exit_code in (0, 1) for each in printed)
    output = " ".join("".join(each.stdout for each in printed).split())
    for line in "".join(fenced("text", text)).splitlines():
        # another version of numpy may draw other numbers, and a terminal draws pictures behind them
        assert re.sub(r"\d", "#", " ".join(line.split())) in re.sub(r"\d", "#", output)


TOOLS = text_of("how-to/other-tools.md")
RESULTS = dict(
    zip(re.findall(r"^bayesf1 (compare .*)$", TOOLS, flags=re.MULTILINE), fenced("json", TOOLS), strict=True)
)


def lay_out_results(command, text, folder):
    """Write the two files of a command, each with the results that the page shows many times, with ids of their own."""
    _, *files = shlex.split(command)[:3]
    paths = dict(each.split("=", 1) for each in re.findall(r"--column (\S+)", command))
    is_lines = files[0].endswith(".jsonl")
    *above, last = paths.get("id", "id").split(".")
    records = []
    for number in range(30):
        for record in map(json.loads, text.splitlines()) if is_lines else json.loads(text):
            holder = at(record, ".".join(above)) if above else record
            if holder is not None and last in holder:
                holder[last] = f"{holder[last]}-{number}"
            records.append(record)
    for name in files:
        (folder / name).parent.mkdir(exist_ok=True)
        written = "\n".join(map(json.dumps, records)) if is_lines else json.dumps(records)
        (folder / name).write_text(written, "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("command", RESULTS)
def test_the_commands_on_other_tools_run_as_printed(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    lay_out_results(command, RESULTS[command], tmp_path)
    shown = call(*shlex.split(command), "-v")
    assert shown.exit_code == 0, shown.output
    assert re.search("on [69]0 examples", " ".join(shown.output.split()))


PAGES = sorted(
    page for folder in (".", "docs/**", "examples/*", "benchmarks/**") for page in ROOT.glob(f"{folder}/*.md")
)
BUILT = {DOCS / "gallery" / "index.md", DOCS / "reference" / "report-json.md"}  # with the site: see docs/site


def name(path):
    return path.relative_to(ROOT).as_posix()


def blocks(kind, *pages):
    """Make a parameter of every piece of code."""
    return [
        pytest.param(text, id=f"{name(path)}-{number}")
        for path in pages
        for number, text in enumerate(fenced(kind, path.read_text("utf-8")))
    ]


WITH_DATA = ("predictions/*.parquet", "ibis.bigquery")
"""Read a table from elsewhere: other tests run these blocks on one of their own."""


def is_script(block):
    """Tell what a reader runs as it is from tests, which pytest collects."""
    (text,) = block.values
    return "def test_" not in text and not any(each in text for each in WITH_DATA)


GIVEN = """
        import pytest

        def given(**values):
            for name, value in values.items():
                globals()[name] = pytest.fixture(lambda value=value: value, name=name)
"""
FIXTURES = {
    "single": """
        import numpy as np
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 3, 600)
        pred = lambda p: np.where(rng.random(600) < p, truth, 0)
        old, new = pred(0.9), pred(0.98)
        given(y_test=truth, x_test=[[0.0]] * 600, old_pred=old, new_pred=new, y_pred=new, ids=list(range(600)))
        given(language=["en", "fi"] * 300)

        @pytest.fixture
        def predictions():
            import polars as pl
            return pl.DataFrame({"truth": truth, "old": old, "new": new, "language": ["en", "fi"] * 300})
    """,
    "labels": """
        import numpy as np
        rng = np.random.default_rng(0)
        truth = rng.random((300, 4)) < 0.3
        pred = lambda p: np.where(rng.random(truth.shape) < p, ~truth, truth)
        old, new = pred(0.2), pred(0.1)
        given(y_test=truth, old_pred=old, new_pred=new, ids=list(range(300)))
    """,
    "tags": """
        gold = [["B-PER", "I-PER", "O"], ["O", "B-ORG", "O"]] * 40
        old = [["B-PER", "O", "O"], ["O", "B-ORG", "O"]] * 40
        given(gold_tags=gold, old_tags=old, new_tags=gold, document=[f"d{i // 2}" for i in range(80)])
    """,
    "spacy": """
        import sys, types
        from types import SimpleNamespace
        ents = [SimpleNamespace(start_char=0, end_char=4, label_="GPE")]
        docs = [SimpleNamespace(text="Pori", ents=ents)] * 80
        docs_of = SimpleNamespace(get_docs=lambda vocab: iter(docs))
        sys.modules["spacy"], sys.modules["spacy.tokens"] = types.ModuleType("spacy"), types.ModuleType("spacy.tokens")
        sys.modules["spacy.tokens"].DocBin = lambda: SimpleNamespace(from_disk=lambda path: docs_of)
        given(nlp=SimpleNamespace(vocab=None, pipe=lambda texts: (docs[0] for text in texts)))
    """,
    "runs": """
        import numpy as np
        rng = np.random.default_rng(0)
        truth = np.array(["ham", "spam", "eggs"])[rng.integers(0, 3, 300)]
        pred = lambda p: np.where(rng.random(300) < p, truth, "ham")
        old, new = pred(0.9), pred(0.98)
        answers = [np.stack([pred(p) for _ in range(5)], axis=1).astype(object) for p in (0.9, 0.98)]
        answers[0][0, 0] = "I cannot tell"
        given(y_test=truth, old_pred=old, new_pred=new, old_answers=answers[0], new_answers=answers[1])
        given(document=[i // 3 for i in range(300)])
    """,
    "mlflow": """
        import sys, types
        from types import SimpleNamespace
        predictions = {"models:/spam@champion": old, "models:/spam@challenger": new}
        sys.modules["mlflow"] = types.ModuleType("mlflow")
        load = lambda uri: SimpleNamespace(predict=lambda x: predictions[uri])
        sys.modules["mlflow"].pyfunc = SimpleNamespace(load_model=load)
    """,
}
TESTS = [
    ("how-to/replace-a-threshold.md", "f1_score", ("single",), 1),
    ("how-to/replace-a-threshold.md", "assert_at_least", ("single",), 1),
    ("how-to/replace-a-threshold.md", "bayes_regression", ("single",), 1),
    ("how-to/new-test-set.md", "bayes_regression", ("single",), 1),
    ("how-to/slices-and-fairness.md", "bayes_regression", ("single",), 2),
    ("how-to/slices-and-fairness.md", "score_gap", ("single",), 1),
    ("reference/baselines.md", "bayes_regression", ("single",), 1),
    ("how-to/multi-label.md", "test_retrained_tagger", ("labels",), 1),
    ("how-to/multi-label.md", "clusters=ids", ("labels",), 1),
    ("how-to/entities.md", "gold_tags", ("tags",), 1),
    ("how-to/entities.md", "DocBin", ("spacy",), 1),
    ("how-to/dependent-examples.md", "clusters=document", ("runs",), 2),
    ("how-to/where-the-data-are.md", "mlflow", ("single", "mlflow"), 1),
    ("explanation/how-to-read-a-verdict.md", "bayes_compare", (), 1),
]


SCRIPTS = sorted({*DOCS.glob("how-to/*.md")} - {DOCS / "how-to" / "notebooks.md"})


class TestGuides:
    """The documentation: its links lead somewhere, its code runs, and what it lists is what the code declares."""

    @pytest.mark.parametrize("page", PAGES, ids=name)
    def test_links_lead_somewhere(self, page):
        text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", text):
            linked = (page.parent / target).resolve() if target else page
            if linked in {*BUILT, DOCS / "first" / "report.html"}:
                continue
            assert linked.exists(), target
            if anchor:
                titles = re.findall(r"^#+ (.*)$", linked.read_text("utf-8"), flags=re.MULTILINE)
                assert anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}, anchor

    def test_every_page_is_in_the_navigation(self):
        navigation = (ROOT / "mkdocs.yml").read_text("utf-8").split("\nnav:\n")[1]
        listed = re.findall(r"- (?:[^:\n]+: )?([\w/-]+\.md)$", navigation, flags=re.MULTILINE)
        assert sorted(DOCS / each for each in listed) == sorted({*DOCS.glob("**/*.md")} | BUILT)

    @pytest.mark.parametrize("page", generated_pages(), ids=name)
    def test_what_is_generated_is_up_to_date(self, page, generated):
        generated(page, written(page.read_text("utf-8")))

    def test_every_public_name_is_in_the_reference_once(self):
        text = "".join(page.read_text("utf-8") for page in (DOCS / "reference" / "python").glob("*.md"))
        assert sorted(re.findall(r"^::: pytest_bayesf1\.(\w+)$", text, re.MULTILINE)) == sorted(pytest_bayesf1.__all__)

    def test_every_key_of_a_gate_is_told_with_its_default(self):
        kinds = json.loads(text_of("gates.schema.json"))["$defs"]
        schema = {
            key: value
            for kind in ("Pair", "Floor", "Pool")
            for key, value in kinds[f"{kind}Declaration"]["properties"].items()
        }
        table = text_of("reference/gate-files.md").split("## What a gate may say")[1].split("\n\n`")[0]
        rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| `")]
        assert {key for row in rows for key in re.findall(r"`(\w+)`", row[0])} == set(schema)
        for first, meaning, *_, default in rows:
            for key in re.findall(r"`(\w+)`", first):
                if told := re.fullmatch(r"`(.*)` \|", default):
                    assert yaml.safe_load(told[1]) == schema[key].get("default"), key
                if meaning != "the [arguments of a comparison](options.md)":
                    assert {*schema[key].get("enum", ())} <= {*re.findall(r"`\"?([^`\"]+)\"?`", meaning)}, key

    @pytest.mark.parametrize("text", blocks("python", *DOCS.glob("**/*.md"), ROOT / "README.md"))
    def test_python_compiles_and_imports_public_names(self, text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module == "pytest_bayesf1":
                assert all(hasattr(pytest_bayesf1, alias.name) for alias in node.names)

    @pytest.mark.parametrize("text", blocks("yaml", *DOCS.glob("**/*.md"), ROOT / "README.md"))
    def test_yaml_is_read(self, tmp_path, text):
        if "gates:" in text and "jobs:" not in text:
            (tmp_path / "bayesf1.yaml").write_text(text, "utf-8")
            assert load_gates(tmp_path / "bayesf1.yaml", tmp_path)
        else:
            yaml.safe_load(text)

    @pytest.mark.slow
    def test_the_measure_of_ones_own(self):
        names = run("reference/measures.md", "COST")
        comparison = compare([[90, 10], [10, 90]], [[80, 20], [1, 99]], measure=names["negative_cost"], rope=0.01)
        assert comparison.baseline.observed == pytest.approx(-(10 + 5 * 10) / 200)
        assert comparison.candidate.observed == pytest.approx(-(20 + 5 * 1) / 200)

    @pytest.mark.slow
    def test_what_two_test_sets_say(self):
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
    def test_the_cells_of_a_notebook_run(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        names, page = {}, text_of("how-to/notebooks.md")
        for cell in fenced("python", page):
            exec(cell, names)  # noqa: S102 (our own text)
        assert Path("digits.png").exists()
        shown = names["estimate"](names["y_test"], names["new"]).title
        assert re.sub(r"\d", "#", shown) in re.sub(r"\d", "#", page)

    @pytest.mark.slow
    @pytest.mark.parametrize("text", [*filter(is_script, blocks("python(?! title)", *SCRIPTS))])
    def test_scripts_run_as_pasted(self, tmp_path, monkeypatch, text):
        monkeypatch.chdir(tmp_path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(text, {})  # noqa: S102 (our own text)

    @pytest.mark.parametrize("page", sorted(DOCS.glob("how-to/*.md")), ids=lambda page: page.stem)
    def test_every_test_of_a_guide_is_run(self, page):
        texts = [text for each, text, *_ in TESTS if DOCS / each == page]
        tests = [each for each in fenced("python", page.read_text("utf-8")) if "def test_" in each]
        assert all(any(text in each for text in texts) for each in tests)

    @pytest.mark.slow
    @pytest.mark.parametrize(("page", "text", "fixtures", "passed"), TESTS)
    def test_the_tests_of_a_page_pass(self, pytester, monkeypatch, page, text, fixtures, passed):
        monkeypatch.delenv("CI", raising=False)
        pytester.makeconftest("".join([GIVEN, *(FIXTURES[each] for each in fixtures)]))
        pytester.makepyfile(block_of(page, text))
        pytester.runpytest("--bayesf1-update=new", "-W", "default").assert_outcomes(passed=passed)

    def test_the_figures_of_thresholds_are_those_of_the_study(self, tmp_path):
        known = {(classes, size, rule): row for classes, size, rule, row in figures.rates()}
        page = text_of("how-to/replace-a-threshold.md")
        rows = [re.findall(r"[\d.,]+", line) for line in page.splitlines() if re.match(r"\| \d", line)]
        assert len(rows) == 4
        for size, classes, *told in rows:
            at = int(classes), int(size.replace(",", ""))
            assert [float(each) for each in told] == [known[*at, rule]["fails at 0"] for rule in figures.RULES]
        passed = [known[20, 400, rule]["−4 ROPE"] for rule in figures.RULES]
        assert all(f"{each}%" in page for each in passed)
        for text in (page, text_of("../README.md")):
            threshold, gate = ([known[m, 400, rule]["fails at 0"] for m in (2, 5, 20)] for rule in figures.RULES)
            assert f"{min(threshold):.0f} to {max(threshold):.0f}" in text
            assert max(gate) <= 2
            assert "at most 2" in text
        figures.draw("why-not-a-threshold", tmp_path / "figure.svg")
        assert (tmp_path / "figure.svg").stat().st_size > 10_000


# The code of docs/how-to/rank-several-systems.md runs, and names what a ranking has.
RANKING = text_of("how-to/rank-several-systems.md")


def test_the_figures_by_name_are_these():
    named = re.findall(r"^\| `(\w+)` \| (.+?) \|", RANKING, flags=re.MULTILINE)
    assert len(named) == 5
    kinds: dict[str, type[SystemFigures | Ranking]] = {"a system": SystemFigures, "the ranking": Ranking}
    assert all(hasattr(kinds[kind], name) or name in kinds[kind].__dataclass_fields__ for name, kind in named)


# The test that the README and the home page show runs as pasted, and prints what the README shows.
README, HOME = text_of("../README.md"), text_of("index.md")


@pytest.mark.slow
def test_the_ten_line_test(pytester, monkeypatch, tmp_path):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("BAYESF1_CACHE", str(tmp_path / "cache"))
    assert shown_test(README) == shown_test(HOME)
    pytester.makepyfile(test_digits=shown_test(README))
    assert len([line for line in shown_test(README).splitlines() if line]) <= 10
    shown = re.search(r"```text\n(E .*?)\n\.\.\.\n```", README, flags=re.DOTALL)[1]
    result = pytester.runpytest("-q")
    result.assert_outcomes(failed=1)
    printed = [line for line in result.outlines if line.startswith("E ")]
    for actual, expected in zip(printed, shown.splitlines(), strict=False):
        # all versions of numpy that were tried draw the same; pytest indents by the test's own indentation
        assert actual.split() == expected.split()


def test_every_message_that_is_explained_exists():
    code = "".join(file.read_text("utf-8") for file in (ROOT / "pytest_bayesf1").glob("**/*.py"))
    code = re.sub(r'"\s*\n\s*f?"', "", code)  # literals over several lines
    messages = re.findall(r"^\| `([a-zA-Z][^`]+)` \|", text_of("reference/troubleshooting.md"), re.MULTILINE)
    assert len(messages) > 15
    assert [message for message in messages if message not in code] == []


def test_the_page_of_the_report_links_every_kind_to_its_table():
    page = schema_page.page()
    titles = {title.lower() for title in re.findall(r"^## (\w+)$", page, flags=re.MULTILINE)}
    assert set(re.findall(r"\]\(#(\w+)\)", page)) <= titles
    assert re.search(r"^\| `verdict` \| `failed`, .* \| Of the whole run", page, flags=re.MULTILINE)
    assert re.search(r"^\| `counts` \| \[Verdicts\]\(#verdicts\) \|", page, flags=re.MULTILINE)
    assert re.search(r"^\| `changes` \| \[ReportedChanges\]\(#reportedchanges\)\? \|", page, flags=re.MULTILINE)


def f1_at(share, rows):
    """F1 of the first class from each side's share of examples found, and of false alarms."""
    found, false_alarms = rows
    return 2 * share * found / (share * (1 + found) + (1 - share) * false_alarms)


def test_the_two_changes_of_another_prevalence():
    """A candidate that finds 86% of the fraud instead of 80%, and raises 7% false alarms instead of 5%."""
    told = re.search(r"may rise by ([\d.]+) points, and at 5% fall by ([\d.]+)\.", text_of("explanation/limits.md"))
    rose, fell = (f1_at(share, (0.86, 0.07)) - f1_at(share, (0.8, 0.05)) for share in (0.5, 0.05))
    assert told.groups() == (f"{100 * rose:.1f}", f"{-100 * fell:.1f}")


def test_the_guide_to_class_shares_prints_what_it_says(capsys):
    text = text_of("how-to/class-shares.md")
    code, printed = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL).groups()
    with pytest.warns(ClassSharesWarning, match="The share of vandal rose from 0.7% to 1.9%"):
        exec(code, {})  # noqa: S102
    assert capsys.readouterr().out == printed


CASE_STUDY = " ".join(f"{text_of('explanation/case-study.md')} {text_of('../examples/editquality/README.md')}".split())
EDITQUALITY = SimpleNamespace(**run_path(str(ROOT / "examples" / "editquality" / "replay.py")))
SIGNIFICANT = ("≪", "≫")


@dataclass(frozen=True)
class RetrainedStep:
    """A version of a model and the one before it, compared at the class shares of each, and of the earlier one."""

    before: SimpleNamespace
    now: SimpleNamespace
    own: dict[str, Any]
    equal: dict[str, Any]

    @property
    def row(self):
        """What the page says of it in a table."""
        return self.now.model, self.now.date, f"{100 * self.before.share_true:.2f}% → {100 * self.now.share_true:.2f}%"

    def falls(self, share_before, share_now):
        """Whether the observed F1 fell more than a point where True has these shares."""
        return f1_at(share_now, self.rates(self.now)) - f1_at(share_before, self.rates(self.before)) < -0.01

    @staticmethod
    def rates(version):
        (tn, fp), (fn, tp) = version.counts
        return tp / (tp + fn), fp / (fp + tn)

    def compared(self, gate, prevalence):
        sides = (ConfusionMatrix(each.counts, labels=["False", "True"]) for each in (self.before, self.now))
        return run_comparison(*sides, **{**gate.demand.arguments, "prevalence": prevalence})


@pytest.mark.slow
class TestCaseStudyPage:
    """Every figure of docs/explanation/case-study.md and of examples/editquality, computed from the counts there."""

    @pytest.fixture(scope="class")
    @classmethod
    def histories(cls, tmp_path_factory):
        """Run `bayesf1 history` where the counts are replayed, with class shares of their own and equal ones."""
        folder = tmp_path_factory.mktemp("editquality")
        EDITQUALITY.replay(folder)
        found = {}
        with chdir(folder):
            for prevalence in ("test-set", None):
                stated = ["--prevalence", prevalence] if prevalence else []
                shown = call("history", "--format", "json", *stated)
                assert shown.exit_code == 0, shown.output
                found[prevalence] = json.loads(shown.stdout)
        return found

    @pytest.fixture(scope="class")
    @classmethod
    def steps(cls, histories):
        own, equal = (
            {
                (Path(history["file"]).stem, version["subject"].split()[-1]): version["change"]
                for history in histories[prevalence]
                for version in history["versions"]
            }
            for prevalence in ("test-set", None)
        )
        known = [(before, now, (now.model, now.commit)) for before, now in EDITQUALITY.steps()]
        return [RetrainedStep(before, now, own[key], equal[key]) for before, now, key in known]

    @pytest.fixture(scope="class")
    @classmethod
    def gates(cls):
        folder = ROOT / "examples" / "editquality"
        return {gate.name: gate for gate in load_gates(folder / "gates.yaml", folder)}

    def is_failed(self, gate, step, prevalence):
        return gate.demand.judged(step.compared(gate, prevalence)).outcome is Outcome.FAILED

    def said(self, pattern):
        """Read the numbers that a sentence of the page has."""
        (found,) = re.finditer(pattern.replace("#", r"([\d.]+)"), CASE_STUDY)
        return tuple(float(each) for each in found.groups())

    def tables(self):
        """Read the rows of both tables of steps."""
        row = r"\| ([\w.]+) \| ([\d-]+) \| ([\d.]+% → [\d.]+%) \| (\S) (\S+) \| (\S) (\S+) "
        parts = CASE_STUDY.split("steps are significant that were not")
        return [re.findall(row, part) for part in parts]

    def test_the_steps(self, steps, gates):
        versions = EDITQUALITY.versions()
        models = {version.model for version in versions}
        assert models == set(gates)
        assert self.said("The # models find") == (len(models),)
        assert self.said("they were retrained # times") == (len(steps),)
        assert "From April 2018 to May 2021" in CASE_STUDY
        assert (versions[0].date[:7], max(step.now.date for step in steps)[:7]) == ("2018-04", "2021-05")
        totals = [[np.sum(version.counts, axis=1) for version in (step.before, step.now)] for step in steps]
        others = sum((before != now).any() for before, now in totals)
        close = sum(np.abs(now - before).sum() < 0.01 * before.sum() for before, now in totals)
        assert self.said("In # steps they show that the test set is another one, though in # steps") == (others, close)

    def test_what_fails(self, steps, gates):
        rows = re.findall(r"\| (?:if|by) [^|]+ \| (\d+) \| (\d+) \|", CASE_STUDY)
        own = [step for step in steps if step.own["decision"] == "≪"]
        equal = [step for step in steps if step.equal["decision"] == "≪"]
        falls = [step for step in steps if step.falls(step.before.share_true, step.now.share_true)]
        falls_equal = [step for step in steps if step.falls(step.before.share_true, step.before.share_true)]
        of_family = [
            [step for step in failed if self.is_failed(gates[step.now.model], step, prevalence)]
            for failed, prevalence in ((own, "test-set"), (equal, "baseline"))
        ]
        counts = [(falls, falls_equal), (own, equal), of_family]
        assert [tuple(map(int, row)) for row in rows] == [tuple(map(len, pair)) for pair in counts]
        assert all(step in falls for step in own)
        others = [step.own["decision"] for step in falls if step not in own]
        likely, undecided = others.count("<"), others.count("?")
        assert likely + undecided == len(others)
        said = self.said(r"Of the other # falls, # are leaning worse .*? # are\sundecided")
        assert said == (len(others), likely, undecided)

    def test_what_class_shares_leave_open(self, steps, gates):
        sided = [step for step in steps if step.own["decision"] in "≪<>≫"]
        left_open = [step for step in sided if step.compared(gates[step.now.model], None).shares_decide]
        significant = sum(step.own["decision"] in SIGNIFICANT for step in left_open)
        said = self.said("That happens in # steps, of which # would have been significant")
        assert said == (len(left_open), significant)

    def test_what_class_shares_change(self, steps):
        significant = [step for step in steps if step.own["decision"] in SIGNIFICANT]
        rare = [
            [min(version.share_true, 1 - version.share_true) for version in (step.before, step.now)]
            for step in significant
        ]
        moved = sum(abs(now - before) > 0.1 * before for before, now in rare)
        assert self.said("# steps are significant, for worse") == (len(significant),)
        assert self.said("In # of these the share of the rarer class") == (moved,)
        others = [step for step in significant if step.equal["decision"] != step.own["decision"]]
        assert self.said("# of the # decisions are others") == (len(others), len(significant))
        new = [step for step in steps if step not in significant and step.equal["decision"] in SIGNIFICANT]
        assert self.said("And # steps are significant that were not") == (len(new),)
        for table, found in zip(self.tables(), (others, new), strict=True):
            assert [row[:3] for row in table] == [step.row for step in found]
            for row, step in zip(table, found, strict=True):
                for (decision, points), change in ((row[3:5], step.own), (row[5:], step.equal)):
                    assert decision == change["decision"]
                    assert float(points.replace("−", "-")) == pytest.approx(100 * change["mean"], abs=0.15)
        (viwiki,) = (step for step in others if step.now.model == "viwiki.reverted")
        shares = self.said("viwiki.reverted, for example, from #% to #%")
        assert shares == pytest.approx([100 * viwiki.before.share_true, 100 * viwiki.now.share_true], abs=0.05)

    def test_the_history_has_no_blanks(self, histories, steps):
        """Every version but the first of a model has a change."""
        versions = [history["versions"] for history in histories[None]]
        assert all(version["change"] for each in versions for version in each[1:])
        assert sum(len(each) - 1 for each in versions) == len(steps)
        lines = [text for each in versions for version in each[1:] for text in version["change"]["warnings"]]
        assert self.said("# versions get a line") == (len(lines),)
        quoted = re.search(r"> \+([\d.]+)( points while .*? before you trust it\.)", CASE_STUDY)
        (line,) = (line for line in lines if line.endswith(quoted[2]))
        assert float(line.removesuffix(quoted[2])) == pytest.approx(float(quoted[1]), abs=0.15)
        leaked = [step for step in steps if step.now.model == "hewiki.damaging" and abs(step.equal["mean"]) > 0.2]
        assert (leaked[0].now.date[:7], leaked[0].equal["warnings"]) == ("2018-12", [line])
        assert self.said("The next version lost # points again") == (round(-100 * leaked[1].equal["mean"]),)


GROUPS = {"language": ["en", "fi"], "region": ["north", "south"]}
OLD_FILES = ("old.csv", "baselines/tickets.csv", "baselines/vandalism.csv", "pilot/old.csv", "build/a.csv")
NEW_FILES = ("new.csv", "build/tickets.csv", "build/vandalism.csv", "pilot/new.csv", "build/b.csv")


FILL = """
import csv

rows = [{**row, "label": row["text"]} for row in csv.DictReader(open("batch-1.csv"))]
with open("batch-1.csv", "w") as file:
    out = csv.DictWriter(file, rows[0])
    out.writeheader()
    out.writerows(rows)
"""
NO_FILES = {"where-the-data-are.md", "continuous-integration.md"}
ELSEWHERE = {"accept-a-loss.md", "change-classes.md", "few-labels.md", "floors.md", "other-tools.md"}
ELSEWHERE |= {"start-from-files.md"} | NO_FILES
"""Guides whose commands other tests run, or that need another program; and jobs for services."""
HOW_TO = sorted({*DOCS.glob("how-to/*.md")} - {DOCS / "how-to" / name for name in ELSEWHERE})


class TestHowToGuides:
    """Commands and gate files of the guides run on files with the columns that they name."""

    pytestmark = pytest.mark.slow

    @pytest.fixture
    @staticmethod
    def files(tmp_path):
        """Write what the guides read: 400 examples of two systems, in every form."""
        rng = np.random.default_rng(0)
        truth = rng.choice(["fine", "vandal"], 400)
        old, new = (np.where(rng.random(400) < right, truth, "fine") for right in (0.85, 0.9))
        table = pl.DataFrame({"id": range(400), "y_true": truth})
        groups = pl.DataFrame({name: rng.choice(values, 400) for name, values in GROUPS.items()})
        (tmp_path / "predictions").mkdir()
        for folder in ("baselines", "build", "answers", "pilot", "logs", "systems"):
            (tmp_path / folder).mkdir()
        for said, names in ((old, OLD_FILES), (new, NEW_FILES)):
            for file in names:
                table.with_columns(pl.Series("y_pred", said), *groups).write_csv(tmp_path / file)
        for said, file in ((old, "answers/prompt-1.csv"), (new, "answers/prompt-2.csv")):
            answers = [table.with_columns(pl.Series("y_pred", said), run=pl.lit(run)) for run in range(3)]
            pl.concat(answers).write_csv(tmp_path / file)
        pool = table.select("id").with_columns(old=pl.Series(old), new=pl.Series(new), text=pl.Series(truth))
        pool.write_csv(tmp_path / "pool.csv")
        for tag, file in (("B-PER", "systems/old.conll"), ("O", "systems/new.conll")):
            lines = [f"Ada B-PER {tag}\nwrites O O\nto O O\nRome B-LOC B-LOC\n" for _ in range(60)]
            (tmp_path / file).write_text("\n".join(lines))
        for file in ("digits.csv", "digits.labelling.json", "digits.labels.csv"):
            shutil.copy(ROOT / "examples" / "few-labels" / file, tmp_path)
        for version in ("v1", "v2"):
            shutil.copy(FOLDER / "inspect-choice.eval", tmp_path / "logs" / f"{version}.eval")
        lay_out_runs_and_tags(tmp_path)
        return tmp_path

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnevenJudgeWarning")
    @pytest.mark.parametrize("text", blocks("yaml", *HOW_TO))
    def test_gates_run(self, files, text):
        (files / "bayesf1.yaml").write_text(text, "utf-8")
        with chdir(files):
            done = call("gate")
        assert done.exit_code in (0, 1), done.output  # an answer, whatever it is

    @pytest.mark.parametrize("text", blocks("sh", *HOW_TO))
    def test_commands_run(self, files, text):
        if "git switch" in text:  # to an earlier release, with the new test set
            (files / "tests").mkdir()
            test = block_of("how-to/new-test-set.md", "bayes_regression")
            (files / "tests" / "conftest.py").write_text(dedent(GIVEN + FIXTURES["single"]))
            (files / "tests" / "test_spam.py").write_text(test)
            lesson.run(
                "git init -q && git add . && git -c user.name=me -c user.email=me@x.org commit -qm a && git tag v1.4",
                files,
            )
        if "bayesf1 label add" in text:
            (files / "digits.labelling.json").unlink()  # of another guide's gate
            (files / "fill.py").write_text(FILL)
            text = text.replace("# people fill in the column", "python fill.py")
        done = lesson.run(f"set -e\n{text}", files)
        assert done.returncode in (0, 1), done.stdout
        assert "Error" not in done.stdout

    def test_clusters_of_a_table(self):
        rng = np.random.default_rng(0)
        truth = rng.choice(["ham", "spam"], 600)
        table = pl.DataFrame({"truth": truth, "old": truth, "new": rng.permutation(truth)})
        table = table.with_columns(document=pl.Series(range(600)) // 4)
        pairs = run("how-to/where-the-data-are.md", 'clusters="document"')["counts_of_documents"](table)
        assert compare(pairs, rope=0.05).clusters.n == (150, 150)


def is_raised(value):
    """Tell errors and warnings."""
    return isinstance(value, type) and issubclass(value, Exception)


PUBLIC = {name: getattr(pytest_bayesf1, name) for name in pytest_bayesf1.__all__}
HIDDEN = re.findall(r'- "!(\^.*)"', text_of("../mkdocs.yml"))
METHODS = {
    f"{name}.{method}": inspect.unwrap(getattr(value, method))
    for name, value in PUBLIC.items()
    if isinstance(value, type) and not is_raised(value)
    for method, found in vars(value).items()
    if isinstance(found, classmethod | staticmethod | FunctionType)
    and found.__qualname__ == f"{name}.{method}"  # no function that is a field's default
    and not any(re.search(pattern, method) for pattern in HIDDEN)
}
NAMED = PUBLIC | METHODS


@pytest.mark.parametrize("name", [name for name, value in NAMED.items() if not is_raised(value)])
def test_every_name_and_method_has_an_example(name):
    assert ">>> " in NAMED[name].__doc__


class TestExplanations:
    """Each page of an explanation has a figure; those from tables are those of the studies."""

    @pytest.mark.parametrize("page", sorted(DOCS.glob("explanation/*.md")), ids=lambda page: page.stem)
    def test_has_a_figure(self, page):
        shown = re.findall(r"!\[.{15,}\]\(([\w-]+)\.(?:svg|png)\)", page.read_text("utf-8"))
        assert shown or page.stem == "index"
        assert set(shown) <= {*figures.FIGURES, "performance"}

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "name", ["clusters", "how-likely", "limits", "measured", "other-tools", "priors", "scores"]
    )
    def test_is_that_of_the_study(self, tmp_path, name):
        figures.draw(name, tmp_path / "figure.svg")
        drawn, kept = (
            (folder / file).read_text("utf-8")
            for folder, file in ((tmp_path, "figure.svg"), (DOCS / "explanation", f"{name}.svg"))
        )
        assert words_of(drawn) == words_of(kept)

    def test_what_was_measured_is_in_the_studies(self):
        """The second column's figures are in the study that the row links to; whole numbers are rounded."""
        rows = [line.split(" | ") for line in text_of("explanation/measured.md").splitlines() if "/studies/" in line]
        assert len(rows) > 30
        for promise, measured, _ in rows:
            study = text_of(f"../benchmarks/studies/{re.search(r'studies/(.*?).md', promise)[1]}.md")
            assert [each for each in re.findall(r"\d+\.\d+", measured) if each not in study] == [], measured


def words_of(svg):
    """Read the words of a figure, and how many lines it has; another version of matplotlib moves them."""
    return re.findall(r"<text[^>]*>([^<]*)<", svg), svg.count("<path d=")


def lay_out_floors(folder):
    shutil.copytree(ROOT / "examples" / "floors", folder, dirs_exist_ok=True)


def lay_out_two_files(folder):
    truth = ["ham", "spam"] * 200
    for name, n_wrong in (("old", 20), ("new", 24)):
        rows = {"id": range(400), "y_true": truth, "y_pred": truth[1 : n_wrong + 1] + truth[n_wrong:]}
        write_csv(folder / f"{name}.csv", rows)
    (folder / "strict.yaml").write_text("gates:\n  spam: {baseline: old.csv, candidate: new.csv, rope: 0.1}\n")


def shown_by(name):
    """Return the commands of a how-to page, each with what the page says that it prints."""
    found = re.findall(r"```sh\n(.*?)```\n(?:\n```text\n(.*?)```)?", text_of(f"how-to/{name}.md"), flags=re.DOTALL)
    return [(command, printed) for commands, printed in found for command in commands.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lay_out"), [("floors", lay_out_floors), ("start-from-files", lay_out_two_files)])
def test_commands_print_what_the_page_says(tmp_path, name, lay_out):
    lay_out(tmp_path)
    for command, printed in shown_by(name):
        done = lesson.run(command, tmp_path)
        assert printed in (done.stdout, "")
        assert done.returncode == ("blocks merge" in printed), done.stdout


def test_the_gate_of_the_example_is_what_the_command_proposes():
    printed = next(printed for command, printed in shown_by("floors") if "bayesf1 floor" in command)
    gate = printed[printed.index("gates:") :]
    assert (ROOT / "examples" / "floors" / "bayesf1.yaml").read_text("utf-8").endswith(gate)
