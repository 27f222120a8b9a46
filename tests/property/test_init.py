import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from pytest_bayesf1.gates.gate_file import load_gates
from tests.unit.called import call

ODD = ["new", "old", "true", "null", "yes", "2025", "2026-05-08", "1e3", "0x1f", "~", "=", "<<", "#a", "'", '"', "\\"]
ODD += ["*", "[a]", "{a}", "&a", "!a", "%a"]
ODD += ["- a", "a: b", "a b", "\n", "\u202e", "\N{PILE OF POO}", "\N{PILE OF POO}\N{SNOWMAN}", "a" * 240]
LETTERS = st.characters(exclude_characters="/\0", exclude_categories=["Cs"])
STEMS = st.sampled_from(ODD) | st.text(LETTERS, min_size=1, max_size=8).filter(lambda name: name.strip("."))
FOLDERS = st.sampled_from(["", "en", "de", "a b", "\N{SNOWMAN}", "true"])


SUFFIXES = st.sampled_from([".csv", ".CSV", ".Csv"])


def written(n_wrong):
    rows = [f"{number},{'ab'[number % 2]},{'ab'[(number + (number < n_wrong)) % 2]}" for number in range(60)]
    return "\n".join(["id,y_true,y_pred", *rows]) + "\n"


@pytest.mark.slow
@settings(max_examples=6, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.lists(st.tuples(FOLDERS, STEMS, SUFFIXES, st.integers(1, 9)), min_size=1, max_size=3))
@example([("en", "new", ".csv", 3), ("de", "new", ".csv", 5)])
@example([("", "true", ".csv", 3), ("", "2025", ".csv", 5)])
@example([("", "\N{PILE OF POO}", ".csv", 3), ("", "a" * 240, ".CSV", 5)])
def test_what_is_proposed_is_accepted(files):
    with TemporaryDirectory() as name:
        folder = Path(name)
        for above, stem, suffix, n_wrong in files:
            for side in ("old", "new"):
                (folder / side / above).mkdir(parents=True, exist_ok=True)
                (folder / side / above / f"{stem}{suffix}").write_text(written(n_wrong), "utf-8")
        call("init", name, code=0)
        path = folder / "bayesf1.yaml"
        gates = load_gates(path, folder)
        assert gates
        judged = call("gate", path, "--root", name, "--json")
        assert judged.exit_code in (0, 1, 3), judged.output
        assert len(json.loads(judged.stdout)["entries"]) == len(gates)
