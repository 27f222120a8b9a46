"""Put small faults into rooms or modules, and list those that no test notices: ``python -m tests.mutants stats.looks``.

mutmut writes the faults. It would collect the tests anew for each of them, which takes most of the time; here one
process collects them, and a copy of it runs for each fault those that call the function, its own module's first.
"""

import argparse
import ast
import gc
import json
import os
import random
import re
import resource
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from difflib import unified_diff
from functools import cache
from pathlib import Path

import pytest
from mutmut.mutation import trampoline
from mutmut.mutation.file_mutation import mutate_file_contents

ROOT = Path(__file__).parents[1]
"""The checkout, or its copy with the faults, in which this runs again."""
COPY = ROOT / "mutants"
FAULTS, CALLS, OUTCOMES = ROOT / "faults.json", ROOT / "calls.json", ROOT / "outcomes.jsonl"
TESTS = ("pytest_bayesf1", "tests/unit", "tests/property", "tests/reference")
OPTIONS = ("-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not long")
SECONDS = 15
"""Processor time for the tests of one fault; one that takes twice as much notices it."""
LEAST_NOTICED = 0.9
CHOSEN = "MUTANT_UNDER_TEST"  # of the environment, by mutmut's name


def write_faults(names: list[str]) -> list[str]:
    """Copy the checkout, put all faults of rooms or modules into the copy, and list them."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT, COPY, ignore=shutil.ignore_patterns(".*", "mutants", "node_modules", "dist", "site"))
    faults = []
    for name in names:
        place = COPY / "pytest_bayesf1" / name.replace(".", "/")
        for path in sorted(place.glob("*.py")) or [place.with_suffix(".py")]:
            mutated = mutate_file_contents(str(path), path.read_text("utf-8"))
            path.write_text(mutated.code, "utf-8")
            module = ".".join(path.relative_to(COPY).with_suffix("").parts).removesuffix(".__init__")
            faults += [f"{module}.{fault}" for fault in mutated.mutant_names]
    return faults


def function_of(fault: str) -> str:
    """Name the function as mutmut does."""
    return fault.rpartition("__mutmut_")[0]


@cache
def functions(module: str) -> dict[str, list[str]]:
    """Read all functions of a module with faults: their lines, by name."""
    path = ROOT / module.replace(".", "/")
    text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")
    found = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    return {each.name: text.splitlines()[each.lineno - 1 : each.end_lineno] for each in found}


def difference(fault: str) -> str:
    """Show what a fault changes."""
    module, _, name = fault.rpartition(".")
    sides = functions(module)[re.sub(r"\d+$", "orig", name)], functions(module)[name]
    old, new = ([re.sub(r"\bx[_ǁ]\w+__mutmut_\w+", "...", line) for line in side] for side in sides)
    return "\n".join(line for line in list(unified_diff(old, new, n=0))[2:] if not line.startswith("@@"))


def forget() -> None:
    """Drop what the package has computed already."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pytest_bayesf1."):
            for kept in [each for each in vars(module).values() if hasattr(each, "cache_clear")]:
                kept.cache_clear()


def in_a_copy(work: Callable[[], object]) -> int:
    """Run a function in a copy of this process; return 0 unless it returns something else, or does not end."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 1
    try:
        forget()
        status = int(bool(work()))
    finally:
        os._exit(status)


def run(items: list[pytest.Item]) -> None:
    """Run tests until one fails or the time is over."""
    for item, after in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if item.session.testsfailed or time.process_time() > SECONDS:
            break


class Trial:
    """What pytest does with the tests that it has collected."""

    def pytest_runtestloop(self, session):
        """Try every fault, on all processors."""
        session.config.pluginmanager.unregister(name="terminalreporter")
        gc.freeze()
        if in_a_copy(lambda: self.note_calls(session)):
            raise pytest.UsageError("expected tests that can be run without a fault, got none")
        calls, seconds = json.loads(CALLS.read_text("utf-8"))
        faults = json.loads(FAULTS.read_text("utf-8"))
        items = {item.nodeid: item for item in session.items}
        for start in range(n := os.cpu_count() or 1):
            if not os.fork():
                for fault in faults[start::n]:
                    self.try_fault(fault, [items[test] for test in calls.get(function_of(fault), [])], seconds)
                os._exit(0)
        for _ in range(n):
            os.wait()
        return True

    def note_calls(self, session):
        """Note which functions with faults each test calls, and how long it takes; not of those that fail here."""
        called, calls, seconds = set(), defaultdict(list), {}
        trampoline.record_trampoline_hit = lambda name, **_: called.add(name)
        trampoline.set_mutant_under_test("stats")
        for item in session.items:
            forget()
            called.clear()
            begin, session.testsfailed = time.process_time(), 0
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if not session.testsfailed:
                seconds[item.nodeid] = time.process_time() - begin
                for function in called:
                    calls[function].append(item.nodeid)
        CALLS.write_text(json.dumps([calls, seconds]), "utf-8")

    def try_fault(self, fault, items, seconds):
        """Note whether a test notices a fault."""
        _, room, module, *_ = fault.split(".")
        own = f"{room}/test_{module}.py", f"{room}/{module}.py"
        items.sort(key=lambda item: (not item.path.as_posix().endswith(own), seconds[item.nodeid]))

        def fails():
            resource.setrlimit(resource.RLIMIT_CPU, (2 * SECONDS, 2 * SECONDS))
            trampoline.set_mutant_under_test(fault)
            run(items)
            return items[0].session.testsfailed

        outcome = "not called by any test" if not items else "noticed" if in_a_copy(fails) else "not noticed"
        with OUTCOMES.open("a", encoding="utf-8") as file:
            file.write(json.dumps([fault, outcome]) + "\n")


def main() -> None:
    """Write the faults, then start again in their midst."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", help="rooms such as stats, or modules such as stats.looks")
    parser.add_argument("--sample", type=int, help="how many faults to try, chosen at random; else all")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if CHOSEN not in os.environ:
        faults = write_faults(given.names)
        if given.sample:
            faults = random.Random(given.seed).sample(faults, min(given.sample, len(faults)))  # noqa: S311
        (COPY / FAULTS.name).write_text(json.dumps(faults), "utf-8")
        os.chdir(COPY)
        os.environ |= {"PYTHONPATH": str(COPY), "OMP_NUM_THREADS": "1", CHOSEN: ""}
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606
    pytest.main([*OPTIONS, *TESTS], plugins=[Trial()])
    outcomes = [json.loads(line) for line in OUTCOMES.read_text("utf-8").splitlines()]
    left = sorted((fault, outcome) for fault, outcome in outcomes if outcome != "noticed")
    for fault, outcome in left:
        print(f"\n{fault}: {outcome}\n{difference(fault)}")
    print(f"\n{len(outcomes) - len(left):,} of {len(outcomes):,} faults noticed")
    sys.exit(len(left) > (1 - LEAST_NOTICED) * len(outcomes))


if __name__ == "__main__":
    main()
