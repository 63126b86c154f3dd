// Writes src/generated/english.ts: the English texts as literal types, from which i18next derives keys and
// parameters. TypeScript reads an imported JSON file as `string` values and would lose the placeholders.
// Usage: node scripts/generate-english.mjs
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const english = fileURLToPath(new URL("../src/locales/en/", import.meta.url));
const folder = fileURLToPath(new URL("../src/generated/", import.meta.url));
const target = `${folder}english.ts`;

const areas = readdirSync(english).filter((file) => file.endsWith(".json"));
const properties = areas.map(
  (file) => `  ${file.replace(".json", "")}: ${readFileSync(english + file, "utf8").trim()};\n`,
);
const source = `/** The English texts by area. Their keys and placeholders type every call of \`t\`. */
export interface English {
${properties.join("")}}
`;
mkdirSync(folder, { recursive: true });
// The compiler may read the file meanwhile.
if (!existsSync(target) || readFileSync(target, "utf8") !== source) writeFileSync(target, source);
