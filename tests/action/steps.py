"""The steps of action.yml, as a runner of GitHub runs them: in bash, with what the steps before left behind."""

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
_NAME = r"[a-z]+(?:\.[a-z_-]+)+"
_FUNCTIONS = {"!cancelled()": "True", "always()": "True", "&&": "and"}


@dataclass
class Job:
    """A job that has only this Action: its expressions are names, and what `if:` combines of them."""

    workspace: Path
    files: Path
    """Where the files are that steps write for the runner."""
    values: dict[str, str]
    """What expressions can name."""
    environment: dict[str, str]
    upload: str = "success"
    failed: bool = False
    printed: str = ""
    ran: list[str] = field(default_factory=list)

    def run(self, inputs: Mapping[str, str]) -> None:
        """Run all steps whose conditions hold."""
        for name, value in ACTION["inputs"].items():
            self.values[f"inputs.{name}"] = inputs.get(name, value.get("default", ""))
        self.values["inputs.token"] = "secret"
        for step in ACTION["runs"]["steps"]:
            if self._is_due(step.get("if", "True")):
                self._run(step)

    @property
    def outputs(self) -> dict[str, str]:
        return {name: self._filled(each["value"]) for name, each in ACTION["outputs"].items()}

    @property
    def summary(self) -> str:
        return self._file("GITHUB_STEP_SUMMARY").read_text("utf-8")

    def _is_due(self, condition: str) -> bool:
        text = condition.removeprefix("${{").removesuffix("}}").strip()
        holds_after_failure = "cancelled()" in text or "always()" in text
        text = re.sub(_NAME, lambda match: repr(self.values.get(match[0], "")), text)
        for name, python in _FUNCTIONS.items():
            text = text.replace(name, python)
        return (holds_after_failure or not self.failed) and eval(text)  # noqa: S307 (conditions of our own)

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: self.values.get(match[1], ""), text)

    def _file(self, variable: str) -> Path:
        file = self.files / variable.lower()
        file.touch()
        return file

    def _run(self, step: Mapping[str, Any]) -> None:
        name = step.get("id", "")
        self.ran.append(name)
        if "uses" in step:
            outcome, outputs = self.upload, {"artifact-url": "https://github.com/octo/spam/artifacts/2"}
        else:
            assert step["shell"] == "bash"
            assert "${{" not in step["run"]  # what inputs say is never part of a command
            outcome, outputs = self._run_in_bash(step)
        self.values[f"steps.{name}.outcome"] = outcome
        self.values |= {f"steps.{name}.outputs.{output}": value for output, value in outputs.items()}
        self.failed |= outcome == "failure" and not step.get("continue-on-error", False)

    def _run_in_bash(self, step: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
        variables = ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV", "GITHUB_STEP_SUMMARY")
        files = {variable: self._file(variable) for variable in variables}
        own = {variable: self._filled(value) for variable, value in step["env"].items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],  # noqa: S607
            cwd=self.workspace / self._filled(step.get("working-directory", ".")),
            env=self.environment | own | {variable: str(file) for variable, file in files.items()},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        self.printed += done.stdout
        for folder in files["GITHUB_PATH"].read_text().splitlines():
            self.environment["PATH"] = f"{folder}:{self.environment['PATH']}"
        self.environment |= outputs_in(files["GITHUB_ENV"].read_text())
        outputs = outputs_in(files["GITHUB_OUTPUT"].read_text())
        for variable in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV"):
            files[variable].unlink()
        return "failure" if done.returncode else "success", outputs


def outputs_in(text: str) -> dict[str, str]:
    """Read what a step wrote: `name=value`, or lines between delimiters."""
    found = re.findall(r"^([\w-]+)(?:=(.*)|<<(.+)\n((?:.*\n)*?)\3)$", text, re.MULTILINE)
    return {name: value or lines.removesuffix("\n") for name, value, _, lines in found}
