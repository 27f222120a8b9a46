import gzip
import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, Scores
from pytest_bayesf1.choices import Better, Runs
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.files import opening as archives
from pytest_bayesf1.files.eval_logs import INSPECT, PROMPTFOO, Log, LoggedRun, _newest
from pytest_bayesf1.files.rulers import assertions_of, is_judge, scorers_of
from pytest_bayesf1.files.side import read_runs, read_side, require_same_ruler
from pytest_bayesf1.results.schema import UNREADABLE
from tests.data.logs.questions import ANSWERS, QUESTIONS
from tests.unit.files.logged import FIVE_TASKS, FOLDER, LM_EVAL_RUNS, edited, edited_lines, reading

TEAMS = [team for _, team, _ in QUESTIONS]
FIRST, CHOICE = FOLDER / "inspect-first.json", FOLDER / "inspect-choice.eval"
PROMPTFOO_FIRST = FOLDER / "promptfoo-first.json"
IN_LOGS = {"y_true": "target", "y_pred": "answer"}
CLASSES = {"y_true": "target", "y_pred": "scores.match.answer"}
CLASSES_OF_CHOICE = {"y_true": "target", "y_pred": "scores.choice.answer"}


def archive(path, compression=zipfile.ZIP_DEFLATED, **members):
    with zipfile.ZipFile(path, "w", compression) as target:
        for name, content in members.items():
            target.writestr(f"{name}.json", content)
    return path


class TestInspectAi:
    def test_an_archive_tells_grades_and_letters(self):
        with zipfile.ZipFile(CHOICE) as packed:  # of Zstandard, which has the number 93, as inspect_ai writes it
            assert {each.compress_type for each in packed.infolist()} == {93}
        values = read_side(CHOICE, "candidate").counts()
        right = [answer == team for answer, team in zip(ANSWERS["second"], TEAMS, strict=True)]
        np.testing.assert_array_equal(values.scores[:, 0], right)
        letters = dict(zip(sorted(set(TEAMS)), "ABC", strict=True))
        answers = [letters.get(answer) for answer in ANSWERS["second"]]
        expected = ConfusionMatrix.from_predictions([letters[team] for team in TEAMS], answers, invalid="wrong")
        assert read_side(CHOICE, "candidate", reading(CLASSES_OF_CHOICE, invalid="wrong")).counts() == expected

    @pytest.mark.parametrize(
        ("members", "message"),
        [
            ({}, "The run has not finished: the log lacks header.json. Finish it"),
            (
                {"header": '{"status": "cancelled"}', "summaries": '[{"id": 1, "epoch": 1, "score": 1}]'},
                "The run has not finished: its status is 'cancelled'. Finish it: inspect eval-retry LOG.",
            ),
            ({"header": '{"status": "success"}', "summaries": "[]"}, "This log of inspect_ai has no answers"),
            ({"header": "{", "summaries": "[]"}, "Not a log of inspect_ai: it is damaged, or has another format"),
        ],
    )
    def test_archives_that_cannot_be_used(self, tmp_path, members, message):
        with pytest.raises(InputError, match=message):
            read_side(archive(tmp_path / "a.eval", **members), "candidate")

    def test_a_bomb_is_not_unpacked(self, tmp_path, monkeypatch):
        monkeypatch.setattr(archives, "LARGEST", 1_000)
        path = archive(tmp_path / "a.eval", header='{"status": "success"}', summaries=" " * 10_000 + "[]")
        with pytest.raises(InputError, match=r"summaries.json: Larger than 1,000 bytes, once unpacked"):
            read_side(path, "candidate")

    def test_of_several_scorers_one_is_to_be_named(self, tmp_path):
        def with_another(log):
            for sample in log["samples"]:
                noted = {"seen": {"value": 1, "answer": "a"}}  # by the scorer, and no grade
                sample["scores"]["judge"] = {"value": {"kind": 3, "short": "C"}, "answer": None, "metadata": noted}

        path = edited(FIRST, tmp_path, with_another)
        with pytest.raises(
            InputError, match=r"answer: scores.match.value, scores.judge.value.kind, scores.judge.value.short\."
        ):
            read_side(path, "candidate", Schema(runs="samples"))
        for name, value in (("kind", 3), ("short", 1)):
            grades = reading({"value": f"scores.judge.value.{name}"}, runs="samples", better=Better.HIGHER)
            assert read_side(path, "candidate", grades).counts().scores.tolist() == [[value]] * 6

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda log: log.pop("samples"), "This log of inspect_ai has no answers"),
            (lambda log: log["samples"][3].update(scores=None), "value: 1 of 12 is no value .* first at row 4"),
            (lambda log: log["samples"][1]["scores"].update(match=3), "value: 1 of 12 is no value .* first at row 2"),
            (lambda log: log["samples"].insert(1, 3), "record 2: expected an object, got 3"),
            (
                lambda log: log["samples"][3]["scores"]["match"].update(value="unsure"),
                "value: 1 of 12 is no number .'unsure'; first at row 4",
            ),
        ],
        ids=["no samples", "no grade", "another shape", "no object", "another word"],
    )
    def test_what_is_wrong_is_told_by_its_place(self, tmp_path, change, message):
        with pytest.raises(InputError, match=message):
            read_side(edited(FIRST, tmp_path, change), "candidate", Schema(runs="samples")).counts()


