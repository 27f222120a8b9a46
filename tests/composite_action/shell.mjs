// Runs one script as GitHub's runner does.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

const COMMANDS = { bash: "bash --noprofile --norc -e -o pipefail {0}", sh: "sh -e {0}", python: "python {0}" };
const EXTENSIONS = { bash: ".sh", sh: ".sh", python: ".py" };

// Hands each line of both streams to onLine while the script runs; both may hold workflow commands.
export function runScript({ shell, script, directory, environment, temp, onLine }) {
  const command = COMMANDS[shell] ?? shell;
  if (!command.includes("{0}")) {
    throw new Error(
      `Invalid shell option. Shell must be one of ${Object.keys(COMMANDS).join(", ")} or a format string containing '{0}'`,
    );
  }
  const file = join(temp, `${randomUUID()}${EXTENSIONS[shell] ?? ""}`);
  writeFileSync(file, script);
  const [program, ...words] = command.split(/\s+/).map((word) => word.replaceAll("{0}", file));
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: directory, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    const streams = [child.stdout, child.stderr].map((stream) => readLines(stream, onLine));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const [stdout, stderr] = streams.map((finish) => finish());
      resolve({ exitCode: code ?? 128 + constants.signals[signal], stdout, stderr });
    });
  });
}

// A lone carriage return ends a line too.
function readLines(stream, onLine) {
  const chunks = [];
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    chunks.push(chunk);
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    lines.forEach(onLine);
  });
  return () => {
    if (rest !== "") onLine(rest.replace(/\r$/, ""));
    return chunks.join("");
  };
}
