"""Run a composite action's steps for real, with the actions that it uses stubbed."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.node import node_command


class RefusedActionError(Exception):
    """GitHub would not load this action, or it uses one that is not pinned or has no stub."""


@dataclass(frozen=True)
class Annotation:
    """What stands beside the code; `shown` is False beyond ten of a level."""

    level: str
    message: str
    properties: Mapping[str, str]
    shown: bool


@dataclass(frozen=True)
class Step:
    """What one step did.

    `stdout` and `stderr` are as the script wrote them; `log` is what GitHub shows, without secrets.
    `summary` is None where it was too long.
    """

    id: str | None
    name: str | None
    uses: str | None
    outcome: str
    conclusion: str
    exit_code: int | None
    stdout: str
    stderr: str
    log: tuple[str, ...]
    with_: Mapping[str, str] | None
    env: Mapping[str, str]
    outputs: Mapping[str, str]
    annotations: tuple[Annotation, ...]
    summary: str | None
    expression_in_run: bool


@dataclass(frozen=True)
class Result:
    """What the action did; `env` and `path` are as later steps of the job find them."""

    conclusion: str
    steps: tuple[Step, ...]
    outputs: Mapping[str, str]
    summary: str | None
    summary_too_long: bool
    annotations: tuple[Annotation, ...]
    dropped_annotations: Mapping[str, int]
    env: Mapping[str, str]
    path: tuple[str, ...]
    inputs: Mapping[str, str]
    missing_inputs: tuple[str, ...]
    masks: tuple[str, ...]

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Level and message of each annotation, those beyond the limit too."""
        return [(annotation.level, annotation.message) for annotation in self.annotations]

    def step(self, wanted: str) -> Step:
        """Find the step with this id."""
        return next(step for step in self.steps if step.id == wanted)


def run_action(
    action: Path,
    *,
    workspace: Path,
    inputs: Mapping[str, str] | None = None,
    github: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    stubs: Mapping[str, Mapping[str, Any]] | None = None,
    job: Mapping[str, Any] | None = None,
    runner: Mapping[str, str] | None = None,
    strategy: Mapping[str, Any] | None = None,
    matrix: Mapping[str, Any] | None = None,
    timeout: float = 300,
) -> Result:
    """Run `action` (an action.yml) in `workspace`.

    `stubs` maps the name of an action (owner/name, without a ref) to its `outputs` and its `outcome`.
    """
    request = {
        "action": str(action),
        "workspace": str(workspace),
        "inputs": inputs or {},
        "github": github or {},
        "env": env or {},
        "stubs": stubs or {},
        "job": job or {"status": "success"},
        "runner": runner or {},
        "strategy": strategy or {},
        "matrix": matrix,
    }
    done = subprocess.run(
        node_command("composite_action/runner.mjs"),
        input=json.dumps(request),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    if done.returncode == 2:
        raise RefusedActionError(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return _result(json.loads(done.stdout))


def _result(found: Mapping[str, Any]) -> Result:
    return Result(
        conclusion=found["conclusion"],
        steps=tuple(_step(step) for step in found["steps"]),
        outputs=found["outputs"],
        summary=found["summary"],
        summary_too_long=found["summaryTooLong"],
        annotations=_annotations(found),
        dropped_annotations=found["droppedAnnotations"],
        env=found["env"],
        path=tuple(found["path"]),
        inputs=found["inputs"],
        missing_inputs=tuple(found["missingInputs"]),
        masks=tuple(found["masks"]),
    )


def _step(found: Mapping[str, Any]) -> Step:
    return Step(
        id=found["id"],
        name=found["name"],
        uses=found["uses"],
        outcome=found["outcome"],
        conclusion=found["conclusion"],
        exit_code=found["exitCode"],
        stdout=found["stdout"],
        stderr=found["stderr"],
        log=tuple(found["log"]),
        with_=found["with"],
        env=found["env"],
        outputs=found["outputs"],
        annotations=_annotations(found),
        summary=found["summary"],
        expression_in_run=found["expressionInRun"],
    )


def _annotations(found: Mapping[str, Any]) -> tuple[Annotation, ...]:
    return tuple(Annotation(**annotation) for annotation in found["annotations"])
