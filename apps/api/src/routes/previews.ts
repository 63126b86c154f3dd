import { getClip, getStill } from "@koma/contract";
import type { Previews } from "@koma/library";
import type { FastifyInstance } from "fastify";
import type { PreviewAddresses } from "../previews/preview-addresses.ts";
import { sendFile } from "../previews/send-file.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/** `GET /previews/still/…` and `GET /previews/clip/…`. */
export function registerPreviews(
  app: FastifyInstance,
  options: { addresses: PreviewAddresses; previews: Previews },
): void {
  const { addresses, previews } = options;

  registerEndpoint(app, getStill, async ({ params, query, raw, reply }) => {
    const { seconds, remainingSeconds } = addresses.check("still", params);
    const [atSeconds = 0] = seconds;
    const path = await previews.still(params.episodeId, atSeconds, {
      size: query.size,
    });
    await sendFile(raw, reply, {
      path,
      contentType: "image/jpeg",
      maxAgeSeconds: remainingSeconds,
    });
  });

  registerEndpoint(app, getClip, async ({ params, query, raw, reply }) => {
    const { seconds, remainingSeconds } = addresses.check("clip", params);
    const [fromSeconds = 0, toSeconds = 0] = seconds;
    const path = await previews.clip(params.episodeId, fromSeconds, toSeconds, {
      size: query.size,
      isMuted: query.mute,
    });
    await sendFile(raw, reply, {
      path,
      contentType: "video/mp4",
      maxAgeSeconds: remainingSeconds,
    });
  });
}
