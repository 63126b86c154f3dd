// `npm run dev [discord|telegram]`: the API, the page and, where named, a bot, from source, started again on each change.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
const bots = ["discord", "telegram"];
const [bot, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (bot !== undefined && !bots.includes(bot))) {
  console.error(`Usage: npm run dev [${bots.join("|")}]`);
  process.exit(2);
}

if (!existsSync(path.join(root, "packages/database/src/generated")))
  await run(["packages/database/scripts/generate.mjs"]);

const watch = (file) => ["--watch", "--watch-preserve-output", file];
const children = [
  start(watch("apps/api/src/main.ts")),
  start([path.join(root, "node_modules/vite/bin/vite.js")], path.join(root, "apps/web")),
  ...(bot === undefined ? [] : [start(watch(`apps/${bot}-bot/src/main.ts`))]),
];
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, end);
for (const child of children) child.once("exit", end);

function start(args, cwd = root) {
  return spawn(process.execPath, args, { cwd, stdio: "inherit" });
}

function end() {
  for (const child of children) child.kill();
}

async function run(args) {
  const code = await new Promise((resolve) => start(args).once("exit", resolve));
  if (code !== 0) process.exit(code ?? 1);
}
