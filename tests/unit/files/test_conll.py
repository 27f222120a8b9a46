import gzip

import pytest

from pytest_bayesf1 import SpanCounts
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.formats import NO_DOCUMENTS
from pytest_bayesf1.files.side import read_side

DOCUMENTS = """\
-DOCSTART- -X- O O

Anna NNP B-PER B-PER
Karenina NNP I-PER O
left VBD O O

Moscow NNP B-LOC B-LOC

-DOCSTART- -X- O O

-DOCSTART- -X- O O

# CD O B-MISC
Oblonsky NNP B-PER B-PER
"""
GOLD = [[(0, 2, "PER"), (3, 4, "LOC")], [], [(1, 2, "PER")]]
FOUND = [[(0, 1, "PER"), (3, 4, "LOC")], [], [(0, 1, "MISC"), (1, 2, "PER")]]


def read(folder, text, name="a.conll"):
    (folder / name).write_text(text, encoding="utf-8")
    return read_side(folder / name, "baseline").counts()


def kept(counts):
    return counts.predictions.columns(counts.labels)


def test_tokens_of_a_document_are_numbered_through_its_sentences(tmp_path):
    counts = read(tmp_path, DOCUMENTS)
    assert counts == SpanCounts.from_spans(GOLD, FOUND)
    assert kept(counts) == kept(SpanCounts.from_spans(GOLD, FOUND))
    assert counts.notes == ()


@pytest.mark.parametrize("name", ["a.bio", "A.CONLL"])
def test_the_suffix_tells_the_format(tmp_path, name):
    assert read(tmp_path, DOCUMENTS, name) == read(tmp_path, DOCUMENTS)


def test_files_may_be_compressed(tmp_path):
    (tmp_path / "a.conll.gz").write_bytes(gzip.compress(DOCUMENTS.encode()))
    assert read_side(tmp_path / "a.conll.gz", "baseline").counts() == read(tmp_path, DOCUMENTS)


@pytest.mark.parametrize("change", [("\n", "\r\n"), (" ", "\t"), ("\n\n", "\n \n\n")], ids=["ends", "tabs", "blanks"])
def test_white_space_does_not_matter(tmp_path, change):
    assert kept(read(tmp_path, DOCUMENTS.replace(*change))) == kept(read(tmp_path, DOCUMENTS))


def test_documents_may_have_names(tmp_path):
    text = "# newdoc id = one\nAnna B-PER O\n\n# newdoc id = two\nAnna B-PER B-PER\n"
    assert kept(read(tmp_path, text))["id"] == ["one", "two"]


def test_without_documents_every_sentence_is_one(tmp_path):
    counts = read(tmp_path, "Anna B-PER O\nleft O O\n\nMoscow B-LOC B-LOC\n")
    assert kept(counts) == {"y_true": [[[0, 1, "PER"]], [[0, 1, "LOC"]]], "y_pred": [[], [[0, 1, "LOC"]]]}
    assert counts.notes == (f"baseline: {NO_DOCUMENTS}",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "expected tokens with a true and a predicted tag, got an empty file"),
        ("O\n", "line 1: expected 2 columns, the true and the predicted tag last, got 1"),
        ("a O O\n\nb O\n", "line 3: expected 3 columns, the true and the predicted tag last, got 2"),
        ("a O O\nb B-PER PER\n", "line 2: expected O, or a tag such as B-PER, got 'PER'"),
        ("a O B-PER\n", "gold: expected at least one span, got none at all"),
    ],
    ids=["empty", "one column", "columns", "no tag", "no span"],
)
def test_what_is_wrong_is_told_by_its_line(tmp_path, text, expected):
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert expected in str(caught.value)
