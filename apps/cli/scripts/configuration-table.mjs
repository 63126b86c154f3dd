#!/usr/bin/env node
/**
 * Writes the table of docs/configuration.md and .env.example from the schema of @koma/config. With --check
 * it changes nothing and fails if they are outdated. Requires a build.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describeConfiguration } from "@koma/config";

const root = new URL("../../../", import.meta.url);
const start = "<!-- configuration:start -->";
const end = "<!-- configuration:end -->";

const document = new URL("docs/configuration.md", root);
const isCheck = process.argv.includes("--check");
const rows = describeConfiguration();
const expected = [
  { file: document, text: withTable(read(document)) },
  { file: new URL(".env.example", root), text: environmentExample() },
];
for (const { file, text } of expected) {
  if (read(file) === text) continue;
  if (!isCheck) writeFileSync(file, text);
  console.error(
    `${fileURLToPath(file)} ${isCheck ? "is outdated: run `node apps/cli/scripts/configuration-table.mjs`" : "written"}`,
  );
  if (isCheck) process.exitCode = 1;
}

function withTable(text) {
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/configuration.md lacks the lines ${start} and ${end}.`);
  return `${text.slice(0, from + start.length)}\n${table()}\n${text.slice(to)}`;
}

function table() {
  const lines = rows.map(
    (row) =>
      `| \`${row.variable}\` | ${row.default === undefined ? "" : `\`${row.default}\``} | ${row.description.replaceAll("|", "\\|")} |`,
  );
  return ["| variable | default | meaning |", "|---|---|---|", ...lines].join("\n");
}

function environmentExample() {
  const blocks = rows.map((row) => `# ${row.description}\n# ${row.variable}=${row.default ?? ""}\n`);
  return `# Copy to .env and remove the # from the lines to change.\n\n${blocks.join("\n")}`;
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
