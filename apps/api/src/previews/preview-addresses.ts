import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { PreviewPaths, PreviewSize, Surroundings } from "@koma/contract";
import { type LibraryMatch, presentEpisode, type ScenePreviews, type ShotTimes } from "@koma/library";
import { ApiError } from "../api-error.ts";

type Times = Pick<LibraryMatch, "timestamp" | "from" | "to">;

/** Episodes of packs have no video. Default: true. */
type PreviewedEpisode = { id: string; hasVideo?: boolean | undefined };

type SurroundedScene = {
  episode: PreviewedEpisode;
  durationSeconds: number;
  otherOccurrences: LibraryMatch["otherOccurrences"];
};

/** A signed path: `/previews/{kind}/{episodeId}/{expires}/{signature}/{cut}`. */
type SignedPath = {
  episodeId: string;
  expires: string;
  signature: string;
  cut: string;
};

/** The query parameters of an address; only clips can be muted. */
type Variant = { size: PreviewSize; isMuted?: boolean };

export type PreviewAddresses = ReturnType<typeof createPreviewAddresses>;

/**
 * Signs the addresses of stills and clips (HMAC-SHA256), so that only scenes of search results can be cut,
 * for about a day. The signature of a preview path covers its size and its sound. The contract and trace.moe
 * allow clients to append `size` and `mute` to `imageUrl` and `videoUrl`, so the signatures of these two are
 * valid in every variant: three of a still, six of a clip. Every variant counts as a preview of the network.
 */
export function createPreviewAddresses(options: { key: Buffer; getBaseUrl: () => string; now: () => Date }) {
  // Node would import the bytes again for each of the 55 signatures of a search.
  const key = createSecretKey(options.key);
  /** 144 bits, which base64url encodes without unused bits. An empty query permits every variant. */
  const sign = (kind: "still" | "clip", episodeId: string, expires: string, cut: string, query: string) =>
    createHmac("sha256", key)
      .update([kind, episodeId, expires, cut].join("/") + query)
      .digest()
      .subarray(0, 18)
      .toString("base64url");

  const toPath = (kind: "still" | "clip", episodeId: string, cut: string, variant?: Variant) => {
    // The expiry is rounded to the full hour, so that caches see the same address again. It exceeds the
    // lifetime of idempotent responses.
    const expires = String((Math.ceil(options.now().getTime() / hourMs) + 24) * (hourMs / 1000));
    const query = variant === undefined ? "" : toQuery(variant);
    const signature = sign(kind, episodeId, expires, cut, query);
    return `/previews/${kind}/${episodeId}/${expires}/${signature}/${cut}${query}`;
  };

  return {
    /** The address of a still or a clip of another protocol; `cut` begins with milliseconds and is signed. */
    toAddress: (kind: "still" | "clip", episodeId: string, cut: string): string =>
      `${options.getBaseUrl()}${toPath(kind, episodeId, cut)}`,

    /** The addresses and paths of a match's still and clip. */
    describe({ episode, timestamp, from, to }: Times & { episode: PreviewedEpisode }): ScenePreviews {
      const [start, end] = limitClip({ from, to, timestamp });
      const still = (variant?: Variant) => toPath("still", episode.id, `${toMs(timestamp)}.jpg`, variant);
      const clip = (variant?: Variant) =>
        toPath("clip", episode.id, `${toMs(start)}-${toMs(end)}.mp4`, variant);
      const baseUrl = options.getBaseUrl();
      const imageUrl = `${baseUrl}${still()}`;
      const stills = bySize((size) => still({ size }));
      if (episode.hasVideo === false)
        return { imageUrl, videoUrl: null, previewPaths: { stills, clips: null, mutedClips: null } };
      return {
        imageUrl,
        videoUrl: `${baseUrl}${clip()}`,
        previewPaths: {
          stills,
          clips: bySize((size) => clip({ size })),
          mutedClips: bySize((size) => clip({ size, isMuted: true })),
        },
      };
    },

    /**
     * The stills of shots, and clips of 5, 15 and 30 seconds, around a match; stills of its other occurrences.
     */
    describeSurroundings(scene: Times & SurroundedScene, shots: readonly ShotTimes[]): Surroundings {
      const { episode, timestamp, durationSeconds } = scene;
      const middle = ({ fromSeconds, toSeconds }: ShotTimes) => (fromSeconds + toSeconds) / 2;
      const nearest = shots
        .toSorted((one, other) => Math.abs(middle(one) - timestamp) - Math.abs(middle(other) - timestamp))
        .slice(0, surroundingShots);
      return {
        shots: shots
          .filter((shot) => nearest.includes(shot))
          .map((shot) => ({
            from: shot.fromSeconds,
            to: shot.toSeconds,
            stillPath: toPath("still", episode.id, `${toMs(middle(shot))}.jpg`, { size: "m" }),
          })),
        clips: (episode.hasVideo === false ? [] : clipLengths).map((length) => {
          const from = Math.max(0, Math.min(timestamp - length / 2, durationSeconds - length));
          const to = Math.min(from + length, durationSeconds);
          const toClip = (isMuted: boolean) =>
            toPath("clip", episode.id, `${toMs(from)}-${toMs(to)}.mp4`, { size: "m", isMuted });
          return { from, to, path: toClip(false), mutedPath: toClip(true) };
        }),
        occurrences: scene.otherOccurrences.map(({ episode, from, to }) => ({
          episode: presentEpisode(episode),
          from,
          to,
          stillPath: toPath("still", episode.id, `${toMs((from + to) / 2)}.jpg`, { size: "m" }),
        })),
      };
    },

    /** The seconds in a signed path and its remaining validity. Throws ApiError `forbidden`. */
    check(
      kind: "still" | "clip",
      path: SignedPath,
      variant: Variant,
    ): { seconds: number[]; remainingSeconds: number } {
      const { episodeId, expires, cut } = path;
      const accepted = ["", toQuery(variant)].map((query) => sign(kind, episodeId, expires, cut, query));
      if (!accepted.some((signature) => isEqual(signature, path.signature))) {
        throw new ApiError("forbidden", "The address of this preview was changed.");
      }
      const remainingSeconds = Number(path.expires) - options.now().getTime() / 1000;
      if (remainingSeconds <= 0) throw new ApiError("forbidden", "This preview has expired. Search again.");
      // The digits of "mp4" are no time.
      const seconds = (path.cut.match(/\d+(?=[-.])/g) ?? []).map((ms) => Number(ms) / 1000);
      return { seconds, remainingSeconds };
    },
  };
}

function bySize(toPath: (size: PreviewSize) => string): PreviewPaths["stills"] {
  return { s: toPath("s"), m: toPath("m"), l: toPath("l") };
}

function toQuery({ size, isMuted = false }: Variant): string {
  return `?size=${size}${isMuted ? "&mute=true" : ""}`;
}

/**
 * Signatures are compared as text: base64url decoding ignores foreign characters, and each spelling of one
 * signature would be another address for caches.
 */
function isEqual(expected: string, received: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(received)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const hourMs = 3_600_000;
const clipLimitSeconds = 30;
const clipLengths = [5, 15, clipLimitSeconds];
const surroundingShots = 15;

/** The whole scene, or of a long one the part around its best frame. */
function limitClip({ from, to, timestamp }: Times): [number, number] {
  if (to - from <= clipLimitSeconds) return [from, to];
  const start = Math.min(Math.max(from, timestamp - clipLimitSeconds / 2), to - clipLimitSeconds);
  return [start, start + clipLimitSeconds];
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
