"""Sessions with logs of evaluations, as people have reviewed them."""

import json
import zipfile

import pytest

TEAMS = ("billing", "shi|pping", "<b>returns")
N = 36


def said(number, every):
    """Answer wrongly every so many."""
    return TEAMS[(number + (number % every == 0)) % 3]


def sample(number, every, epoch=1):
    """Return a sample as inspect_ai logs it, with the grades and the answer of one scorer."""
    target, answer = TEAMS[number % 3], said(number, every)
    score = {"value": "C" if answer == target else "I", "answer": answer}
    asked = {"id": f"s{number}", "epoch": epoch, "input": f"question {number}", "target": target}
    return {**asked, "metadata": {"language": ["de", "en"][number % 2]}, "scores": {"match": score}}


@pytest.fixture
def inspect(tmp_path):
    """Write a log of inspect_ai."""

    def write(name, samples, status="success", **header):
        about = {"task": "teams", "model": "m/one", "created": "2026-03-01T10:00:00", **header}
        log = {"version": 2, "status": status, "eval": about, "plan": {}}
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json":
            path.write_text(json.dumps({**log, "samples": samples}), "utf-8")
        else:
            with zipfile.ZipFile(path, "w") as packed:
                packed.writestr("header.json", json.dumps(log))
                packed.writestr("summaries.json", json.dumps(samples))

    return write


def test_logs_of_one_task(transcript, inspect):
    """Of two versions that mistake four, and nine, of 36; a log lacks answers, ids, or has several scorers."""
    old, new = ([sample(number, every) for number in range(N)] for every in (9, 4))
    judged = [{"judge": {"value": {"kind": k % 5, "sure": 0.75}, "answer": "a"}} for k in range(N)]
    nothing = {"output": {"stop_reason": "max_tokens"}, "scores": {"match": {"value": "I", "answer": "?"}}}
    inspect("old one.json", old)
    inspect("new.eval", new)
    for name, samples in {
        "failed": [{**each, "error": "503" if k in (5, 7, 8) else None} for k, each in enumerate(new)],
        "cut": [{**each, "limit": "time" if k < 7 else None} for k, each in enumerate(new)],
        "all-cut": [each | nothing for each in new],
        "two": [each | {"scores": each["scores"] | more} for each, more in zip(new, judged, strict=True)],
        "no-ids": [{**each, "id": None} for each in new],
        "ids": [{**each, "id": each["id"] if k < 30 else f"t{k}"} for k, each in enumerate(new)],
        "words": [each | {"scores": {"match": {"value": "good"}}} for each in new],
        "none": [],
    }.items():
        inspect(f"{name}.json", samples)
    (transcript.folder / "broken.eval").write_bytes(b"PK")
    inspect("odd.json", 3)
    classes = "--column y_true=target --column y_pred=answer"
    for options in (
        f"new.eval --per-class --slice metadata.language {classes}",
        "failed.json",
        "failed.json --invalid wrong -v",
        "cut.json -v",
        "all-cut.json",
        "two.json",
        "two.json --candidate-column value=scores.judge.value.sure",
        f"two.json {classes}",
        "no-ids.json",
        "ids.json",
        "words.json",
        "none.json",
        "new.eval --column value=scores.judge.value",
        "broken.eval",
        "odd.json",
    ):
        transcript.bayesf1(f"compare 'old one.json' {options} --rope 0.05")


def test_logs_of_several_epochs(transcript, inspect):
    """In one epoch more the candidate answers less often rightly; ids and epochs are in another order."""
    for name, every in ("old.json", 9), ("new.json", 4):
        samples = [sample(k, every + 3 * epoch, epoch) for k in range(N) for epoch in (1, 2, 3)]
        inspect(name, samples if name == "old.json" else samples[::-1])
    for options in ("-v", "--runs samples", "--runs seeds", "--column y_true=target --column y_pred=answer -v"):
        transcript.bayesf1(f"compare old.json new.json --rope 0.05 {options}".rstrip())


