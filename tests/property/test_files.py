import gzip
import io
import json
import resource
import struct
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from pytest_bayesf1 import BayesF1Error, ConfusionMatrix, MultilabelCounts, Scores
from pytest_bayesf1.baselines.store import Baseline, from_text, read_baseline, to_text
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.files.formats import FORMATS
from pytest_bayesf1.files.opening import unpacked_name
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.yaml_document import YamlError, load_document
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.record import load_report
from tests.property.strategies import confusion_matrices
from tests.unit.reports.golden_report import REPORT

HOSTILE = st.sampled_from(
    ["\n", "\r\n", '"', "\\", "'", "\ud800", "\u200f", "\u202e", "\u2028", "\x85", "]", "<<<<<<<", ","]
)
TEXTS = st.lists(HOSTILE | st.characters(exclude_characters="\0"), max_size=6).map("".join)
INTEGERS = st.integers(-(2**63), 2**63 - 1)


def distinct(size):
    """Draw texts or numbers that differ; an empty text is a missing value."""
    kinds = TEXTS.filter(str.strip), INTEGERS
    return st.one_of(*(st.lists(kind, min_size=size, max_size=size, unique=True) for kind in kinds))


@st.composite
def examples(draw, element):
    """Draw labels, the truth, predictions and ids; ``element`` makes an example's truth of the labels."""
    labels = draw(distinct(draw(st.integers(2, 4))) | st.permutations([False, True]))
    size = draw(st.integers(1, 8))
    truth, said = (draw(st.lists(element(labels), min_size=size, max_size=size)) for _ in range(2))
    return labels, truth, said, draw(st.none() | distinct(size))


def restored(side, name="x"):
    baseline = from_text(to_text(Baseline(name, side)), "here")
    assert baseline.name == name
    assert list(map(repr, baseline.counts.labels)) == list(map(repr, side.labels))
    return baseline.counts


def columns(side):
    return repr(side.questions.columns(side.labels))


class TestBaselines:
    """Any labels and ids come back from a baseline as they were."""

    @given(examples(st.sampled_from), TEXTS)
    def test_classes(self, drawn, name):
        labels, truth, said, ids = drawn
        side = ConfusionMatrix.from_predictions(truth, said, labels=labels, ids=ids)
        again = restored(side, name)
        assert again == side
        assert columns(again) == columns(side)

    @given(examples(lambda labels: st.sets(st.sampled_from(labels))))
    def test_sets_of_labels(self, drawn):
        labels, truth, said, ids = drawn
        truth[0] = {labels[0]}
        side = MultilabelCounts.from_predictions(truth, said, labels=labels, ids=ids)
        again = restored(side)
        assert again == side
        assert columns(again) == columns(side)

    @given(confusion_matrices(), st.data())
    def test_counts(self, counts, data):
        side = ConfusionMatrix(counts, labels=data.draw(distinct(len(counts))))
        assert restored(side) == side
        assert restored(ConfusionMatrix(counts)) == ConfusionMatrix(counts)

    @given(examples(st.sampled_from), st.randoms(use_true_random=False))
    def test_the_order_of_examples_with_ids_leaves_no_trace(self, drawn, random):
        labels, truth, said, ids = drawn
        ids = list(range(len(truth))) if ids is None else ids
        order = random.sample(range(len(truth)), len(truth))
        there = [[column[i] for i in order] for column in (truth, said, ids)]
        texts = {
            to_text(Baseline("x", ConfusionMatrix.from_predictions(*each[:2], labels=labels, ids=each[2])))
            for each in ([truth, said, ids], there)
        }
        assert len(texts) == 1
        assert np.array_equal(sorted(ids), from_text(texts.pop(), "here").counts.questions.ids)


# Files of every kind that is read, sound and damaged: each is read rightly or refused in words, at little cost.
MOST_BYTES, MOST_SECONDS = 200_000_000, 10.0
"""Of memory, and of processor time, for files of a few kilobytes."""

