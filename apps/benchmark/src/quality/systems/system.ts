import type { LibraryMatch, SearchOutcome } from "@koma/library";
import type { SurveyedVideo } from "../images/survey-video.ts";

/** A location that a system returns for an image; times in seconds. */
export type Found = Pick<
  LibraryMatch,
  "timestamp" | "from" | "to" | "score" | "similarity" | "isConfident" | "features"
> & {
  /** Path of the video file; another text for a drawn frame. */
  file: string;
};

/** The result of one image: the best five locations, best first, and the outcome if the system has one. */
export type SystemResult = { found: Found[]; outcome: SearchOutcome["outcome"] | null };

/** Stored frames, and the memory of the index that they need. */
export type IndexSize = { frames: number; memoryBytes: number };

export type Progress = (done: number, total: number) => void;

/** A system under test that finds scenes. */
export type System = {
  name: string;
  /** Indexes videos in addition to the existing ones. */
  index(videos: readonly SurveyedVideo[], onProgress: Progress): Promise<void>;
  /** Indexes that many drawn frames that are in no video. */
  addDistractors(count: number, onProgress: Progress): Promise<void>;
  /** The image is a JPEG or a PNG. */
  search(image: Uint8Array): Promise<SystemResult>;
  size(): IndexSize;
  close(): Promise<void>;
};
