from pytest_bayesf1.results.comparison import ClassChange, Contingency, Convergence


def test_an_agreement_knows_how_many_there_are():
    found = Contingency(both_right=70, only_baseline=4, only_candidate=6, both_wrong=20)
    assert (found.n_differ, found.total) == (10, 100)


def test_a_change_is_positive_when_the_candidate_is_better():
    assert ClassChange("spam", baseline=0.5, candidate=0.75).change == 0.25


def test_convergence_in_words():
    assert str(Convergence(ess=20_000.0)) == "independent draws"
    assert str(Convergence(1_800.0, n_chains=4, r_hat=1.002)) == "4 chains, R-hat 1.002, ESS 1,800"
