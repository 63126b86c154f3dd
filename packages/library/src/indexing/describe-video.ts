import { stat } from "node:fs/promises";
import type { Database, EpisodeClaim, EpisodeContent, StillSetStore } from "@koma/database";
import { type Engine, encodeDescriptorChunks, encodeFrameTable, readDescriptorVersion } from "@koma/engine";
import {
  type FfmpegTools,
  FrameGapError,
  findBorders,
  openFrameStream,
  probeVideo,
  UnreadableVideoError,
} from "@koma/media";
import type { LabelDetection } from "../labels/label-detection.ts";
import { storedStillWidth } from "../stills/fit-stills.ts";
import { createStillCollector } from "../stills/still-collector.ts";
import { describeFileError, type FoundVideo } from "./discover-videos.ts";
import type { IndexEvent } from "./index-event.ts";

/** A problem of one video that prevents its indexing, in one sentence; the other videos are indexed. */
export class VideoProblem extends Error {
  override readonly name = "VideoProblem";

  /** True when the content of the file is the reason, false when reading it failed. */
  get isDamaged(): boolean {
    return this.cause instanceof UnreadableVideoError;
  }

  /** What ffmpeg printed, where the message has it in words. */
  get output(): string | undefined {
    return this.cause instanceof UnreadableVideoError ? this.cause.output : undefined;
  }
}

// Limit of one value of the database; larger values take more memory in every process that copies them.
const chunkLimitBytes = 256 * 1024;
const progressGapMs = 200;

/** `localPath` is where this machine reads the video; `path` is the stored one. */
export type LocalVideo = FoundVideo & { localPath: string };

export type PublishParts = {
  database: Database;
  stills: StillSetStore;
  modelId: string;
  /** Finds the opening and the ending of a published episode and of its neighbours. */
  detectLabels: LabelDetection;
  onLog: (message: string) => void;
};

/** The parts that index videos; the engine and ffmpeg are opened when a video is read. */
export type IndexingParts = PublishParts & {
  openEngine: () => Promise<Engine>;
  getTools: () => Promise<FfmpegTools>;
  /** Finds the description of a video by its content; a video without one is read. Default: none has one. */
  findDescription?: FindDescription | undefined;
};

/** Finds the description of a video by the SHA-256 of its content. */
export type FindDescription = (contentHash: string) => Promise<VideoDescription | undefined>;

/** The stored form of a video: what `encodeFrameTable` and `encodeDescriptorChunks` return, and its stills. */
export type VideoDescription = {
  durationSeconds: number;
  frameTable: Uint8Array;
  frameCount: number;
  chunks: readonly Uint8Array[];
  /** Returns the stills of the shots as `encodeStillSet` writes them; undefined if there are none yet. */
  readStills: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
};

/**
 * Reads a video and describes it. Throws VideoProblem for a video that is unreadable or changed during the
 * call, and AbortError on the signal.
 */
export async function describeVideo(
  { engine, tools }: { engine: Engine; tools: FfmpegTools },
  videoFile: LocalVideo,
  o: { fast: boolean; onEvent: (event: IndexEvent) => void; signal: AbortSignal },
): Promise<VideoDescription> {
  const { durationSeconds, descriptors, collector } = await asVideoProblem(o.signal, async () => {
    const video = await probeVideo(tools, videoFile.localPath, { signal: o.signal });
    const { durationSeconds, width, height } = video;
    o.onEvent({ kind: "started", file: videoFile.path, bytes: videoFile.sizeBytes, durationSeconds });
    // Users post images without the bars of the file, or with other bars.
    const borders = await findBorders(tools, videoFile.localPath, { video, signal: o.signal });
    const onProgress = throttle((atSeconds) => {
      const fraction = durationSeconds > 0 ? Math.min(1, atSeconds / durationSeconds) : 0;
      o.onEvent({ kind: "progress", file: videoFile.path, fraction });
    });
    const aspect =
      (width * (1 - borders.left - borders.right)) / (height * (1 - borders.top - borders.bottom));
    const describe = async (decodedFrames: "all" | "reference") => {
      const stream = openFrameStream(tools, videoFile.localPath, {
        ...engine.frameStreamOptions,
        borders,
        stillWidth: storedStillWidth,
        decodedFrames,
        video,
        signal: o.signal,
      });
      const collector = createStillCollector();
      const descriptors = await engine.describeEpisode(stream, {
        aspect,
        onProgress,
        onShotFrame: collector.take,
        signal: o.signal,
      });
      return { descriptors, collector };
    };
    const described = o.fast
      ? await describe("reference").catch((error: unknown) => {
          if (error instanceof FrameGapError) return describe("all");
          throw error;
        })
      : await describe("all");
    await assertUnchanged(videoFile);
    return { durationSeconds, ...described };
  });

  return {
    durationSeconds,
    frameTable: encodeFrameTable(descriptors),
    frameCount: descriptors.count,
    chunks: encodeDescriptorChunks(descriptors, chunkLimitBytes),
    readStills: () => collector.finish(),
  };
}

/**
 * Stores the description of a claimed video and publishes it, then stores one still per shot. Throws
 * ClaimLostError, and AbortError on the signal.
 */
export async function publishVideo(
  { database, stills, modelId, onLog }: PublishParts,
  claim: EpisodeClaim,
  videoFile: LocalVideo & { contentHash: string },
  { durationSeconds, readStills, ...descriptors }: VideoDescription,
  signal: AbortSignal,
): Promise<{ frames: number; durationSeconds: number }> {
  const version = readDescriptorVersion(descriptors);
  const setId = await database.episodes.stageDescriptors(claim, { modelId, version, ...descriptors });
  signal.throwIfAborted();
  const { sizeBytes, modifiedAtMs, contentHash } = videoFile;
  await database.episodes.publish(claim, { setId, sizeBytes, modifiedAtMs, contentHash, durationSeconds });
  await storeStills({ id: claim.episodeId, contentHash }).catch((error: unknown) => {
    // The back-fill of the API creates them.
    onLog(`The stills of ${videoFile.path} were not stored: ${describeFileError(error)}`);
  });
  return { frames: descriptors.frameCount, durationSeconds };

  async function storeStills(content: EpisodeContent): Promise<void> {
    const bytes = await readStills();
    if (bytes !== undefined) await stills.write(content, bytes);
  }
}

/** Runs work on a video file. Errors other than the abort of the signal become a VideoProblem. */
export async function asVideoProblem<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof VideoProblem) throw error;
    if (error instanceof UnreadableVideoError) throw new VideoProblem(error.reason, { cause: error });
    throw new VideoProblem(describeFileError(error), { cause: error });
  }
}

async function assertUnchanged(videoFile: LocalVideo): Promise<void> {
  const now = await stat(videoFile.localPath);
  if (now.size === videoFile.sizeBytes && Math.trunc(now.mtimeMs) === videoFile.modifiedAtMs) return;
  throw new VideoProblem("The file changed while it was read; index it again when it is complete.");
}

function throttle(report: (atSeconds: number) => void): (atSeconds: number) => void {
  let reportedAtMs = 0;
  return (atSeconds) => {
    const nowMs = performance.now();
    if (nowMs - reportedAtMs < progressGapMs) return;
    reportedAtMs = nowMs;
    report(atSeconds);
  };
}
