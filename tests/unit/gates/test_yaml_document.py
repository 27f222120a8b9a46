import pytest
import yaml

from pytest_bayesf1.gates.yaml_document import YamlError, load_document


def refusal(text):
    with pytest.raises(YamlError) as caught:
        load_document(text)
    return caught.value.line, caught.value.column, caught.value.problem


class TestYAML:
    def test_the_line_of_everything(self):
        text = """
# a comment
defaults: {measure: f1_macro,
           rope: [-0.01,
                  0.02]}
gates:
  spam: |
    several
    lines
  ? ham
  : - first
    - second: 2
"""
        document = load_document(text)
        assert document.lines == {
            ("defaults",): 3,
            ("defaults", "measure"): 3,
            ("defaults", "rope"): 4,
            ("defaults", "rope", "0"): 4,
            ("defaults", "rope", "1"): 5,
            ("gates",): 6,
            ("gates", "spam"): 7,
            ("gates", "ham"): 10,
            ("gates", "ham", "0"): 11,
            ("gates", "ham", "1"): 12,
            ("gates", "ham", "1", "second"): 12,
        }
        assert document.repeated == ()

    @pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
    def test_lines_end_as_on_any_system(self, line_break):
        assert load_document(f"a: 1{line_break}b: 2{line_break}").line_of(("b",)) == 2

    @pytest.mark.parametrize(
        ("path", "line"), [((0, 2), 2), (("0", "2", "missing"), 2), ((1,), 3), (("missing",), 1), ((), 1)]
    )
    def test_what_is_missing_stands_where_it_should(self, path, line):
        assert load_document("- 1: a\n  2: b\n- c").line_of(path) == line

    @pytest.mark.parametrize(
        ("text", "value", "repeated"),
        [
            ("a: 1\nb: 2\na: 3", {"a": 3, "b": 2}, ((("a",), 3),)),
            ("a: {b: 1,\n    b: 2}", {"a": {"b": 2}}, ((("a", "b"), 2),)),
            ("- {b: 1, b: 2}", [{"b": 2}], ((("0", "b"), 1),)),
            ("1: a\n'1': b", {1: "a", "1": "b"}, ()),
        ],
    )
    def test_keys_that_a_mapping_has_twice(self, text, value, repeated):
        document = load_document(text)
        assert (document.value, document.repeated) == (value, repeated)

    def test_the_lines_of_what_a_repeated_key_has_are_those_that_count(self):
        document = load_document("a:\n  b: 1\n  c: 2\na:\n  c: 3\n")
        assert document.value == {"a": {"c": 3}}
        assert document.lines == {("a",): 4, ("a", "c"): 5}

    @pytest.mark.parametrize(
        ("text", "value"),
        [("fail_on: <<", {"fail_on": "<<"}), ("[<<, '<<', =]", ["<<", "<<", "="]), ("<<: {a: 1}", {"<<": {"a": 1}})],
    )
    def test_two_less_than_signs_are_text(self, text, value):
        assert load_document(text).value == value
        with pytest.raises(yaml.constructor.ConstructorError):
            yaml.safe_load("a: <<")  # elsewhere that is not changed

    @pytest.mark.parametrize("text", ["010", "+07", "-00", "12:30", "1:30:00"])
    def test_codes_and_times_are_text_and_no_other_number(self, text):
        assert load_document(f"[{text}, 10, 0, -7]").value == [text, 10, 0, -7]

    @pytest.mark.parametrize(("text", "column"), [("&a [*a]", 5), ("a: &b {c: 1, <<: *b}", 18)])
    def test_aliases_are_refused(self, text, column):
        assert refusal(text) == (1, column, "an alias: say in defaults what gates have in common")

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a: 1\nb: \0", (2, 1, "special characters are not allowed: #x0000")),
            ("a: 1\n---\nb: 2", (2, 1, "but found another document")),
            ("a: 1\n? [b]\n: 2", (2, 3, "found unhashable key")),
            ("a: !!merge [b]", (1, 4, "expected a scalar node, but found sequence")),
            ('a:\n  "\\UFFFFFFFF"', (2, 6, "a character that does not exist")),
            ("{a: " * 5_000 + "}" * 5_000, (1, 1, "nested too deeply")),
            ("a: 1\nb: [2020-13-45]", (2, 5, "an invalid timestamp")),
            *((f"a: 1\nb: [{value}]", (2, 5, "an invalid int")) for value in ("!!int foo", "!!int ''", "1" * 5_000)),
            ("a: 1\nb: [!!bool foo]", (2, 5, "an invalid bool")),
        ],
        ids=lambda value: repr(value)[:30],
    )
    def test_text_that_is_no_yaml(self, text, expected):
        assert refusal(text) == expected

    @pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!!python/name:os.system", "!own"])
    def test_only_plain_values_are_built(self, tag):
        line, column, problem = refusal(f"a: 1\nb: {tag} [echo]")
        assert (line, column) == (2, 4)
        assert problem.startswith("could not determine a constructor for the tag")
