// What outlives a step: contexts, environment, masks and annotations.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Annotations } from "./annotations.mjs";
import { PLACES, textOf } from "./expressions.mjs";
import { Masks } from "./masks.mjs";

const GITHUB_VARIABLES =
  `action_path action_ref action_repository action actor actor_id api_url base_ref env event_name event_path
  graphql_url head_ref job output path ref_name ref_protected ref_type ref repository repository_id repository_owner
  repository_owner_id retention_days run_attempt run_id run_number server_url sha state step_summary triggering_actor
  workflow workflow_ref workflow_sha workspace`.split(/\s+/);

export class Job {
  status = "success";
  steps = {};
  prependedPaths = [];
  masks = new Masks();
  annotations = new Annotations(this.masks);

  constructor(request, action, temp) {
    this.action = action;
    this.environment = { ...request.env };
    this.runner = { os: "Linux", arch: "X64", name: "local", temp, tool_cache: join(temp, "tools"), ...request.runner };
    for (const folder of [this.runner.temp, this.runner.tool_cache]) mkdirSync(folder, { recursive: true });
    this.github = { ...request.github, workspace: request.workspace, action_path: action.directory };
    if (this.github.event !== undefined) this.#writeEvent();
    if (this.github.token) this.masks.add(this.github.token);
    this.surroundings = { strategy: request.strategy, matrix: request.matrix, job: request.job, runner: this.runner };
    this.cancelled = request.job?.status === "cancelled";
    if (this.cancelled) this.status = "cancelled";
    this.inputs = this.#inputsOf(request.inputs ?? {});
  }

  #writeEvent() {
    this.github.event_path = join(this.runner.temp, "event.json");
    writeFileSync(this.github.event_path, JSON.stringify(this.github.event));
  }

  // Every input is text, its name in any case. GitHub does not fail where a required one is missing.
  #inputsOf(given) {
    const declared = Object.entries(this.action.inputs);
    const names = declared.map(([name]) => name);
    const declaredName = (name) => names.find((other) => other.toLowerCase() === name.toLowerCase());
    const unexpected = Object.keys(given).filter((name) => declaredName(name) === undefined);
    if (unexpected.length > 0) {
      this.annotations.add(
        "warning",
        `Unexpected input(s) '${unexpected.join("', '")}', valid inputs are ['${names.join("', '")}']`,
      );
    }
    const inputs = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [declaredName(name) ?? name, String(value ?? "")]),
    );
    const missing = declared.filter(([name]) => inputs[name] === undefined);
    this.missingInputs = missing
      .filter(([, input]) => input?.required === true && input.default === undefined)
      .map(([name]) => name);
    const contexts = { github: this.github, ...this.surroundings };
    for (const [name, input] of missing) inputs[name] = textOf(input?.default, contexts, PLACES.default);
    return inputs;
  }

  contexts(stepEnvironment = {}) {
    return {
      ...this.surroundings,
      github: { ...this.github, action_status: this.status },
      inputs: this.inputs,
      steps: this.steps,
      env: { ...this.environment, ...stepEnvironment },
    };
  }

  // Nothing of this process but PATH and HOME. What GitHub sets wins over what env sets.
  processEnvironment(env, paths) {
    const { PATH, HOME } = process.env;
    const environment = { PATH, HOME, CI: "true", ...env, GITHUB_ACTIONS: "true" };
    // GitHub forgets by whom the action is used before it runs a script; only an expression in env can still tell.
    const github = { ...this.github, ...paths, action_repository: "", action_ref: "" };
    for (const name of GITHUB_VARIABLES) {
      if (["string", "boolean"].includes(typeof github[name]))
        environment[`GITHUB_${name.toUpperCase()}`] = String(github[name]);
    }
    for (const [name, value] of Object.entries(this.runner))
      environment[`RUNNER_${name.toUpperCase()}`] = String(value);
    environment.PATH = [...this.prependedPaths, environment.PATH].join(":");
    return environment;
  }
}
