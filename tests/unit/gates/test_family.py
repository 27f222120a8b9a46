import pytest

from pytest_bayesf1 import Decision, InputError
from pytest_bayesf1.gates.gate_file import Family, FamilyDeclaration, families_by_gate, problems_of_families
from pytest_bayesf1.gates.policy import Judgement, Policy
from tests.unit.made_up import comparison

GATES = dict.fromkeys(["spam", "mail-de", "mail-en", "odd[name]"])
TWENTY = Family("all", 0.05, 20)


def declared(**families):
    return {name: FamilyDeclaration(**family) for name, family in families.items()}


def worse(p_below, n_draws=20_000):
    found = comparison(
        decision=Decision.MUCH_WORSE, mean=-0.05, hdi=(-0.07, -0.03), p_below_rope=p_below, n_draws=n_draws
    )
    return Judgement.of(found, Policy.NOT_WORSE)


def test_every_gate_and_every_comparison_has_an_equal_share():
    assert TWENTY.share == pytest.approx(0.0025)
    assert Family("all", 0.05, 20, n_comparisons=10).tail == pytest.approx(0.00025)


@pytest.mark.parametrize(
    ("p_below", "n_draws", "verdict"),
    [(1.0, 20_000, "failed"), (0.999, 20_000, "failed"), (0.99, 20_000, "warned"), (1.0, 300, "warned")],
    ids=["surely", "surely enough", "not surely enough", "too few draws to tell"],
)
def test_a_failure_counts_only_where_it_is_sure_enough(p_below, n_draws, verdict):
    judgement = TWENTY.judged(worse(p_below, n_draws))
    assert judgement.verdict == verdict
    assert judgement.lifted is (verdict == "warned")


def test_a_lifted_failure_says_why():
    assert TWENTY.judged(worse(0.99)).advice == (
        "Worse on its own, but within the chance of the family all of 20 gates: the probability that all is within "
        "what you tolerate, 1%, is not below 0.25%, this comparison's share of the 5%. Look at it before you merge; "
        "more examples would tell."
    )


@pytest.mark.parametrize("decision", [each for each in Decision if each is not Decision.MUCH_WORSE])
def test_what_does_not_fail_stays_as_it_is(decision):
    judgement = Judgement.of(comparison(decision=decision), Policy.NOT_WORSE)
    assert TWENTY.judged(judgement) is judgement
    assert not judgement.lifted


def test_patterns_and_names():
    families = families_by_gate(
        declared(m={"gates": ["mail-*", "odd[name]"], "level": 0.01}, s={"gates": ["spam"]}), GATES
    )
    mail = Family("m", 0.01, 3)
    assert families == {"mail-de": mail, "mail-en": mail, "odd[name]": mail, "spam": Family("s", 0.05, 1)}


def test_a_gate_that_two_patterns_name_counts_once():
    assert families_by_gate(declared(all={"gates": ["*", "spam"]}), GATES)["spam"].n_gates == 4


def test_what_is_wrong_with_families():
    found = list(problems_of_families(declared(a={"gates": ["*"]}, b={"gates": ["spam", "mial-de", "x*"]}), GATES))
    assert found == [
        (
            ("families", "b", "gates", 1),
            "expected a gate of this file, or a pattern of some, got 'mial-de'. Did you mean 'mail-de'?",
        ),
        (("families", "b", "gates", 2), "expected a gate of this file, or a pattern of some, got 'x*'"),
        (("families", "b", "gates"), "expected gates of one family each, got spam, also in a"),
    ]


def test_a_family_so_large_that_no_failure_could_be_told_is_refused():
    Family("all", 0.05, 200, n_comparisons=50).require_resolvable()
    with pytest.raises(InputError, match="families: expected a share of the level of 5e-06 or more, got 4e-06, as the"):
        Family("all", 0.05, 250, n_comparisons=50).require_resolvable()
