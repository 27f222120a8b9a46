"""What a person types in a folder, and all that is printed: people review it, in `tests/golden/transcripts`."""

import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from pytest_bayesf1.cli.main import main

GOLDEN = Path(__file__).parents[1] / "golden" / "transcripts"


class Transcript:
    """Commands in a folder, as a terminal shows them."""

    def __init__(self, folder):
        self.folder = folder
        self.text = ""

    def show(self, command, printed, code=0):
        """Add a command to what is shown; paths below the folder are told from it on, as `~`."""
        end = f"[exit code {code}]\n" if code else ""
        self.text += f"$ {command}\n{printed.replace(str(self.folder), '~')}{end}\n"

    def bayesf1(self, command):
        """Run the command with these words."""
        places = {"env": {"CI": "", "COLUMNS": "120"}, "prog_name": "bayesf1"}
        done = CliRunner().invoke(main, shlex.split(command), catch_exceptions=False, **places)
        self.show(f"bayesf1 {command}", done.output, done.exit_code)

    def write(self, name, text):
        """Write a file, and show it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        self.cat(name)

    def cat(self, name):
        """Show a file; of a page what is in it, a line to each element; of curves and versions no numbers."""
        text = (self.folder / name).read_text("utf-8")
        if str(name).endswith(".html"):
            text = re.sub(r"<(style|script|svg)\b.*?</\1>", r"<\1>", text, flags=re.DOTALL)
            text = re.sub(r"\n*(<(?!/|[abi]\b|b>|i>|code|span|wbr|em|strong|svg))", r"\n\1", text).lstrip()
        text = re.sub(r"\b(python|numpy|scipy|pytest-bayesf1) [\d.]+", r"\1 1.2.3", text)
        text = re.sub(r"(?<='sha256-)[^']+", "...", text)
        text = re.sub(r"(?<=^  line )\[.*\]$", "[...]", text, flags=re.MULTILINE)
        self.show(shlex.join(["cat", str(name)]), text if text.endswith("\n") else text + "\n")