class TestErrors:
    @pytest.mark.parametrize(
        "cut",
        [
            {"limit": {"type": "token", "limit": 9}},
            {"output": {"stop_reason": "max_tokens"}},
            {"output": {"stop_reason": "model_length"}},
        ],
    )
    def test_a_limit_that_cut_off_every_answer(self, tmp_path, cut):
        def shortened(log, first="I"):
            for number, sample in enumerate(log["samples"]):
                sample |= {**cut, "scores": {"match": {"value": "I" if number else first}}}

        path = edited(FIRST, tmp_path, shortened)
        with pytest.raises(InputError, match=r"A limit cut off all 12 answers, and none is right. Raise the limit"):
            read_side(path, "candidate", Schema(runs="samples"))
        path = edited(FIRST, tmp_path, lambda log: shortened(log, "C"))
        notes = read_side(path, "candidate", Schema(runs="samples")).notes
        assert notes[1] == "candidate: a limit cut off 12 of 12 answers in this log of inspect_ai."


LM_EVAL_TEAMS = FOLDER / "lm-eval-teams.jsonl"
LINES = [json.loads(line) for line in LM_EVAL_TEAMS.read_text("utf-8").splitlines()]


class TestLmEval:
    @pytest.mark.parametrize(("metric", "score"), [("ter", -0.5), ("exact_match", 0.5), ("Toxicity", None)])
    def test_the_tool_says_what_is_better_of_its_own_metrics(self, tmp_path, metric, score):
        def graded(line):
            del line["acc"], line["acc_norm"]
            line |= {"metrics": [metric], metric: 0.5}

        path = edited_lines(LM_EVAL_TEAMS, tmp_path, graded)
        for columns in ({}, {"value": metric}):
            if score is None:
                with pytest.raises(InputError, match="does not say whether more is better"):
                    read_side(path, "candidate", reading(columns))
            else:
                assert read_side(path, "candidate", reading(columns)).counts().scores[0, 0] == score
        lower = reading({"value": metric}, better=Better.LOWER)
        assert read_side(path, "candidate", lower).counts().scores[0, 0] == -0.5

    def test_older_versions_list_no_metrics(self, tmp_path):
        def older(line):
            del line["metrics"], line["acc_norm"], line["filter"], line["resps"]
            line |= {"acc": int(line["acc"]), "target": int(line["target"])}

        path = edited_lines(LM_EVAL_TEAMS, tmp_path, older)
        right = [line["acc"] for line in LINES]
        assert read_side(path, "candidate").counts() == Scores.from_values(right)
        assert read_side(path, "candidate", reading(IN_LOGS)).counts().counts.trace() == sum(right)

    def test_what_is_wrong_is_told_by_its_line(self, tmp_path):
        path = tmp_path / "a.jsonl"
        path.write_text("\n".join(json.dumps(line) for line in [*LINES[:2], {**LINES[2], "filtered_resps": 3}]))
        side = read_side(path, "candidate", reading(IN_LOGS))
        assert (UNREADABLE in side.counts().labels, side.place(2)) == (True, "line 3")
        path.write_text("\n".join([json.dumps(LINES[0]), "3"]))
        with pytest.raises(InputError, match="line 2: expected an object, got 3"):
            read_side(path, "candidate", reading(IN_LOGS))