def test_runs_of_several_tasks(transcript, inspect):
    """Two logs of a task, one of no longer finished runs, of a task that one side lacks, and of other models."""
    for run, every in ("v1", 9), ("v2", 4):
        for task in ("teams", "mood|x"):
            inspect(f"{run}/{task[:4]}.eval", [sample(k, every + len(task)) for k in range(N)], task=task)
        inspect(f"{run}/epochs.json", [sample(k, every + e, e) for k in range(N) for e in (1, 2)], task="again")
    inspect("v1/deep/teams-late.json", [sample(k, 5) for k in range(N)], created="2026-03-02T10:00:00")
    inspect("v2/more.json", [sample(k, 5) for k in range(N)], task="more")
    inspect("v2/stopped.json", [], "cancelled", created="2026-03-09T10:00:00")
    inspect("v2/stopped too.eval", [], "cancelled", created="2026-03-09T11:00:00")
    inspect("v2/started.json", [], "started", task="third")
    (transcript.folder / "v2" / "broken.eval").write_bytes(b"PK")
    (transcript.folder / "v2" / "notes.json").write_text('{"status": 1}')
    (transcript.folder / "empty").mkdir()
    runs = "compare v1 v2 --rope 0.05"
    transcript.bayesf1(runs)
    transcript.bayesf1(f"{runs} --fail-on unproven")
    transcript.bayesf1(f"{runs} --rows metadata.language=fr")
    transcript.bayesf1("compare v2 v1 --rope 0.05")
    for candidate in "empty", "v2/notes.json", "v2/stopped.json", "v2/mood.eval":
        transcript.bayesf1(f"compare v1 {candidate} --rope 0.05")
    transcript.bayesf1("compare v2/notes.json v1 --rope 0.05")
    inspect("v2/mood.json", [sample(k, 2) for k in range(N)], task="mood|x", model="m/two")
    inspect("v2/unnamed.json", [sample(k, 2) for k in range(N)], model="")
    for options in ("", "--candidate-rows model=m/two", "--candidate-rows model=m/one", "--rows model=m/three"):
        transcript.bayesf1(f"{runs} {options}".rstrip())


def test_logs_of_other_tools(transcript):
    """One answer of each version failed, some were cut off; the folder names the model, the file the task."""
    for run, every in ("v1", 9), ("v2", 4):
        folder = transcript.folder / run / "my model"
        folder.mkdir(parents=True)
        lines, results = [], []
        for k in range(N):
            target, answer = k % 3, TEAMS.index(said(k, every))
            chances = [[str(-1.5 - (each != answer)), "False"] for each in range(3)]
            line = {"doc_id": k, "doc": {"text": f"text {k}"}, "target": str(target), "filtered_resps": chances}
            lines.append({**line, "filter": "none", "metrics": ["acc"], "acc": float(answer == target)})
            about = {"provider": {"id": "echo"}, "prompt": {"label": "plain"}, "failureReason": 2 * (k == every)}
            asked = {"text": f"text {k}", "place": ["up", "down"][k % 2]}
            check = {"assert": [{"type": "equals", "value": TEAMS[target]}]}
            response = {"output": TEAMS[answer], "finishReason": "stop" if k % 13 else "length"}
            results.append({"testIdx": k, "vars": asked, "success": answer == target, "response": response, **about})
            results[-1]["testCase"] = check
        name = f"samples_made_up_2026-03-0{every}T10-00-00.jsonl"
        (folder / name).write_text("\n".join(map(json.dumps, lines)))
        log = {"results": {"timestamp": "2026-03-01", "results": results}, "config": {"description": "tri|age"}}
        (transcript.folder / run / "foo.json").write_text(json.dumps(log))
    classes = "--column y_true=target --column y_pred=answer"
    for options in (
        "v1/foo.json v2/foo.json",
        f"v1/foo.json v2/foo.json --invalid wrong {classes} --slice vars.place -v",
        "v1 v2",
        f"'v1/my model' 'v2/my model' {classes}",
        "v1 v2 --rows 'model=my model'",
    ):
        transcript.bayesf1(f"compare {options} --rope 0.05")
