import { randomBytes } from "node:crypto";
import { access, constants, lstat, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The state of the data folder. */
export type DataFolder =
  /** `parent` is the nearest folder that exists. */
  | { status: "missing"; parent: string; canCreate: boolean }
  | { status: "not_a_folder" }
  | { status: "not_writable"; reason: string }
  /** `clockOffsetMs` is the time that the file system gives a new file minus the system time. */
  | { status: "writable"; clockOffsetMs: number };

/** Creates a temporary file in the data folder, which shows whether it is writable, and deletes it. */
export async function probeDataFolder(dataDir: string): Promise<DataFolder> {
  const facts = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
  if (facts === "ENOENT") {
    // A link to a folder that does not exist, such as one on a disk that is not mounted.
    if (await lstat(dataDir).catch(() => undefined)) return { status: "not_a_folder" };
    const parent = await findExisting(dirname(dataDir));
    const canCreate = await access(parent, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    return { status: "missing", parent, canCreate };
  }
  if (facts === "ENOTDIR") return { status: "not_a_folder" };
  if (typeof facts === "string") return { status: "not_writable", reason: facts };
  if (!facts.isDirectory()) return { status: "not_a_folder" };
  const file = join(dataDir, `.doctor-${randomBytes(6).toString("hex")}`);
  try {
    const before = Date.now();
    await writeFile(file, "koma doctor\n", { flag: "wx", mode: 0o600 });
    return { status: "writable", clockOffsetMs: (await stat(file)).mtimeMs - (before + Date.now()) / 2 };
  } catch (error) {
    return { status: "not_writable", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

/** This folder, or the nearest one above it that exists. */
export async function findExisting(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  return exists || folder === dirname(folder) ? folder : await findExisting(dirname(folder));
}
