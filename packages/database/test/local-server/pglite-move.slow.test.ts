import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { zstdDecompressSync } from "node:zlib";
import { connectDatabase, DatabaseUnavailableError, restoreDatabase } from "@koma/database";
import { openBotStore } from "@koma/database/bots";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { createEmptyDatabase } from "../testing/databases.ts";
import { stopEmbedded } from "../testing/stop-embedded.ts";

// What the last version with PGlite wrote: test/fixtures/README.md.
const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));
const moveFile = fileURLToPath(new URL("../../src/local-server/pglite/move.ts", import.meta.url));
const isMove = /^(pg|pglite-package-.*|postgresql-18\.moved.*)$/;
let root: string;
let original: string;
const dataDirs: string[] = [];

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "koma-move-"));
  original = path.join(root, "original");
  await mkdir(original);
  const tar = spawn("tar", ["-x", "-C", original], { stdio: ["pipe", "ignore", "inherit"] });
  const ended = once(tar, "close");
  tar.stdin.end(zstdDecompressSync(await readFile(path.join(fixtures, "pglite-data-folder.tar.zst"))));
  expect(await ended).toEqual([0, null]);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const dataDir of dataDirs.splice(0)) await stopEmbedded(dataDir, "SIGKILL");
});

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }));

async function copyOriginal(name: string): Promise<string> {
  const dataDir = path.join(root, name);
  await cp(original, dataDir, { recursive: true });
  dataDirs.push(dataDir);
  return dataDir;
}

const pathIn = (dataDir: string, name: string) => path.join(dataDir, "database", name);

/** Opens a database and compares it with what the last version with PGlite showed. */
async function checkContent(address: { dataDir: string; databaseUrl?: string }): Promise<string[]> {
  const lines: string[] = [];
  const database = await connectDatabase({ ...address, onLog: (line) => lines.push(line) });
  const { library, users } = await database.statistics.count(new Date());
  expect(library).toMatchObject({ anime: 1, episodes: { ready: 2, failed: 0 }, frames: 193 });
  expect(users).toMatchObject({ people: 1, bots: 1 });
  const ann = await database.users.findByEmail("ann@example.com");
  expect(await database.credits.balance(ann?.id ?? "")).toBe(25);
  const { items } = await database.libraryContents.listAnime({
    query: "",
    includeAdult: false,
    page: 1,
    pageSize: 9,
  });
  expect(items.map(({ anime }) => anime.titleRomaji)).toEqual(["Iron Comet"]);
  await database.close();
  const bots = await openBotStore(address);
  await bots.ping();
  await bots.close();
  return lines;
}

it("moves a database of PGlite, killed at any point, keeps the old one, and says how to go back", {
  timeout: 600_000,
}, async () => {
  const dataDir = await copyOriginal("killed");
  const backups = path.join(dataDir, "backups");
  const steps: (() => boolean | Promise<boolean>)[] = [
    async () => {
      const name = (await readdir(pathIn(dataDir, ""))).find((entry) => entry.startsWith("pglite-package-"));
      return name !== undefined && existsSync(pathIn(dataDir, `${name}/node_modules`));
    },
    async () => (await readdir(backups).catch(() => [])).some((name) => name.endsWith(".part")),
    () => existsSync(path.join(backups, "before-postgresql.koma")),
    () => existsSync(pathIn(dataDir, "postgresql-18.moved.new/postmaster.pid")),
    () => existsSync(pathIn(dataDir, "postgresql-18.moved")),
  ];
  for (const isReached of steps) {
    const move: ChildProcess = spawn(process.execPath, [moveFile, path.join(dataDir, "database")]);
    const ended = once(move, "exit");
    while (!(await isReached()) && move.exitCode === null) await pause(5);
    move.kill("SIGKILL");
    await ended;
  }
  await checkContent({ dataDir });
  const names = await readdir(path.join(dataDir, "database"));
  const asideName = names.find((name) => name.startsWith("pglite-")) ?? "";
  expect(names.filter((name) => isMove.test(name))).toEqual([]);
  expect(await readdir(backups)).toEqual(["before-postgresql.koma"]);

  // The renames at the end were interrupted: they need no PGlite.
  await stopEmbedded(dataDir);
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:9");
  await rename(pathIn(dataDir, "postgresql-18"), pathIn(dataDir, "postgresql-18.moved"));
  await rename(pathIn(dataDir, asideName), pathIn(dataDir, "pg"));
  await checkContent({ dataDir });
  await stopEmbedded(dataDir);
  await rename(pathIn(dataDir, "postgresql-18"), pathIn(dataDir, "postgresql-18.moved"));
  await checkContent({ dataDir });
  vi.unstubAllEnvs();

  // After a way back, the old database is the newer one: the copy of an interrupted move is old, and nothing is lost.
  await stopEmbedded(dataDir);
  await cp(pathIn(dataDir, "postgresql-18"), pathIn(dataDir, "postgresql-18.moved"), { recursive: true });
  await writeFile(pathIn(dataDir, "postgresql-18.moved/of-the-copy"), "");
  await cp(pathIn(original, "pg"), pathIn(dataDir, "pg"), { recursive: true });
  await utimes(pathIn(dataDir, "pg/global/pg_control"), new Date(), new Date());
  const lines = await checkContent({ dataDir });
  expect(lines).toContainEqual(expect.stringMatching(/^Moved 44 rows in \d+ s\.$/));
  const [, aside = ""] = /To go back, .* rename (\S+) to \S+\/pg;/.exec(lines.join("\n")) ?? [];
  expect(existsSync(path.join(aside, "PG_VERSION"))).toBe(true);
  expect(lines).toContainEqual(
    expect.stringMatching(/^An earlier database of PostgreSQL is now .*\/postgresql-18-\d{4}-\d\d-\d\d\.$/),
  );
  expect(existsSync(pathIn(dataDir, "postgresql-18/of-the-copy"))).toBe(false);
});

it("changes nothing without access to npm, and says so", async () => {
  const dataDir = await copyOriginal("offline");
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:9");
  vi.stubEnv("npm_config_cache", path.join(root, "empty cache"));
  const error = await connectDatabase({ dataDir, onLog: () => undefined }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DatabaseUnavailableError);
  expect(String(error)).toMatch(
    /was not moved to PostgreSQL: @electric-sql\/pglite \S+ cannot be installed from npm \(.*ECONNREFUSED.*\)\. Nothing was changed: start again with access to npm\.$/,
  );
  expect(existsSync(pathIn(dataDir, "pg/PG_VERSION"))).toBe(true);
});

it("restores a backup of a version with PGlite", async () => {
  const { url: databaseUrl, remove } = await createEmptyDatabase();
  const address = { dataDir: root, databaseUrl };
  await restoreDatabase({ ...address, file: path.join(fixtures, "pglite-backup.koma") });
  await checkContent(address);
  await remove();
});