HUGE = 10**400
NUMBERS = st.one_of(
    st.integers(-3, 9),
    st.sampled_from([HUGE, -HUGE, 2**63, 2**64, -(2**63) - 1, 2**53 + 1, 10**18]),
    st.floats(allow_nan=True),
)
SCALARS = st.one_of(NUMBERS, st.booleans(), st.none(), st.text(max_size=4), st.sampled_from(["", "nan", "1.0", " 1"]))
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
WHOLE = st.integers(0, 2)
SOUND_LABELS = st.sampled_from(
    [WHOLE, st.sampled_from("ab"), st.booleans(), st.lists(st.sampled_from("ab"), unique=True)]
)
LABELS = st.one_of(
    SOUND_LABELS.flatmap(lambda label: st.lists(label, min_size=4, max_size=4)), st.lists(VALUES, max_size=5), VALUES
)
COUNTS = st.one_of(
    *(st.lists(st.lists(cell, min_size=2, max_size=2), min_size=2, max_size=2) for cell in (WHOLE, NUMBERS)), VALUES
)
SOUND = st.one_of(
    SOUND_LABELS.flatmap(
        lambda label: st.fixed_dictionaries(
            {name: st.lists(label, min_size=4, max_size=4) for name in ("y_true", "y_pred")},
            optional={"id": st.permutations([1, 2, 3, 4])},
        )
    ),
    st.fixed_dictionaries({"counts": st.just([[3, 1], [0, 4]])}, optional={"labels": st.just(["a", "b"])}),
)
NAMES = st.sampled_from(["y_true", "y_pred", "y_score", "y_score_a", "value", "id", "labels", "counts", "group", ""])
COLUMNS = st.one_of(
    SOUND,
    st.fixed_dictionaries({"y_true": LABELS, "y_pred": LABELS}, optional={"id": LABELS, "labels": LABELS}),
    st.fixed_dictionaries({"y_true": LABELS, "y_score": LABELS}, optional={"id": LABELS, "labels": LABELS}),
    st.fixed_dictionaries({"y_true": LABELS, "y_score_a": LABELS, "y_score_b": LABELS}, optional={"labels": LABELS}),
    st.fixed_dictionaries({"counts": COUNTS}, optional={"labels": LABELS}),
    st.fixed_dictionaries({"value": LABELS}, optional={"id": LABELS, "y_true": LABELS}),
    st.dictionaries(NAMES, VALUES, max_size=4),
)
RECORDS = st.lists(st.one_of(st.dictionaries(NAMES, SCALARS, max_size=4), SCALARS), max_size=4)
DOCUMENTS = st.one_of(SOUND, COLUMNS, RECORDS, COUNTS, VALUES)
CELLS = st.one_of(
    st.sampled_from(["y_true", "y_pred", "id", "0", "1", "a", "b", "", '"', "1e400", "nan", "-1", str(HUGE)]),
    st.text(max_size=3),
)
SOUND_ROWS = st.lists(st.sampled_from([["a", "b"], ["b", "b"], ["a", "a"]]), min_size=1, max_size=4)
TABLES = st.one_of(
    SOUND_ROWS.map(lambda rows: [["y_true", "y_pred"], *rows]),
    st.lists(st.lists(WHOLE.map(str), min_size=2, max_size=2), min_size=2, max_size=2),
    st.lists(CELLS, max_size=4).map(lambda cells: [["y_true", "y_pred"], *([cell, "1"] for cell in cells)]),
    st.lists(CELLS, max_size=4).map(
        lambda cells: [["y_true", "y_score"], *(["1", cell] for cell in cells), ["0", "1"]]
    ),
    st.lists(st.lists(CELLS, min_size=2, max_size=3), max_size=5),
)
SPANS = st.lists(st.tuples(st.integers(0, 4), st.integers(5, 9), st.sampled_from("ab")) | VALUES, max_size=3)
SPAN_RECORD = st.fixed_dictionaries(
    {"gold": SPANS | VALUES, "predicted": SPANS}, optional={"id": VALUES, "group": VALUES}
)
SPAN_RECORDS = st.lists(SPAN_RECORD, min_size=1, max_size=3)
TOKENS = st.sampled_from(
    ["Anna O O", "Anna B-a B-a", "Anna I-a E-b", "S-b U-b", "", "-DOCSTART-", "# newdoc id = x", "x"]
)
SEPARATORS = st.sampled_from([",", ";", "\t"])
WOUNDS = st.tuples(st.sampled_from(["cut", "change", "insert", "repeat"]), st.floats(0, 1), st.integers(0, 255))
DAMAGE = st.just([]) | st.lists(WOUNDS, max_size=3)
DTYPES = ["<i8", "<f8", "<f2", "<U0", "<U3", "<U99999999", "|S2", "|b1", "|O", "<M8[ns]", "<c16", "|V0", "<u8"]
SHAPES = st.lists(st.sampled_from([0, 1, 2, 4, 10**6, 10**12, 2**63, -1]), max_size=3).map(tuple)


