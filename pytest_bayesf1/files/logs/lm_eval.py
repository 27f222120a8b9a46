"""Logs of lm-evaluation-harness (https://github.com/EleutherAI/lm-evaluation-harness): ``samples_*.jsonl``.

A line per document and filter, as ``lm_eval --log_samples`` writes them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from pytest_bayesf1.files.columns import ID
from pytest_bayesf1.files.content import Table
from pytest_bayesf1.files.logs.log import Log, checked, in_order, scalars

TOOL = "lm-evaluation-harness"
_ALWAYS = {"doc_id", "target", "filtered_resps", "resps"}


@dataclass(frozen=True)
class _Sample:
    """A document, as one filter reads the answers; beside these fields a record has the metrics."""

    doc_id: int | str
    target: Any
    filtered_resps: list[Any]
    doc: Any = None
    filter: str = "none"
    metrics: list[str] | None = None


def is_log(document: object) -> TypeGuard[Sequence[Any]]:
    """Whether records are such a log."""
    return (
        isinstance(document, list)
        and bool(document)
        and isinstance(document[0], Mapping)
        and document[0].keys() >= _ALWAYS
    )


def read_records(records: Sequence[Any], names: Mapping[str, str], lines: Sequence[int] | None) -> Table:
    """Read a log.

    Parameters
    ----------
    records
        One per document and filter.
    names
        What the log calls the columns that are compared, where that is said.
    lines
        The line of each, in a file of lines.

    Raises
    ------
    InputError
        When a record is not as the harness writes it, or nothing in it can be compared.
    """
    samples = checked(list[_Sample], records, lines)
    metrics = in_order(name for each in zip(samples, records, strict=True) for name in _metrics(*each))
    rows = [
        {**dict(_row(sample)), **{name: record.get(name) for name in metrics}}
        for sample, record in zip(samples, records, strict=True)
    ]
    return Log(TOOL, rows, metrics, one_each=("filter",)).table(names, lines)


def _metrics(sample: _Sample, record: Mapping[str, Any]) -> list[str]:
    """Return the names of the metrics; older logs do not list them."""
    if sample.metrics is not None:
        return [name for name in sample.metrics if name in record]
    return [name for name, value in record.items() if isinstance(value, float | bool)]


def _row(sample: _Sample) -> Iterator[tuple[str, Any]]:
    yield ID, sample.doc_id
    yield "filter", sample.filter
    yield from scalars("doc", sample.doc)
    yield from scalars("target", sample.target)
    yield "answer", _answer(sample.filtered_resps)


def _answer(responses: list[Any]) -> str | None:
    """Return the text of the answer, or of several choices the position of the likeliest; else None."""
    first = responses[0] if responses else None
    if isinstance(first, str):
        return first
    likelihoods = [_likelihood(each) for each in responses]
    if len(likelihoods) < 2 or None in likelihoods:
        return None
    return str(likelihoods.index(max(each for each in likelihoods if each is not None)))


def _likelihood(response: Any) -> float | None:
    """Read the logarithm of a choice's likelihood, of which a response is the first part."""
    try:
        return float(response[0])
    except (LookupError, TypeError, ValueError):
        return None
