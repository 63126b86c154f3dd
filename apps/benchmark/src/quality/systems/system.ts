import type { MatchFeatures } from "@koma/engine";
import type { SurveyedVideo } from "../images/survey-video.ts";

/** A place that a system gives for a picture; times in seconds. */
export type Found = {
  /** Path of the film's file; of a drawn frame, something else. */
  file: string;
  at: number;
  from: number;
  to: number;
  /** 0..1. */
  similarity: number;
  isConfident: boolean;
  /** What the similarity rests on; null where a system cannot tell. */
  features: MatchFeatures | null;
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
