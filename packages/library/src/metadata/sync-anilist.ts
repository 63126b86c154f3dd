/** AniList could not be asked, or did not answer as it should. */
export class MetadataSyncError extends Error {
  override readonly name = "MetadataSyncError";
}

export type AniListSyncOptions = {
  /** GraphQL address; by default AniList's own. */
  endpoint?: string | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
};

/** How many anime of the library got metadata, and the titles of those that nothing matched. */
export type AniListSyncResult = { matched: number; unmatched: string[] };
