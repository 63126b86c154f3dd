import { getClip, getStill, PreviewSize } from "@koma/contract";
import type { Previews } from "@koma/library";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { readClientNetwork } from "../client-network.ts";
import type { PreviewAddresses } from "../previews/preview-addresses.ts";
import type { PreviewSlots } from "../previews/preview-slots.ts";
import { sendFile } from "../previews/send-file.ts";
import { sendStill } from "../previews/send-still.ts";
import { watchCaller } from "../routes/search-anime.ts";
import { ClipCut, chooseRange } from "./clip-range.ts";
import { TraceMoeError, toTraceMoeError } from "./trace-moe-error.ts";

const clipParams = getClip.params.extend({ cut: ClipCut });

/** The still and the clip of a match with trace.moe's parameters. Their errors are plain text. */
export function registerTraceMoePreviews(
  app: FastifyInstance,
  options: { addresses: PreviewAddresses; previews: Previews; previewSlots: PreviewSlots; now: () => Date },
): void {
  const { addresses, previews, previewSlots } = options;

  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      const known = toTraceMoeError(error);
      const text = {
        400: known.message,
        403: "Forbidden",
        404: "Not found",
        410: "Gone",
        503: "Service Unavailable",
      };
      return reply
        .code(known.statusCode)
        .type("text/plain; charset=utf-8")
        .header("cache-control", "no-store")
        .send(text[known.statusCode as keyof typeof text] ?? known.message);
    });

    scope.get(toRoute(getStill.path), async (request, reply) => {
      const params = readParams(request, getStill.params);
      const size = readSize(request);
      const { seconds, remainingSeconds } = addresses.check("still", params, { size });
      const [atSeconds = 0] = seconds;
      const { episodeId } = params;
      const create = () =>
        previewSlots(
          readClientNetwork(request),
          () => previews.still(episodeId, atSeconds, { size }),
          watchCaller(reply),
        );
      await sendStill(request, reply.header("vary", "Accept"), {
        previews,
        scene: { episodeId, atSeconds, size },
        create,
        maxAgeSeconds: remainingSeconds,
        format: acceptsWebp(request) ? "webp" : "jpeg",
      });
      return reply;
    });

    scope.get(toRoute(getClip.path), async (request, reply) => {
      const params = readParams(request, clipParams);
      const variant = { size: readSize(request), isMuted: "mute" in (request.query as object) };
      const { seconds, remainingSeconds } = addresses.check("clip", params, variant);
      const { fromSeconds, toSeconds } = chooseRange(seconds, request.query as object);
      const path = await previewSlots(
        readClientNetwork(request),
        () => previews.clip(params.episodeId, fromSeconds, toSeconds, variant),
        watchCaller(reply),
      );
      reply.headers({
        "x-video-start": fromSeconds,
        "x-video-end": toSeconds,
        "x-video-duration": Math.round((toSeconds - fromSeconds) * 1000) / 1000,
        "access-control-expose-headers": "x-video-start, x-video-end, x-video-duration",
      });
      await sendFile(request, reply, { path, contentType: "video/mp4", maxAgeSeconds: remainingSeconds });
      return reply;
    });
  });

  function readParams<S extends typeof getStill.params | typeof clipParams>(
    request: FastifyRequest,
    schema: S,
  ) {
    const params = schema.safeParse(request.params).data;
    if (params === undefined) throw new TraceMoeError(403, "Forbidden");
    if (Number(params.expires) * 1000 <= options.now().getTime()) throw new TraceMoeError(410, "Gone");
    return params;
  }
}

function acceptsWebp({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? "").split(",").some((type) => type.split(";")[0]?.trim() === "image/webp");
}

function readSize(request: FastifyRequest): PreviewSize {
  const { size } = request.query as { size?: unknown };
  const checked = PreviewSize.safeParse(size || "m");
  if (!checked.success) throw new TraceMoeError(400, "Bad Request. Invalid param: size");
  return checked.data;
}

function toRoute(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}
