"""How a candidate compares with a baseline: the six decisions, light enough for the plugin to load."""

from enum import StrEnum

from pytest_bayesf1.errors import InputError

_SPELLINGS = ("<<", "<", "~", ">", ">>", "?", "≪", "≈", "≫")
_WORDS = {
    "≪": "significantly worse",
    "<": "leaning worse",
    "≈": "practically equivalent",
    ">": "leaning better",
    "≫": "significantly better",
    "?": "undecided",
}


NO_WORSE = "no worse than you allow"
"""Of a candidate of which only that is known: whether it is better, too, is open."""


class Decision(StrEnum):
    """How the candidate compares with the baseline; equal to its symbol and to its ascii form.

    In a set, or as the key of a dictionary, spell it in ascii: there can be but one hash, the ascii form's.

    ====== ======= ==================================== =============================================
    symbol ascii   words                                rule (Zhang et al. 2015 and 2016)
    ====== ======= ==================================== =============================================
    ``≪``  ``<<``  significantly worse                  HDI wholly below the ROPE
    ``<``  ``<``   leaning worse                        not wholly, but P(delta < ROPE low) > 3/4
    ``≈``  ``~``   practically equivalent               HDI wholly inside the ROPE
    ``>``  ``>``   leaning better                       not wholly, but P(delta > ROPE high) > 3/4
    ``≫``  ``>>``  significantly better                 HDI wholly above the ROPE
    ``?``  ``?``   undecided                            none of these: more data are needed
    ====== ======= ==================================== =============================================

    Examples
    --------
    >>> Decision.MUCH_WORSE == "<<", Decision.MUCH_WORSE == "≪", Decision.MUCH_WORSE == "<"
    (True, True, False)
    >>> print(Decision.EQUIVALENT, Decision.EQUIVALENT.ascii, Decision.EQUIVALENT.words)
    ≈ ~ practically equivalent
    """

    MUCH_WORSE = "≪"
    WORSE = "<"
    EQUIVALENT = "≈"
    BETTER = ">"
    MUCH_BETTER = "≫"
    UNDECIDED = "?"

    @property
    def ascii(self) -> str:
        """The symbol for where only ascii serves."""
        return {"≪": "<<", "≈": "~", "≫": ">>"}.get(self.value, self.value)

    @property
    def words(self) -> str:
        """The decision in plain words."""
        return _WORDS[self.value]

    @property
    def side(self) -> int:
        """-1 where the candidate is worse, 1 where it is better, else 0."""
        return {"≪": -1, "<": -1, ">": 1, "≫": 1}.get(self.value, 0)

    def __eq__(self, other: object) -> bool:
        """Equal to the same decision, to its symbol and to its ascii form; text that spells no decision is an error."""
        if not isinstance(other, str):
            return False
        if str(other) not in _SPELLINGS:
            raise InputError("decision", f"a comparison with one of {', '.join(_SPELLINGS)}", repr(str(other)))
        return str(other) in (self.value, self.ascii)

    def __ne__(self, other: object) -> bool:
        """Not equal; str has its own, so both are needed."""
        return not self == other

    def __hash__(self) -> int:
        """Hash like the ascii form: sets and dictionaries that are spelt in ascii find the decision."""
        return hash(self.ascii)
