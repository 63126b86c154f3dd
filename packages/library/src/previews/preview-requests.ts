import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Small, medium or large: stills are 320, 640, 1280 pixels wide; clips 180, 360, 720 high. Never larger than
 * the video.
 */
export type PreviewSize = "s" | "m" | "l";

/** A still or a clip of an episode. */
export type PreviewRequest = { episodeId: string; size: PreviewSize } & (
  | { kind: "still"; atSeconds: number }
  | { kind: "clip"; fromSeconds: number; toSeconds: number; isMuted: boolean }
);

/** A text is no preview request, or its signature is wrong or has expired. */
export class PreviewRequestError extends Error {
  override readonly name = "PreviewRequestError";
}

/** The time that a signed request is valid. It covers clocks that differ by less than 30 s. */
const ttlSeconds = 30;

/**
 * Signs the requests for previews that an API sends to a worker (HMAC-SHA256). A signature is valid for one
 * request to one worker, for 30 s. `address` is the address that the worker has registered.
 */
export function createPreviewRequests({ key, now = Date.now }: { key: Buffer; now?: () => number }) {
  const sign = (address: string, content: string): Buffer =>
    createHmac("sha256", key).update(`${address}\n${content}`).digest();

  return {
    /** Writes a request as the path of an address. */
    write(address: string, request: PreviewRequest): string {
      const content = `${Math.ceil(now() / 1000) + ttlSeconds}/${describe(request)}`;
      return `/${sign(address, content).toString("base64url")}/${content}`;
    },

    /** Reads what `write` has written. Throws PreviewRequestError. */
    read(address: string, path: string): PreviewRequest {
      const [, signature = "", content = ""] = /^\/([\w-]{43})\/(.{1,200})$/.exec(path) ?? [];
      const received = Buffer.from(signature);
      const expected = Buffer.from(sign(address, content).toString("base64url"));
      // As text, because base64url has several spellings of one signature.
      if (received.length !== expected.length || !timingSafeEqual(received, expected)) {
        throw new PreviewRequestError("The signature is wrong.");
      }
      const [expires, ...parts] = content.split("/");
      if (Number(expires) * 1000 <= now()) throw new PreviewRequestError("The request has expired.");
      return parse(parts);
    },
  };
}

/** `still/EPISODE/SIZE/MS` or `clip/EPISODE/SIZE/FROM/TO/(audible|muted)`. */
function describe(request: PreviewRequest): string {
  const { kind, episodeId, size } = request;
  const details =
    request.kind === "still"
      ? [toMs(request.atSeconds)]
      : [toMs(request.fromSeconds), toMs(request.toSeconds), request.isMuted ? "muted" : "audible"];
  return [kind, encodeURIComponent(episodeId), size, ...details].join("/");
}

function parse([kind, episode = "", size, ...details]: string[]): PreviewRequest {
  const common = { episodeId: decodeURIComponent(episode), size: size as PreviewSize };
  const [from, to, sound] = details;
  if (kind === "still") return { kind, ...common, atSeconds: Number(from) / 1000 };
  const [fromSeconds, toSeconds] = [Number(from) / 1000, Number(to) / 1000];
  return { kind: "clip", ...common, fromSeconds, toSeconds, isMuted: sound === "muted" };
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
