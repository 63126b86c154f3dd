import { ConfigurationError, configurationExitCode } from "@koma/config";
import {
  BackupError,
  DatabaseUnavailableError,
  IndexUnavailableError,
  isDiskFull,
  MigrationError,
} from "@koma/database";
import {
  FfmpegMissingError,
  FfmpegPathError,
  MetadataFileError,
  MetadataSyncError,
  PathMappingError,
} from "@koma/library";
import { MetricsPortError } from "@koma/process/metrics";
import { CommandError } from "./command-error.ts";

const expectedErrors = [
  BackupError,
  CommandError,
  ConfigurationError,
  DatabaseUnavailableError,
  IndexUnavailableError,
  MetricsPortError,
  MigrationError,
  FfmpegMissingError,
  FfmpegPathError,
  MetadataFileError,
  MetadataSyncError,
  PathMappingError,
];

/** The text for an error: the message of an expected one, the stack of an unexpected one. */
export function explainError(error: unknown): string {
  if (expectedErrors.some((type) => error instanceof type) && error instanceof Error)
    return `koma: ${error.message}`;
  if (isDiskFull(error))
    return "koma: the disk of the database or of the data folder is full. Free some space and run the command again.";
  const known = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `koma: unexpected error; please report it with these lines:\n${known}`;
}

/** The exit code of a command that failed with an error. */
export function exitCodeFor(error: unknown): number {
  const isConfiguration = error instanceof ConfigurationError || error instanceof MetricsPortError;
  return isConfiguration ? configurationExitCode : 1;
}
