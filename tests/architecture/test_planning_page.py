"""The code in docs/how-to/size-a-test-set.md runs, and its figures of looks are those of the study."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE, STUDY = ((DOCS / name).read_text("utf-8") for name in ("how-to/size-a-test-set.md", "studies/looks.md"))


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(block, {})  # noqa: S102
    assert capsys.readouterr().out.startswith("A loss of 5 points of F1 of spam, where you tolerate 2 points, is found")
    assert (tmp_path / "plan.svg").exists()


def test_the_looks_are_those_of_the_study():
    first = STUDY.split("###")[1]
    rows = {tuple(cells[:2]): cells for cells in map(cells_of, first.splitlines()) if len(cells) == 6}
    told = [cells_of(line) for line in PAGE.splitlines() if re.match(r"\| \d+ \|", line)]
    assert [row[0] for row in told] == ["1", "2", "5", "10"]
    for looks, *figures in told:
        none, edge, lost = (rows[delta, looks] for delta in ("none", "-1.0 points", "-3.0 points"))
        assert figures == [none[2], edge[2], lost[2], lost[5]]


def cells_of(line):
    return [cell.strip() for cell in line.strip("|").split("|")]
