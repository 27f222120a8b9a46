// Cuts GitHub's own description of its REST API down to the operations that the fake answers: node openapi.mjs OUTPUT
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const OPERATIONS = {
  "": ["get"],
  "/actions/artifacts/{artifact_id}": ["get"],
  "/actions/artifacts/{artifact_id}/{archive_format}": ["get"],
  "/actions/runs/{run_id}": ["get"],
  "/actions/runs/{run_id}/artifacts": ["get"],
  "/issues/comments/{comment_id}": ["get", "patch"],
  "/issues/{issue_number}": ["get"],
  "/issues/{issue_number}/comments": ["get", "post"],
  "/pulls": ["get"],
  "/pulls/{pull_number}": ["get"],
};

const require = createRequire(import.meta.url);
const { openapi, info, paths } = JSON.parse(readFileSync(require.resolve("@octokit/openapi/generated/api.github.com.deref.json")));

const cut = {};
for (const [path, methods] of Object.entries(OPERATIONS)) {
  const whole = `/repos/{owner}/{repo}${path}`;
  cut[whole] = Object.fromEntries(methods.map((method) => [method, paths[whole][method]]));
}

// When a fork was deleted, GitHub sends null for it, which the description leaves out.
const answered = (path) => cut[`/repos/{owner}/{repo}${path}`].get.responses["200"].content["application/json"].schema;
for (const pull of [answered("/pulls").items, answered("/pulls/{pull_number}")]) {
  pull.properties.head.properties.repo.nullable = true;
}
answered("/actions/runs/{run_id}").properties.head_repository.nullable = true;

writeFileSync(process.argv[2], JSON.stringify({ openapi, info, paths: cut }));