class TestLog:
    def test_one_without_a_grade_needs_columns_that_are_named(self):
        log = Log(PROMPTFOO, {"id": [1], "said": ["a"], "truth": ["b"]})
        with pytest.raises(InputError, match="no grades: found columns 'id', 'said', 'truth'"):
            log.table({})

    def test_what_failed_has_no_answer_in_any_column(self):
        scores = {"y_score_a": [0.1, 0.9], "y_score_b": [0.8, 0.2]}
        names = {"y_true": "truth", **{name: name for name in scores}}
        table = Log(PROMPTFOO, {"truth": ["a", "b"], **scores}, failed={1}).table(names)
        assert {name: table.column(name)[1] for name in ("truth", *scores)} == {"truth": "b"} | dict.fromkeys(scores)


class TestPromptfoo:
    def test_of_several_providers_one_is_chosen(self):
        path = FOLDER / "promptfoo-both.jsonl"
        values = read_side(path, "candidate", reading(rows={"provider.label": "second"})).counts()
        assert values == read_side(FOLDER / "promptfoo-second.json", "candidate").counts()

    @pytest.mark.parametrize(
        ("change", "found"),
        [({"provider": {"id": "openai:b", "label": "first"}}, "'echo', 'openai:b'"), ({"promptIdx": 1}, "'0', '1'")],
    )
    def test_of_several_systems_of_any_kind_one_is_chosen(self, tmp_path, change, found):
        def another(log):
            log["results"]["results"] += [each | change for each in log["results"]["results"]]

        path = edited(PROMPTFOO_FIRST, tmp_path, another)
        with pytest.raises(InputError, match=rf"got {found}\. Declare: rows"):
            read_side(path, "candidate")

    def test_a_provider_that_is_listed_twice_is_no_system_with_runs(self, tmp_path):
        path = edited(
            PROMPTFOO_FIRST, tmp_path, lambda log: log["results"]["results"].extend(log["results"]["results"][:])
        )
        for names in ({}, {"id": "vars.message"}):
            with pytest.raises(InputError, match="6 of 12 are duplicate"):
                read_side(path, "candidate", reading(names)).counts()


SUMS_RUN = "lm-eval-runs/v1/dummy/samples_made_up_sums_2026-11-24T17-40-14.342733.jsonl"
RUBRIC = {"type": "llm-rubric", "value": "is polite", "metric": "tone"}


def with_scorer(log, name="match", version=0, role=None, **options):
    log["eval"] |= {"task_version": version, "model_roles": {"grader": {"model": role}} if role else None}
    log["eval"]["scorers"] = [{"name": f"mine/{name}", "options": options}]
    log["results"]["scores"] = [{"name": name, "scorer": name, "params": {}}]
    for sample in log["samples"]:
        sample["scores"] = {name: sample["scores"].pop("match")}


def with_checks(*checks, provider=None):
    def change(log):
        for each in log["results"]["results"]:
            each["testCase"] |= {"assert": [*checks], "options": {} if provider is None else {"provider": provider}}

    return change


