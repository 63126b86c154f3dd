// Reports keys of texts that no source file uses. Usage: node scripts/find-unused-texts.mjs
// A key counts as used if a string literal equals it, or if it matches a template literal, whose expressions stand for
// any parts of a key: `error.${code}.title` uses error.not_ready.title.
import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-api";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const packages = [
  "packages/messages",
  "packages/bot-core",
  "apps/discord-bot",
  "apps/telegram-bot",
  "apps/web",
];

const keys = new Set(listKeys());
const unused = new Set(keys);
for (const file of globSync(`{${packages}}/src/**/*.{ts,tsx}`, { cwd: root, exclude: ["**/locales/**"] })) {
  visit(ts.createSourceFile(file, readFileSync(path.join(root, file), "utf8"), ts.ScriptTarget.Latest));
}
if (unused.size > 0) {
  console.error(`${unused.size} of ${keys.size} texts are not used. Remove them from src/locales/*/*.json:`);
  for (const key of unused) console.error(`  ${key}`);
  process.exit(1);
}
console.log(`All ${keys.size} texts are used.`);

function visit(node) {
  if (ts.isStringLiteralLike(node)) unused.delete(node.text);
  if (ts.isTemplateExpression(node)) {
    const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
    const pattern = new RegExp(`^${texts.map((text) => RegExp.escape(text)).join(".+")}$`);
    // Others name files, such as `${name}.${format}`.
    if (texts.some((text) => /\w\.|\.\w/.test(text)))
      for (const key of unused) if (pattern.test(key)) unused.delete(key);
  }
  ts.forEachChild(node, visit);
}

/** The dotted keys of all English texts, area first. A plural has one key. */
function listKeys() {
  const english = fileURLToPath(new URL("../src/locales/en/", import.meta.url));
  return readdirSync(english)
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => keysOf(JSON.parse(readFileSync(english + file, "utf8")), file.replace(/json$/, "")));
}

function keysOf(texts, prefix) {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string"
      ? [prefix + key.replace(/_(?:zero|one|two|few|many|other)$/, "")]
      : keysOf(text, `${prefix}${key}.`),
  );
}
