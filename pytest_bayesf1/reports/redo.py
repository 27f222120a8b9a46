"""How a result can be computed again: a command, and a call."""

import json
import shlex
from collections.abc import Iterable

from pytest_bayesf1.measures.names import OF_SCORES
from pytest_bayesf1.reports.entry import ComparisonEntry, Entry, EstimateEntry
from pytest_bayesf1.results.comparison import Computed
from pytest_bayesf1.results.formatting import spelt_out, visible
from pytest_bayesf1.settings import AUTO, BOOTSTRAP, EngineName, PriorName

_GATE_FILES = (".yaml", ".yml")


def redo(entry: Entry) -> str:
    """Write the shell's command that makes the comparison again; empty where no file is known to make it."""
    file, _, name = entry.test.partition("::")
    if not name:
        return ""
    if file.endswith(_GATE_FILES):
        return f"bayesf1 gate {_quoted(file)} --gate {_quoted(name)}"
    # a fixture's comparisons, which belong to no line, are made whenever its file runs
    return f"pytest {_quoted(entry.test if entry.file else file)}"


def python_call(entry: ComparisonEntry | EstimateEntry) -> str:
    """Write the call in Python that makes the comparison or the estimate again, of the same data."""
    if isinstance(entry, EstimateEntry):
        return _written("assert_at_least", ["matrix", f"{entry.floor:g}", _measure(entry.measure)], _sampling(entry))
    model = [f"model={json.dumps(entry.model)}", *_agreement(entry.stated_agreement)]
    is_function = entry.custom_measure and entry.measure not in OF_SCORES
    measure = _own_measure(entry.measure) if is_function else _measure(entry.measure)
    what = ["baseline", "candidate", measure, f"rope={_rope(*entry.rope)}"]
    return _written("compare", what, [*model, *_sampling(entry)])


def _quoted(text: str) -> str:
    return shlex.quote(visible(text))


def _written(function: str, *lines: list[str]) -> str:
    return "\n".join([f"{function}(", *(f"    {', '.join(arguments)}," for arguments in lines), ")"])


def _measure(name: str) -> str:
    return f"measure={spelt_out(json.dumps(name, ensure_ascii=False))}"


def _own_measure(name: str) -> str:
    return f"measure={name if name.isidentifier() else '...'}"


def _rope(low: float, high: float) -> str:
    return f"{high!r}" if -low == high else f"({low!r}, {high!r})"


def _agreement(stated: tuple[float, float] | None) -> list[str]:
    if stated is None:
        return []
    low, high = stated
    return [f"agreement={low!r}" if low == high else f"agreement=({low!r}, {high!r})"]


def _sampling(entry: Computed) -> list[str]:
    return [
        f"hdi_prob={entry.hdi_prob!r}",
        f"prior={_known(AUTO if entry.prior == BOOTSTRAP else entry.prior, (AUTO, *PriorName))}",
        f"engine={_known(entry.engine, EngineName)}",
        f"seed={entry.seed}",
        f"n_draws={entry.n_draws:_}",
    ]


def _known(name: str, names: Iterable[str]) -> str:
    """Write a name that a call takes; what was made by hand has to be made again."""
    return f'"{name}"' if name in list(names) else "..."
