import { stat } from "node:fs/promises";
import type { Database, EpisodeClaim, EpisodeContent, StillSetStore } from "@koma/database";
import { type Engine, encodeDescriptorChunks, encodeFrameTable } from "@koma/engine";
import {
  type FfmpegTools,
  FrameGapError,
  findBorders,
  openFrameStream,
  probeVideo,
  UnreadableVideoError,
} from "@koma/media";
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
}

// Limit of one value of the database; larger values take more memory in every process that copies them.
const chunkLimitBytes = 256 * 1024;
const progressGapMs = 200;

/** `localPath` is where this machine reads the video; `path` is the stored one. */
export type LocalVideo = FoundVideo & { localPath: string };

export type DescribeParts = {
  database: Database;
  engine: Engine;
  tools: FfmpegTools;
  stills: StillSetStore;
  onLog: (message: string) => void;
};

/**
 * Reads a claimed video, stores its descriptors and publishes them, then stores one still per shot. Throws
 * VideoProblem for a video that is unreadable or changed during the call, ClaimLostError, and AbortError on
 * the signal.
 */
export async function describeVideo(
  { database, engine, tools, stills, onLog }: DescribeParts,
  claim: EpisodeClaim,
  videoFile: LocalVideo & { contentHash: string },
  o: { fast: boolean; onEvent: (event: IndexEvent) => void; signal: AbortSignal },
): Promise<{ frames: number; durationSeconds: number }> {
  const { durationSeconds, descriptors, collector } = await asVideoProblem(o.signal, async () => {
    const video = await probeVideo(tools, videoFile.localPath, { signal: o.signal });
    const { durationSeconds } = video;
    o.onEvent({ kind: "started", file: videoFile.path, bytes: videoFile.sizeBytes, durationSeconds });
    // Users post images without the bars of the file, or with other bars.
    const borders = await findBorders(tools, videoFile.localPath, { signal: o.signal });
    const onProgress = throttle((atSeconds) => {
      const fraction = durationSeconds > 0 ? Math.min(1, atSeconds / durationSeconds) : 0;
      o.onEvent({ kind: "progress", file: videoFile.path, fraction });
    });
    const width = video.width * (1 - borders.left - borders.right);
    const aspect = width / (video.height * (1 - borders.top - borders.bottom));
    const describe = async (decodedFrames: "all" | "reference") => {
      const stream = openFrameStream(tools, videoFile.localPath, {
        ...engine.frameStreamOptions,
        borders,
        stillWidth: storedStillWidth,
        decodedFrames,
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

  const setId = await database.episodes.stageDescriptors(claim, {
    modelId: descriptors.modelId,
    frameTable: encodeFrameTable(descriptors),
    frameCount: descriptors.count,
    chunks: encodeDescriptorChunks(descriptors, chunkLimitBytes),
  });
  o.signal.throwIfAborted();
  const { sizeBytes, modifiedAtMs, contentHash } = videoFile;
  await database.episodes.publish(claim, { setId, sizeBytes, modifiedAtMs, contentHash, durationSeconds });
  await storeStills({ id: claim.episodeId, contentHash }).catch((error: unknown) => {
    // The back-fill of the API creates them.
    onLog(`The stills of ${videoFile.path} were not stored: ${describeFileError(error)}`);
  });
  return { frames: descriptors.count, durationSeconds };

  async function storeStills(content: EpisodeContent): Promise<void> {
    await stills.write(content, await collector.finish());
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
