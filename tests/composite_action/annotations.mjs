// What GitHub shows beside the code. All steps of a composite share the limit of the one step that uses it.
import { relative } from "node:path";

const LIMIT = 10;
const LONGEST_MESSAGE = 4096;
const PROPERTIES = ["file", "line", "endLine", "col", "endColumn", "title"];

export class Annotations {
  all = [];
  dropped = { error: 0, warning: 0, notice: 0 };
  #shown = { error: 0, warning: 0, notice: 0 };

  constructor(masks) {
    this.masks = masks;
  }

  add(level, message, properties = {}) {
    const shown = this.#shown[level] < LIMIT;
    (shown ? this.#shown : this.dropped)[level] += 1;
    const annotation = { level, message: this.masks.hide(message).slice(0, LONGEST_MESSAGE), properties, shown };
    this.all.push(annotation);
    return annotation;
  }
}

// Names are spelled as documented, paths start at the workspace, and lines that contradict each other are left out.
export function placed(properties, workspace) {
  const spelled = Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      PROPERTIES.find((name) => name.toLowerCase() === key.toLowerCase()) ?? key,
      value,
    ]),
  );
  if (spelled.file?.startsWith(`${workspace}/`)) spelled.file = relative(workspace, spelled.file);
  if (isNumber(spelled.endLine) && !isNumber(spelled.line)) spelled.line = spelled.endLine;
  if (isNumber(spelled.endColumn) && !isNumber(spelled.col)) spelled.col = spelled.endColumn;
  const spansLines = isNumber(spelled.endLine) && spelled.line !== spelled.endLine;
  if (!isNumber(spelled.line) || spansLines) forget(spelled, "col", "endColumn");
  if (Number(spelled.endLine) < Number(spelled.line)) forget(spelled, "line", "endLine");
  if (Number(spelled.endColumn) < Number(spelled.col)) forget(spelled, "col", "endColumn");
  return spelled;
}

function isNumber(text) {
  return /^\s*[+-]?\d+\s*$/.test(text ?? "");
}

function forget(properties, ...names) {
  for (const name of names) delete properties[name];
}
