"""What a person types in a folder, and all that is printed: people review it, in `tests/golden/transcripts`."""

import re
import shlex
import warnings
from pathlib import Path

import pytest

from tests.unit.called import call

GOLDEN = Path(__file__).parents[1] / "golden" / "transcripts"


@pytest.fixture
def transcript(request, monkeypatch, generated):
    """Type commands in a folder of their own; all that they print is compared with a reviewed file at the end.

    It is that of pytester, where a test has one.
    """
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("CI", raising=False)
    if "pytester" in request.fixturenames:
        pytester = request.getfixturevalue("pytester")
        typed = Transcript(pytester.path, pytester.runpytest)
    else:
        typed = Transcript(request.getfixturevalue("tmp_path"))
        monkeypatch.chdir(typed.folder)
    yield typed
    generated(GOLDEN / f"{request.node.name.removeprefix('test_')}.txt", typed.text)


class Transcript:
    """Commands in a folder, as a terminal shows them; `runpytest` is pytester's."""

    def __init__(self, folder, runpytest=None):
        self.folder = folder
        self.runpytest = runpytest
        self.text = ""

    def show(self, command, printed, code=0):
        """Add a command to what is shown, without versions, commits and the last digits; the folder is `~`."""
        end = f"[exit code {code}]\n" if code else ""
        printed = re.sub(r'\b((?:python|numpy|scipy|pytest-bayesf1)(?:": "| ))[\d.]+', r"\g<1>1.2.3", printed)
        printed = printed.replace(" -h' for help.", " --help' for help.")  # of older versions of click
        printed = re.sub(r"(?<=\bcommit )[0-9a-f]{7}\b", "1234567", printed)
        printed = re.sub(r"\b\d+\.\d{10,}(e-\d+)?\b", lambda number: f"{float(number[0]):.6g}", printed)
        self.text += f"$ {command}\n{printed.replace(str(self.folder), '~')}{end}\n"

    def run(self, command):
        """Run the command with these words, and show nothing."""
        places = {"env": {"COLUMNS": "120"}, "prog_name": "bayesf1"}
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            return call(*shlex.split(command), **places)

    def bayesf1(self, command):
        """Run the command with these words."""
        done = self.run(command)
        self.show(f"bayesf1 {command}", done.output, done.exit_code)

    def pytest(self, options=""):
        """Run pytest; of what it prints, without the lines that it begins with, and without times."""
        done = self.runpytest("-p", "no:randomly", "-W", "default", *shlex.split(options))
        lines = "\n".join([*done.outlines, *(line for line in done.errlines if line)])
        lines = re.sub(r"(?<=[ (])/\S*(…|\.\.\.)$", r"~\1", lines, flags=re.MULTILINE)
        known = re.sub(r"^=+ test session starts =+\n(.*\n)*?(?=\n|collected)", "", lines)
        if "-n2" in options:  # in any order
            known = re.sub(r"(?s)^.*?\n(?==)", "", known)
        self.show(
            f"pytest {options}".rstrip(),
            re.sub(r"^=+( .*) in [\d.]+s =+$| in [\d.]+s$| at 0x\w+", r"\1", known, flags=re.MULTILINE) + "\n",
            int(done.ret),
        )

    def write(self, name, text):
        """Write a file, and show it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        self.cat(name)

    def cat(self, name):
        """Show a file; of a page what is in it, a line to each element; of curves and times no numbers."""
        text = (self.folder / name).read_text("utf-8")
        if str(name).endswith(".html"):
            text = re.sub(r"<(style|script|svg)\b.*?</\1>", r"<\1>", text, flags=re.DOTALL)
            text = re.sub(r"\n*(<(?!/|[abi]\b|b>|i>|code|span|wbr|em|strong|svg))", r"\n\1", text).lstrip()
        text = re.sub(r"\b20\d\d-\d\d-\d\dT[\d:.+Z]+", "20..", text)
        text = re.sub(r"(?<='sha256-)[^']+", "...", text)
        text = re.sub(r"(?<=^  line )\[.*\]$", "[...]", text, flags=re.MULTILINE)
        self.show(shlex.join(["cat", str(name)]), text if text.endswith("\n") else text + "\n")
