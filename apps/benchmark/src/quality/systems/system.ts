import type { LibraryMatch } from "@koma/library";
import type { SurveyedVideo } from "../images/survey-video.ts";

/** A place that a system gives for a picture; times in seconds. */
export type Found = Pick<
  LibraryMatch,
  "timestamp" | "from" | "to" | "similarity" | "isConfident" | "features"
> & {
  /** Path of the film's file; of a drawn frame, something else. */
  file: string;
};

export type Progress = (done: number, total: number) => void;

/** Something that finds scenes, under test. */
export type System = {
  name: string;
  /** Takes films in, beside those that it holds already. */
  index(videos: readonly SurveyedVideo[], onProgress: Progress): Promise<void>;
  /** Takes in that many drawn frames that stand in no film. */
  addDistractors(count: number, onProgress: Progress): Promise<void>;
  /** The best five, best first. The picture is a JPEG or a PNG. */
  search(image: Uint8Array): Promise<Found[]>;
  close(): Promise<void>;
};
