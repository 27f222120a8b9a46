"""What docs/reference/files.md says of files is so."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from pytest_bayesf1.cli.main import main
from pytest_bayesf1.files.formats import _READERS
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.gates.gate_file import load_gates
from tests.unit.files.logs.logged import FOLDER, reading
from tests.unit.files.written import write

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "reference" / "files.md").read_text()
GATES = [*re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL)]
COMMANDS = re.findall(r"^bayesf1 (compare .*)$", PAGE, flags=re.MULTILINE)
GRADES = {"inspect-first.json": {}, "lm-eval-teams.jsonl": {"value": "acc"}, "promptfoo-first.json": {}}


@pytest.mark.parametrize("text", GATES)
def test_the_gates_are_read(tmp_path, text):
    (tmp_path / "bayesf1.yaml").write_text(text)
    assert len(load_gates(tmp_path / "bayesf1.yaml", tmp_path)) > 2


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    truth, old, new = (list(said) * 10 for said in ("aabb", "aaba", "abbb"))
    for name, said in (("old.csv", old), ("new.csv", new)):
        Path(name).write_bytes(write(tmp_path, "a.csv", {"gold": truth, "answer": said}).read_bytes())
    Path("both.csv").write_bytes(write(tmp_path, "a.csv", {"gold": truth, "old": old, "new": new}).read_bytes())
    systems = ["v1"] * 40 + ["v2"] * 40
    rows = {"id": [*range(40)] * 2, "y_true": truth * 2, "y_pred": old + new, "system": systems}
    Path("all.parquet").write_bytes(write(tmp_path, "a.parquet", rows).read_bytes())
    shown = CliRunner().invoke(main, shlex.split(command), catch_exceptions=False)
    assert "on 40" in shown.output


def test_every_suffix_is_told():
    told = set(re.findall(r"`(\.[a-z.]+)`", PAGE))
    assert {suffix.removesuffix(".gz") for suffix in _READERS} <= told


@pytest.mark.parametrize("name", GRADES)
def test_the_columns_of_logs_are_there(name):
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| [") and name.split("-")[0] in line.split("]")[0])
    columns = read_side(FOLDER / name, "candidate", reading(GRADES[name], runs="samples")).content.columns
    for told in re.findall(r"`([a-zA-Z_.*<>]+)`", row.split("|")[3]):
        pattern = re.escape(told).replace("<scorer>", "[a-z]+").replace(r"\*", ".+")
        assert told in ("doc_id", "testIdx", "namedScores.*") or any(re.search(f"{pattern}$", each) for each in columns)
