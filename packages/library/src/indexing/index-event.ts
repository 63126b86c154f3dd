import type { DiscoverOptions, IgnoredFiles, VideoFailure } from "./discover-videos.ts";

/** Events of an indexing run, in order; `file` is the absolute path of a video. */
export type IndexEvent =
  /** The number of videos to process; unreadable paths are `failed` before it and not among them. */
  | {
      kind: "discovered";
      files: number;
      bytes: number;
      /** Files in the folders that are no videos by their names. */
      ignored?: IgnoredFiles[];
    }
  | { kind: "started"; file: string; bytes: number; durationSeconds: number }
  | { kind: "progress"; file: string /** 0..1 */; fraction: number }
  | {
      kind: "indexed";
      file: string;
      episodeId: string;
      frames: number;
      durationSeconds: number;
      elapsedSeconds: number;
      /** The description came from a pack; the video was not decoded. */
      isLoaded?: true;
    }
  | { kind: "moved"; file: string; from: string; episodeId: string }
  /** Title, season or number changed; the video itself was not read. */
  | { kind: "updated"; file: string; episodeId: string }
  | { kind: "skipped"; file: string; reason: "unchanged" | "indexed_elsewhere" | "missing" }
  /** Another indexer holds this video; it is checked again after all others. */
  | { kind: "waiting"; file: string }
  | {
      kind: "failed";
      file: string;
      problem: string;
      /** The unchanged file would fail again: it is damaged, or its episode was removed. */
      isPermanent?: boolean;
      /** What ffmpeg printed, where `problem` has it in words. */
      output?: string;
    }
  /** A worker failed; the queue offers the video again after this time. */
  | { kind: "retrying"; file: string; problem: string; afterSeconds: number }
  /** A worker ended, or the video moved to another worker; it is still in the queue. */
  | { kind: "released"; file: string };

/** Numbers of videos by outcome, and of stored frames of the videos indexed in this run. */
export type IndexSummary = {
  files: number;
  indexed: number;
  moved: number;
  updated: number;
  skipped: number;
  failed: number;
  frames: number;
  /** Videos whose indexing failed, in the order of discovery, with one sentence each. */
  problems: VideoFailure[];
  /** True when a signal stopped the run before all videos were processed. */
  isStopped: boolean;
};

/**
 * Options of an indexing run. `title`, `season`, `episode` and `anilistId` override the names of files and
 * folders.
 */
export type IndexOptions = Pick<DiscoverOptions, "postpone"> & {
  /** Videos that are processed concurrently; by default one per four processors, at least two. */
  jobs?: number | undefined;
  title?: string | undefined;
  season?: number | undefined;
  episode?: string | undefined;
  anilistId?: number | undefined;
  isSample?: boolean | undefined;
  /** Describes unchanged videos again. */
  force?: boolean | undefined;
  /**
   * Skips the frames that no other frame depends on, such as most B frames, unless a gap of more than half a
   * second results.
   */
  fast?: boolean | undefined;
  onEvent?: ((event: IndexEvent) => void) | undefined;
  signal?: AbortSignal | undefined;
};
