import { createHash, timingSafeEqual } from "node:crypto";
import type { Configuration } from "@koma/config";
import { receiveLibraryEvent } from "@koma/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { ApiError } from "../api-error.ts";
import type { IndexQueue } from "../indexing/index-queue.ts";
import { findVideosInRoots, listVideos, PathOutsideRootsError } from "../indexing/library-roots.ts";
import { shareRuns } from "../indexing/share-runs.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import type { UploadBudget } from "../search/upload-budget.ts";

/** `POST /api/webhooks/library`; not available without `KOMA_LIBRARY_ROOTS`. */
export function registerLibraryWebhooks(
  app: FastifyInstance,
  options: {
    config: Pick<Configuration, "KOMA_LIBRARY_ROOTS" | "KOMA_LIBRARY_TOKEN">;
    indexQueue?: Pick<IndexQueue, "add"> | undefined;
    uploads: UploadBudget;
  },
): void {
  const { indexQueue } = options;
  const { KOMA_LIBRARY_ROOTS: roots, KOMA_LIBRARY_TOKEN: token } = options.config;
  // An import of a season sends an event without a path for each episode.
  const listAll = shareRuns(() => listVideos(roots));
  const isServed = () => roots.length > 0 && token !== undefined && indexQueue !== undefined;

  registerEndpoint(
    app,
    receiveLibraryEvent,
    async ({ bytes }) => {
      const videos = await findVideos(readEvent(bytes));
      if (videos.length > 0) indexQueue?.add(videos);
      return { videos: videos.length };
    },
    { isServed, checkHead, uploads: options.uploads },
  );

  function checkHead({ headers, query }: FastifyRequest): void {
    const sent = headers["x-koma-token"] ?? (query as { token?: unknown }).token;
    if (typeof sent === "string" && isSame(sent, token ?? "")) return;
    throw new ApiError("unauthenticated", "The token is missing or wrong.");
  }

  async function findVideos(event: LibraryEvent): Promise<string[]> {
    if (event.NotificationType === "ItemAdded") return await listAll();
    try {
      return await findVideosInRoots(listPaths(event), roots);
    } catch (error) {
      if (error instanceof PathOutsideRootsError) throw new ApiError("forbidden", error.message);
      throw error;
    }
  }
}

const EpisodeFile = z.object({ path: z.string().min(1).max(4096) });

/**
 * https://github.com/Sonarr/Sonarr (Connect, Webhook) and https://github.com/jellyfin/jellyfin-plugin-webhook
 */
const LibraryEvent = z
  .object({
    eventType: z.string().optional(),
    episodeFile: EpisodeFile.optional(),
    episodeFiles: z.array(EpisodeFile).max(1000).optional(),
    renamedEpisodeFiles: z.array(EpisodeFile).max(1000).optional(),
    NotificationType: z.string().optional(),
  })
  .refine(
    ({ eventType, NotificationType }) => (eventType === undefined) !== (NotificationType === undefined),
  );
type LibraryEvent = z.infer<typeof LibraryEvent>;

/** The files of an import, one or several, or the renamed ones. */
function listPaths({
  eventType,
  episodeFile,
  episodeFiles = [],
  renamedEpisodeFiles = [],
}: LibraryEvent): string[] {
  if (eventType === "Rename") return renamedEpisodeFiles.map(({ path }) => path);
  if (eventType !== "Download") return [];
  const files = episodeFile === undefined ? episodeFiles : [...episodeFiles, episodeFile];
  return files.map(({ path }) => path);
}

function readEvent(bytes: Buffer): LibraryEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError("invalid_request", "The body is not JSON.");
  }
  const parsed = LibraryEvent.safeParse(event);
  if (!parsed.success)
    throw new ApiError("invalid_request", "The body is not an event of Sonarr or Jellyfin.");
  return parsed.data;
}

function isSame(sent: string, expected: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(sent), hash(expected));
}