def damaged(content, damage):
    content = bytearray(content)
    for kind, share, byte in damage:
        place = int(share * len(content))
        if kind == "cut":
            del content[place:]
        elif kind == "insert":
            content[place:place] = bytes([byte])
        elif kind == "repeat":
            content[place:place] = content[place : place + byte]
        elif place < len(content):
            content[place] = byte
    return bytes(content)


def json_text(document):
    return json.dumps(document).encode()


def json_lines(records):
    return "\n".join(map(json.dumps, records)).encode()


def conll_text(lines):
    return "\n".join(lines).encode()


def csv_text(rows, separator):
    return "\n".join(separator.join(row) for row in rows).encode("utf-8", "replace")


@st.composite
def forged_arrays(draw):
    """Archives whose arrays say that they hold something else than they do."""
    target, data = io.BytesIO(), draw(st.binary(max_size=64))
    with zipfile.ZipFile(target, "w", draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))) as archive:
        for name in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
            head = f"{{'descr': {draw(st.sampled_from(DTYPES))!r}, 'fortran_order': False, 'shape': {draw(SHAPES)}}}\n"
            magic = draw(st.sampled_from([b"\x01\x00", b"\x01\x00", b"\x02\x00", b"\x03\x00"]))
            size = struct.pack("<H" if magic == b"\x01\x00" else "<I", len(head))
            archive.writestr(f"{name}.npy", b"\x93NUMPY" + magic + size + head.encode() + data)
    return target.getvalue()


@st.composite
def saved_arrays(draw):
    """Archives as numpy writes them."""
    target, arrays = io.BytesIO(), {}
    for name, values in draw(COLUMNS).items():
        try:
            arrays[name or "x"] = np.asarray(values)
        except (ValueError, OverflowError):
            arrays[name or "x"] = np.asarray(str(values))
    np.savez(target, **arrays)
    return target.getvalue()


@st.composite
def parquet_files(draw):
    columns = {}
    for name, values in draw(COLUMNS).items():
        try:
            columns[name] = pa.array(values if isinstance(values, list) else [values])
        except (pa.ArrowException, OverflowError):
            columns[name] = pa.array(["x"])
    shortest = min(map(len, columns.values()), default=0)
    target = io.BytesIO()
    parquet.write_table(pa.table({name: column[:shortest] for name, column in columns.items()}), target)
    return target.getvalue()


KEYS = (
    *("baseline", "candidate", "measure", "rope", "hdi_prob", "fail_on"),
    *("slices", "per_class", "seed", "columns", "rows", "x"),
)
SETTINGS = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6)
SOUND_GATES = st.fixed_dictionaries(
    {"baseline": st.just("a.csv"), "candidate": st.just("b.csv"), "rope": st.floats(0.001, 0.1) | VALUES},
    optional={"measure": st.sampled_from(["accuracy", "f1_macro"]), "seed": VALUES, "slices": VALUES},
).map(lambda settings: {"gates": {"spam": settings}})
GATES = SOUND_GATES | st.fixed_dictionaries(
    {"gates": st.one_of(st.dictionaries(st.text(max_size=3), SETTINGS, max_size=2), VALUES)},
    optional={"defaults": st.one_of(SETTINGS, VALUES), "version": VALUES},
)
NAMED = Schema(columns=(("y_true", "a"), ("y_pred", "b")), rows=(("a", "1"),))
BASELINE = Baseline("test", ConfusionMatrix.from_predictions(["a", "b", "b"], ["a", "a", "b"], ids=[1, 2, 3]))
DOCUMENT = json.loads(REPORT.to_json())
KEPT = Path(__file__).parents[1] / "data" / "logs"
LOGS = {
    "inspect_ai": json.loads((KEPT / "inspect-second.json").read_text("utf-8")),
    "lm-evaluation-harness": [
        json.loads(line) for line in (KEPT / "lm-eval-teams.jsonl").read_text("utf-8").splitlines()
    ],
    "promptfoo": json.loads((KEPT / "promptfoo-second.json").read_text("utf-8")),
}
CLASSES = {
    "inspect_ai": {"y_true": "target", "y_pred": "scores.match.answer"},
    "lm-evaluation-harness": {"y_true": "target", "y_pred": "answer"},
    "promptfoo": {"y_true": "vars.team", "y_pred": "response.output"},
}
GRADES = {"inspect_ai": "scores.match.value", "lm-evaluation-harness": "acc", "promptfoo": "score"}


