"""A small project on a pull request, and the Action run on it as a job would."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib as mpl

from tests.composite_action.runner import Result, run_action

from .github_api import Github

ROOT = Path(__file__).parents[2]
ARTEFACT_URL = "https://github.com/octo/spam/actions/runs/1/artifacts/2"
UPLOADED = {"outputs": {"artifact-url": ARTEFACT_URL}}
BASELINE = [[450, 50], [50, 450]]
MUCH_WORSE = [[300, 200], [200, 300]]
SAME = [[448, 52], [51, 449]]
UNSURE = [[430, 70], [65, 435]]
HURRY = "import time\n_sleep = time.sleep\ntime.sleep = lambda seconds: _sleep(seconds / 50)\n"
"""A sitecustomize for the job's Python: this GitHub need not be spared."""


@dataclass
class Project:
    """A git repository with a gate, of which the last commit is the pull request's."""

    folder: Path
    github: Github
    env: dict[str, str] = field(default_factory=dict)
    runs: int = 0

    def write(self, **files: str) -> None:
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def gate(self, candidate: Any, name: str = "spam", **settings: Any) -> None:
        """Declare a gate whose baseline is in the base commit."""
        (self.folder / "baseline.json").write_text(json.dumps(BASELINE))
        (self.folder / "candidate.json").write_text(json.dumps(candidate))
        gate = {"baseline": "baseline.json", "candidate": "candidate.json", "rope": 0.05, "measure": "accuracy"}
        (self.folder / "bayesf1.yaml").write_text(json.dumps({"gates": {name: {**gate, **settings}}}))

    def commit(self, *, amend: bool = False) -> str:
        self.git("add", "--all")
        how = ["--amend"] if amend else ["--allow-empty"]
        self.git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "change", *how)
        return self.git("rev-parse", "HEAD")

    def git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def start(self) -> None:
        self.folder.mkdir()
        self.git("init", "-q")
        self.write(README_dot_md="A project.")

    @property
    def base(self) -> str:
        return self.git("rev-list", "--max-parents=0", "HEAD").split()[0]

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def pull(self, head: str) -> dict[str, Any]:
        return {"number": 1, "head": {"sha": head, "repo": {"full_name": "octo/spam"}}, "base": {"sha": self.base}}

    def run(
        self,
        event: dict[str, Any] | None = None,
        event_name: str = "workflow_run",
        github: dict[str, Any] | None = None,
        uploads: bool = True,
        **inputs: str,
    ) -> Result:
        """Run the Action on the pull request from the first commit to the last, or on another event."""
        self.runs += 1
        path = self.folder.parent / "event.json"
        if event is None:
            event, event_name = {"pull_request": self.pull(self.head)}, "pull_request"
            self.github.state.pulls[0].head_sha = self.head
        path.write_text(json.dumps(event))
        (hurry := self.folder.parent / "hurry").mkdir(exist_ok=True)
        (hurry / "sitecustomize.py").write_text(HURRY)
        return run_action(
            ROOT / "action.yml",
            workspace=self.folder,
            inputs={"python": str(self.python()), **inputs},
            github={
                "token": self.github.state.token,
                "repository": "octo/spam",
                "event_name": event_name,
                "event_path": str(path),
                "api_url": self.github.url,
                "run_id": str(self.runs),
                "run_attempt": "1",
                "workflow": "Gates",
                "sha": self.head,
                "job": "model",
                **(github or {}),
            },
            env={
                "PYTHONPATH": f"{hurry}{os.pathsep}{ROOT}",
                "MPLCONFIGDIR": mpl.get_cachedir(),  # to find all fonts takes a second
                "COLUMNS": "200",
                "PYTEST_ADDOPTS": "-p no:hypothesispytest",  # it takes a fifth of a second to import
                **self.env,
            },
            stubs={"actions/upload-artifact": UPLOADED if uploads else {"outcome": "failure"}},
            runner={"temp": str(self.folder.parent / f"temp-{self.runs}")},
            strategy={"job-index": 0},
        )

    def python(self) -> Path:
        """Return a Python that has everything already: it notes what it should install, and does not."""
        path = self.folder.parent / "python with spaces"
        path.write_text(
            "#!/bin/sh\n"
            f'[ "$2" = pip ] && {{ printf "%s\\n" "$@" >> "{self.folder.parent}/installed"; exit 0; }}\n'
            f'exec "{sys.executable}" "$@"\n'
        )
        path.chmod(0o755)
        return path
