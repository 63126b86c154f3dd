import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Configuration, parseConfiguration } from "@koma/config";

const environmentFile = fileURLToPath(new URL("../../../.env", import.meta.url));

/**
 * The configuration in the environment, with `.env` in the repository for what is unset. Throws
 * ConfigurationError.
 */
export function readConfiguration(): Configuration {
  return parseConfiguration(readEnvironment());
}

/** The environment, with `.env` in the repository for what is unset. */
export function readEnvironment(): Record<string, string | undefined> {
  if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
  return process.env;
}
