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

GATE = "spam: {baseline: %s, candidate: new.csv, rope: %s, measure: accuracy}"
TEST = """\
def test_spam(bayes_regression):
    bayes_regression.check([[90, 10], [5, 95]], rope=0.05)
"""
START = ("label", "start", "pool.csv", "--baseline", "old", "--candidate", "new", "--rope", "0.01")
NEXT = ("label", "next", "--state", "pool.labelling.json", "--count", "600", "-o", "all.csv")
SITUATIONS = {
    "a gate fails": ["gate"],
    "a gate is loosened": ["gate"],
    "a gate file is proposed": ["init"],
    "there is no gate file": ["gate"],
    "there is no baseline": ["gate"],
    "several gates lack a baseline": ["gate"],
    "a test has no baseline": ["pytest", "test_spam.py"],
    "a pool is described": START,
    "a pool is described again": START,
    "nothing is labelled": ["label", "status"],
    "all is labelled": NEXT,
    "there is no pool": ["label", "status"],
}


def run(words):
    """Run a command in this folder as its user would, not in CI."""
    words = ["half the size" if word == "..." else word for word in words]
    if words[0] != "pytest":
        return CliRunner().invoke(main, list(words), env={"CI": "", "COLUMNS": "200"})
    return subprocess.run([sys.executable, "-m", *words], capture_output=True, check=False, encoding="utf-8")


def output(done):
    return done.stdout + done.stderr


def exit_code(done):
    return done.returncode if isinstance(done, subprocess.CompletedProcess) else done.exit_code


def commands(text):
    """Find the commands in what was printed: each ends its line."""
    return re.findall(r"(?:^|: )\s*((?:bayesf1|pytest) [a-z-][^\n]*?)\.?$", text, flags=re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = tmp_path / "project"
    found.mkdir()
    (tmp_path / ".git").mkdir()  # other tests may have left a gate file above
    monkeypatch.chdir(found)
    monkeypatch.delenv("CI", raising=False)
    return found


def predictions(error):
    drawn = random.Random(3)  # noqa: S311 (no secret)
    truth = ["ham", "spam"] * 500
    return [(n, t, t if drawn.random() > error else truth[n - 1]) for n, t in enumerate(truth)]


def write_predictions(name, error, header="id,y_true,y_pred"):
    Path(name).write_text("\n".join([header, *(",".join(map(str, row)) for row in predictions(error))]) + "\n")


def write_gates(*gates):
    Path("bayesf1.yaml").write_text("\n  ".join(["gates:", *gates]) + "\n")


def commit():
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "All"],
    ):
        subprocess.run(["git", *words], check=True)  # noqa: S607


def arrange(situation):
    """Write the files of a situation, and do what comes before."""
    write_predictions("new.csv", 0.2 if situation == "a gate fails" else 0.05)
    if "baseline" not in situation:
        write_predictions("old.csv", 0.05)
    match situation:
        case "a gate fails" | "there is no baseline":
            write_gates(GATE % ("old.csv", 0.01))
        case "several gates lack a baseline":
            write_gates(*(f"{name}-{GATE % (f'{name}.csv', 0.01)}" for name in ("de", "en", "fr")))
        case "a gate is loosened":
            write_gates(GATE % ("old.csv", 0.01))
            assert run(["gate", "--update-manifest"]).exit_code == 0
            commit()
            write_gates(GATE % ("old.csv", 0.05))
        case "a test has no baseline":
            Path("test_spam.py").write_text(TEST)
    rows = [f"{n},{'spam' if n % 2 else 'ham'},{'spam' if n % 3 else 'ham'}" for n in range(600)]
    Path("pool.csv").write_text("id,old,new\n" + "\n".join(rows) + "\n")
    if situation in ("a pool is described again", "nothing is labelled", "all is labelled"):
        assert run(START).exit_code == 0
    if situation == "all is labelled":
        assert run(NEXT).exit_code == 0
        text = Path("all.csv").read_text()
        Path("all.csv").write_text(text.replace(",\n", ",ham\n").replace(",\r\n", ",ham\n"))
        assert run(["label", "add", "all.csv"]).exit_code == 0


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_printed_command_runs_as_printed(folder, monkeypatch, situation):
    arrange(situation)
    shown = output(run(SITUATIONS[situation]))
    found = commands(shown)
    assert found, shown
    for number, command in enumerate(dict.fromkeys(found)):
        copy = shutil.copytree(folder, folder.parent / f"copy-{number}")
        monkeypatch.chdir(copy)
        program, *words = shlex.split(command)
        done = run(words if program == "bayesf1" else [program, *words])
        assert exit_code(done) == 0, f"{command}\n{output(done)}"


@pytest.mark.parametrize("words", [["gate", "--root", ".."], ["pytest", ".."]], ids=["gate", "pytest"])
def test_a_change_is_accepted_from_the_folder_where_it_is_told(folder, monkeypatch, words):
    arrange("a gate is loosened")
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder / "sub")
    (command,) = (each for each in commands(output(run(words))) if "--loosened" in each)
    assert exit_code(run(shlex.split(command)[1:])) == 0
    assert "as accepted" in output(run(words))


def test_a_damaged_baseline_is_written_anew_as_the_error_says(folder):
    Path("test_spam.py").write_text(TEST)
    stored = Path("__bayesf1__/test_spam/test_spam.json")
    stored.parent.mkdir(parents=True)
    stored.write_text("{")
    shown = output(run(["pytest", "test_spam.py"]))
    (option,) = set(re.findall(r"or delete it and write a new one with (--\S+?)\.$", shown, flags=re.MULTILINE))
    stored.unlink()
    assert exit_code(run(["pytest", "test_spam.py", option])) == 0
    assert stored.exists()
