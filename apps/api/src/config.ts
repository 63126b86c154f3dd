import { type Configuration, parseConfiguration } from "@koma/config";

/** Reads the configuration of this process. Throws ConfigurationError. */
export function readConfiguration(): Configuration {
  return parseConfiguration(process.env);
}
