// Workflow commands in what a step prints: ::name key=value::data, and the older ##[name]data anywhere in a line.
import { placed } from "./annotations.mjs";

const LEVELS = ["error", "warning", "notice"];
const DISABLED = ["set-env", "add-path"];
const WITHOUT_EFFECT = ["add-matcher", "remove-matcher", "save-state", "echo"];
const KNOWN = [
  ...LEVELS,
  ...DISABLED,
  ...WITHOUT_EFFECT,
  "stop-commands",
  "add-mask",
  "set-output",
  "debug",
  "group",
  "endgroup",
];

const NEWLINES = { "%0D": "\r", "%0A": "\n" };
const IN_DATA = { ...NEWLINES, "%25": "%" };
const IN_PROPERTY = { ...NEWLINES, "%3A": ":", "%2C": ",", "%25": "%" };
const IN_BRACKETS = { "%3B": ";", ...NEWLINES, "%5D": "]", "%25": "%" };

function unescaped(text, escapes) {
  return Object.entries(escapes).reduce((done, [escape, character]) => done.replaceAll(escape, character), text);
}

function propertiesOf(text, separator, escapes) {
  const pairs = text
    .trim()
    .split(separator)
    .map((pair) => /^([^=]+)=(.+)$/s.exec(pair));
  return Object.fromEntries(pairs.filter(Boolean).map(([, key, value]) => [key, unescaped(value, escapes)]));
}

function commandOf(info, text, separator, escapes, escapesInData) {
  const [, name, properties] = /^([^ ]*) ?(.*)$/s.exec(info);
  return {
    name: name.toLowerCase(),
    properties: propertiesOf(properties, separator, escapes),
    data: unescaped(text, escapesInData),
  };
}

function withColons(line) {
  const found = /^\s*::(.*?)::(.*)$/s.exec(line);
  return found && commandOf(found[1], found[2], ",", IN_PROPERTY, IN_DATA);
}

function withBrackets(line) {
  const found = /##\[([^\]]*)\](.*)$/s.exec(line);
  return found && commandOf(found[1], found[2], ";", IN_BRACKETS, IN_BRACKETS);
}

// Reads one step's lines. `step` has annotate(level, message, properties), setOutput(name, value), write(line) and fail().
export class CommandReader {
  #resumeToken = null;

  constructor(step, masks, workspace) {
    Object.assign(this, { step, masks, workspace });
  }

  read(line) {
    const known = [...KNOWN, this.#resumeToken];
    const command = [withColons(line), withBrackets(line)].find((parsed) => parsed && known.includes(parsed.name));
    if (command === undefined || (this.#resumeToken !== null && command.name !== this.#resumeToken)) {
      this.step.write(line);
    } else if (this.#resumeToken !== null) {
      this.#resumeToken = null;
    } else {
      this.#obey(command);
    }
  }

  #obey({ name, properties, data }) {
    if (LEVELS.includes(name)) this.step.annotate(name, data, placed(properties, this.workspace));
    else if (name === "stop-commands") this.#stop(data);
    else if (name === "add-mask") this.#mask(data);
    else if (name === "set-output") this.#setOutput(properties.name, data);
    else if (DISABLED.includes(name))
      this.#fail(name, `The \`${name}\` command is disabled. Please upgrade to using Environment Files.`);
    else if (name === "group" || name === "endgroup") this.step.write(`##[${name}]${name === "group" ? data : ""}`);
  }

  #stop(token) {
    const refused = token === "" || token.toLowerCase() === "pause-logging" || KNOWN.includes(token.toLowerCase());
    if (refused)
      this.#fail("stop-commands", "The token of stop-commands must be neither empty nor the name of a command.");
    else this.#resumeToken = token.toLowerCase();
  }

  #mask(value) {
    if (value.trim() === "")
      this.step.annotate("warning", "Can't add secret mask for empty string in ##[add-mask] command.");
    else this.masks.add(value);
  }

  #setOutput(name, value) {
    this.step.annotate(
      "warning",
      "The `set-output` command is deprecated and will be disabled soon. Please upgrade to using Environment Files.",
    );
    if (name) this.step.setOutput(name, value);
    else this.#fail("set-output", "Required field 'name' is missing in ##[set-output] command.");
  }

  #fail(name, message) {
    this.step.annotate("error", `Unable to process command '${name}' successfully.`);
    this.step.annotate("error", message);
    this.step.fail();
  }
}
