import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createDatabaseOn,
  createTestDatabase,
  type TestDatabaseAddress,
} from "@koma/database/testing/databases";
import { readMetrics } from "@koma/testing";
import { expect, inject } from "vitest";
import { observe } from "./observe.ts";
import { type Ended, runInProcess } from "./run-in-process.ts";

const program = fileURLToPath(new URL("../src/koma.ts", import.meta.url));

export type Workplace = Awaited<ReturnType<typeof createWorkplace>>;
export type ServerWorkplace = Awaited<ReturnType<typeof createServerWorkplace>>;

/**
 * A folder with an empty library, and functions that run `koma` in it: on the database of `databaseUrl`, else
 * on the embedded one.
 */
export async function createWorkplace(databaseUrl = "") {
  const folder = await mkdtemp(join(tmpdir(), "koma-cli-"));
  const defaults = {
    KOMA_DATA_DIR: join(folder, "data"),
    DATABASE_URL: databaseUrl,
    KOMA_SAMPLE_LIBRARY: "false",
    KOMA_ENGINE_WORKERS: "1",
  };
  /** Runs `koma` in the folder, in this process. */
  const run = (args: readonly string[], environment: Record<string, string> = {}) =>
    runInProcess(args, { folder, environment: { ...defaults, ...environment } });
  return {
    folder,
    path: (...parts: string[]) => join(folder, ...parts),
    run,
    /** Runs `koma` in the folder, in this process, without further variables. */
    koma: (...args: string[]) => run(args),
    /** Starts `koma` in the folder as a process. */
    start: (
      args: readonly string[],
      environment: Record<string, string> = {},
      nodeArgs: readonly string[] = [],
    ) =>
      observe(
        spawn(process.execPath, [...nodeArgs, program, ...args], {
          cwd: folder,
          env: { ...process.env, ...defaults, ...environment },
          stdio: ["ignore", "pipe", "pipe"],
        }),
      ),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 }),
  };
}

/** A workplace with an empty library in a database of its own on the PostgreSQL of this run. */
export async function createServerWorkplace() {
  return await createWorkplaceOn(await createTestDatabase());
}

/** A workplace with a copy of the library of `prepare-library.ts`, its videos and its frames. */
export async function createLibraryWorkplace() {
  const database = await createDatabaseOn(inject("testServerUrl"), inject("libraryDatabase"));
  const workplace = await createWorkplaceOn(database);
  await cp(inject("libraryFolder"), workplace.folder, { recursive: true });
  return workplace;
}

async function createWorkplaceOn({ url, remove }: TestDatabaseAddress) {
  const workplace = await createWorkplace(url);
  return {
    ...workplace,
    databaseUrl: url,
    async remove(): Promise<void> {
      await workplace.remove();
      await remove();
    },
  };
}

/** Fails the test if a command did not end with this error. */
export function expectError({ code, stderr }: Ended, expected: string | RegExp, exitCode = 1): void {
  expect([code, stderr]).toEqual([exitCode, toMatcher(expected)]);
}

/** Fails the test if a command did not succeed with this output. */
export function expectOutput({ code, stdout }: Ended, expected: string | RegExp): void {
  expect([code, stdout]).toEqual([0, toMatcher(expected)]);
}

const toMatcher = (expected: string | RegExp) =>
  typeof expected === "string" ? expected : expect.stringMatching(expected);

/** The values of lines of JSON. */
export function parseLines(output: string) {
  const lines = output.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

/** Variables for a port of metrics that is free, and that port. */
export async function chooseMetricsPort() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  // Indexers and workers serve theirs on the port after that of the API.
  return { port: address.port, environment: { KOMA_METRICS_PORT: String(address.port - 1) } };
}

/** The value of a metric whose labels have these values. */
export async function readMetric(address: string, name: string, ...labels: string[]) {
  const samples = readMetrics(await (await fetch(address)).text());
  return samples.find((one) => one.name === name && `${Object.values(one.labels)}` === `${labels}`)?.value;
}
