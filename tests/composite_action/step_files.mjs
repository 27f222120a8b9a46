// GITHUB_OUTPUT, GITHUB_ENV, GITHUB_PATH and GITHUB_STEP_SUMMARY, new and empty for each step.
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NAMES = ["output", "env", "path", "step_summary", "state"];
const LARGEST_SUMMARY = 1024 * 1024;

export class StepFiles {
  constructor(temp) {
    const folder = mkdtempSync(join(temp, "file_commands-"));
    this.paths = Object.fromEntries(NAMES.map((name) => [name, join(folder, name)]));
    for (const path of Object.values(this.paths)) writeFileSync(path, "");
  }

  // Gives each file to its reader; one that cannot be read fails the step and leaves the others their turn.
  process(step, job) {
    const readers = {
      path: (text) => prependPaths(text, job),
      env: (text) => setEnvironment(text, step, job),
      step_summary: () => this.#readSummary(step, job),
      output: (text) => setOutputs(text, step),
    };
    for (const [name, read] of Object.entries(readers)) {
      if (!existsSync(this.paths[name])) continue;
      try {
        read(readFileSync(this.paths[name], "utf8"));
      } catch (error) {
        step.annotate("error", `Unable to process file command '${name}' successfully.`);
        step.annotate("error", error.message);
        step.fail();
      }
    }
  }

  #readSummary(step, job) {
    const { size } = statSync(this.paths.step_summary);
    if (size > LARGEST_SUMMARY) {
      step.summary = null;
      const [limit, found] = [LARGEST_SUMMARY, size].map((bytes) => Math.floor(bytes / 1024));
      step.annotate(
        "error",
        `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of ${limit}k, got ${found}k.`,
      );
    } else {
      const text = job.masks.hide(readFileSync(this.paths.step_summary, "utf8"));
      step.summary = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    }
  }
}

function prependPaths(text, job) {
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line !== "") job.prependedPaths = [line, ...job.prependedPaths.filter((path) => path !== line)];
  }
}

function setEnvironment(text, step, job) {
  for (const [name, value] of pairs(text)) {
    if (name.toUpperCase() === "NODE_OPTIONS")
      step.annotate("error", `Can't store ${name} output parameter using '$GITHUB_ENV' command.`);
    else job.environment[name] = value;
  }
}

function setOutputs(text, step) {
  for (const [name, value] of pairs(text)) step.setOutput(name, value);
}

// NAME=value lines, and NAME<<DELIMITER … DELIMITER over several. Pairs before a malformed one count.
function* pairs(text) {
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === "") continue;
    const [, name, separator, rest] = /^(.*?)(=|<<)(.*)$/s.exec(line) ?? [];
    if (!separator) throw new Error(`Invalid format '${line}'`);
    if (name === "" || (separator === "<<" && rest === ""))
      throw new Error(`Invalid format '${line}'. Name and delimiter must not be empty`);
    if (separator === "=") {
      yield [name, rest];
      continue;
    }
    const end = lines.indexOf(rest, at + 1);
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${rest}'`);
    yield [name, lines.slice(at + 1, end).join("\n")];
    at = end;
  }
}
