import random

import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.data.spans import read_tag, spans_in
from tests.unit.counts.spans.made_up_tags import spans_token_by_token


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("O O", []),
        ("B-P I-P O B-L", [(0, 2, "P"), (3, 4, "L")]),
        ("I-P I-P B-P I-P", [(0, 2, "P"), (2, 4, "P")]),
        ("B-P I-P E-P S-P S-L", [(0, 3, "P"), (3, 4, "P"), (4, 5, "L")]),
        ("B-P I-P L-P U-P U-L", [(0, 3, "P"), (3, 4, "P"), (4, 5, "L")]),
        ("B I O S", [(0, 2, "_"), (3, 4, "_")]),
        ("B-a-b I-a-b", [(0, 2, "a-b")]),
    ],
    ids=["none", "IOB2", "IOB1", "BIOES", "BILOU", "untyped", "hyphens"],
)
def test_every_scheme_is_read(tags, spans):
    assert spans_in(tags.split()) == spans


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("O I-P I-P", [(1, 3, "P")]),
        ("B-P I-L", [(0, 1, "P"), (1, 2, "L")]),
        ("O E-P I-P", [(1, 2, "P"), (2, 3, "P")]),
        ("B-P S-P E-P", [(0, 1, "P"), (1, 2, "P"), (2, 3, "P")]),
    ],
    ids=["I without B", "another type", "E without B", "S inside"],
)
def test_improper_sequences_are_read_as_conlleval_reads_them(tags, spans):
    assert spans_in(tags.split()) == spans


def test_any_sequence_is_read_as_by_the_tables_of_conlleval():
    rng = random.Random(3)  # noqa: S311 (made-up data)
    pool = ["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in "PL")]
    for _ in range(500):
        tags = rng.choices(pool, k=rng.randint(1, 9))
        assert spans_in(tags) == spans_token_by_token(tags)


def test_tokens_may_be_numbered_from_any_number_on():
    assert spans_in(["O", "B-P"], first=10) == [(11, 12, "P")]


@pytest.mark.parametrize("tag", ["X-PER", "PER", "b-PER", "", "-X-", None, 3])
def test_anything_else_is_no_tag(tag):
    with pytest.raises(InputError, match=r"token 1: expected O, or a tag such as B-PER, got"):
        spans_in(["O", tag])
    with pytest.raises(InputError, match="here"):
        read_tag(tag, "here")
