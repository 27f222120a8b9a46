import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from pytest_bayesf1.cli.main import main
from pytest_bayesf1.gates.gate_file import load_gates

STEMS = st.sampled_from(
    [
        *(
            "new",
            "old",
            "true",
            "null",
            "yes",
            "2025",
            "2026-05-08",
            "1e3",
            "0x1f",
            "~",
            "=",
            "<<",
            "- a",
            "a: b",
            "#a",
            "'",
            '"',
        ),
        *(
            "\N{PILE OF POO}",
            "\N{PILE OF POO}\N{SNOWMAN}",
            "a" * 240,
            "\u202e",
            "\n",
            "\\",
            "*",
            "[a]",
            "{a}",
            "&a",
            "!a",
            "%a",
            "a b",
        ),
        "2026-05-08T10-11-12+00-00_spam_0123456789abcdef",
    ]
) | st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
    lambda name: name.strip(".")
)
FOLDERS = st.sampled_from(["", "en", "de", "a b", "\N{SNOWMAN}", "true"])
HEADERS = st.sampled_from(
    ["id,y_true,y_pred", "gold_label,pred_label", "id,label,prediction", "model,id,y_true,y_pred"]
)
SUFFIXES = st.sampled_from([".csv", ".CSV", ".Csv"])


def written(header, n_wrong):
    rows = [header]
    for number in range(60):
        true, said = "ab"[number % 2], "ab"[(number + (number < n_wrong)) % 2]
        for model in ("v1", "v2") if header.startswith("model") else ("",):
            cells = {"id": str(number), "model": model}
            labels = iter((true, said))
            rows.append(",".join(cells.get(name) or next(labels) for name in header.split(",")))
    return "\n".join(rows) + "\n"


@pytest.mark.slow
@settings(max_examples=12, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.lists(st.tuples(FOLDERS, STEMS, SUFFIXES, HEADERS, st.integers(1, 9)), min_size=1, max_size=5))
@example([("en", "new", ".csv", "id,y_true,y_pred", 3), ("de", "new", ".csv", "gold_label,pred_label", 5)])
@example([("", "true", ".csv", "id,y_true,y_pred", 3), ("", "2025", ".csv", "model,id,y_true,y_pred", 5)])
@example([("", "\N{PILE OF POO}", ".csv", "id,y_true,y_pred", 3), ("", "a" * 240, ".CSV", "id,label,prediction", 5)])
def test_what_is_proposed_is_accepted(files):
    with TemporaryDirectory() as name:
        folder = Path(name)
        for above, stem, suffix, header, n_wrong in files:
            (folder / above).mkdir(exist_ok=True)
            (folder / above / f"{stem}{suffix}").write_text(written(header, n_wrong), "utf-8")
        proposed = CliRunner().invoke(main, ["init", name])
        assert proposed.exit_code == 0, proposed.output
        path = folder / "bayesf1.yaml"
        gates = load_gates(path, folder)
        assert gates
        assert all(len(gate.name) <= 80 for gate in gates)
        judged = CliRunner().invoke(main, ["gate", str(path), "--root", name, "--json"])
        assert judged.exit_code in (0, 1, 3), judged.output
        assert len(json.loads(judged.stdout)["entries"]) == len(gates)
