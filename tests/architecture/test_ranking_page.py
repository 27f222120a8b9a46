"""The code of docs/how-to/rank-several-systems.md runs, and names what a ranking has."""

import re
from pathlib import Path

from pytest_bayesf1 import Ranking

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "rank-several-systems.md").read_text("utf-8")


def test_the_code_runs(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(block, {})  # noqa: S102
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("large leads with macro-F1 0.")
    assert shown[-1].endswith("(3, 3) ('large',)")


def test_the_figures_by_name_are_these():
    named = re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    assert len(named) == 6
    assert all(hasattr(Ranking, name) or name in Ranking.__dataclass_fields__ for name in named)
