"""Ten named entity recognisers on the test set of CoNLL-2003, 231 documents; see README.md."""

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
def elmo(system):
    """ELMo embeddings alone: F1 of 91.99."""
    return system("CelmoWnon_lstmCrf_9199")


@pytest.fixture(scope="session")
def flair(system):
    """Flair embeddings alone: F1 of 92.41."""
    return system("CflairWnon_lstmCrf_9241")


def pytest_generate_tests(metafunc):
    """Run a test with every system that it names."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", sorted(SYSTEMS))
