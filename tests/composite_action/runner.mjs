// Runs a composite action as GitHub does: a request as JSON on stdin, what happened as JSON on stdout.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MissingStub, outputsOf, runSteps } from "./composite.mjs";
import { Job } from "./job.mjs";
import { loadAction, Refused } from "./manifest.mjs";

async function run(request, temp) {
  const job = new Job(request, loadAction(request.action), temp);
  const steps = await runSteps(request.stubs ?? {}, job);
  return {
    outputs: evaluatedOutputs(job),
    conclusion: job.status,
    steps,
    ...summaryOf(steps),
    annotations: job.annotations.all,
    droppedAnnotations: job.annotations.dropped,
    env: job.environment,
    path: job.prependedPaths,
    inputs: job.inputs,
    missingInputs: job.missingInputs,
    masks: [...job.masks.values],
  };
}

function evaluatedOutputs(job) {
  try {
    return outputsOf(job);
  } catch (error) {
    job.annotations.add("error", error.message);
    job.status = "failure";
    return {};
  }
}

// GitHub drops the summary of a step whose file is too large, and only that.
function summaryOf(steps) {
  const summaryTooLong = steps.some((step) => step.summary === null);
  return { summary: summaryTooLong ? null : steps.map((step) => step.summary).join(""), summaryTooLong };
}

const temp = mkdtempSync(join(tmpdir(), "composite-"));
try {
  process.stdout.write(JSON.stringify(await run(JSON.parse(readFileSync(0, "utf8")), temp)));
} catch (error) {
  if (!(error instanceof Refused || error instanceof MissingStub)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
} finally {
  rmSync(temp, { recursive: true, force: true });
}
