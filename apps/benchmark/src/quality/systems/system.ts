import type { MatchFeatures } from "@koma/engine";
import type { SurveyedVideo } from "../images/survey-video.ts";

/** A location that a system returns for an image; times in seconds. */
export type Found = {
  /** Path of the video file; another text for a drawn frame. */
  file: string;
  at: number;
  from: number;
  to: number;
  /** 0..1. */
  similarity: number;
  isConfident: boolean;
  /** The measurements behind the similarity; null when a system has none. */
  features: MatchFeatures | null;
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
