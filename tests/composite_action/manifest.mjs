// action.yml, checked where GitHub refuses to load it and where this project is stricter: actions are pinned by commit.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { check, conditionOf, hasExpression, PLACES } from "./expressions.mjs";

const STEP_KEYS = ["name", "id", "if", "env", "continue-on-error"];
const RUN_KEYS = [...STEP_KEYS, "run", "shell", "working-directory"];
const USES_KEYS = [...STEP_KEYS, "uses", "with"];
const PINNED = /^([\w.-]+\/[\w.-]+(?:\/[\w./-]+)?)@[0-9a-f]{40}$/;

export class Refused extends Error {}

export function loadAction(path) {
  const manifest = refusing(path, () => parse(readFileSync(path, "utf8")));
  const { using, steps } = manifest?.runs ?? {};
  if (using !== "composite" || !Array.isArray(steps)) {
    throw new Refused(`${path}: expected runs.using: composite with a list of steps, found using: ${using}`);
  }
  const inputs = checked(`${path}: inputs`, manifest.inputs ?? {}, (input) => check(input?.default, PLACES.default));
  const outputs = checked(`${path}: outputs`, manifest.outputs ?? {}, (output) => check(output?.value, PLACES.step));
  const loaded = steps.map((step, index) => loadStep(`${path}: step ${index + 1}`, step));
  refuseRepeatedIds(path, loaded);
  return { directory: dirname(resolve(path)), inputs, outputs, steps: loaded };
}

function checked(where, mapping, checkEntry) {
  for (const [name, entry] of Object.entries(mapping)) refusing(`${where}.${name}`, () => checkEntry(entry));
  return mapping;
}

function refusing(where, read) {
  try {
    return read();
  } catch (error) {
    throw new Refused(`${where}: ${error.message}`);
  }
}

function loadStep(where, step) {
  const isRun = step.run !== undefined;
  const known = isRun ? RUN_KEYS : USES_KEYS;
  const unknown = Object.keys(step).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new Refused(`${where}: unknown key ${unknown.join(", ")}; a step has ${known.join(", ")}`);
  if (isRun && step.shell === undefined) throw new Refused(`${where}: run needs a shell in a composite action`);
  refusing(where, () => {
    for (const raw of [step.name, step.run, step.shell, step["working-directory"], step["continue-on-error"]])
      check(raw, PLACES.step);
    for (const raw of [...Object.values(step.env ?? {}), ...Object.values(step.with ?? {})]) check(raw, PLACES.step);
  });
  return {
    ...step,
    condition: refusing(`${where}: if`, () => conditionOf(step.if)),
    stub: isRun ? null : nameOfPinned(where, step.uses),
    expressionInRun: isRun && hasExpression(step.run),
  };
}

function nameOfPinned(where, uses) {
  const name = PINNED.exec(uses ?? "")?.[1];
  if (name === undefined)
    throw new Refused(`${where}: uses: ${uses} is not pinned; expected owner/name@ and the 40 digits of a commit`);
  return name;
}

function refuseRepeatedIds(path, steps) {
  const ids = steps
    .map((step) => step.id)
    .filter((id) => id !== undefined)
    .map((id) => id.toLowerCase());
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at);
  if (repeated !== undefined) throw new Refused(`${path}: the id ${repeated} stands at more than one step`);
}
