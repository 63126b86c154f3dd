import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

/** A program that tests need and npm does not install. */
export type Requirement = {
  name: "Chromium" | "PostgreSQL" | "pgvector" | "ffmpeg";
  /** The tests that need it. */
  tests: string;
  remedy: string;
};

const chromium: Requirement = {
  name: "Chromium",
  tests: "the tests of the web page and of rendered messages",
  remedy: "install Chromium (apt install chromium) or set KOMA_TEST_CHROMIUM to its path",
};
const postgresql: Requirement = {
  name: "PostgreSQL",
  tests: "the PostgreSQL half of the database, account, API and bot tests",
  remedy:
    "install PostgreSQL (apt install postgresql) and set KOMA_TEST_DATABASE_URL to a role that may create databases",
};
const pgvector: Requirement = {
  name: "pgvector",
  tests: "the tests of the index in PostgreSQL",
  remedy:
    "install PostgreSQL with pgvector 0.8 or later and set KOMA_TEST_PGVECTOR_URL to an administrator of that server",
};
const ffmpeg: Requirement = {
  name: "ffmpeg",
  tests: "the tests of the system's ffmpeg; the bundled one is tested",
  remedy: "install ffmpeg (apt install ffmpeg)",
};

/** The path of a Chromium; undefined if there is none. In CI its absence is an error. */
export function findChromium(): string | undefined {
  return checked(chromium, findChromiumPath());
}

/**
 * The address of a PostgreSQL on which tests may create databases; undefined if there is none. In CI its
 * absence is an error.
 */
export function findTestDatabase(): string | undefined {
  return checked(postgresql, findDatabaseUrl());
}

/**
 * The folder of the programs of the newest installed PostgreSQL, for tests that start servers of their own;
 * undefined if there is none. In CI its absence is an error.
 */
export function findPostgresqlPrograms(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).map(Number).filter(Number.isInteger) : [];
  const folders = versions.sort((a, b) => b - a).map((version) => `${root}/${version}/bin`);
  return checked(
    postgresql,
    folders.find((folder) => existsSync(`${folder}/initdb`)),
  );
}

/**
 * The address of a PostgreSQL with pgvector on which tests may create databases and the extension; undefined if
 * there is none. In CI its absence is an error.
 */
export function findTestPgvector(): string | undefined {
  return checked(pgvector, process.env.KOMA_TEST_PGVECTOR_URL || undefined);
}

/** In CI the absence of the system's ffmpeg is an error. */
export function requireSystemFfmpeg(): void {
  checked(ffmpeg, findFfmpegPath());
}

/** The requirements that are missing on this machine. */
export function listMissing(): Requirement[] {
  const paths: [Requirement, string | undefined][] = [
    [chromium, findChromiumPath()],
    [postgresql, findDatabaseUrl()],
    [pgvector, process.env.KOMA_TEST_PGVECTOR_URL || undefined],
    [ffmpeg, findFfmpegPath()],
  ];
  return paths.flatMap(([requirement, path]) => (path === undefined ? [requirement] : []));
}

/** The versions of the programs that the results of tests depend on. */
export function listToolVersions(): string[] {
  const programs: [string | undefined, string][] = [
    [findFfmpegPath(), "-version"],
    [findChromiumPath(), "--version"],
  ];
  const versions = programs.map(([path, option]) => {
    if (path === undefined) return "none";
    return spawnSync(path, [option], { encoding: "utf8" }).stdout?.split("\n")[0] ?? "unknown";
  });
  return [`node ${process.version}`, ...versions];
}

/** True if this run may omit the tests: always outside of CI, in CI if KOMA_TEST_WITHOUT names it. */
export function mayBeAbsent({ name }: Requirement): boolean {
  return !isCi() || listExcluded().includes(name.toLowerCase());
}

/**
 * Whether tests that run on both databases run on the embedded one: not where KOMA_TEST_WITHOUT names
 * `embedded`.
 */
export function isEmbeddedTested(): boolean {
  return !listExcluded().includes("embedded");
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

function findChromiumPath(): string | undefined {
  const configured = process.env.KOMA_TEST_CHROMIUM;
  const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return (configured === undefined || configured === "" ? paths : [configured]).find((path) =>
    existsSync(path),
  );
}

function findDatabaseUrl(): string | undefined {
  return process.env.KOMA_TEST_DATABASE_URL || undefined;
}

function findFfmpegPath(): string | undefined {
  return spawnSync("ffmpeg", ["-version"], { stdio: "ignore" }).status === 0 ? "ffmpeg" : undefined;
}
