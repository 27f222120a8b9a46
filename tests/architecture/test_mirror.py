"""`tests/unit` mirrors the package: the test of a module is found by the module's name, or in this table."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE, UNIT = ROOT / "pytest_bayesf1", ROOT / "tests" / "unit"

# Whole runs of pytest are what the plugin is about, a GitHub what the Action's steps are, a terminal what commands are.
# An engine's draws are judged by their distribution; what holds data without doing anything is seen where it is used.
ELSEWHERE = {
    "arrays": "nothing but names of types",
    "baselines/steps": "unit/baselines/test_history.py",
    "choices": "unit/comparison/test_arguments.py",
    "cli/answers": "unit/cli/test_gate.py",
    "cli/doctor": "functional/test_command_line.py",
    "cli/manifest": "functional/test_manifest.py",
    "cli/options": "unit/cli/test_compare.py",
    "cli/pictures": "unit/cli/test_rank.py",
    "comparison/arguments/argument": "unit/comparison/test_arguments.py",
    "comparison/arguments/table": "unit/comparison/test_arguments.py",
    "comparison/arguments/validators": "unit/comparison/test_arguments.py",
    "comparison/companion_text": "unit/comparison/test_wording.py",
    "comparison/outcome_subject": "unit/comparison/test_compare.py",
    "comparison/planning/result": "unit/comparison/planning/test_plan.py",
    "comparison/planning/told": "unit/comparison/planning/test_plan.py",
    "comparison/planning/trials": "unit/comparison/planning/test_plan.py",
    "comparison/prior_draws": "unit/comparison/test_sampling.py",
    "comparison/provenance": "unit/comparison/test_as_prior.py",
    "comparison/pymc_model": "reference/test_engines_agree.py",
    "comparison/readable": "unit/comparison/test_wording.py",
    "comparison/result": "unit/comparison/test_compare.py",
    "comparison/subject": "nothing but what a subject has to offer",
    "counts/shape": "unit/counts/test_outcomes.py",
    "comparison/score_sides": "unit/comparison/test_subjects.py",
    "comparison/score_subject": "unit/comparison/test_subjects.py",
    "counts/score_experiment": "unit/engines/test_scores.py",
    "counts/shown": "unit/comparison/test_changes.py",
    "counts/side_counts": "unit/counts/test_confusion.py",
    "engines/blocks": "unit/engines/test_threads.py",
    "engines/cells/cell_draws": "reference/test_against_naive_sampler.py",
    "engines/cells/group_draws": "reference/test_against_naive_sampler.py",
    "engines/cells/data_part": "reference/test_units.py",
    "engines/cells/example_part": "reference/test_against_naive_sampler.py",
    "engines/cells/prior_atoms": "unit/engines/cells/test_prior_part.py",
    "engines/cells/prior_cells": "unit/engines/cells/test_prior_part.py",
    "engines/cells/prior_jumps": "unit/engines/cells/test_prior_part.py",
    "engines/cells/selectors": "reference/test_against_naive_sampler.py",
    "engines/cells/table_draws": "reference/test_against_naive_sampler.py",
    "engines/cells/theta_draws": "reference/test_engines_agree.py",
    "engines/cells/unit_part": "reference/test_units.py",
    "engines/exact": "unit/engines/test_threads.py",
    "engines/posteriors/group_mass": "reference/test_multilabel.py",
    "engines/posteriors/training_spread": "unit/comparison/test_units.py",
    "engines/protocol": "unit/engines/test_convergence.py",
    "engines/pymc/models": "reference/test_engines_agree.py",
    "engines/pymc/nuts": "unit/engines/test_convergence.py",
    "figures/canvas": "unit/figures/test_posterior.py",
    "files/checked_table": "unit/files/test_side_file.py",
    "files/npz": "unit/files/test_formats.py",
    "files/parquet": "unit/files/test_formats.py",
    "files/reading": "unit/files/test_unreadable_answers.py",
    "frames/making": "unit/comparison/test_changes.py",
    "gates/gate": "unit/gates/test_gate_file.py",
    "gates/manifest/file": "functional/test_manifest.py",
    "gates/manifest/finding": "unit/gates/manifest/test_differences.py",
    "github/api": "action/test_publish.py",
    "github/event": "unit/github/test_context.py",
    "github/publish": "action/test_publish.py",
    "github/steps": "action/test_action.py",
    "measures/overall": "unit/measures/test_measures.py",
    "plugin/attempts": "functional/test_reruns.py",
    "plugin/baseline_ledger": "functional/test_unused_baselines.py",
    "plugin/config": "functional/test_options.py",
    "plugin/fixtures": "functional/test_fixture.py",
    "plugin/gate_items": "functional/test_gate_collection.py",
    "plugin/gate_ledger": "functional/test_manifest.py",
    "plugin/hooks": "functional/test_light_loading.py",
    "plugin/probe": "functional/test_command_line.py",
    "plugin/progress": "functional/test_incomplete.py",
    "plugin/recorder": "functional/test_ownership.py",
    "plugin/reporter": "functional/test_report_option.py",
    "plugin/shared_fixtures": "functional/test_shared_fixtures.py",
    "plugin/stored_baselines": "functional/test_baselines.py",
    "plugin/telling": "functional/test_failing_gate.py",
    "plugin/tracebacks": "functional/test_failing_gate.py",
    "priors/rows": "unit/priors/test_priors.py",
    "reports/parts": "unit/reports/markdown/test_render.py",
    "reports/csv_text": "unit/reports/test_history_told.py",
    "reports/html/shapes": "unit/reports/html/test_plots.py",
    "reports/markdown/sections": "unit/reports/markdown/test_render.py",
    "reports/markdown/words": "unit/reports/markdown/test_render.py",
    "reports/templating": "unit/reports/test_templates.py",
    "reports/wording": "unit/reports/html/test_render.py",
    "results/beyond": "unit/reports/test_order.py",
    "results/breakdown": "unit/comparison/test_breakdown.py",
    "results/groups": "unit/gates/test_groups.py",
    "results/history": "unit/reports/test_history_told.py",
    "results/planning": "unit/comparison/planning/test_plan.py",
    "results/ranking": "unit/comparison/test_ranking.py",
    "results/results": "unit/reports/test_document.py",
    "results/verdict_card": "unit/reports/test_card.py",
    "stats/fscore": "reference/test_goutte_gaussier.py",
    "unreadable": "unit/counts/test_answers.py",
    "validation": "unit/gates/test_gate_file_errors.py",
}
MODULES = {
    path.relative_to(PACKAGE).with_suffix("").as_posix(): path
    for path in PACKAGE.rglob("*.py")
    if path.name not in ("__init__.py", "__main__.py")
}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_module_has_its_test(module):
    folder, _, name = module.rpartition("/")
    has_its_own = (UNIT / folder / f"test_{name}.py").is_file()
    assert has_its_own is (module not in ELSEWHERE), "a test of its own, or a line in the table; not both"


@pytest.mark.parametrize("module", ELSEWHERE)
def test_the_table_is_up_to_date(module):
    where = ELSEWHERE[module]
    assert module in MODULES
    assert (ROOT / "tests" / where).is_file() or " " in where


def test_most_modules_have_a_test_of_their_own():
    assert len(ELSEWHERE) < 0.4 * len(MODULES)
