// Prints the section of CHANGELOG.md about a version: node scripts/release-notes.mjs v0.2.0
// Ends with 1 when a package has another version, or when the section is missing or empty.
import { readFileSync } from "node:fs";

const version = process.argv[2]?.replace(/^v/, "") ?? "";
const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const others = Object.entries(JSON.parse(read("package-lock.json")).packages)
  .filter(([folder]) => !folder.includes("node_modules/"))
  .filter(([, manifest]) => manifest.version !== version);
const sections = read("CHANGELOG.md").split(/^## /m);
const notes = sections.find((section) => section.startsWith(`${version}\n`))?.slice(version.length);
if (others.length > 0) {
  const [[folder, manifest]] = others;
  console.error(`${folder || "package.json"} has the version ${manifest.version}, not ${version}.`);
  process.exitCode = 1;
} else if (!notes?.trim()) {
  console.error(`CHANGELOG.md has no section "## ${version}".`);
  process.exitCode = 1;
} else console.log(notes.trim());
