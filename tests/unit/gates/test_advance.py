import json
from dataclasses import replace

import pytest

from pytest_bayesf1 import BaselineError, InputError
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import Gate, load_gates
from pytest_bayesf1.gates.regression import promote
from pytest_bayesf1.gates.source import Declared, FilePair
from pytest_bayesf1.project import Update
from pytest_bayesf1.results.run import Use
from tests.functional.gates import write_counts
from tests.unit.gates.runs import BASELINE, BETTER


def written(path, counts):
    write_counts(path, counts if isinstance(counts, list) else counts.counts.tolist())
    return path


def predictions(path, *, wrong, n=400, ids=True, flipped=0):
    columns = {
        "y_true": [int((i < flipped) ^ i % 2) for i in range(n)],
        "y_pred": [int(i % 2 ^ (i < wrong)) for i in range(n)],
    }
    named = {"id": [f"e{n - i}" for i in range(n)]} if ids else {}
    path.write_text(json.dumps(named | columns))
    return path


def changed(gate, **changes):
    """Return a gate with another name, other files or other demands."""
    source, demand = (
        {name: changes.pop(name) for name in vars(part).keys() & changes} for part in (gate.source, gate.demand)
    )
    return replace(gate, source=replace(gate.source, **source), demand=replace(gate.demand, **demand), **changes)


def assert_untouched(gate, outcome_of):
    before = gate.source.baseline.read_bytes()
    found = outcome_of()
    assert gate.source.baseline.read_bytes() == before
    return found


def refusal(*gates, **options):
    with pytest.raises((InputError, BaselineError)) as caught:
        promote(gates, **options)
    return str(caught.value)


def moved(gate, update=Update.ALL):
    """Which files became the candidate's, and what was said."""
    told = promote([gate], update).outcome
    return told, [
        path.read_bytes() == gate.source.candidate.read_bytes() for path in (gate.source.baseline, gate.source.anchor)
    ]


