import re
from dataclasses import replace

import pytest

from pytest_bayesf1.figures.plots import ranking_figure
from pytest_bayesf1.ranking import RankingFigures, SystemFigures
from tests.unit.figures.test_posterior import references, texts


def ranking_svg(ranking, salt):
    return ranking_figure(ranking, salt).svg


def system(name, mean, p_best=0.5, rank_hdi=(1, 2)):
    return SystemFigures(
        name=name,
        observed=mean + 0.001,
        mean=mean,
        std=0.01,
        hdi=(mean - 0.02, mean + 0.02),
        p_best=p_best,
        rank_hdi=rank_hdi,
        expected_rank=1.5,
        rank_probabilities=(0.5, 0.5),
        expected_loss=0.01,
        ties=(),
    )


def ranking(*systems, groups=()):
    return RankingFigures(
        measure="f1_macro",
        measure_words="macro-F1",
        custom_measure=False,
        rope=(-0.01, 0.01),
        hdi_prob=0.9,
        prior="jeffreys",
        seed=0,
        n_draws=100,
        n_samples=50,
        n_classes=2,
        settled=True,
        systems=systems,
        pairs=(),
        groups=groups,
    )


THREE = ranking(system("one", 0.9, 0.8, (1, 1)), system("two", 0.88, 0.2), system("three", 0.7, 0.0, (3, 3)))


def test_every_system_has_its_name_its_chance_and_its_ranks_in_order():
    shown = texts(ranking_svg(THREE, "a"))
    assert shown.index("one") < shown.index("two") < shown.index("three")
    assert {"P(best)", "ranks", "80%", "20%", "<1%", "1", "1–2", "3"} <= set(shown)
    assert "macro-F1, 90% HDI; below it, the observed score" in shown


def test_tie_groups_are_marked():
    none, one = (ranking_svg(replace(THREE, groups=groups), "a") for groups in [(), (("one", "two"),)])
    assert none.count("<path") < one.count("<path")
    assert "≈" in texts(one)
    assert "≈" not in texts(none)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b", "$x$", "späm", "two\nlines", "n" * 500])
def test_a_name_is_text_whatever_it_holds(name):
    shown = texts(ranking_svg(ranking(system(name, 0.9), system("other", 0.8)), "a"))
    assert any(text.startswith(" ".join(name.split())[:30]) for text in shown)
    assert max(map(len, shown)) < 60


def test_a_figure_grows_with_the_systems():
    heights = [
        float(re.search(r'height="([\d.]+)pt"', ranking_svg(ranking(*[system(f"{n}", 0.9) for n in range(k)]), "a"))[1])
        for k in (2, 12)
    ]
    assert heights[0] < heights[1] < 400


def test_figures_in_one_document_do_not_refer_to_each_other_s_parts():
    one, other = (references(ranking_svg(THREE, salt)) for salt in ("a", "b"))
    assert not one & other
