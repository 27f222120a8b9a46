"""Read systems off a copy of https://github.com/neulab/SpanNER: ``python outcomes_of.py SpanNER my-systems``.

The spans of a document are numbered instead of placed, in an order that depends on nothing but their types and on who
found them. So the files tell which spans a system shares with the truth and with the other systems, which is all that
a comparison needs, and nothing of the text.
"""

import gzip
import json
import re
import sys
from pathlib import Path

from pytest_bayesf1.files.conll import spans_of_lines

PREFIX = "conll03_"
START = "-DOCSTART-"


def main(copy, folder):
    """Write a file per system, of the name that its results have there, which ends with its F1."""
    sizes = sentences_by_document((copy / "data/conll03_bio/test.txt").read_text(encoding="utf-8"))
    results = {}
    for path in sorted((copy / "combination/results/conll03").glob(f"{PREFIX}C*.txt")):
        name = re.sub(r"_\d+_test_", "_", path.stem.removeprefix(PREFIX))
        results[name] = spans_of_lines(in_documents(path.read_text(encoding="utf-8"), sizes)).values
    folder.mkdir(parents=True, exist_ok=True)
    gold, *others = [columns["y_true"] for columns in results.values()]
    assert all(other == gold for other in others)
    documents = [numbered(*spans) for spans in zip(gold, *(each["y_pred"] for each in results.values()), strict=True)]
    for position, name in enumerate(results, 1):
        rows = [(number, spans[0], spans[position]) for number, spans in enumerate(documents, 1)]
        lines = [json.dumps({"id": number, "gold": gold, "predicted": found}) for number, gold, found in rows]
        content = gzip.compress("\n".join([*lines, ""]).encode(), mtime=0)
        (folder / f"{name}.jsonl.gz").write_bytes(content)


def blocks(text):
    """Split a file at its blank lines, and leave out the lines that begin a document."""
    return [block.splitlines() for block in text.split("\n\n") if block.strip()]


def sentences_by_document(truth):
    """Count the sentences of every document."""
    sizes = []
    for block in blocks(truth):
        if block[0].startswith(START):
            sizes.append(0)
        else:
            sizes[-1] += 1
    return sizes


def in_documents(result, sizes):
    """Begin the documents of a system's results, some of which have lost these lines."""
    sentences = iter([block for block in blocks(result) if not block[0].startswith(START)])
    for size in sizes:
        yield START
        for _ in range(size):
            yield from next(sentences)
            yield ""


def numbered(*sides):
    """Number the spans of a document by their type and by who has them, the truth first."""
    held = [set(side) for side in sides]
    spans = sorted(set().union(*held), key=lambda span: (span[2], *(span not in side for side in held), span))
    number = {span: position for position, span in enumerate(spans)}
    return [sorted((number[span], number[span] + 1, span[2]) for span in side) for side in held]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
