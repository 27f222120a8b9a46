"""What a reader meets: gates of every kind, in the terminal, as Markdown and as a page, all of it reviewed."""

import json
import re

import pytest

from tests.unit.committed import Committed

CLASSES = ("ham", "spam", "a|b <i>", "Größe")
SYSTEMS = ("old", "worse", "fi", "leaning", "open")
GATES = """\
defaults: {rope: 0.02}
gates:
  spam: {baseline: old.csv, candidate: worse.csv, measure: f1_macro, per_class: true, slices: [lang], show: [text]}
  worse in fi: {baseline: old.csv, candidate: fi.csv, measure: accuracy, slices: [lang], max_gap: 0.03}
  leaning: {baseline: old.csv, candidate: leaning.csv, measure: "f1[spam]", rope: [-0.04, 0.01]}
  open: {baseline: old.csv, candidate: open.csv, measure: recall_macro, fail_on: unproven}
  open and passes: {baseline: old.csv, candidate: open.csv, measure: precision_macro}
  counts:
    {baseline: old-counts.csv, candidate: worse-counts.csv, measure: matthews_corrcoef, prior: uniform, hdi_prob: 0.9}
  agreement: {baseline: old-counts.csv, candidate: open-counts.csv, measure: cohen_kappa, agreement: [0.8, 0.9]}
  shares: {baseline: old.csv, candidate: worse.csv, measure: accuracy, prevalence: {spam: [0.01, 0.05]}}
  better: {baseline: fi.csv, candidate: old.csv, measure: balanced_accuracy}
  grades: {baseline: old.csv, candidate: worse.csv, measure: mean, columns: {value: grade}, clusters: thread}
  評価 scores: {baseline: old-scores.csv, candidate: worse-scores.csv, measure: roc_auc}
  several labels: {baseline: old-tags.jsonl, candidate: worse-tags.jsonl, measure: f1_weighted, per_class: true}
  spans: {baseline: old-spans.jsonl, candidate: open-spans.jsonl, measure: f1_micro, per_class: true}
  other examples: {baseline: old.csv, candidate: fewer.csv, measure: f1_macro}
  floor: {candidate: worse.csv, floor: 0.6, measure: accuracy}
  below: {candidate: worse.csv, floor: 0.95, measure: f1_macro, fail_on: unproven}
  missing: {baseline: old.csv, candidate: none.csv}
"""


def said(k, system):
    """Return the class of an example, and what a system says of it."""
    true = k % 4 if k % 3 else 0
    wrong = {
        "old": k % 9 == 4,
        "worse": k % 9 == 4 or (true == 1 and k % 5 != 1),
        "fi": k % 9 == 4 or (k % 7 < 2 and k % 5 < 3),
        "leaning": k % 9 == 4 or (true == 1 and k % 11 == 1),
        "open": (k % 9 == 4) != (k % 25 == 0),
    }[system]
    return true, (true + 1 + k % 2) % 4 if wrong else true


def lay_out(folder, n=300):
    """Write of each system predictions, scores, counts, examples with several labels, and spans."""

    def write(name, lines):
        (folder / name).write_text("\n".join(lines), "utf-8")

    for system in SYSTEMS:
        answers = [said(k, system) for k in range(n)]
        rows = [
            f"e{k},{'fi' if k % 7 < 2 else 'de' if k % 7 < 4 else 'en'},<b>text</b> {k},t{k // 4},"
            f"{CLASSES[true]},{CLASSES[answer]},{(true == answer) + k % 3}"
            for k, (true, answer) in enumerate(answers)
        ]
        write(f"{system}.csv", ["id,lang,text,thread,y_true,y_pred,grade", *rows])
        scores = [(k * 37 % 100 + 60 * (true == 1 == answer)) / 160 for k, (true, answer) in enumerate(answers)]
        write(f"{system}-scores.csv", ["y_true,y_score", *(f"{int(k % 4 == 1)},{s}" for k, s in enumerate(scores))])
        counts = [[answers.count((true, answer)) for answer in range(4)] for true in range(4)]
        cells = [",".join([name, *map(str, row)]) for name, row in zip(CLASSES, counts, strict=True)]
        write(f"{system}-counts.csv", [",".join(["", *CLASSES]), *cells])
        tags = ({"y_true": [CLASSES[t], "every"], "y_pred": [CLASSES[a], "every"][: 1 + (a != 2)]} for t, a in answers)
        write(f"{system}-tags.jsonl", map(json.dumps, tags))
        spans = ({"gold": [[0, 5, f"c{t}"], [7, 9, "PER"]], "predicted": [[0, 5, f"c{a}"]]} for t, a in answers)
        write(f"{system}-spans.jsonl", map(json.dumps, spans))
    head, *rows = (folder / "worse.csv").read_text("utf-8").splitlines()
    write("fewer.csv", [head, *rows[:250], *(row.replace("e", "f", 1) for row in rows[250:270])])
    write("bayesf1.yaml", [GATES])


@pytest.fixture(autouse=True)
def _files(tmp_path):
    lay_out(tmp_path)


def test_gates_of_every_kind(transcript):
    transcript.bayesf1("gate --report out --note model=v3")
    transcript.cat("out/report.md")
    transcript.cat("out/report.html")


def test_gates_of_every_kind_at_length(transcript):
    transcript.bayesf1("gate --verbose")


def test_one_gate_alone(transcript):
    for name in ("spam", "worse in fi", "leaning", "counts", "shares", "grades", "other examples", "below", "missing"):
        transcript.bayesf1(f"gate --gate '{name}'")


def test_the_page_of_one_gate(transcript):
    transcript.bayesf1("gate --gate spam --report out")
    transcript.cat("out/report.md")
    transcript.cat("out/report.html")


def test_gates_that_are_loosened_and_losses_that_are_accepted(transcript, tmp_path, monkeypatch):
    """Two losses are accepted, a third is not; then two gates allow more, one is gone, and one is new."""
    monkeypatch.setenv("BAYESF1_CACHE", str(tmp_path / "cache"))
    some = re.compile(r"  (spam|worse in fi|leaning|open|better|floor): .*\n")
    gates = GATES[: GATES.index("  ")] + "".join(each.group() for each in some.finditer(GATES))
    (tmp_path / "bayesf1.yaml").write_text(gates, "utf-8")
    repository = Committed.new(tmp_path)
    repository.write(".gitignore", "cache")
    transcript.bayesf1("gate --update-manifest")
    repository.commit()
    transcript.bayesf1("accept 'worse in fi' --reason '<b>agreed</b>'")
    transcript.bayesf1("accept spam open --reason 'a | smaller model' --up-to 0.5")
    transcript.bayesf1("gate --report out")
    transcript.cat("out/report.md")
    repository.commit()
    looser = gates.replace("rope: [-0.04, 0.01]", "rope: [-0.06, 0.02]").replace("better:", "renamed:")
    (tmp_path / "bayesf1.yaml").write_text(looser.replace("max_gap: 0.03", "max_gap: 0.05"), "utf-8")
    transcript.bayesf1("gate --report out")
    transcript.cat("out/report.html")
    transcript.cat("__bayesf1__/gates.json")
