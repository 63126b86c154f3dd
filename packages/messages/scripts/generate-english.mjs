// Writes src/locales/english.ts: the English texts as literal types, from which i18next derives keys and
// parameters. TypeScript reads an imported JSON file as `string` values and would lose the placeholders.
// Usage: node scripts/generate-english.mjs [--check]
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const locales = fileURLToPath(new URL("../src/locales/", import.meta.url));
const target = `${locales}english.ts`;

const areas = readdirSync(`${locales}en`)
  .filter((file) => file.endsWith(".json"))
  .sort();
const properties = areas.map((file) => {
  const texts = JSON.parse(readFileSync(`${locales}en/${file}`, "utf8"));
  return `  ${file.replace(".json", "")}: ${JSON.stringify(texts, null, 2).replaceAll("\n", "\n  ")};\n`;
});
const source = `// Generated from en/*.json by scripts/generate-english.mjs. Do not edit.

/** The English texts by area. Their keys and placeholders type every call of \`t\`. */
export interface English {
${properties.join("")}}
`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== source) {
    console.error("src/locales/english.ts is out of date: run `npm run generate -w @koma/messages`.");
    process.exit(1);
  }
} else writeFileSync(target, source);
