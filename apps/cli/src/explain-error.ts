import { ConfigurationError } from "@koma/config";
import {
  BackupError,
  DatabaseUnavailableError,
  IndexUnavailableError,
  isDiskFull,
  MigrationError,
} from "@koma/database";
import { ImageFetchError } from "@koma/image-fetch";
import {
  FfmpegMissingError,
  FfmpegPathError,
  MetadataFileError,
  MetadataSyncError,
  PackError,
  PathMappingError,
} from "@koma/library";
import { type ExplainedError, explainError, MetricsPortError } from "@koma/process";

const expectedErrors = [
  BackupError,
  ConfigurationError,
  DatabaseUnavailableError,
  FfmpegMissingError,
  FfmpegPathError,
  ImageFetchError,
  IndexUnavailableError,
  MetadataFileError,
  MetadataSyncError,
  MetricsPortError,
  MigrationError,
  PackError,
  PathMappingError,
];

const fullDisk =
  "the disk of the database, of the data folder or of the file to write is full. Free some space and run the command again.";

/** The text and the exit code of a command that failed with an error. */
export function explainCommandError(error: unknown): ExplainedError {
  if (isDiskFull(error)) return { text: `koma: ${fullDisk}`, isExpected: true, exitCode: 1 };
  const { text, isExpected, exitCode } = explainError(error, expectedErrors);
  const report = isExpected ? text : `unexpected error; please report it with these lines:\n${text}`;
  return { text: `koma: ${report}`, isExpected, exitCode };
}
