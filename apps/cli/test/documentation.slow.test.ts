import { spawn } from "node:child_process";
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { findTestFrame, findTestVideo } from "@koma/sample-library/test-videos";
import { createKey, startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkplace, type Workplace } from "./koma.ts";
import { observe } from "./observe.ts";

const root = new URL("../../../", import.meta.url);

/** Commands of the documents that need other systems or the internet, or that other tests run. */
const elsewhere = [
  /^(?:docker|sudo|kubectl|systemctl|openssl) /,
  /^npm (?:start|test|ci|run (?:dev|bench:quality|build))\b/,
  /^npm run koma -- metadata sync\b/,
  // They end with a signal: index-videos, worker and worker-previews.slow.test.ts.
  /^(?:npm run koma -- index --watch \S+|koma worker --root \S+=\S+(?: --serve [\d.:]+)?)$/,
  /^[A-Z_]+=/,
];
let workplace: Workplace;
let api: Awaited<ReturnType<typeof startApi>>;
let key: string;
const drillPort = String(20_000 + (process.pid % 20_000));
beforeAll(async () => {
  workplace = await createWorkplace();
  const { path } = workplace;
  for (const folder of ["bin", "Anime", "frames"]) await mkdir(path(folder));
  await copyFile(findTestVideo("small card"), path("Anime/Test Card - 01.mp4"));
  for (const image of ["screenshot.jpg", "frames/1.jpg"])
    await copyFile(findTestFrame("small card", 2), path(image));
  const metadata = { sources: ["https://anilist.co/anime/11"], title: "Test Card", type: "TV" };
  await writeFile(path("anime-offline-database.json"), JSON.stringify({ data: [metadata] }));
  const program = fileURLToPath(new URL("../src/koma.ts", import.meta.url));
  await writeProgram("koma", `exec '${process.execPath}' '${program}' "$@"`);
  // An error of the API then ends a command with another code than 0.
  await writeProgram("curl", `command -p curl --silent --show-error --fail-with-body "$@"`);
  expect((await workplace.koma("index", "Anime")).code).toBe(0);
  expect((await workplace.run(["backup"], { KOMA_BACKUP_FOLDER: path("backups") })).code).toBe(0);
  api = await startApi(path("data"));
  key = await createKey(api.url);
});
afterAll(async () => {
  await api?.stop();
  await workplace?.remove();
});

/** A document has up to a dozen commands, some of which start programs. */
const timeoutMs = 900_000;
/** The documents with commands, and their least number, so that a block that is not recognized fails. */
const least = { "README.md": 12, "docs/deployment.md": 5 };

test.each(Object.entries(least))(
  "the commands of %s work",
  async (name, count) => {
    expect(await runBlocks(await read(name))).toBeGreaterThanOrEqual(count);
  },
  timeoutMs,
);

test("every document with commands is tested", async () => {
  const names = ["README.md", ...(await readdir(new URL("docs", root))).map((name) => `docs/${name}`)];
  const found: string[] = [];
  for (const name of names) if (name.endsWith(".md") && hasBlock.test(await read(name))) found.push(name);
  expect(found.sort()).toEqual(Object.keys(least).sort());
});

test(
  "the commands of the guide at /docs work",
  async () => {
    const response = await fetch(`${api.url}/openapi.json`);
    const { info } = (await response.json()) as { info: { description: string } };
    expect(await runBlocks(info.description)).toBeGreaterThan(2);
  },
  timeoutMs,
);

const hasBlock = /^ *(?:```|~~~)(?:sh|bash|shell|console)\b/m;
const isScript = (command: string) => command.startsWith("set -e\n");
const read = (name: string) => readFile(new URL(name, root), "utf8");

/** Runs the shell commands of a document, line by line except scripts; the number of them. */
async function runBlocks(text: string): Promise<number> {
  let count = 0;
  for (const [, block = ""] of text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)) {
    let variables = "";
    for (const line of readCommands(block)) {
      if (elsewhere.some((pattern) => pattern.test(line))) continue;
      if (/^[a-z]+=\S+$/.test(line)) variables += `${adapt(line)}; `;
      else {
        await runLine(variables, adapt(line));
        count += 1;
      }
    }
  }
  return count;
}

/** The commands of a block, without comments and with their continuation lines. */
function readCommands(block: string): string[] {
  // The commands of a script share its variables and processes.
  if (isScript(block)) return [block];
  const lines = block.replaceAll(/\\\n\s*/g, "").split("\n");
  return lines.map((line) => line.replace(/(?:^|\s+)#.*$/, "").trim()).filter((line) => line !== "");
}

/** The command with the addresses and folders of the test. */
function adapt(line: string): string {
  return line
    .replace(/^npm run (?:--silent )?koma -- /, "koma ")
    .replace(/koma_(?:…|YOUR_KEY)/, key)
    .replaceAll("http://127.0.0.1:3000", api.url)
    .replaceAll("3999", drillPort)
    .replace("apps/api/bin/", fileURLToPath(new URL("apps/api/bin/", root)))
    .replaceAll(/https:\/\/(?:example\.org|site\.example)\//g, "http://127.0.0.1:1/")
    .replaceAll(/\/(?:mnt|data)\/anime\b/g, workplace.path("Anime"));
}

async function runLine(variables: string, line: string): Promise<void> {
  const { code, stdout, stderr } = await (runWithoutShell(line) ?? runInShell(`${variables}${line}`));
  // The API fetches no address of this machine; a wrong form would have another code.
  if (/-F url=/.test(line)) expect([line, stdout]).toEqual([line, expect.stringMatching(/"code":"url_\w+"/)]);
  else expect({ line, code, stdout, stderr }).toMatchObject({ line, code: 0 });
  // The restored library has the episode, and a search of it names that.
  if (isScript(line)) expect(stdout).toMatch(/^Restored [1-9]\d* rows\.[\s\S]*Test Card/);
}

/** Runs a command of `koma` in this process; undefined for others, and where a shell must expand something. */
function runWithoutShell(line: string) {
  if (!/^koma [\w ./=~-]+$/.test(line)) return undefined;
  return workplace.koma(...line.replaceAll("~", workplace.folder).split(/ +/).slice(1));
}

function runInShell(script: string) {
  const child = spawn("sh", ["-c", script], {
    cwd: workplace.folder,
    env: {
      ...process.env,
      HOME: workplace.folder,
      PATH: `${workplace.path("bin")}:${process.env.PATH}`,
      KOMA_DATA_DIR: workplace.path("data"),
      DATABASE_URL: "",
      KOMA_SAMPLE_LIBRARY: "false",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return observe(child).ended;
}

async function writeProgram(name: string, script: string): Promise<void> {
  const file = workplace.path("bin", name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}
