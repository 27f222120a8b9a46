import csv
import gzip
import json
import re
import shlex
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from docs import lesson
from pytest_bayesf1 import SpanCounts
from pytest_bayesf1.cli.main import main
from tests.functional.classifiers import BASELINE, BETTER, MUCH_WORSE
from tests.functional.gates import write_counts


def test_the_command_tells_the_shell_how_gates_ended_and_a_pipe_no_more_than_that(pytester):
    for name, counts in {"old": BASELINE, "better": BETTER, "much_worse": MUCH_WORSE}.items():
        write_counts(pytester.path / f"{name}.json", counts)
    gates = """
        defaults: {rope: 0.02}
        gates:
          better: {baseline: old.json, candidate: better.json}
          worse: {baseline: old.json, candidate: much_worse.json, per_class: true}
          new: {baseline: no.json, candidate: better.json}
    """
    pytester.makefile(".yaml", bayesf1=gates)
    command = (sys.executable, "-c", "from pytest_bayesf1.cli.main import main; main()")
    result = pytester.run(*command, "gate")
    assert result.ret == 4
    assert "\x1b" not in result.stdout.str()
    assert result.errlines == []
    assert "1 of 3 gates failed (2 of 2 classes) · blocks merge · 1 error, 1 passed" in result.outlines
    assert pytester.run(*command, "gate", "--gate", "better").ret == 0


EXAMPLES = Path(__file__).parents[2] / "examples"

# a document of two sentences and one of one; the second system's results have lost the line that begins a document
TRUTH = "-DOCSTART- O\n\nUN B-ORG\nin O\nRome B-LOC\n\nAda B-PER\nran O\n\n-DOCSTART- O\n\nBonn B-LOC\nwon O\n"
RESULTS = {
    "conll03_CaWnon_1_test_8000.txt": (
        "-DOCSTART- O O\n\nUN B-ORG B-ORG\nin O O\nRome B-LOC B-ORG\n\nAda B-PER B-PER\nran O O\n\n"
        "-DOCSTART- O O\n\nBonn B-LOC O\nwon O O\n"
    ),
    "conll03_CbWnon_2_test_10000.txt": (
        "-DOCSTART- O O\n\nUN B-ORG B-ORG\nin O O\nRome B-LOC B-LOC\n\nAda B-PER B-PER\nran O O\n\n"
        "Bonn B-LOC B-LOC\nwon O O\n"
    ),
}


def script(path):
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_outcomes_of_systems_tell_spans_without_their_text(tmp_path):
    folder = tmp_path / "combination" / "results" / "conll03"
    folder.mkdir(parents=True)
    for name, text in RESULTS.items():
        (folder / name).write_text(text)
    (tmp_path / "data" / "conll03_bio").mkdir(parents=True)
    (tmp_path / "data" / "conll03_bio" / "test.txt").write_text(TRUTH)
    script(EXAMPLES / "entities" / "outcomes_of.py").main(tmp_path, tmp_path / "systems")
    counted = {}
    for path in (tmp_path / "systems").iterdir():
        text = gzip.decompress(path.read_bytes()).decode()
        assert not any(word in text for word in ("UN", "Rome", "Ada", "Bonn"))
        documents = [json.loads(line) for line in text.splitlines()]
        assert len(documents) == 2
        spans = SpanCounts.from_spans([each["gold"] for each in documents], [each["predicted"] for each in documents])
        counted[path.name] = spans.counts.sum(axis=0).tolist()  # tp, fp, fn
    assert counted == {"CaWnon_8000.jsonl.gz": [2, 1, 2], "CbWnon_10000.jsonl.gz": [4, 0, 0]}


