"""What the pages say about options, commands, policies and so on, between marks; ``nox -s regenerate`` writes it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import yaml

from pytest_bayesf1.cli.console import Exit
from pytest_bayesf1.cli.main import main as bayesf1
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Argument, Offered, offered
from pytest_bayesf1.measures.formulas import ROWS, AnyRow, ByClass, Data, Overall
from pytest_bayesf1.plugin.config import add_options, flag, ini_key
from pytest_bayesf1.results.policy import POLICIES, Decision, Outcome, Policy

ROOT = Path(__file__).parents[1]
_MARKED = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """Find the pages that have something between marks."""
    return [page for page in sorted(ROOT.glob("docs/**/*.md")) if _MARKED.search(page.read_text("utf-8"))]


def written(text: str) -> str:
    """Put into a page what belongs between its marks."""
    return _MARKED.sub(lambda mark: f"{mark[1]}\n{_WRITERS[mark[2]]()}\n\n{mark[3]}", text)


def arguments() -> str:
    """Write a row for every argument of a comparison."""
    head = ["argument", "meaning", "default", "option of pytest, ini key", "gate file", "`assert_at_least`"]
    return _table(head, map(_argument, ARGUMENTS.values()))


def plugin() -> str:
    """Write a row for every option and ini key that is not about a single comparison."""
    recorded = _Recorder()
    add_options(recorded)  # type: ignore[arg-type]
    known = {ini_key(argument.name) for argument in offered(Offered.PROJECT)}
    rows = [
        (_code(f"{option}{metavar}"), _code(key if key in recorded.keys else ""), what.replace("__", r"\_\_"))
        for option, key, metavar, what in recorded.options()
        if key not in known
    ]
    return _table(["option", "ini key", "meaning"], rows)


def commands() -> str:
    """Write a row for every command, with what it does and the options that no other command has."""
    found = list(_commands(bayesf1, click.Context(bayesf1, info_name="bayesf1", **bayesf1.context_settings)))
    takers = Counter(option for context in found for option in _options(context.command))
    rows = []
    for context in found:
        own = [option for option in _options(context.command) if takers[option] == 1]
        rows.append((_code(_called(context)), _first_paragraph(context.command), _codes(own)))
    return _table(["command", "does", "options of its own"], rows)


def exit_codes() -> str:
    """Write a row for every exit code, with the words of the command's help."""
    text = dict(re.findall(r"^  (\d)  (.*)$", bayesf1.epilog or "", flags=re.MULTILINE))
    return _table(["exit code", "meaning"], [(str(code.value), text[str(code.value)]) for code in Exit])


def action_inputs() -> str:
    """Write a row for every input of the Action."""
    rows = [(_code(name), each["description"], _code(each["default"])) for name, each in _action()["inputs"].items()]
    return _table(["input", "meaning", "default"], rows)


def action_outputs() -> str:
    """Write a row for every output of the Action."""
    return _table(
        ["output", "meaning"], [(_code(name), each["description"]) for name, each in _action()["outputs"].items()]
    )


def policies() -> str:
    """Write a row for every policy, with the decisions that do not merely pass."""
    outcomes = Outcome.FAILED, Outcome.WARNED, Outcome.UNDECIDED
    rows = [
        (_code(policy.assertion), policy.demand, *(_symbols(policy, outcome) for outcome in outcomes))
        for policy in POLICIES.values()
    ]
    return _table(["assertion", "demands", "fails on", "warns on", "passes as `undecided` on"], rows)


def _symbols(policy: Policy, outcome: Outcome) -> str:
    return " ".join(decision.value for decision in Decision if policy.follows.get(decision, ("",))[0] is outcome)


def measures() -> str:
    """Write a row for every measure."""
    return _table(["measure", "in reports", "data", "with `per_class`"], map(_measure, ROWS))


_WRITERS = {
    "measures": measures,
    "policies": policies,
    "arguments": arguments,
    "plugin": plugin,
    "commands": commands,
    "exit-codes": exit_codes,
    "action-inputs": action_inputs,
    "action-outputs": action_outputs,
}


class _Recorder:
    """Notes the options that a plugin adds, as pytest's parser would."""

    def __init__(self) -> None:
        self.keys: dict[str, str] = {}
        self._options: list[tuple[str, str, str, str]] = []

    def getgroup(self, *_: str) -> "_Recorder":
        return self

    def addoption(self, option: str, *, dest: str, help: str, metavar: str = "", **_: Any) -> None:  # noqa: A002
        self._options.append((option, dest, f"={metavar}" if metavar else "", help))

    def addini(self, key: str, what: str, **_: Any) -> None:
        self.keys[key] = what

    def options(self) -> list[tuple[str, str, str, str]]:
        known = {key for _, key, _, _ in self._options}
        return self._options + [("", key, "", what) for key, what in self.keys.items() if key not in known]


def _argument(argument: Argument) -> list[str]:
    name = argument.name
    default = "required" if argument.required else "" if argument.default is None else f"`{argument.default}`"
    setting = f"`{flag(name)}={argument.metavar}`, `{ini_key(name)}`"
    return [
        f"`{name}`",
        argument.help,
        default,
        setting if Offered.PROJECT in argument.offered else "",
        "yes" if argument.offered & (Offered.GATE | Offered.ANCHORED) else "",
        "yes" if Offered.FLOOR in argument.offered else "",
    ]


_DATA = {
    Data.CLASSES: "classes",
    Data.LABELS: "labels",
    Data.SPANS: "spans",
    Data.SCORES_OF_TWO: "scores of two classes",
    Data.SCORES_OF_MANY: "scores of several classes",
    Data.VALUES: "values",
}


def _measure(row: AnyRow) -> list[str]:
    names, per_class = [*row.names], f"{row.class_base}[spam]" if isinstance(row, Overall) else ""
    if isinstance(row, ByClass):
        names[0] = per_class = f"{names[0]}[spam]"
    words, data = row.words.format(beta=2), ", ".join(words for data, words in _DATA.items() if data in row.data)
    return [_codes(names), words, data, _code(per_class)]


def _commands(command: click.Command, context: click.Context) -> Iterator[click.Context]:
    """Find the contexts of a command, or of those below it."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _commands(below, click.Context(below, info_name=name, parent=context, max_content_width=100))
    else:
        yield context


def _options(command: click.Command) -> list[str]:
    """Find a command's options by their last names."""
    return [each.opts[-1] for each in command.params if isinstance(each, click.Option)]


def _called(context: click.Context) -> str:
    """Write how a command is called, without options."""
    arguments = [each.make_metavar(context) for each in context.command.params if isinstance(each, click.Argument)]
    return " ".join([context.command_path, *arguments])


def _first_paragraph(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _codes(texts: Iterable[str]) -> str:
    return ", ".join(map(_code, texts))


def _action() -> Any:
    return yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def _table(head: list[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table in Markdown; what a cell holds may not end it."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
