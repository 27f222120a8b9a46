import pytest

from pytest_bayesf1 import Decision, InputError

SYMBOLS = {
    Decision.MUCH_WORSE: ("≪", "<<", "significantly worse"),
    Decision.WORSE: ("<", "<", "slightly worse"),
    Decision.EQUIVALENT: ("≈", "~", "practically equivalent"),
    Decision.BETTER: (">", ">", "slightly better"),
    Decision.MUCH_BETTER: ("≫", ">>", "significantly better"),
    Decision.UNDECIDED: ("?", "?", "undecided"),
}


@pytest.mark.parametrize(("decision", "spelling"), SYMBOLS.items())
def test_a_decision_has_a_symbol_an_ascii_form_and_words(decision, spelling):
    symbol, ascii_form, words = spelling
    assert str(decision) == symbol
    assert decision.ascii == ascii_form
    assert decision.words == words


@pytest.mark.parametrize("decision", Decision)
def test_a_decision_equals_its_own_spellings_and_no_other(decision):
    own = set(SYMBOLS[decision][:2])
    for symbol, ascii_form, _ in SYMBOLS.values():
        for text in (symbol, ascii_form):
            assert (decision == text) is (text in own)
            assert (text == decision) is (text in own)
            assert (decision != text) is (text not in own)


def test_a_decision_equals_no_other_member_and_nothing_but_text():
    for one in Decision:
        assert [other for other in Decision if one == other] == [one]
        assert one != 0
        assert one is not None


def test_every_decision_is_a_key_of_its_own():
    assert len({decision: decision.words for decision in Decision}) == 6


@pytest.mark.parametrize("decision", Decision)
def test_a_set_or_dictionary_in_ascii_finds_a_decision(decision):
    spelt = {each.ascii: each.words for each in Decision}
    assert spelt[decision] == decision.words
    assert decision in set(spelt)
    assert decision not in set(spelt) - {decision.ascii}


def test_a_text_that_spells_no_decision_is_an_error():
    with pytest.raises(InputError, match="decision: expected a comparison with one of <<, <, ~, >, >>, "):
        assert Decision.WORSE == "worse"