@pytest.mark.filterwarnings("ignore:.*of its answers are no class:pytest_bayesf1.WeakBaselineWarning")
def test_answers_are_cut_by_prompt_into_files_that_gates_read(tmp_path, capsys):
    table = tmp_path / "table.csv"
    categories = ("billing", "login", "other")
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["prompt_id", "run_idx", "input_id", "category", "predicted"])
        for prompt, unexpected in (("P0", ""), ("P1", "login")):
            for ticket in range(60):
                true = categories[ticket % 3]
                for run in range(3):
                    writer.writerow([prompt, run, ticket, true, unexpected if (ticket + run) % 7 == 0 else true])
    script(EXAMPLES / "llm-classifier" / "split_by_prompt.py").split(table, tmp_path / "prompts")
    files = sorted((tmp_path / "prompts").iterdir())
    assert [path.name for path in files] == ["P0.csv", "P1.csv"]
    asked = ["compare", *map(str, files), "--rope", "0.05", "--runs", "samples", "--invalid", "wrong"]
    with pytest.raises(SystemExit) as ended:
        main(asked)
    assert ended.value.code == 0
    assert "answers of the baseline are no class; counted as wrong" in " ".join(capsys.readouterr().out.split())


INI = {"rope": "0.05", "hdi_prob": "0.9", "measure": "g_mean", "prior": "uniform", "engine": "exact", "seed": "8"}
OPTIONS = {"measure": "accuracy", "prior": "uniform", "seed": "9"}
ARGUMENTS = {"prior": "jeffreys", "seed": 7}
COUNTS = {"rope": (-0.05, 0.05), "hdi_prob": 0.9, "measure": "accuracy", **ARGUMENTS}


class TestOptions:
    @pytest.mark.parametrize("workers", ["-n1", pytest.param("-n0", marks=pytest.mark.long)])
    def test_an_argument_beats_an_option_and_an_option_the_ini_file(self, pytester, runpytest, write_tests, workers):
        write_tests(f"""
            def test_settings(bayes_compare):
                result = bayes_compare(BASELINE, BETTER, **{ARGUMENTS})
                assert {{name: getattr(result, name) for name in {[*COUNTS]}}} == {COUNTS}
        """)
        pytester.makeini("\n".join(["[pytest]", *(f"bayesf1_{name} = {text}" for name, text in INI.items())]))
        options = [f"--bayesf1-{name}={text}" for name, text in OPTIONS.items()]
        runpytest("--strict-config", workers, *options, passed=1)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ("-n1 --bayesf1-rope=wide", "--bayesf1-rope: *expected *got 'wide'*"),
            ("--bayesf1-update=all", "*--bayesf1-update*'all'*"),
            ("-o bayesf1_warn_undecided=perhaps", "bayesf1_warn_undecided: expected true or false (*perhaps*"),
        ],
    )
    def test_what_makes_no_sense_is_a_usage_error(self, pytester, arguments, message):
        result = pytester.runpytest(*shlex.split(arguments))
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([f"*{message}"])


def without_digits(text):
    """Hide the digits: another version of scikit-learn trains another model."""
    return re.sub(r"\d+", "#", text)


@pytest.mark.slow
@pytest.mark.one_of_many
@pytest.mark.parametrize(("page", "before"), [(lesson.FIRST_GATE, ""), (lesson.FEW_LABELS, "The pool")])
def test_every_block_of_a_lesson_in_order(tmp_path, page, before):
    folder, printed = tmp_path / "digits", ""
    folder.mkdir()
    for kind, title, text in lesson.blocks(page, before):
        if title:
            lesson.write(folder, title, text)
        elif kind == "sh":
            done = lesson.run(text, folder)
            printed = done.stdout
            fails = "1 failed" in printed
            assert done.returncode == int(fails), printed
        else:
            assert kind == "text"
            position, shown = 0, without_digits(printed)
            for line in filter(None, text.splitlines()):
                position = shown.find(without_digits(line), position)
                assert position >= 0, f"{line!r} is not in order in:\n{printed}"
    assert (folder / "report" / "report.html").stat().st_size > 10_000


RUN = sorted({each.parent.name for each in [*EXAMPLES.glob("*/test_*.py"), *EXAMPLES.glob("*/bayesf1.yaml")]})


ELSEWHERE = {"papers", "digits", "newsgroups"}
"""Of a push the README's first command runs the last two."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "names", [[each for each in RUN if each not in ELSEWHERE], pytest.param(RUN, marks=pytest.mark.long)], ids=len
)
def test_every_example_passes(names):
    folders = " ".join(f"examples/{each}" for each in names)
    done = lesson.run(f"pytest -q -p no:cacheprovider {folders}", EXAMPLES.parent)
    assert done.returncode == 0, done.stdout
