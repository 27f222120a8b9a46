// What stands between ${{ and }}, read as GitHub's runner reads it.
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { TokenType } from "@actions/expressions/lexer";
import { truthy } from "@actions/expressions/result";

const DEFAULT_CONTEXTS = ["github", "strategy", "matrix", "job", "runner"];
const STEP_CONTEXTS = [...DEFAULT_CONTEXTS, "inputs", "steps", "env"];
const STATUS_FUNCTIONS = ["always", "cancelled", "failure", "success"].map((name) => ({
  name,
  minArgs: 0,
  maxArgs: 0,
}));

// The places an expression may stand in, and what it may use there: no secrets, no vars, no needs.
export const PLACES = {
  default: { contexts: DEFAULT_CONTEXTS, functions: [] },
  step: { contexts: STEP_CONTEXTS, functions: [] },
  condition: { contexts: STEP_CONTEXTS, functions: STATUS_FUNCTIONS },
};

export function hasExpression(text) {
  return String(text ?? "").includes("${{");
}

// Literals and expressions in turn.
function segments(text) {
  const found = [];
  let position = 0;
  for (let start = text.indexOf("${{"); start >= 0; start = text.indexOf("${{", position)) {
    const end = endOfExpression(text, start + 3);
    found.push({ literal: text.slice(position, start) }, { expression: text.slice(start + 3, end) });
    position = end + 2;
  }
  found.push({ literal: text.slice(position) });
  return found.filter((segment) => segment.literal !== "");
}

function endOfExpression(text, start) {
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "'") quoted = !quoted;
    else if (!quoted && text.startsWith("}}", at)) return at;
  }
  throw new Error(`The expression is not closed: ${text}`);
}

// Text around expressions makes one expression of the whole, so «${{ false }} and more» is a string, and true.
function asOneExpression(text) {
  const parts = segments(text);
  if (parts.length === 1 && parts[0].expression !== undefined) return parts[0].expression;
  const expressions = parts.filter((part) => part.expression !== undefined).map((part) => `, ${part.expression}`);
  let index = 0;
  const format = parts.map((part) => (part.expression === undefined ? escaped(part.literal) : `{${index++}}`));
  return `format('${format.join("")}'${expressions.join("")})`;
}

function escaped(literal) {
  return literal.replaceAll("'", "''").replaceAll("{", "{{").replaceAll("}", "}}");
}

// The package's lexer undoes the first doubled quote of a string only; GitHub's undoes all.
function tokensOf(expression) {
  const { tokens } = new Lexer(expression).lex();
  const unquoted = ({ lexeme }) => lexeme.slice(1, -1).replaceAll("''", "'");
  return tokens.map((token) => (token.type === TokenType.STRING ? { ...token, value: unquoted(token) } : token));
}

function parsed(expression, place) {
  const tree = new Parser(tokensOf(expression), place.contexts, place.functions).parse();
  if (tree === undefined) throw new Error(`An expression was expected: \${{${expression}}}`);
  return tree;
}

function evaluated(expression, contexts, place, functions = new Map()) {
  const known = Object.fromEntries(place.contexts.map((name) => [name, contexts[name] ?? null]));
  const values = JSON.parse(JSON.stringify(known), data.reviver);
  return new Evaluator(parsed(expression, place), values, functions).evaluate();
}

// Throws where GitHub refuses to load the file.
export function check(value, place) {
  if (hasExpression(value))
    for (const { expression } of segments(String(value))) if (expression !== undefined) parsed(expression, place);
}

function valueOf(raw, contexts, place) {
  return hasExpression(raw) ? evaluated(asOneExpression(raw), contexts, place) : data.reviver("", raw ?? "");
}

export function textOf(raw, contexts, place = PLACES.step) {
  const value = valueOf(raw, contexts, place);
  if (!value.primitive) throw new Error(`A string was expected, found ${value.coerceString()}: ${raw}`);
  return value.coerceString();
}

export function textsOf(mapping, contexts) {
  return Object.fromEntries(Object.entries(mapping ?? {}).map(([key, raw]) => [key, textOf(raw, contexts)]));
}

export function booleanOf(raw, contexts) {
  const value = valueOf(raw ?? false, contexts, PLACES.step);
  if (value.kind !== data.Kind.Boolean) throw new Error(`Unexpected value '${value.coerceString()}'`);
  return value.value;
}

// The condition with the success() that GitHub adds where no status function stands.
export function conditionOf(raw) {
  const text = String(raw ?? "").trim();
  const condition = hasExpression(text) ? asOneExpression(text) : text;
  if (condition.trim() === "") return "success()";
  parsed(condition, PLACES.condition);
  const asksForStatus = tokensOf(condition).some(
    (token, at, all) =>
      STATUS_FUNCTIONS.some(({ name }) => name === token.lexeme.toLowerCase()) && all[at + 1]?.lexeme === "(",
  );
  return asksForStatus ? condition : `success() && (${condition})`;
}

export function holds(condition, contexts, status, cancelled) {
  const answers = { always: true, cancelled, failure: status === "failure", success: status === "success" };
  const functions = new Map(
    STATUS_FUNCTIONS.map((known) => [known.name, { ...known, call: () => new data.BooleanData(answers[known.name]) }]),
  );
  return truthy(evaluated(condition, contexts, PLACES.condition, functions));
}
