"""Every setting is a command-line option and an ini key; the command line beats ini, and a call's argument beats both.

`--bayesf1-report` has a file of its own.
"""

import pytest

SETTINGS = {
    "rope": ("0.05", (-0.05, 0.05)),
    "hdi_prob": ("0.9", 0.9),
    "measure": ("accuracy", "accuracy"),
    "prior": ("jeffreys", "jeffreys"),
    "engine": ("exact", "exact"),
    "seed": ("7", 7),
}
OTHERS = {"rope": "0.04", "hdi_prob": "0.8", "measure": "g_mean", "prior": "uniform", "engine": "exact", "seed": "8"}

each_setting = pytest.mark.parametrize(("name", "text", "value"), [(name, *pair) for name, pair in SETTINGS.items()])


def _flag(name):
    return f"--bayesf1-{name.replace('_', '-')}"


@pytest.fixture
def expect(pytester):
    """Write a test that compares with these arguments and expects this value in the result."""

    def write(name, value, **arguments):
        arguments = arguments if name == "rope" else {"rope": 0.02} | arguments
        pytester.makepyfile(
            f"""
            from classifiers import BASELINE, BETTER

            def test_setting(bayes_compare):
                assert bayes_compare(BASELINE, BETTER, **{arguments!r}).{name} == {value!r}
            """
        )

    return write


@each_setting
def test_command_line(pytester, expect, name, text, value):
    expect(name, value)
    pytester.runpytest(f"{_flag(name)}={text}").assert_outcomes(passed=1)


@each_setting
def test_ini_file(pytester, expect, name, text, value):
    expect(name, value)
    pytester.makeini(f"[pytest]\nbayesf1_{name} = {text}")
    pytester.runpytest("--strict-config").assert_outcomes(passed=1)


@each_setting
def test_command_line_beats_the_ini_file(pytester, expect, name, text, value):
    expect(name, value)
    pytester.makeini(f"[pytest]\nbayesf1_{name} = {OTHERS[name]}")
    pytester.runpytest(f"{_flag(name)}={text}").assert_outcomes(passed=1)


@each_setting
def test_argument_beats_both(pytester, expect, name, text, value):
    expect(name, value, **{name: value})
    pytester.makeini(f"[pytest]\nbayesf1_{name} = {OTHERS[name]}")
    pytester.runpytest(f"{_flag(name)}={OTHERS[name]}").assert_outcomes(passed=1)


def test_settings_reach_workers(pytester, expect):
    expect("rope", (-0.05, 0.05))
    pytester.makeini("[pytest]\nbayesf1_rope = 0.05")
    pytester.runpytest("-n1").assert_outcomes(passed=1)
    pytester.makeini("")
    pytester.runpytest("--bayesf1-rope=0.05", "-n1").assert_outcomes(passed=1)


def test_settings_reach_every_assertion(pytester):
    pytester.makepyfile(
        """
        import pytest_bayesf1 as bf
        from classifiers import BASELINE, EQUIVALENT, MUCH_BETTER

        def test_setting():
            for result in (
                bf.compare(BASELINE, EQUIVALENT),
                bf.assert_not_worse(BASELINE, EQUIVALENT),
                bf.assert_not_inferior(BASELINE, EQUIVALENT),
                bf.assert_better(BASELINE, MUCH_BETTER),
                bf.assert_equivalent(BASELINE, EQUIVALENT),
                bf.assert_at_least(BASELINE, 0.8),
            ):
                assert (result.measure, result.hdi_prob, result.seed) == ("accuracy", 0.9, 7)
        """
    )
    pytester.makeini("[pytest]\nbayesf1_rope = 0.02\nbayesf1_measure = accuracy")
    pytester.runpytest("--bayesf1-hdi-prob=0.9", "--bayesf1-seed=7").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.01", (-0.01, 0.01)),
        ("-0.01,0.02", (-0.01, 0.02)),
        ("[-0.01, 0.02]", (-0.01, 0.02)),
        ("0,0.05", (0.0, 0.05)),
        ("-0.3,0.1,wide", (-0.3, 0.1)),
        ("0.3, wide", (-0.3, 0.3)),
    ],
)
def test_spellings_of_rope(pytester, expect, text, value):
    expect("rope", value)
    pytester.runpytest(f"--bayesf1-rope={text}").assert_outcomes(passed=1)


def test_without_rope_anywhere_the_message_tells_both_ways_to_give_it(pytester):
    pytester.makepyfile(
        """
        from classifiers import BASELINE, BETTER

        def test_setting(bayes_compare):
            bayes_compare(BASELINE, BETTER)
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *rope: expected *got nothing. Pass rope=..., or set bayesf1_rope in *"])


BAD = [
    ("rope", "wide"),
    ("rope", "0"),
    ("rope", "nan"),
    ("rope", "0.02,-0.02"),
    ("rope", "0.01,0.02"),
    ("rope", "-0.01,0,0.01"),
    ("hdi_prob", "95"),
    ("hdi_prob", "1"),
    ("hdi_prob", "high"),
    ("prior", "flat"),
    ("measure", "f1_makro"),
    ("engine", "warp"),
    ("seed", "-1"),
    ("seed", "1.5"),
]


@pytest.mark.parametrize(("name", "text"), BAD)
def test_bad_values_on_the_command_line_are_usage_errors(pytester, name, text):
    pytester.makepyfile("def test_nothing(): pass")
    result = pytester.runpytest(f"{_flag(name)}={text}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {_flag(name)}: *expected *"])


@pytest.mark.parametrize(("name", "text"), BAD)
def test_bad_values_in_the_ini_file_are_usage_errors(pytester, name, text):
    pytester.makepyfile("def test_nothing(): pass")
    pytester.makeini(f"[pytest]\nbayesf1_{name} = {text}")
    result = pytester.runpytest()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: bayesf1_{name}: *expected *"])


def test_bad_values_are_usage_errors_before_any_worker_starts(pytester):
    pytester.makepyfile("def test_nothing(): pass")
    result = pytester.runpytest("--bayesf1-rope=wide", "-n1")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --bayesf1-rope: *'wide'"])


def test_help_lists_every_option_and_ini_key(pytester):
    text = pytester.runpytest("--help").stdout.str()
    for name in (*SETTINGS, "report"):
        assert f"  {_flag(name)}=" in text
        assert f"  bayesf1_{name} (string)" in text


@pytest.mark.parametrize("name", ["rope", "hdi-prob", "measure", "prior", "engine", "seed", "report"])
def test_an_empty_option_is_a_usage_error(pytester, name):
    pytester.makeini("[pytest]\nbayesf1_rope = 0.02\n")
    result = pytester.runpytest(f"--bayesf1-{name}=")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--bayesf1-{name}*"])
