import type { Found } from "../quality/systems/system.ts";
import { areAlike, type FramesOfVideo, frameAt } from "./read-frames.ts";

/** Where an image was taken. */
export type TrueTime = { video: FramesOfVideo; frame: number };

/** What one result says about one image. */
export type TimeResult = {
  /** The frame at the time of the first match looks like the true one, or is within 0.25 s of it. */
  isRight: boolean;
  /** It is right, or within one second. */
  isNear: boolean;
  /** It is right, or the true time is within two seconds or in the stated scene. */
  isInScene: boolean;
  /** The file is the true one, or its frame looks like the true one. */
  isFileRight: boolean;
  /** The first match is confident, and neither right nor within two seconds. */
  isConfidentlyWrong: boolean;
};

const [exactSeconds, nearSeconds, sceneSeconds] = [0.25, 1, 2];

/** Scores the matches of one image, best first. */
export function scoreTimes(
  found: readonly Found[],
  truth: TrueTime,
  videos: readonly FramesOfVideo[],
): TimeResult {
  const [first] = found;
  const distance = (match: Found | undefined) => distanceTo(match, truth);
  const isRight = isRightMatch(first, truth, videos);
  return {
    isRight,
    isNear: isRight || distance(first) <= nearSeconds,
    isInScene: isRight || distance(first) <= sceneSeconds || isInStatedScene(first, truth),
    isFileRight: isRight || first?.file === truth.video.file,
    isConfidentlyWrong: first?.isConfident === true && !isRight && distance(first) > sceneSeconds,
  };
}

function isRightMatch(match: Found | undefined, truth: TrueTime, videos: readonly FramesOfVideo[]): boolean {
  if (match === undefined) return false;
  if (distanceTo(match, truth) <= exactSeconds) return true;
  const video = videos.find(({ file }) => file === match.file);
  return video !== undefined && areAlike(video, frameAt(video, match.timestamp), truth.video, truth.frame);
}

function isInStatedScene(match: Found | undefined, { video, frame }: TrueTime): boolean {
  const at = video.atSeconds[frame] ?? 0;
  return match?.file === video.file && match.from <= at && at <= match.to;
}

function distanceTo(match: Found | undefined, { video, frame }: TrueTime): number {
  if (match?.file !== video.file) return Number.POSITIVE_INFINITY;
  return Math.abs(match.timestamp - (video.atSeconds[frame] ?? 0));
}
