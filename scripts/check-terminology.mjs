// Counts the terms that docs/glossary.md retires, in identifiers and file names, and fails when there are
// any. Identifiers are split at case changes; only whole words count, so that `lookup`, `replace` and
// `placeholder` are fine.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript-api";

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, ".."));

/** Words, and phrases of words that follow each other. */
const retiredTerms = `
  film, films, picture, pictures
  say, says, said, tell, tells, told, telling, speaker, speakers
  place, places
  asker, asked, wanted, given, made, wish, wishes
  press, presses, pressed
  judge, judged, judgement, verdict, verdicts, grounds
  glance, glances, guess, guesses, climb, climbs
  look, looks, looked, kept, keep, keeps, recall
  stranger, strangers, family, families
  trouble, troubles, notice, notices
  abandon, abandoned, admit, admitted, invent, invented, straighten
  find or hold, give back, call off, worth ms, grace ms, lives ms
  answer, answers, answered, answering
  stand in, intake, upkeep, world, evening, mortal, problem face
`
  .split(/[,\n]/)
  .map((term) => term.trim())
  .filter(Boolean);

/** Names that mean something else or that others define, each with the folder or file where that is so. */
const exceptions = [
  ["keepAlive", "packages/database/", "an option of sockets"],
  ["keepAliveInitialDelayMillis", "packages/database/", "an option of pg"],
  ["keepOverLimit", "apps/discord-bot/", "an option of discord.js"],
  ["answers", "packages/fake-discord/test/rules.test.ts", "a field of Discord's polls"],
  ["answerCallbackQuery", "apps/telegram-bot/", "a method of the Telegram Bot API"],
  ["answerCallbackQuery", "packages/fake-telegram/", "a method of the Telegram Bot API"],
  ["answerInlineQuery", "apps/telegram-bot/", "a method of the Telegram Bot API"],
  ["answerInlineQuery", "packages/fake-telegram/", "a method of the Telegram Bot API"],
  ["answerGuestQuery", "apps/telegram-bot/", "a method of the Telegram Bot API"],
  ["answerGuestQuery", "packages/fake-telegram/", "a method of the Telegram Bot API"],
  ["press", "apps/web/test/", "a method of Playwright's keyboard"],
  ["press", "apps/extension/test/", "a method of Playwright's keyboard"],
  ["pressed", "apps/extension/", "aria-pressed"],
  ["aria-pressed", "apps/extension/", "an attribute of ARIA"],
  ["openWorldHint", "packages/mcp/", "a field of MCP"],
  ["family", "packages/config/", "the family of an IP address"],
  ["family", "packages/image-fetch/", "the family of an IP address"],
  ["looksSameFrom", "", "a field of the contract's matches"],
  ["looksSameTo", "", "a field of the contract's matches"],
  ["pictures", "packages/bot-core/src/", "a field of stored albums"],
];
const databaseNames = readDatabaseNames();

const counts = new Map();
for (const file of listFiles()) {
  const full = path.join(root, file);
  for (const segment of file.split("/")) count(segment.replace(/\.[a-z.]+$/, ""), file, "file name");
  if (!/\.(?:tsx?|m?js)$/.test(file)) continue;
  const source = ts.createSourceFile(file, readFileSync(full, "utf8"), ts.ScriptTarget.Latest);
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) count(node.text, file, "identifier");
    ts.forEachChild(node, visit);
  };
  visit(source);
}
report();

function count(name, file, kind) {
  if (/^KOMA_[A-Z_]+$/.test(name) || isDatabaseName(name, file)) return;
  if (exceptions.some(([exception, where]) => exception === name && file.startsWith(where))) return;
  const words = ` ${wordsOf(name).join(" ")} `;
  for (const term of retiredTerms) {
    if (!words.includes(` ${term} `)) continue;
    const area = kind === "file name" ? "file names" : file.split("/").slice(0, 2).join("/");
    const areas = counts.get(term) ?? new Map();
    counts.set(term, areas);
    const found = areas.get(area) ?? { number: 0, example: `${name} in ${file}` };
    found.number += 1;
    areas.set(area, found);
  }
}

/** A single word is a column only where the database is; elsewhere it is a name of ours. */
function isDatabaseName(name, file) {
  return databaseNames.has(name) && (file.startsWith("packages/database/") || wordsOf(name).length > 1);
}

function report() {
  let total = 0;
  for (const [term, areas] of [...counts].sort()) {
    for (const [area, { number, example }] of areas) {
      total += number;
      console.log(`${term}: ${number} in ${area}, e.g. ${example}`);
    }
  }
  console.log(`Retired terms in identifiers and file names: ${total}`);
  if (total > 0) process.exitCode = 1;
}

/** Tracked files; translation keys are data, and what Prisma generates is not tracked. */
function listFiles() {
  const listed = execFileSync("git", ["-C", root, "ls-files", "apps", "packages", "scripts"], {
    encoding: "utf8",
  });
  return listed
    .split("\n")
    .filter((file) => /\.(?:tsx?|m?js|py|css)$/.test(file) && existsSync(path.join(root, file)))
    .filter((file) => !file.startsWith("packages/messages/src/locales/"));
}

/** Models, columns and composite keys of both schemas, as Prisma's client names them. */
function readDatabaseNames() {
  const names = new Set();
  for (const schema of ["prisma/schema.prisma", "prisma/bots/schema.prisma"]) {
    const text = readFileSync(path.join(root, schema), "utf8");
    for (const [, model] of text.matchAll(/^model (\w+)/gm)) {
      names.add(model).add(model[0].toLowerCase() + model.slice(1));
    }
    for (const [, column] of text.matchAll(/^ {2}(\w+) +[A-Z]/gm)) names.add(column);
    for (const [, key] of text.matchAll(/@@(?:id|unique)\(\[([^\]]+)\]/g))
      names.add(key.replace(/, */g, "_"));
  }
  return names;
}

function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}
