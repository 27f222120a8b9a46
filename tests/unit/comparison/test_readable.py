from pytest_bayesf1.comparison.readable import indented


def test_a_text_is_indented_and_wrapped_for_a_terminal():
    lines = indented("word " * 40).splitlines()
    assert len(lines) == 3
    assert all(line.startswith("  word") and len(line) <= 96 for line in lines)


def test_an_indented_line_such_as_a_command_stays_whole():
    command = f"    pytest '{'a b ' * 40}' --bayesf1-update=force"
    assert indented(f"To go on:\n{command}\nOr not.") == f"  To go on:\n  {command}\n  Or not."


def test_no_text_is_no_line():
    assert indented("") == ""
