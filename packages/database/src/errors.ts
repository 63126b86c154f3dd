/** The database cannot be reached or started; the message says what to do, in one or two plain sentences. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
}

/** The schema cannot be brought up to date; the message names the migration and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** The claim on an episode has expired or was taken away, or the episode is gone: nothing was written. */
export class ClaimLostError extends Error {
  override readonly name = "ClaimLostError";
  readonly episodeId: string;
  constructor(episodeId: string) {
    super(`The claim on episode ${episodeId} is no longer held.`);
    this.episodeId = episodeId;
  }
}

/** Another episode that is in use already stands at this path. */
export class PathTakenError extends Error {
  override readonly name = "PathTakenError";
  readonly path: string;
  constructor(path: string) {
    super(`Another indexed episode already stands at ${path}.`);
    this.path = path;
  }
}