class TestRulers:
    @pytest.mark.parametrize(
        ("change", "expected", "found"),
        [
            ({"version": 2}, "task_version: 0", "task_version: 2"),
            ({"name": "includes"}, "scorer: match", "scorer: includes"),
            ({"role": "o/judge"}, "scorer: match", 'scorer: match {"grader": "o/judge"}'),
        ],
    )
    def test_of_inspect_task_and_scorer_count(self, tmp_path, change, expected, found):
        self.assert_refused(FIRST, edited(FIRST, tmp_path, lambda log: with_scorer(log, **change)), expected, found)

    def test_of_lm_eval_the_results_beside_tell_the_version(self, tmp_path):
        shutil.copytree(LM_EVAL_RUNS / "v1" / "dummy", tmp_path / "b")
        path = tmp_path / "b" / Path(SUMS_RUN).name
        (results,) = path.parent.glob("results_*.json")
        results.write_text(results.read_text().replace('"made_up_sums": "Yaml"', '"made_up_sums": 2.0'))
        known = reading(rows={"filter": "flexible"})
        self.assert_refused(FOLDER / SUMS_RUN, path, "task_version: Yaml", "task_version: 2.0", known)
        results.unlink()
        require_same_ruler(read_side(FOLDER / SUMS_RUN, "baseline", known), read_side(path, "candidate", known))

    @pytest.mark.parametrize(
        ("was", "now"),
        [
            (with_checks(RUBRIC), with_checks({"type": "g-eval", "value": "is polite"})),
            (with_checks(RUBRIC), with_checks(RUBRIC | {"value": "is kind"})),
            (with_checks(RUBRIC), with_checks(RUBRIC | {"provider": "o:judge"})),
            (with_checks(RUBRIC), with_checks(RUBRIC, provider="o:judge")),
            (with_checks(RUBRIC), with_checks(RUBRIC | {"threshold": 0.5})),
            (with_checks(RUBRIC, provider={"id": "o:a"}), with_checks(RUBRIC, provider={"id": "o:b"})),
            (with_checks({"type": "equals", "value": "a"}), with_checks({"type": "icontains", "value": "a"})),
        ],
    )
    def test_of_promptfoo_assertions_count(self, tmp_path, was, now):
        files = []
        for name, change in (("a", was), ("b", now)):
            (tmp_path / name).mkdir()
            files.append(edited(PROMPTFOO_FIRST, tmp_path / name, change))
        self.assert_refused(*files, 'assertion: [{"', 'assertion: [{"')

    def test_the_name_of_an_assertion_and_how_its_provider_is_written_do_not(self, tmp_path):
        path = PROMPTFOO_FIRST
        before = read_side(edited(path, tmp_path, with_checks(RUBRIC, provider="o:judge")), "baseline")
        renamed = RUBRIC | {"metric": "politeness", "provider": {"id": "o:judge", "config": {"temperature": 0.3}}}
        require_same_ruler(before, read_side(edited(path, tmp_path, with_checks(renamed)), "candidate"))

    def test_each_of_several_scorers_has_its_own_options_and_parameters(self):
        names, params = ("match", "other", "match", "match"), ({}, {"of": 1}, {"of": 2}, {})
        listed = [{"name": f"mine/{name}", "options": {"n": n}} for n, name in enumerate(names)]
        called = ("match", "other", "match1", "match2")  # as inspect_ai names them
        scores = [{"scorer": name, "params": each} for name, each in zip(called, params, strict=True)]
        written = ({"n": n} | each for n, each in enumerate(params))
        assert scorers_of({"eval": {"scorers": listed}, "results": {"scores": scores}}) == {
            name: f"{name} {json.dumps(each)}" for name, each in zip(called, written, strict=True)
        }

    @pytest.mark.parametrize(("length", "end"), [(300, "x"), (301, "x… of checksum ")])
    def test_300_characters_are_told_of_each(self, length, end):
        (told,) = scorers_of({"eval": {"scorers": [{"name": "x" * length}]}}).values()
        assert told[299:].startswith(end)

    def test_of_several_assertions_each_is_told_with_who_grades_by_it(self):
        checks = [{"type": "equals", "value": "a"}, "no assertion", RUBRIC, RUBRIC | {"provider": "o:own"}]
        providers = [each.get("provider") for each in json.loads(assertions_of(checks, "o:all", with_values=True))]
        assert providers == [None, "o:all", "o:own"]
        assert [*map(len, json.loads(assertions_of(checks, "", with_values=False)))] == [1, 1, 2]

    def test_of_runs_in_files_of_their_own_all_count(self, tmp_path):
        other = edited(FIRST, tmp_path, lambda log: with_scorer(log, location="any"))
        for files in ([FIRST, other], [other, FIRST]):
            assert read_runs(files, "candidate").ruler.startswith("2 rulers of checksum ")

    def assert_refused(self, baseline, candidate, expected, found, known=AS_IT_IS):
        before, after = read_side(baseline, "baseline", known), read_side(candidate, "candidate", known)
        with pytest.raises(InputError) as caught:
            require_same_ruler(before, after)
        error = caught.value
        assert error.expected.startswith(expected)
        assert error.found.startswith(found)
        assert error.advice.endswith("declare other_ruler: true.")


class TestClasses:
    @pytest.mark.parametrize(
        "checks",
        [
            [{"type": "equals", "value": "billing"}, {"type": "contains", "value": "bill"}],
            [{"type": "equals", "value": "{{team}}"}],
            [{"type": "not-equals", "value": "billing"}],
            [{"type": [], "value": "billing"}],
        ],
    )
    def test_without_a_target_it_is_declared(self, tmp_path, checks):
        def replace_checks(log):
            for each in log["results"]["results"][1:]:
                each["testCase"]["assert"] = checks

        path = edited(PROMPTFOO_FIRST, tmp_path, replace_checks)
        with pytest.raises(InputError, match="No column 'target' to take for y_true in this log of promptfoo"):
            read_side(path, "candidate", reading(IN_LOGS))


