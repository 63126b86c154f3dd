import { resolve } from "node:path";

/** Environment of a child that uses this data folder, whatever the person has set for their own. */
export function benchEnvironment(dataDir: string): NodeJS.ProcessEnv {
  return { ...process.env, KOMA_DATA_DIR: dataDir, KOMA_SAMPLE_LIBRARY: "false", DATABASE_URL: "" };
}

/** A path as the person means it: npm runs this in the folder of the package, they stand elsewhere. */
export function resolveUserPath(path: string): string {
  return resolve(process.env.INIT_CWD ?? ".", path);
}
