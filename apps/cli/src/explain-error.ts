import { ConfigurationError } from "@koma/contract/configuration";
import { BackupError, DatabaseUnavailableError, MigrationError } from "@koma/database";
import { FfmpegMissingError, MetadataFileError, MetadataSyncError } from "@koma/library";
import { CommandError } from "./command-error.ts";

const explained = [
  BackupError,
  CommandError,
  ConfigurationError,
  DatabaseUnavailableError,
  MigrationError,
  FfmpegMissingError,
  MetadataFileError,
  MetadataSyncError,
];

/** What to print for an error: the sentence of one that was foreseen, all that is known of one that was not. */
export function explainError(error: unknown): string {
  if (explained.some((type) => error instanceof type) && error instanceof Error)
    return `koma: ${error.message}`;
  const known = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `koma: something went wrong that should not have; please report it with these lines:\n${known}`;
}