def earlier(path, folder, **header):
    """Put another log of the same task beside one, with a header that was changed."""
    with archives.Archive(path) as source:
        found = json.loads(source.read("header.json"))
    found["eval"] |= {name: text for name, text in header.items() if name in found["eval"]}
    found |= {name: text for name, text in header.items() if name not in found["eval"]}
    samples = [{"id": 1, "epoch": 1, "scores": {"includes": {"value": "C"}}}]
    return archive(folder, header=json.dumps(found), summaries=json.dumps(samples))


class TestLoggedRun:
    @pytest.mark.parametrize(("created", "newest"), [("2020-01-01", "spam.eval"), ("2999-01-01", "other.eval")])
    def test_the_newest_log_of_a_task_counts(self, tmp_path, created, newest):
        shutil.copytree(FIVE_TASKS / "v1", tmp_path / "v1")
        (tmp_path / "v1" / "deep").mkdir()
        earlier(tmp_path / "v1" / "spam.eval", tmp_path / "v1" / "deep" / "other.eval", created=created)
        found = LoggedRun.of(tmp_path / "v1", Schema()).tasks["spam"]
        assert found.file.name == newest
        assert found.notes == (f"newest of 2 logs of 'spam': {newest}.",)

    def test_a_run_that_has_not_finished_is_left_out(self, tmp_path):
        shutil.copytree(FIVE_TASKS / "v1", tmp_path / "v1")
        cut = earlier(
            tmp_path / "v1" / "spam.eval", tmp_path / "v1" / "cut.eval", created="2999-01-01", status="cancelled"
        )
        (tmp_path / "v1" / "damaged.eval").write_bytes(b"PK")
        run = LoggedRun.of(tmp_path / "v1", Schema())
        assert run.tasks["spam"].file.name == "spam.eval"
        unfinished, damaged = run.notes
        assert unfinished.startswith(f"{cut} left out: its run of 'spam' has not finished ('cancelled'). Finish it")
        assert "damaged.eval left out: " in damaged
        for task in run.tasks.values():
            task.file.unlink()
        with pytest.raises(InputError, match=r"promptfoo that has finished; .*cut.eval left out: .*; .*damaged.eval"):
            LoggedRun.of(tmp_path / "v1", Schema())

    def test_logs_of_several_models_are_told_apart(self, tmp_path):
        shutil.copytree(FIVE_TASKS / "v1", tmp_path / "logs")
        for model in ("other/b", "other/b-large"):
            file = tmp_path / "logs" / f"{model.removeprefix('other/')}.eval"
            earlier(tmp_path / "logs" / "spam.eval", file, created="2999-01-01", model=model)
        models = "'mockllm/model', 'other/b', 'other/b-large'"
        with pytest.raises(InputError, match=f"The logs are of several models: {models}") as caught:
            LoggedRun.of(tmp_path / "logs", Schema())
        assert "declare rows" in caught.value.advice
        run = LoggedRun.of(tmp_path / "logs", reading(rows={"model": "other/b"}))
        assert [(task, log.file.name) for task, log in run.tasks.items()] == [("spam", "b.eval")]
        spam = run.tasks["spam"]
        assert read_side(spam.file, "baseline", spam.reading).counts().scores.tolist() == [[1]]
        with pytest.raises(InputError, match=f"No log is of the model 'c'. Found {models}"):
            LoggedRun.of(tmp_path / "logs", reading(rows={"model": "c"}))
        (tmp_path / "logs" / "b-large.eval").unlink()
        with pytest.raises(InputError, match="The logs are of several models: 'mockllm/model', 'other/b'"):
            LoggedRun.of(tmp_path / "logs", Schema())

    def test_what_is_said_of_all_logs_counts_where_a_log_has_it(self):
        asked = reading({"value": "acc_norm"}, {"filter": "strict-match", "model": "dummy"})
        run = LoggedRun.of(LM_EVAL_RUNS / "v1", asked)
        assert list(run.tasks) == ["made_up_sums", "made_up_teams"]
        sums, teams = (run.tasks[task].reading for task in run.tasks)
        assert (sums.columns, sums.rows) == ((), (("filter", "strict-match"),))
        assert (teams.columns, teams.rows) == ((("value", "acc_norm"),), ())

    def test_what_was_said_fits_the_newest_log(self):
        logs = {Path(name): Log(INSPECT, {"id": [1], name: [0.5]}) for name in ("old", "new")}
        assert _newest([*logs], logs, reading({"value": "new"})).reading.columns == (("value", "new"),)

    def test_logs_that_are_packed_are_found(self, tmp_path):
        (tmp_path / "samples_teams.jsonl.gz").write_bytes(gzip.compress(LM_EVAL_TEAMS.read_bytes()))
        assert [*LoggedRun.of(tmp_path, reading({"value": "acc"})).tasks] == ["teams"]

    def test_the_model_is_the_folder_that_a_log_is_in_from_wherever_it_is_read(self, monkeypatch):
        monkeypatch.chdir(LM_EVAL_RUNS / "v1" / "dummy")
        assert LoggedRun.of(Path(), reading({"value": "acc_norm"}, {"filter": "strict-match", "model": "dummy"})).tasks

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            (
                reading({"value": "bleu"}),
                "lm-eval-runs.v1: No column 'bleu' to take for value in any log: found columns 'id'",
            ),
            (reading({"y_true": "gold", "y_pred": "answer"}), "No column 'gold' to take for y_true in any log"),
            (reading(rows={"filter": "x"}), "No log has a row whose 'filter' is 'x'"),
        ],
    )
    def test_what_no_log_has_is_an_error(self, asked, message):
        with pytest.raises(InputError, match=message):
            LoggedRun.of(LM_EVAL_RUNS / "v1", asked)

    def test_epochs_are_answers_to_one_sample(self):
        (log,) = LoggedRun.of(FIRST, Schema()).tasks.values()
        assert log.reading.runs == "samples"
        assert log.notes == ("the answers of 2 runs to a question share one vote.",)
        assert read_side(FIRST, "candidate", log.reading).counts().n_samples == 6
        (log,) = LoggedRun.of(FIRST, reading(rows={"epoch": "1"})).tasks.values()
        assert log.reading.rows == (("epoch", "1"),)
        (log,) = LoggedRun.of(FIRST, Schema(runs=Runs.SEEDS)).tasks.values()
        assert (log.reading.runs, log.notes) == ("seeds", ())

    def test_a_task_of_promptfoo_is_named_by_its_description_or_its_file(self, tmp_path):
        (tmp_path / "a").mkdir()
        shutil.copy(PROMPTFOO_FIRST, tmp_path / "a" / "support.json")
        assert list(LoggedRun.of(tmp_path / "a", Schema()).tasks) == ["support"]
        log = json.loads((PROMPTFOO_FIRST).read_text("utf-8"))
        for name, day in (("support", 2), ("a", 3), ("c", 1)):
            log["config"], log["results"]["timestamp"] = {"description": "triage"}, f"2026-01-0{day}"
            (tmp_path / "a" / f"{name}.json").write_text(json.dumps(log), "utf-8")
        assert {name: task.file.stem for name, task in LoggedRun.of(tmp_path / "a", Schema()).tasks.items()} == {
            "triage": "a"
        }

    def test_what_is_no_log(self, tmp_path):
        row = '{"id": 1, "y_true": "a", "y_pred": "b"}'
        for name, text in (
            ("a.json", '{"y_true": [1, 0], "y_pred": [1, 1]}'),
            ("b.json", f"[{row}]"),
            ("c.jsonl", row),
        ):
            (tmp_path / name).write_text(text)
            assert LoggedRun.of(tmp_path / name, Schema()) is None
        with pytest.raises(InputError, match="No log of inspect_ai, lm-evaluation-harness or promptfoo"):
            LoggedRun.of(tmp_path, Schema())


@pytest.mark.parametrize(
    ("ruler", "found"),
    [
        ({"scorer": 'model_graded_qa {"grader": "o/judge"}'}, True),
        ({"scorer": 'match {"grader": "o/judge"}'}, False),
        ({"assertion": '[{"type": "llm-rubric", "value": "is polite"}]'}, True),
        ({"assertion": '[{"type": "not-model-graded-closedqa"}]'}, True),
        ({"assertion": '[{"type": "equals", "value": "llm-rubric?"}]'}, False),
        ({"filter": "none", "metric": "acc"}, False),
        ({}, False),
    ],
)
def test_a_ruler_tells_whether_a_model_grades(ruler, found):
    assert is_judge(ruler) is found
