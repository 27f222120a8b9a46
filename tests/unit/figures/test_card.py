"""Verdict cards: whatever the result and its names, every text can be read, and lies where nothing else does."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread
from matplotlib.text import Text

from pytest_bayesf1.figures.card import _LOOKS, card_plot
from pytest_bayesf1.figures.picture_file import drawn, picture_file
from pytest_bayesf1.figures.pictures import Landmark, Posterior
from pytest_bayesf1.figures.plot import PAPER
from pytest_bayesf1.reports.entry import VERDICTS
from pytest_bayesf1.reports.verdict_card import CardClass, VerdictCard
from pytest_bayesf1.results.comparison import Density
from tests.unit.hostile import HOSTILE

PEAK = (0.0, 0.1, 0.6, 1.0, 0.6, 0.1, 0.0)
TOLERATED = (Landmark(-1.0, "you allow to here: −1"), Landmark(0.0, "no change"))
EQUIVALENT = (Landmark(-1.0, "equivalent from here: −1"), Landmark(1.0, "equivalent to here: +1"))
NO_LOSS = (Landmark(0.0, "no change: you allow no loss"),)


def axis(mean=-7.0, width=2.0, rope=(-1.0, 1.0), landmarks=TOLERATED, reference=0.0):
    return Posterior(
        density=Density(mean - width, mean + width, PEAK),
        observed=mean,
        hdi=(mean - width / 2, mean + width / 2),
        rope=rope,
        reference=reference,
        here=f"you are here: {mean:+g}",
        landmarks=landmarks,
    )


def card_class(label="spam", baseline=0.982, candidate=0.712):
    return CardClass(label, baseline, candidate, f"{baseline:.3f} → {candidate:.3f}")


CARD = VerdictCard(
    verdict="failed",
    verdict_words="failed",
    glyph="≪",
    title="Worse: 0.982 → 0.912",
    gate="bayesf1.yaml::spam",
    measure="macro-F1",
    change="−7.0 points (you allow 1)",
    interval="95% likely −8.0 to −6.0",
    run="commit 1a2b3c4, 2 May 2026",
    classes_title="F1 by class, where it falls most",
    classes=tuple(card_class(name) for name in ("spam", "ham", "news", "ads")),
    sees="With 1,000 examples this gate catches losses of 3.5 points in 80% of cases.",
    posterior=axis(),
)
LONG = "tests/a_long_folder/test_of_models.py::test_no_class_is_worse[a long parameter-another one] language=Deutsch"
MAIN = ("failed", "warned", "undecided", "passed")
SIGHTS = {
    "all colours": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
"""What is seen of linear red, green and blue: Machado et al. (2009)."""

AXES = {
    "far worse": axis(-60.0),
    "far better": axis(60.0),
    "enormous": axis(-1e9, 1e3),
    "minute": axis(-1e-6, 1e-7, rope=(-1e-6, 1e-6)),
    "inside": axis(0.0, 0.01),
    "on the edge": axis(-1.0, 1e-3),
    "about zero": axis(0.2, 30.0),
    "no width": axis(-7.0, 2.0, rope=(0.0, 0.0), landmarks=NO_LOSS),
    "better than no loss": axis(7.0, 2.0, rope=(0.0, 1.0), landmarks=NO_LOSS),
    "equivalent": axis(0.2, 1.0, landmarks=EQUIVALENT),
    "far from equivalent": axis(-30.0, 1.0, landmarks=EQUIVALENT),
    "lopsided": axis(3.0, rope=(-40.0, 0.01), landmarks=(Landmark(-40.0, "you allow to here: −40"), TOLERATED[1])),
    "below the floor": axis(0.7, 0.1, rope=None, reference=0.9, landmarks=(Landmark(0.9, "the floor is here: 0.9"),)),
    "above the floor": axis(0.9, 0.1, rope=None, reference=0.7, landmarks=(Landmark(0.7, "the floor is here: 0.7"),)),
    "at the floor": axis(0.9, 0.1, rope=None, reference=0.9, landmarks=(Landmark(0.9, "the floor is here: 0.9"),)),
}
CARDS = {
    **{name: replace(CARD, posterior=shown) for name, shown in AXES.items()},
    **{f"{name}, no classes": replace(CARD, posterior=shown, classes=()) for name, shown in AXES.items()},
    **{
        f"names {place}": replace(
            CARD, gate=name, measure=name, run=name, sees=name, title=name, classes=(card_class(name),) * 4
        )
        for place, name in enumerate((LONG, "W" * 200, "語" * 200, *(" ".join(each.split())[:200] for each in HOSTILE)))
    },
    "nothing known": replace(CARD, run="", sees="", classes=()),
    "classes alike": replace(CARD, classes=(card_class("spam", 0.9, 0.9 - 1e-9), card_class("ham", 0.0001, 0.0))),
    "a long title": replace(CARD, title="Not clearly below the floor of 0.123456789: 123,456,789"),
    "a long interval": replace(CARD, interval="99.9% HDI −123.4567 to −123.4566", measure=LONG, change=LONG),
    "no answer": VerdictCard(
        verdict="error",
        verdict_words="no answer",
        glyph="!",
        title="No answer",
        gate="a",
        message="a.csv: no such file. " * 30,
    ),
    "no spaces": VerdictCard(
        verdict="error", verdict_words="no answer", glyph="!", title="No answer", gate="a", message="x" * 2_000
    ),
}


def texts(card):
    """Return every text of the file; reading it proves that it is well formed."""
    root = ET.fromstring(picture_file(card_plot(card), "A card", ".svg"))  # noqa: S314
    return [element.text for element in root.iter() if element.tag.endswith("text")]


def boxes(card):
    figure = drawn(card_plot(card))
    renderer = FigureCanvasAgg(figure).get_renderer()
    shown = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    return figure.bbox, [(text.get_text(), text.get_window_extent(renderer)) for text in shown if text.axes is not None]


@pytest.mark.slow
@pytest.mark.parametrize("name", CARDS)
@pytest.mark.filterwarnings("ignore:Glyph")
def test_no_text_is_clipped_or_covers_another(name):
    picture, shown = boxes(CARDS[name])
    assert len(shown) > 4
    for text, box in shown:
        assert picture.x0 < box.x0 < box.x1 < picture.x1, text
        assert picture.y0 < box.y0 < box.y1 < picture.y1, text
    for (text, box), (other, other_box) in combinations(shown, 2):
        assert not box.padded(-0.5).overlaps(other_box.padded(-0.5)), (text, other)


def test_a_card_says_what_it_is_told():
    shown = texts(CARD)
    assert {CARD.glyph, CARD.title, "failed", CARD.gate, CARD.change, CARD.sees, CARD.run, CARD.classes_title} <= {
        *shown
    }
    assert {"you allow to here: −1", "no change", CARD.posterior.here} <= {*shown}
    assert {"spam", "ham", "news", "ads", "0.982 → 0.712"} <= {*shown}


def test_a_text_is_smaller_before_it_is_shortened():
    change = "−10.9 points (you allow 0.5)"
    (shown,) = (each for each in card_plot(replace(CARD, change=change)).texts if each.text == change)
    assert shown.size < 16


def test_why_there_is_no_answer_is_told():
    assert any("a.csv: no such file." in text for text in texts(CARDS["no answer"]))


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b", "$x$", "späm", "\ud800"])
def test_a_name_is_text_whatever_it_holds(name):
    shown = texts(replace(CARD, gate=name))
    assert name.encode("utf-8", "backslashreplace").decode() in shown


@pytest.mark.slow
def test_a_file_is_1200_by_630_pixels_or_svg_in_a_font_without_serifs():
    plot = card_plot(CARD)
    png, svg = (picture_file(plot, "A card", suffix) for suffix in (".png", ".svg"))
    assert imread(BytesIO(png)).shape == (630, 1200, 4)
    assert "sans-serif" in ET.fromstring(svg).attrib["font-family"]  # noqa: S314
    assert b"var(--" not in svg
    assert picture_file(plot, "A card", ".png") == png


def test_every_verdict_has_a_look():
    assert _LOOKS.keys() == VERDICTS.keys()


@pytest.mark.parametrize("kind", SIGHTS)
def test_a_failure_is_darker_than_a_warning_and_that_than_a_pass_for_everybody(kind):
    seen = {name: _luminance(_seen(kind, _tile(look))) for name, look in _LOOKS.items()}
    assert seen["failed"] == seen["error"] < 0.25
    assert seen["failed"] < seen["warned"] - 0.25
    assert seen["warned"] < seen["passed"] - 0.1


def test_looks_differ_in_more_than_colour():
    looks = {(look.value.opacity, look.value.dash) for name, look in _LOOKS.items() if name in MAIN}
    assert len(looks) == len(MAIN)


@pytest.mark.parametrize("verdict", _LOOKS)
def test_words_and_glyphs_have_contrast(verdict):
    look = _LOOKS[verdict]
    assert _contrast(_rgb(look.value.line), (1.0, 1.0, 1.0)) >= 4.5
    (glyph,) = (each for each in card_plot(replace(CARD, verdict=verdict)).texts if each.text == CARD.glyph)
    assert _contrast(_rgb(glyph.colour), _tile(look)) >= 3  # of large text


def _rgb(colour):
    shown = PAPER[colour]
    return tuple(int(shown[place : place + 2], 16) / 255 for place in (1, 3, 5))


def _tile(look):
    fill = look.value.opacity if look.value.fill else 0.0
    return tuple(fill * part + (1 - fill) for part in _rgb(look.value.line))


def _linear(rgb):
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]


def _seen(kind, rgb):
    """Return linear red, green and blue as somebody sees them."""
    return np.clip(SIGHTS[kind] @ _linear(rgb), 0, 1)


def _luminance(linear):
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


def _contrast(one, other):
    low, high = sorted(_luminance(_linear(each)) for each in (one, other))
    return (high + 0.05) / (low + 0.05)
