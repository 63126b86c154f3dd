import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** What tests need and npm does not install or compile. */
export type Requirement = {
  name: "Chromium" | "pgvector" | "hnswlib-node" | "ffmpeg";
  /** The tests that need it. */
  tests: string;
  remedy: string;
};

const chromium: Requirement = {
  name: "Chromium",
  tests:
    "the tests of the browser extension, and on machines other than Linux on x64 those of the web page and of rendered messages,",
  remedy: "install Chromium (apt install chromium) or set KOMA_TEST_CHROMIUM to its path",
};
const pgvector: Requirement = {
  name: "pgvector",
  tests: "the tests of the index in PostgreSQL",
  remedy:
    "install PostgreSQL with pgvector 0.8 or later and set KOMA_TEST_PGVECTOR_URL to an administrator of that server",
};
const hnswlib: Requirement = {
  name: "hnswlib-node",
  tests: "the tests of the index as a graph",
  remedy: "run `npm rebuild hnswlib-node --dangerously-allow-all-scripts`, which needs python3, make and g++",
};
const ffmpeg: Requirement = {
  name: "ffmpeg",
  tests: "the slow tests of the packages that read videos",
  remedy: "install ffmpeg (apt install ffmpeg)",
};

/**
 * The path of a Chromium: its headless shell, which has neither windows nor extensions and needs half as much CPU, if
 * the machine has it, and the one of npm only where the machine has none. Undefined if there is none; in CI that is an
 * error.
 */
export function findChromium(o: { withExtensions?: boolean } = {}): string | undefined {
  if (o.withExtensions === true) return checked(chromium, findChromiumPath());
  const path = findHeadlessShell() ?? findChromiumPath();
  return checked(chromium, path ?? (process.env.KOMA_TEST_NPM_CHROMIUM || undefined));
}

/**
 * The address of a PostgreSQL with pgvector on which tests may create databases and the extension; undefined if
 * there is none. In CI its absence is an error.
 */
export function findTestPgvector(): string | undefined {
  return checked(pgvector, process.env.KOMA_TEST_PGVECTOR_URL || undefined);
}

/** True if hnswlib-node is compiled. In CI its absence is an error. */
export function hasHnswlib(): boolean {
  return checked(hnswlib, findHnswlibPath()) !== undefined;
}

/** True if there is an ffmpeg. In CI its absence is an error. */
export function hasFfmpeg(): boolean {
  return checked(ffmpeg, findFfmpegPath()) !== undefined;
}

/** The requirements that are missing on this machine. */
export function listMissing(): Requirement[] {
  const paths: [Requirement, string | undefined][] = [
    [chromium, findChromiumPath()],
    [pgvector, process.env.KOMA_TEST_PGVECTOR_URL || undefined],
    [hnswlib, findHnswlibPath()],
    [ffmpeg, findFfmpegPath()],
  ];
  return paths.flatMap(([requirement, path]) => (path === undefined ? [requirement] : []));
}

/** The versions of the programs that the results of tests depend on. */
export function listToolVersions(): string[] {
  const programs: [string | undefined, string][] = [
    [findFfmpegPath(), "-version"],
    [findChromiumPath(), "--version"],
    [findHeadlessShell(), "--version"],
  ];
  const versions = programs.map(([path, option]) => {
    if (path === undefined) return "none";
    return spawnSync(path, [option], { encoding: "utf8" }).stdout?.split("\n")[0] ?? "unknown";
  });
  return [`node ${process.version}`, `hnswlib-node ${findHnswlibPath() ?? "none"}`, ...versions];
}

/** True if this run may omit the tests: always outside of CI, in CI if KOMA_TEST_WITHOUT names it. */
export function mayBeAbsent({ name }: Requirement): boolean {
  return !isCi() || listExcluded().includes(name.toLowerCase());
}

/** One line for the summary. */
export function describeMissing({ name, tests, remedy }: Requirement): string {
  return `${name} is missing: ${tests} cannot run. To run them, ${remedy}.`;
}

function checked(requirement: Requirement, path: string | undefined): string | undefined {
  if (path === undefined && !mayBeAbsent(requirement)) throw new Error(describeMissing(requirement));
  return path;
}

function listExcluded(): string[] {
  return (process.env.KOMA_TEST_WITHOUT ?? "").toLowerCase().split(",");
}

function isCi(): boolean {
  return !["", "0", "false"].includes((process.env.CI ?? "").toLowerCase());
}

function findHeadlessShell(): string | undefined {
  const path = "/usr/bin/chromium-headless-shell";
  return process.env.KOMA_TEST_CHROMIUM || !existsSync(path) ? undefined : path;
}

function findChromiumPath(): string | undefined {
  const configured = process.env.KOMA_TEST_CHROMIUM;
  const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return (configured === undefined || configured === "" ? paths : [configured]).find((path) =>
    existsSync(path),
  );
}

function findHnswlibPath(): string | undefined {
  const path = resolve(import.meta.dirname, "../../../node_modules/hnswlib-node/build/Release/addon.node");
  return existsSync(path) ? path : undefined;
}

function findFfmpegPath(): string | undefined {
  return spawnSync("ffmpeg", ["-version"], { stdio: "ignore" }).status === 0 ? "ffmpeg" : undefined;
}