def log_side(tool):
    """Read a log by its grades, and by its classes."""

    def read(path):
        for columns in ({"value": GRADES[tool]}, CLASSES[tool]):
            reading = Schema(runs="samples", columns=tuple(columns.items()))
            with suppress(BayesF1Error):
                side(path, reading)

    return read


@st.composite
def changed(draw, document):
    """Documents with another value in a place or two."""
    document = json.loads(json.dumps(document))
    for _ in range(draw(st.integers(1, 2))):
        place = document
        while isinstance(place, dict | list) and place:
            key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
            if not isinstance(place[key], dict | list) or draw(st.integers(0, 9)) == 0:
                place[key] = draw(VALUES)
                break
            place = place[key]
    return document


def archived(samples):
    """Write the log of an evaluation as inspect_ai's archives have it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, document in (("header", {"status": "success"}), ("summaries", samples)):
            archive.writestr(f"{name}.json", json_text(document))
    return target.getvalue()


def side(path, reading=AS_IT_IS):
    counts = read_side(path, "candidate", reading).counts()
    assert counts.n_samples > 0
    if isinstance(counts, Scores):
        assert np.isfinite(counts.scores).all()
        return
    assert counts.n_samples == sum(counts.table.row_totals.tolist()) or counts.table.multilabel


def peak_memory():
    """Return the most bytes that this process has used so far; tracemalloc would not know of Arrow's own."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


FILES = {
    "csv": (st.builds(csv_text, TABLES, SEPARATORS), "a.csv", side),
    "tsv": (st.builds(csv_text, TABLES, st.just("\t")), "a.tsv", side),
    "columns and rows": (st.builds(csv_text, TABLES, SEPARATORS), "a.csv", lambda path: side(path, NAMED)),
    "csv.gz": (st.builds(csv_text, TABLES, SEPARATORS).map(gzip.compress), "a.csv.gz", side),
    "json": (DOCUMENTS.map(json_text), "a.json", side),
    "json.gz": (DOCUMENTS.map(json_text).map(gzip.compress), "a.json.gz", side),
    "jsonl": (st.one_of(SPAN_RECORDS, RECORDS).map(json_lines), "a.jsonl", side),
    "spans in json": (SPAN_RECORDS.map(json_text), "a.json", side),
    "conll": (st.lists(TOKENS, max_size=6).map(conll_text), "a.conll", side),
    "saved arrays": (saved_arrays(), "a.npz", side),
    "forged arrays": (forged_arrays(), "a.npz", side),
    "parquet": (parquet_files(), "a.parquet", side),
    "baseline": (st.just(to_text(BASELINE).encode()), "a.json", read_baseline),
    "gate file": (
        GATES.map(lambda document: yaml.safe_dump(document).encode("utf-8", "replace")),
        "bayesf1.yaml",
        lambda path: load_gates(path, path.parent),
    ),
    "report": (changed(DOCUMENT).map(json_text), "report.json", lambda path: markdown(load_report(path))),
    "inspect_ai": (changed(LOGS["inspect_ai"]).map(json_text), "a.json", log_side("inspect_ai")),
    "inspect_ai archive": (changed(LOGS["inspect_ai"]["samples"]).map(archived), "a.eval", log_side("inspect_ai")),
    "lm-evaluation-harness": (
        changed(LOGS["lm-evaluation-harness"]).map(json_lines),
        "a.jsonl",
        log_side("lm-evaluation-harness"),
    ),
    "promptfoo": (changed(LOGS["promptfoo"]).map(json_text), "a.json", log_side("promptfoo")),
}


def test_there_is_a_kind_for_every_reader_and_a_line_of_the_documentation_for_every_format():
    suffixes = {Path(unpacked_name(Path(name))).suffix for _, name, _ in FILES.values()}
    assert {FORMATS[suffix] for suffix in suffixes & FORMATS.keys()} == {*FORMATS.values()}
    page = (Path(__file__).parents[2] / "docs" / "reference" / "gate-files.md").read_text("utf-8")
    assert [suffix for suffix in FORMATS if f"`{suffix}`" not in page] == []


