#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const program = new URL("../dist/main.js", import.meta.url);
if (existsSync(program)) {
  const { run } = await import(program.href);
  process.exitCode = await run(process.argv.slice(2));
} else {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  console.error(`koma is not built yet: run \`npm run koma\` or \`npm start\` once in ${root}.`);
  process.exitCode = 1;
}
