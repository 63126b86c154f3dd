/** What happens while paths are indexed, in order; `file` is the absolute path of a film. */
export type IndexEvent =
  | { kind: "discovered"; files: number; bytes: number }
  | { kind: "started"; file: string; bytes: number; durationSeconds: number }
  | { kind: "progress"; file: string /** 0..1 */; fraction: number }
  | {
      kind: "indexed";
      file: string;
      episodeId: string;
      frames: number;
      durationSeconds: number;
      elapsedSeconds: number;
    }
  | { kind: "moved"; file: string; from: string; episodeId: string }
  /** Title, season or number were given anew; the film itself was not read. */
  | { kind: "updated"; file: string; episodeId: string }
  | { kind: "skipped"; file: string; reason: "unchanged" | "indexed_elsewhere" }
  /** Another indexer works on this film; it is looked at again when all others are done. */
  | { kind: "waiting"; file: string }
  | { kind: "failed"; file: string; problem: string };

/** Counts of films by what happened to them, and frames kept of those indexed now. */
export type IndexSummary = {
  files: number;
  indexed: number;
  moved: number;
  updated: number;
  skipped: number;
  failed: number;
  frames: number;
  /** Films in the order found whose indexing failed, with one sentence each. */
  problems: { file: string; problem: string }[];
  /** True when a signal ended the work before all films were looked at. */
  isStopped: boolean;
};

/** How paths are indexed. `title`, `season`, `episode` and `anilistId` override what names of files and folders say. */
export type IndexOptions = {
  /** Films worked on at the same time; by default one per four processors, at least two. */
  jobs?: number | undefined;
  title?: string | undefined;
  season?: number | undefined;
  episode?: string | undefined;
  anilistId?: number | undefined;
  isSample?: boolean | undefined;
  /** Describe films again even when nothing changed. */
  force?: boolean | undefined;
  onEvent?: ((event: IndexEvent) => void) | undefined;
  signal?: AbortSignal | undefined;
};
