"""What runs of pytest print, all of it, as people have reviewed it."""

ASSERTIONS = """
    def test_worse():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02, measure="accuracy")

    def test_leaning():
        assert_not_worse(BASELINE, WORSE, rope=0.02)

    def test_open():
        assert_not_worse(BASELINE, UNDECIDED, rope=0.02)

    def test_proven():
        assert_not_inferior(BASELINE, UNDECIDED, rope=(-0.02, 0.01))

    def test_better():
        assert_better(BASELINE, BETTER, rope=0.02, measure="f1[0]")

    def test_alike():
        assert_equivalent(MUCH_BETTER, BASELINE, rope=0.02)

    @pytest.mark.parametrize("floor", [0.5, 0.95])
    def test_floor(floor):
        assert_at_least(BETTER, floor, measure="accuracy")

    def test_wide():
        assert_not_worse(BASELINE, EQUIVALENT, rope=(0.2, "wide"))

    def test_wrong_rope():
        assert_not_worse(BASELINE, EQUIVALENT, rope=5)

    def test_wrong_data():
        assert_not_worse(BASELINE, [[1, 2, 3], [4, 5, 6]], rope=0.02)
"""


def test_assertions(transcript, write_tests):
    write_tests(ASSERTIONS)
    for options in ("", "-v --tb=no -rA", "--bayesf1-warn-undecided --tb=no"):
        transcript.pytest(f"{options} --bayesf1-report=out.json".lstrip())
