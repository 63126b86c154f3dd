/** Something in the library that does not fit, in one sentence with what to do. */
export type LibraryProblem = {
  kind:
    | "film_missing"
    | "film_changed"
    | "film_failed"
    | "film_not_indexed"
    | "descriptors_missing"
    | "descriptors_corrupt"
    | "index_cache_unusable"
    | "index_cache_stale";
  episodeId: string | null;
  file: string | null;
  detail: string;
};

export type VerifyReport = { episodes: number; frames: number; problems: LibraryProblem[] };
