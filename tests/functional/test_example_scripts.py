"""The scripts that make the examples' data of a user's own copy, on made-up files of the same format."""

import csv
import gzip
import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from pytest_bayesf1 import SpanCounts
from pytest_bayesf1.cli.main import main

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
    assert "could not be read: counted as wrong" in " ".join(capsys.readouterr().out.split())
