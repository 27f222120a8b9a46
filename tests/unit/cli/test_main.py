import os
import re
import shlex
import subprocess
import sys
from typing import Any

import click
import pytest

from pytest_bayesf1.cli import answers
from pytest_bayesf1.cli.main import main

COMMANDS = [
    *("accept", "baseline", "changes", "check", "compare", "floor", "gate"),
    *("history", "init", "label", "plan", "rank", "report", "schema"),
]
GROUPS = {"baseline": ("update",), "label": ("start", "next", "add", "status")}
PATHS = [[name] for name in COMMANDS] + [[group, name] for group, names in GROUPS.items() for name in names]
WITH_EXAMPLES = [path for path in PATHS if path[-1] not in GROUPS]


def fresh(code, **environment):
    """Run code in a Python of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | environment, check=False
    )


def test_the_help_lists_commands_and_exit_codes(run):
    shown = run("-h", code=0)
    assert re.findall(r"^  (\w+)  +[A-Z]", shown.stdout, flags=re.MULTILINE) == COMMANDS
    assert re.findall(r"^    (\d)  \w", shown.stdout, flags=re.MULTILINE) == list("012345")


@pytest.mark.skipif(sys.platform == "win32", reason="a folder that is in use cannot be deleted")
@pytest.mark.parametrize("command", ["gate", "accept a --reason b", "history a.json --rope 0.01"])
def test_a_working_directory_that_was_deleted_is_named(run, command, tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    shown = run(*shlex.split(command), code=5)
    assert shown.stderr == "Error: The working directory no longer exists. Change to another one, and run this again.\n"


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_command_has_help_of_80_columns(run, path):
    shown = run(*path, "-h", code=0)
    assert shown.stdout.startswith(f"Usage: main {' '.join(path)} ")
    assert max(map(len, shown.stdout.splitlines())) <= 80


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=" ".join)
def test_the_example_in_the_help_is_a_call_of_the_command(run, path):
    shown = " ".join(run(*path, "-h").stdout.split())
    (example,) = re.findall(r"Example: bayesf1 (.*)$", shown)
    command: Any = main
    context = click.Context(main)
    words = shlex.split(example.split(" > ")[0])
    for name in path:
        assert words.pop(0) == name
        command = command.get_command(context, name)
    command.make_context(" ".join(path), words)


def test_help_imports_neither_numpy_nor_pytest():
    shown = fresh(f"""
import sys
from pytest_bayesf1.cli.main import main
for path in {[[], *PATHS]}:
    try:
        main([*path, "-h"])
    except SystemExit:
        print("loaded:", *path, sorted(sys.modules.keys() & {{"numpy", "pytest", "scipy", "pydantic"}}))
""")
    loaded = [line for line in shown.stdout.splitlines() if line.startswith("loaded: ")]
    assert len(loaded) == 1 + len(PATHS)
    assert all(line.endswith("[]") for line in loaded)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyboardInterrupt(), "Interrupted before everything was done.\n"),
        (ZeroDivisionError("a bug"), "ZeroDivisionError: a bug\n"),
        (OSError(28, "No space left on device", "a.json"), "Error: a.json: No space left on device\n"),
    ],
)
def test_what_ends_a_run_early_is_no_verdict(run, monkeypatch, error, told):
    def fail(_):
        raise error

    monkeypatch.setattr(answers, "evaluate", fail)
    shown = run("compare", "old.json", "better.json", "--rope", "0.02", code=5)
    assert shown.stderr.endswith(told)
    assert shown.stdout == ""
    assert isinstance(error, ZeroDivisionError) or shown.stderr == told


@pytest.mark.parametrize(
    ("words", "completed"), [("bayesf1 ", COMMANDS), ("bayesf1 ba", ["baseline"]), ("bayesf1 baseline ", ["update"])]
)
def test_completing_a_command_imports_nothing_heavy(words, completed):
    shown = fresh(
        """
import sys
from pytest_bayesf1.cli.main import main
try:
    main(prog_name="bayesf1")
finally:
    print("loaded:", sorted(sys.modules.keys() & {"numpy", "pydantic"}), file=sys.stderr)
""",
        _BAYESF1_COMPLETE="bash_complete",
        COMP_WORDS=words,
        COMP_CWORD=str(words.count(" ")),
    )
    assert [line.partition(",")[2] for line in shown.stdout.splitlines()] == completed
    assert shown.stderr.splitlines()[-1] == "loaded: []"
