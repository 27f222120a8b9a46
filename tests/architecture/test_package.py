import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_bayesf1

PACKAGE = Path(pytest_bayesf1.__file__).parent


class TestPublicNames:
    def test_every_public_name_is_listed(self):  # the reference lists them too, see test_guides.py
        names = [name for name in dir(pytest_bayesf1) if not name.startswith("__")]
        assert names == sorted(pytest_bayesf1.__all__)

    @pytest.mark.parametrize("name", sorted(pytest_bayesf1.__all__))
    def test_every_public_name_is_there_and_documented(self, name):
        assert getattr(pytest_bayesf1, name).__doc__

    def test_a_name_that_does_not_exist_is_an_attribute_error(self):
        with pytest.raises(AttributeError, match="comparee"):
            _ = pytest_bayesf1.comparee

    def test_importing_the_package_imports_nothing_heavy(self):
        listed = "import sys, pytest_bayesf1; dir(pytest_bayesf1)"
        code = f"{listed}; print({{'numpy', 'scipy', 'pytest', 'matplotlib', 'narwhals'}} & set(sys.modules))"
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert result.stdout.strip() == "set()"


def test_pytest_rewrites_no_assertions_of_ours(tmp_path):
    """Else it compiles every module in the first run after an installation, as in every CI job."""
    (tmp_path / "conftest.py").write_text(
        "import pytest_bayesf1.session as ours\n"
        "def pytest_report_header():\n"
        "    return f'loaded by {type(ours.__loader__).__name__}'\n"
    )
    # what an installed wheel asks pytest for
    (tmp_path / "wheel.py").write_text("import pytest\npytest.register_assert_rewrite('pytest_bayesf1')\n")
    command = [sys.executable, "-m", "pytest", "-p", "wheel", "-p", "bayesf1", "--collect-only"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "loaded by SourceFileLoader" in result.stdout


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_one_function_makes_the_command_line_of_git(path):
    """It names the repository, and keeps git from running other programs."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    lists = [node.elts for node in nodes if isinstance(node, ast.List | ast.Tuple) and node.elts]
    commands = [words for words in lists if isinstance(words[0], ast.Constant) and words[0].value == "git"]
    imports = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    imports += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    place = path.relative_to(PACKAGE).as_posix()
    assert len(commands) == (place == "git.py")
    if place not in ("git.py", "github/action.py"):  # the Action runs the caller's pytest
        assert not {"subprocess", "git"} & set(imports)


TREES = {path: ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
NODES = [node for tree in TREES.values() for node in ast.walk(tree)]
KNOWN = {
    *(name for path in TREES for name in (path.stem, path.parent.name)),
    *(node.name for node in NODES if isinstance(node, ast.ClassDef | ast.FunctionDef)),
    *(node.id for node in NODES if isinstance(node, ast.Name)),
}


@pytest.mark.parametrize("path", TREES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_speaks_of_what_there_is(path):
    named = re.findall(r"(?<!`)`(\w+)`(?!`)", ast.get_docstring(TREES[path]) or "")
    assert {*named} <= KNOWN