class TestPromote:
    @pytest.fixture
    def gate(self, tmp_path):
        declared = Declared(name="spam", file=tmp_path / "bayesf1.yaml", line=2)
        baseline, candidate = tmp_path / "baselines" / "spam.json", written(tmp_path / "spam.json", BETTER)
        source = FilePair(declared=declared, baseline=baseline, candidate=candidate)
        arguments = {"measure": "accuracy", "rope": 0.0125, "model": "auto", "n_draws": 2_000}
        return Gate(**vars(declared), source=source, demand=Demand.unless("<<", arguments))

    @pytest.fixture
    def kept(self, gate):
        gate.source.baseline.parent.mkdir()
        return written(gate.source.baseline, BASELINE)

    @pytest.mark.usefixtures("kept")
    def test_every_gate_of_a_baseline_is_asked(self, gate):
        written(gate.source.candidate, [[4_400, 600], [0, 5_000]])
        wide = {**gate.demand.arguments, "rope": (0.3, "wide")}
        recall = changed(gate, name="ham", arguments={**wide, "measure": "recall[0]"})
        precision = changed(gate, name="spam", arguments={**wide, "measure": "precision[1]"})
        assert promote([recall, precision]).outcome is Use.REPLACED
        written(gate.source.candidate, [[2_000, 3_000], [0, 5_000]])
        assert promote([precision, recall]).outcome is Use.REFUSED

    @pytest.mark.usefixtures("kept")
    def test_several_candidates_are_refused(self, gate, tmp_path):
        other = changed(gate, name="other", candidate=written(tmp_path / "other.json", BETTER))
        told = refusal(gate, other, mode=Update.FORCE)
        found = f"{gate.source.candidate} of spam and {other.source.candidate} of other"
        assert told == f"other: candidate: Two candidates for {gate.source.baseline}: {found}. Choose with --gate."
        linked = changed(other, candidate=tmp_path / "baselines" / ".." / "spam.json")
        assert promote([gate, linked]).outcome is Use.REPLACED

    @pytest.mark.parametrize(
        ("candidate", "other", "suffix"),
        [
            ("spam.json", "spam.csv", ".json"),
            ("spam.json.gz", "spam.json", ".json.gz"),
            ("model-1.2.json", "a.json", ""),
            ("A.JSON", "a.json", ""),
        ],
    )
    @pytest.mark.parametrize("side", ["baseline", "anchor"])
    def test_the_names_must_tell_the_same_format(self, gate, tmp_path, side, candidate, other, suffix):
        path = written(tmp_path / candidate, BETTER)
        files = {"baseline": tmp_path / "baselines" / "usual" / candidate, side: tmp_path / "baselines" / other}
        gate = changed(gate, candidate=path, **files)
        if not suffix:
            assert promote([gate]).outcome is Use.CREATED
            return
        assert refusal(gate).startswith(f"spam: {side}: expected a name that ends with '{suffix}', as candidate's, got")

    @pytest.mark.usefixtures("kept")
    @pytest.mark.parametrize("options", [{}, {"mode": Update.FORCE}])
    @pytest.mark.parametrize("damaged", ["baseline", "candidate"])
    @pytest.mark.parametrize("content", ["[1,", "", '{"y_true": ["a"]}'])
    def test_nothing_is_written_over_what_cannot_be_read(self, gate, options, damaged, content):
        getattr(gate.source, damaged).write_text(content)
        told = assert_untouched(gate, lambda: refusal(gate, **options))
        assert told.startswith(f"{damaged} ({getattr(gate.source, damaged)})")

    def test_a_candidate_that_is_missing_or_damaged_is_no_first_baseline(self, gate):
        gate.source.candidate.write_text("[1,")
        assert refusal(gate).startswith("candidate (")
        gate.source.candidate.unlink()
        assert refusal(gate).startswith(f"candidate ({gate.source.candidate}): file not found.")
        assert not gate.source.baseline.exists()

    def test_a_baseline_that_cannot_be_written(self, gate):
        gate.source.baseline.parent.write_text("a file")
        with pytest.raises(BaselineError, match=r"spam\.json: Cannot write the file: "):
            promote([gate])

    @pytest.fixture
    def anchored(self, gate):
        """A gate whose baseline has lost two points since the anchor."""
        for path, wrong in {"v1": 500, "baselines/spam": 600, "spam": 630}.items():
            (gate.file.parent / "baselines").mkdir(exist_ok=True)
            predictions(gate.file.parent / f"{path}.json", wrong=wrong, n=10_000)
        return changed(
            gate, anchor=gate.file.parent / "v1.json", budget=0.01, arguments={**gate.demand.arguments, "rope": 0.03}
        )

    @pytest.mark.parametrize("update", [Update.NEW, Update.ALL])
    def test_a_missing_anchor_begins_as_the_baseline(self, anchored, update):
        anchored.source.anchor.unlink()
        before = anchored.source.baseline.read_bytes()
        promote([anchored], update)
        assert anchored.source.anchor.read_bytes() == before
        assert promote([anchored], Update.NEW).outcome is Use.KEPT

    @pytest.mark.parametrize(("update", "moves"), [(Update.ALL, False), (Update.ANCHOR, True)])
    def test_an_anchor_without_a_baseline_stays_until_an_update_moves_it(self, anchored, update, moves):
        anchored.source.baseline.unlink()
        assert moved(anchored, update) == (Use.CREATED, [True, moves])

    def test_another_test_set_begins_anew_but_not_with_a_loss(self, anchored):
        predictions(anchored.source.candidate, wrong=800, n=9_000, ids=False)
        lenient = changed(anchored, arguments={**anchored.demand.arguments, "rope": (0.3, "wide")})
        assert moved(lenient) == (Use.REFUSED, [False, False])
        assert moved(changed(lenient, budget=0.3)) == (Use.REPLACED, [True, True])

    @pytest.mark.parametrize("order", [1, -1])
    def test_a_loss_that_one_of_its_gates_accepts_moves_the_anchor(self, anchored, order):
        demanded = anchored.demand.arguments
        strict = changed(anchored, budget=None, arguments={**demanded, "rope": 0.001})
        predictions(strict.source.candidate, wrong=800, n=10_000)
        tolerant = changed(strict, name="other", budget=0.5, arguments={**demanded, "rope": (0.5, "wide")})
        accepted = replace(evaluate(strict).loss, reason="half the size")
        gates = [strict, tolerant][::order]
        assert promote(gates, accepted=lambda gate: [accepted] * (gate.name == strict.name)).outcome is Use.REPLACED
        assert strict.source.anchor.read_bytes() == strict.source.candidate.read_bytes()

    @pytest.mark.parametrize("update", [Update.FORCE, Update.ANCHOR])
    def test_an_anchor_that_cannot_be_read_is_not_overwritten(self, anchored, update):
        anchored.source.anchor.write_text("[1,")
        assert assert_untouched(anchored, lambda: refusal(anchored, mode=update)).startswith("anchor (")

    @pytest.mark.parametrize("side", ["baseline", "anchor"])
    def test_a_copy_that_would_be_read_otherwise_is_refused(self, gate, kept, side):
        of_candidate = Schema(columns=(("y_pred", "new"),))
        readings = dict.fromkeys(("baseline", "anchor", "candidate"), of_candidate) | {side: AS_IT_IS}
        other = changed(gate, anchor=gate.source.baseline, readings=readings)
        assert assert_untouched(gate, lambda: refusal(other)) == (
            f"spam: {side}: The candidate's file becomes this one, but has other columns or rows. "
            "Say columns and rows once, for the whole gate."
        )

    def test_one_file_that_holds_both_sides_is_no_copy_of_its_own(self, gate):
        readings = {side: Schema(columns=(("y_pred", side),)) for side in ("baseline", "candidate")}
        both = changed(gate, baseline=gate.source.candidate, readings=readings)
        told = refusal(both)
        assert "becomes this one, but has other columns or rows. Rename the columns in the gate file" in told


