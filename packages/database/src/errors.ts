/** The database cannot be reached or started; the message names the remedy. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
}

/** The files of the embedded database were deleted or replaced while this process used them; the message has the remedy. */
export class DatabaseLostError extends DatabaseUnavailableError {
  override readonly name = "DatabaseLostError";
}

/** The database cannot hold the index of frames; the message names the remedy. */
export class IndexUnavailableError extends Error {
  override readonly name = "IndexUnavailableError";
}

/** The schema cannot be updated; the message names the migration and the remedy. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** A backup or restore was rejected; the message names the reason. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** The claim on an episode has expired, or the episode was deleted; nothing was written. */
export class ClaimLostError extends Error {
  override readonly name = "ClaimLostError";
  readonly episodeId: string;
  constructor(episodeId: string) {
    super(`The claim on episode ${episodeId} is no longer held.`);
    this.episodeId = episodeId;
  }
}

/** Another episode has this path and is published or claimed. */
export class PathTakenError extends Error {
  override readonly name = "PathTakenError";
  readonly path: string;
  constructor(path: string) {
    super(`Another indexed episode already has the path ${path}.`);
    this.path = path;
  }
}

/** Another anime has this AniList id. */
export class AnilistIdTakenError extends Error {
  override readonly name = "AnilistIdTakenError";
  constructor(title: string) {
    super(`is the id of another anime, ${title}: merge the two`);
  }
}

/** The balance of a user would exceed the largest one. */
export class CreditLimitError extends Error {
  override readonly name = "CreditLimitError";
  constructor(limit: number) {
    super(`a balance cannot exceed ${limit.toLocaleString("en")} credits`);
  }
}
