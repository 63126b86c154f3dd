import { resolve } from "node:path";

/** Returns the environment of a child process with this data folder, without the user's own configuration. */
export function benchEnvironment(dataDir: string): NodeJS.ProcessEnv {
  return { ...process.env, KOMA_DATA_DIR: dataDir, KOMA_SAMPLE_LIBRARY: "false", DATABASE_URL: "" };
}

/** Resolves a path against the user's folder: npm runs this in the folder of the package. */
export function resolveUserPath(path: string): string {
  return resolve(process.env.INIT_CWD ?? ".", path);
}
