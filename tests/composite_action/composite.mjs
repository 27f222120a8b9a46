// The steps of a composite action, one after the other.
import { resolve } from "node:path";
import { CommandReader } from "./commands.mjs";
import { booleanOf, holds, textOf, textsOf } from "./expressions.mjs";
import { runScript } from "./shell.mjs";
import { StepFiles } from "./step_files.mjs";

// What is known of one step; the names are those of the JSON that the runner prints.
class Step {
  outcome = "success";
  conclusion = "success";
  exitCode = null;
  stdout = "";
  stderr = "";
  log = [];
  with = null;
  env = {};
  outputs = {};
  annotations = [];
  summary = "";
  #job;

  constructor(definition, job) {
    this.id = definition.id ?? null;
    this.uses = definition.uses ?? null;
    this.expressionInRun = definition.expressionInRun;
    this.#job = job;
  }

  annotate(level, message, properties) {
    this.annotations.push(this.#job.annotations.add(level, message, properties));
    this.write(`##[${level}]${message}`);
  }

  // A secret that is printed before its mask stays readable.
  write(line) {
    this.log.push(this.#job.masks.hide(line));
  }

  setOutput(name, value) {
    this.outputs[name] = value;
  }

  fail() {
    this.outcome = "failure";
  }
}

export async function runSteps(stubs, job) {
  const steps = [];
  for (const definition of job.action.steps) {
    const step = new Step(definition, job);
    steps.push(step);
    const goOn = await runStep(step, definition, stubs, job);
    if (step.conclusion === "failure") job.status = "failure";
    if (step.id !== null) {
      const { outputs, outcome, conclusion } = step;
      job.steps[step.id] = { outputs, outcome, conclusion };
    }
    if (!goOn) break;
  }
  return steps;
}

// Whether the next step has its turn: a condition that cannot be evaluated ends the action.
async function runStep(step, definition, stubs, job) {
  try {
    step.env = textsOf(definition.env, job.contexts());
    const contexts = job.contexts(step.env);
    step.name = nameOf(definition, contexts);
    if (!holds(definition.condition, contexts, job.status, job.cancelled)) {
      step.outcome = step.conclusion = "skipped";
      return true;
    }
  } catch (error) {
    step.name ??= definition.name ?? null;
    step.annotate("error", error.message);
    step.outcome = step.conclusion = "failure";
    return false;
  }
  const contexts = job.contexts(step.env);
  try {
    if (definition.stub === null) await runRun(step, definition, contexts, job);
    else useStub(step, definition, contexts, stubs);
  } catch (error) {
    if (error instanceof MissingStub) throw error;
    step.annotate("error", error.message);
    step.fail();
  }
  step.conclusion = step.outcome === "failure" && mayFail(step, definition, contexts) ? "success" : step.outcome;
  return true;
}

function nameOf(definition, contexts) {
  const name =
    definition.name === undefined ? `Run ${(definition.run ?? definition.uses).trimStart()}` : definition.name;
  return textOf(name, contexts)
    .trimStart()
    .split(/[\r\n]/)[0];
}

function mayFail(step, definition, contexts) {
  try {
    return booleanOf(definition["continue-on-error"], contexts);
  } catch (error) {
    step.annotate(
      "error",
      "The step failed and an error occurred when attempting to determine whether to continue on error.",
    );
    step.annotate("error", error.message);
    return false;
  }
}

async function runRun(step, definition, contexts, job) {
  const files = new StepFiles(job.runner.temp);
  const reader = new CommandReader(step, job.masks, job.github.workspace);
  try {
    const result = await runScript({
      shell: textOf(definition.shell, contexts),
      script: textOf(definition.run, contexts),
      directory: resolve(job.github.workspace, textOf(definition["working-directory"], contexts)),
      environment: job.processEnvironment(contexts.env, files.paths),
      temp: job.runner.temp,
      onLine: (line) => reader.read(line),
    });
    Object.assign(step, result);
    if (result.exitCode !== 0) {
      step.annotate("error", `Process completed with exit code ${result.exitCode}.`);
      step.fail();
    }
  } finally {
    files.process(step, job);
  }
}

export class MissingStub extends Error {}

function useStub(step, definition, contexts, stubs) {
  const stub = stubs[definition.stub];
  if (stub === undefined) {
    throw new MissingStub(
      `No stub for ${definition.stub}; there are stubs for: ${Object.keys(stubs).join(", ") || "nothing"}`,
    );
  }
  step.with = textsOf(definition.with, contexts);
  for (const [name, value] of Object.entries(stub.outputs ?? {})) step.setOutput(name, String(value));
  step.outcome = stub.outcome ?? "success";
}

export function outputsOf(job) {
  const contexts = job.contexts();
  return Object.fromEntries(
    Object.entries(job.action.outputs).map(([name, output]) => [name, textOf(output.value, contexts)]),
  );
}
