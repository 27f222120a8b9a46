from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("what", ["gates", "report"])
def test_the_published_schema_is_printed(run, what, generated):
    generated(DOCS / f"{what}.schema.json", run("schema", what).stdout)


def test_gate_files_are_the_default(run):
    assert run("schema").stdout == run("schema", "gates").stdout


def test_there_is_no_other(run):
    assert run("schema", "manifest").exit_code == 2