class TestAnUpdateAsksTheGate:
    """An update judges a candidate as `bayesf1 gate` does, by all that the gate demands."""

    N = 2_000
    IN_ENGLISH = tuple(range(0, N, 32))
    """Examples of the first class and the first slice."""

    @pytest.fixture
    def gates(self, tmp_path):
        """Write a gate file, whose gates share a baseline and a candidate that is wrong about more examples."""

        def write(settings, wrong, *, n_gates=1, language="en", more="", old=range(99, 1_000, 10)):
            for name, errors in (("old", {*old}), ("new", {*old, *wrong})):
                rows = [
                    f"{row},{row % 2},{row % 2 ^ (row in errors)},{(language, 'fi')[row // 2 % 2]}"
                    for row in range(self.N)
                ]
                (tmp_path / f"{name}.csv").write_text("\n".join(["id,y_true,y_pred,language", *rows]) + "\n")
            each = f"{{baseline: old.csv, candidate: new.csv, measure: recall_macro, {settings}}}"
            listed = "".join(f"  gate-{number}: {each}\n" for number in range(n_gates))
            (tmp_path / "bayesf1.yaml").write_text(f"gates:\n{listed}{more}")
            return load_gates(tmp_path / "bayesf1.yaml", tmp_path)

        return write

    LOST = range(0, 70, 2)
    FEW = range(0, 24, 2)

    @pytest.mark.parametrize(
        ("settings", "wrong", "verdict", "outcome"),
        [
            ("rope: 0.01", LOST, "failed", Use.REFUSED),
            ("rope: 0.01, looks: 5, planned_examples: 20000", LOST, "warned", Use.REPLACED),
            ("rope: 0.045, per_class: true", IN_ENGLISH, "failed", Use.REFUSED),
            ("rope: 0.1, slices: [language], max_gap: 0.01", IN_ENGLISH, "failed", Use.REFUSED),
            ('rope: 0.003, fail_on: "<<"', FEW, "warned", Use.REPLACED),
            ("rope: 0.003, fail_on: unproven", FEW, "failed", Use.REFUSED),
            ("rope: 0.001, fail_on: unproven", (0,), "failed", Use.REPLACED),
        ],
    )
    def test_it_refuses_what_fails_but_demands_no_proof(self, gates, settings, wrong, verdict, outcome):
        (gate,) = gates(settings, wrong)
        assert evaluate(gate).outcome == verdict
        assert promote([gate]).outcome is outcome

    def test_a_loss_up_to_an_accepted_one_replaces_it(self, gates):
        (gate,) = gates("rope: 0.01", self.LOST)
        loss = evaluate(gate).loss
        other = replace(loss, candidate="another", reason="half the size")
        assert promote([gate], accepted=lambda _: [other]).outcome is Use.REFUSED
        assert promote([gate], accepted=lambda _: [replace(other, up_to=loss.loss)]).outcome is Use.REPLACED

    def test_a_slice_that_the_baseline_lacks_needs_no_proof(self, gates, tmp_path):
        (gate,) = gates("rope: 0.01, slices: [language], fail_on: unproven", ())
        path = tmp_path / "new.csv"
        path.write_text(path.read_text() + "".join(f"new{row},{row % 2},{row % 2},sv\n" for row in range(100)))
        assert (evaluate(gate).outcome, promote([gate]).outcome) == ("failed", Use.REPLACED)
