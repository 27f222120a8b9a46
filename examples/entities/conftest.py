"""Three made-up named entity recognisers on 231 documents; see README.md."""

import gzip
import json
from pathlib import Path

import pytest

from pytest_bayesf1 import SpanCounts

SYSTEMS = {path.name.removesuffix(".jsonl.gz"): path for path in (Path(__file__).parent / "systems").iterdir()}


@pytest.fixture(scope="session")
def system():
    """Read what a system found."""

    def read(name):
        documents = [json.loads(line) for line in gzip.decompress(SYSTEMS[name].read_bytes()).splitlines()]
        ids, gold, predicted = ([each[key] for each in documents] for key in ("id", "gold", "predicted"))
        return SpanCounts.from_spans(gold, predicted, documents=ids)

    return read


@pytest.fixture(scope="session")
def old(system):
    """What is in production."""
    return system("v1")


@pytest.fixture(scope="session")
def new(system):
    """What is to replace it."""
    return system("v2")
