"""The code in the README runs."""

import re
from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import assert_not_worse

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def block_with(text):
    return next(block for block in BLOCKS if text in block)


@pytest.mark.slow
def test_the_ten_line_test(pytester):
    pytester.makeconftest("""
        import numpy as np, pytest
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 3, 300)

        @pytest.fixture
        def y_test(): return truth

        @pytest.fixture
        def old_pred(): return np.where(rng.random(300) < 0.8, truth, 0)

        @pytest.fixture
        def new_pred(): return np.where(rng.random(300) < 0.9, truth, 0)
    """)
    block = block_with("from_predictions(y_test")
    assert len(block.splitlines()) <= 10
    pytester.makepyfile(block)
    pytester.runpytest().assert_outcomes(passed=1)


@pytest.mark.slow
def test_the_message_is_the_one_that_people_get():
    matrices = Path(__file__).parents[2] / "examples" / "newsgroups" / "matrices"
    multinomial, bernoulli = (np.loadtxt(matrices / f"{name}.csv", delimiter=",") for name in ("nb_mult", "nb_bern"))
    with pytest.raises(AssertionError) as caught:
        assert_not_worse(multinomial, bernoulli, rope=0.005)
    shown = re.search(r"```text\n(.*?)\n\.\.\.\n```", README, flags=re.DOTALL)[1]
    lines = [line.removeprefix("E   ").removeprefix("AssertionError: ") for line in shown.splitlines()]
    actual = str(caught.value).splitlines()[: len(lines)]
    # another version of numpy may draw other numbers
    assert [re.sub(r"\d", "#", line) for line in actual] == [re.sub(r"\d", "#", line) for line in lines]
