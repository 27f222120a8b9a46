"""Every command that is printed can be pasted: it runs where it was printed, and exits with 0."""

import random
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pytest_bayesf1.cli.main import main

GATE = """\
gates:
  spam:
    baseline: {baseline}
    candidate: new.csv
    rope: 0.01
    measure: accuracy
"""
START = ("label", "start", "pool.csv", "--baseline", "old", "--candidate", "new", "--rope", "0.01")
NEXT = ("label", "next", "--count", "100", "-o", "batch-1.csv")
SITUATIONS = {
    "a gate fails": ["gate"],
    "a gate file is proposed": ["init"],
    "there is no gate file": ["gate"],
    "there is no baseline": ["gate"],
    "a pool is described": START,
    "a pool is described again": START,
    "nothing is labelled": ["label", "status"],
    "there is no pool": ["label", "status"],
}


def run(words):
    """Run a command in this folder as its user would, not in CI."""
    return CliRunner().invoke(main, list(words), env={"CI": "", "COLUMNS": "200"})


def commands(text):
    """Find the commands in what was printed: each ends its line."""
    return re.findall(r"(?:^|: )\s*((?:bayesf1|pytest) [a-z][^\n]*?)\.?$", text, flags=re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = tmp_path / "project"
    found.mkdir()
    monkeypatch.chdir(found)
    monkeypatch.delenv("CI", raising=False)
    return found


def write_predictions(name, error):
    drawn = random.Random(3)  # noqa: S311 (no secret)
    truth = ["ham", "spam"] * 500
    rows = [f"{n},{t},{t if drawn.random() > error else truth[n - 1]}" for n, t in enumerate(truth)]
    Path(name).write_text("id,y_true,y_pred\n" + "\n".join(rows) + "\n")


def arrange(situation):
    """Write the files of a situation, and do what comes before."""
    write_predictions("new.csv", 0.2 if situation == "a gate fails" else 0.05)
    if situation != "there is no baseline":
        write_predictions("old.csv", 0.05)
    if situation in ("a gate fails", "there is no baseline"):
        Path("bayesf1.yaml").write_text(GATE.format(baseline="old.csv"))
    rows = [f"{n},{'spam' if n % 2 else 'ham'},{'spam' if n % 3 else 'ham'}" for n in range(600)]
    Path("pool.csv").write_text("id,old,new\n" + "\n".join(rows) + "\n")
    if situation in ("a pool is described again", "nothing is labelled"):
        assert run(START).exit_code == 0


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_printed_command_runs_as_printed(folder, situation):
    arrange(situation)
    shown = run(SITUATIONS[situation])
    found = commands(shown.output)
    assert found, shown.output
    for number, command in enumerate(dict.fromkeys(found)):
        copy = shutil.copytree(folder, folder.parent / f"copy-{number}")
        program, *words = shlex.split(command)
        starts = {"pytest": ["-m", "pytest"], "bayesf1": ["-c", "from pytest_bayesf1.cli.main import main; main()"]}
        call = [sys.executable, *starts[program], *words]
        done = subprocess.run(call, cwd=copy, capture_output=True, check=False, encoding="utf-8")
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
