import type { LibraryMatch } from "@koma/library";
import type { SurveyedVideo } from "../images/survey-video.ts";

/** A location that a system returns for an image; times in seconds. */
export type Found = Pick<
  LibraryMatch,
  "timestamp" | "from" | "to" | "score" | "similarity" | "isConfident" | "features"
> & {
  /** Path of the video file; another text for a drawn frame. */
  file: string;
};

export type Progress = (done: number, total: number) => void;

/** A system under test that finds scenes. */
export type System = {
  name: string;
  /** Indexes videos in addition to the existing ones. */
  index(videos: readonly SurveyedVideo[], onProgress: Progress): Promise<void>;
  /** Indexes that many drawn frames that are in no video. */
  addDistractors(count: number, onProgress: Progress): Promise<void>;
  /** Returns the best five, best first. The image is a JPEG or a PNG. */
  search(image: Uint8Array): Promise<Found[]>;
  close(): Promise<void>;
};
