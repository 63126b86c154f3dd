import { ApiProblem } from "@koma/client";
import type { Match } from "@koma/contract";
import type { Preview, PreviewFile } from "../model/reply.ts";
import { withReason } from "../process/with-reason.ts";
import { publicPreview } from "../replies/public-address.ts";
import type { Shared } from "../shared.ts";
import type { Result, SavedResults } from "./saved-results.ts";

/** Long, because the words and the still are shown before the clip, and a busy API cuts all stills first. */
const deadlinesMs = { still: 20_000, clip: 60_000 } as const;

/** Loads stills and clips of results. */
export type Previews = ReturnType<typeof createPreviews>;

export function createPreviews({ api, log }: Shared, saved: SavedResults) {
  return {
    /**
     * The saved result with current matches of the API: an anime may have been marked as adult since. The
     * saved matches are used while the API does not respond.
     */
    async refresh(result: Result): Promise<Result> {
      try {
        return await refresh(result);
      } catch (error) {
        log("warn", withReason("A saved result could not be refreshed", error));
        return result;
      }
    },
    /** The preview of one match; undefined if none is requested or available. */
    describe(result: Result, match: Match, description: string): Preview | undefined {
      const { preview: variant, isMuted, hasSpoiler, searchId } = result.content;
      if (variant === "none" || (match.imageUrl === null && match.videoUrl === null)) return undefined;
      const get = (kind: "clip" | "still") => (limitBytes: number) =>
        fetchPreview(result, match.rank, kind, limitBytes);
      return {
        variant: match.videoUrl === null ? "still" : variant,
        isMuted,
        hasSpoiler,
        description,
        clipUrl: publicPreview(match.videoUrl, isMuted ? match.previewPaths?.mutedClips?.m : undefined),
        stillUrl: publicPreview(match.imageUrl),
        key: `${nameScene(match) ?? `${searchId}.${match.rank}`}${isMuted ? ".mute" : ""}`,
        clip: get("clip"),
        still: get("still"),
      };
    },
  };

  async function fetchPreview(
    result: Result,
    rank: number,
    kind: "clip" | "still",
    limitBytes: number,
  ): Promise<PreviewFile | undefined> {
    try {
      const first = result.content.matches.find((match) => match.rank === rank);
      const file = await fetchSmallEnough(first, kind, result.content.isMuted, limitBytes);
      if (file !== "expired") return file;
      const fresh = (await refresh(result)).content.matches.find((match) => match.rank === rank);
      const again = await fetchSmallEnough(fresh, kind, result.content.isMuted, limitBytes);
      return again === "expired" ? undefined : again;
    } catch (error) {
      log("warn", withReason("A preview could not be fetched", error));
      return undefined;
    }
  }

  /** The same result with new addresses, which the API issues for the token. */
  async function refresh(result: Result): Promise<Result> {
    const { searchId: id, confirmToken } = result.content;
    const { matches } = await api.measured("getSearch", () => api.bot.getSearch({ id, confirmToken }));
    return await saved.recontent(result, { matches });
  }

  async function fetchSmallEnough(
    match: Match | undefined,
    kind: "clip" | "still",
    isMuted: boolean,
    limitBytes: number,
  ): Promise<PreviewFile | "expired" | undefined> {
    if (match === undefined || match.imageUrl === null) return undefined;
    // A result that an earlier version saved has no paths; the API issues them for the same match.
    if (match.previewPaths === null) return "expired";
    const { stills, clips, mutedClips } = match.previewPaths;
    const paths = kind === "still" ? stills : isMuted ? mutedClips : clips;
    if (paths === null) return undefined;
    const endpoint = kind === "still" ? "getStill" : "getClip";
    for (const path of [paths.m, paths.s]) {
      try {
        const blob = await api.measured(endpoint, () =>
          api.bot.getPreview(path, { deadlineMs: deadlinesMs[kind] }),
        );
        if (blob.size > limitBytes) continue;
        const bytes = new Uint8Array(await blob.arrayBuffer());
        return kind === "clip"
          ? { bytes, name: "scene.mp4", contentType: "video/mp4" }
          : { bytes, name: "scene.jpg", contentType: "image/jpeg" };
      } catch (error) {
        if (error instanceof ApiProblem && error.code === "forbidden") return "expired";
        throw error;
      }
    }
    return undefined;
  }
}

/** The key of a preview's scene: the same in every search that finds it. */
function nameScene({ videoUrl, imageUrl }: Match): string | undefined {
  const found = /\/previews\/(?:still|clip)\/([^/?#]+)\/[^/?#]+\/[^/?#]+\/([^/?#]+)(?:[?#]|$)/.exec(
    videoUrl ?? imageUrl ?? "",
  );
  return found === null ? undefined : `${found[1]}.${found[2]}`;
}
