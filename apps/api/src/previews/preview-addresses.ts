import { createHmac, timingSafeEqual } from "node:crypto";
import type { PreviewPaths, PreviewSize, ScenePreviews } from "@koma/contract";
import type { LibraryMatch } from "@koma/library";
import { ApiError } from "../api-error.ts";

type Times = Pick<LibraryMatch, "timestamp" | "from" | "to">;

/** A signed path: `/previews/{kind}/{episodeId}/{expires}/{signature}/{cut}`. */
type SignedPath = {
  episodeId: string;
  expires: string;
  signature: string;
  cut: string;
};

export type PreviewAddresses = ReturnType<typeof createPreviewAddresses>;

/**
 * Signs the addresses of stills and clips (HMAC-SHA256), so that only scenes of search results can be cut,
 * for about a day.
 */
export function createPreviewAddresses(options: { key: Buffer; getBaseUrl: () => string; now: () => Date }) {
  const sign = (kind: "still" | "clip", episodeId: string, expires: string, cut: string) =>
    createHmac("sha256", options.key)
      .update([kind, episodeId, expires, cut].join("/"))
      .digest()
      .subarray(0, 18);

  const toPath = (kind: "still" | "clip", episodeId: string, cut: string) => {
    // The expiry is rounded to the full hour, so that caches see the same address again. It exceeds the
    // lifetime of idempotent responses.
    const expires = String((Math.ceil(options.now().getTime() / hourMs) + 24) * (hourMs / 1000));
    const signature = sign(kind, episodeId, expires, cut).toString("base64url");
    return `/previews/${kind}/${episodeId}/${expires}/${signature}/${cut}`;
  };

  return {
    /** The addresses and paths of a match's still and clip. */
    describe({ episode, timestamp, from, to }: Times & { episode: { id: string } }): ScenePreviews {
      const [start, end] = limitClip({ from, to, timestamp });
      const still = toPath("still", episode.id, `${toMs(timestamp)}.jpg`);
      const clip = toPath("clip", episode.id, `${toMs(start)}-${toMs(end)}.mp4`);
      const baseUrl = options.getBaseUrl();
      return {
        imageUrl: `${baseUrl}${still}`,
        videoUrl: `${baseUrl}${clip}`,
        previewPaths: {
          stills: bySize((size) => `${still}?size=${size}`),
          clips: bySize((size) => `${clip}?size=${size}`),
          mutedClips: bySize((size) => `${clip}?size=${size}&mute=true`),
        },
      };
    },

    /** The seconds in a signed path and its remaining validity. Throws ApiError `forbidden`. */
    check(kind: "still" | "clip", path: SignedPath): { seconds: number[]; remainingSeconds: number } {
      const expected = Buffer.from(sign(kind, path.episodeId, path.expires, path.cut).toString("base64url"));
      // Signatures are compared as text: base64url decoding ignores trailing characters, and each variant
      // would be another address for caches.
      const signature = Buffer.from(path.signature);
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
        throw new ApiError("forbidden", "The address of this preview was changed.");
      }
      const remainingSeconds = Number(path.expires) - options.now().getTime() / 1000;
      if (remainingSeconds <= 0) throw new ApiError("forbidden", "This preview has expired. Search again.");
      const seconds = (path.cut.match(/\d+/g) ?? []).slice(0, 2).map((ms) => Number(ms) / 1000);
      return {
        seconds: kind === "still" ? seconds.slice(0, 1) : seconds,
        remainingSeconds,
      };
    },
  };
}

function bySize(toPath: (size: PreviewSize) => string): PreviewPaths["clips"] {
  return { s: toPath("s"), m: toPath("m"), l: toPath("l") };
}

const hourMs = 3_600_000;
const clipLimitSeconds = 30;

/** The whole scene, or of a long one the part around its best frame. */
function limitClip({ from, to, timestamp }: Times): [number, number] {
  if (to - from <= clipLimitSeconds) return [from, to];
  const start = Math.min(Math.max(from, timestamp - clipLimitSeconds / 2), to - clipLimitSeconds);
  return [start, start + clipLimitSeconds];
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