@pytest.fixture(scope="module")
def damaged_files(tmp_path_factory):
    """A folder of their own: a gate file above another test's folder is one that its commands name."""
    return tmp_path_factory.mktemp("damaged")


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
@settings(max_examples=75)
@given(data=st.data())
def test_a_file_is_read_or_refused(damaged_files, kind, data):
    contents, name, read = FILES[kind]
    path = damaged_files / name
    path.write_bytes(damaged(data.draw(contents), data.draw(DAMAGE)))
    before, begin = peak_memory(), time.process_time()
    with suppress(BayesF1Error):
        read(path)
    assert time.process_time() - begin < MOST_SECONDS
    assert peak_memory() - before < MOST_BYTES


@pytest.mark.parametrize(
    ("tool", "name", "content"),
    [
        ("inspect_ai", "a.json", json_text(LOGS["inspect_ai"])),
        ("inspect_ai", "a.eval", archived(LOGS["inspect_ai"]["samples"])),
        ("lm-evaluation-harness", "a.jsonl", json_lines(LOGS["lm-evaluation-harness"])),
        ("promptfoo", "a.json", json_text(LOGS["promptfoo"])),
    ],
    ids=["inspect_ai", "inspect_ai archive", "lm-evaluation-harness", "promptfoo"],  # an archive's bytes hold the time
)
def test_a_log_that_is_not_changed_is_read(tmp_path, tool, name, content):
    """What is refused as it is tests nothing when it is changed."""
    (tmp_path / name).write_bytes(content)
    for columns in ({"value": GRADES[tool]}, CLASSES[tool]):
        side(tmp_path / name, Schema(runs="samples", columns=tuple(columns.items())))


FLIPS = """
import random, sys
from contextlib import suppress
from pathlib import Path
from pytest_bayesf1 import InputError
from pytest_bayesf1.files.side import read_side

path, rng, n_read = Path(sys.argv[1]), random.Random(7), 0
sound = path.read_bytes()
for _ in range(int(sys.argv[2])):
    damaged = bytearray(sound)
    for _ in range(rng.choice([1, 1, 2, 8])):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    path.write_bytes(damaged)
    with suppress(InputError):
        read_side(path, "candidate").counts()
        n_read += 1
print(n_read)
"""
N_FLIPS = 150


@pytest.mark.slow
def test_flipped_bits_never_end_the_process(tmp_path):
    path, ids = tmp_path / "a.parquet", list(range(60))
    columns = {
        "id": ids,
        "y_true": list("abc") * 20,
        "y_pred": list("abb") * 20,
        "true": pa.array(list("abc") * 20).dictionary_encode(),
        "when": pa.array([10**9 * each for each in ids], pa.timestamp("us")),
        "list": [[each, None] for each in ids],
        "struct": [{"a": 1.5, "b": "x" * (each % 3)} for each in ids],
    }
    parquet.write_table(pa.table(columns), path, compression="none")
    command = [sys.executable, "-c", FLIPS, str(path), str(N_FLIPS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 0 < int(done.stdout) < N_FLIPS


# Whatever stands in a YAML file, it is read or refused with its place.
PIECES = [*"abc:-?,[]{}#&*!|>'\"%@`\\ \n\t~=<0123.+", "\r\n", "\u2028", "\ufeff", "\x00", "&a ", "*a", "<<: ", "!!int "]
PIECES += ["!!bool ", "!!timestamp ", "!!float ", "!!set ", "!!merge ", "!!value ", "? ", "\\U", "2020-01-01", "---\n"]
Y_A_M_L_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
Y_A_M_L_VALUES = st.recursive(
    Y_A_M_L_SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


def places(value, path=()):
    """List the keys and positions that lead to everything inside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in inner:
        yield (*path, str(step))
        yield from places(child, (*path, str(step)))


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text())
def test_any_text_is_read_or_refused_at_a_place_inside_of_it(text):
    try:
        lines = list(load_document(text).lines.values())
    except YamlError as error:
        lines = [error.line]
    assert all(1 <= line <= len(text.splitlines()) + 1 for line in lines)


@given(Y_A_M_L_VALUES)
def test_what_was_written_is_read_and_every_part_of_it_has_a_line(value):
    document = load_document(yaml.safe_dump(value))
    assert document.value == value
    assert set(document.lines) == set(places(value))
    assert document.repeated == ()
