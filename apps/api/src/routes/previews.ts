import { getClip, getSharedStill, getStill } from "@koma/contract";
import type { Previews } from "@koma/library";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../api-error.ts";
import { type Caller, readNetwork } from "../caller.ts";
import type { PreviewAddresses } from "../previews/preview-addresses.ts";
import type { PreviewSlots } from "../previews/preview-slots.ts";
import { sendFile } from "../previews/send-file.ts";
import { sendShotStill, sendStill } from "../previews/send-still.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import type { SharedScenes } from "../search/shared-scenes.ts";
import { watchCaller } from "./search-anime.ts";

/** `GET /previews/still/…`, `GET /previews/shared/…` and `GET /previews/clip/…`. */
export function registerPreviews(
  app: FastifyInstance,
  options: {
    addresses: PreviewAddresses;
    previews: Previews;
    previewSlots: PreviewSlots;
    sharedScenes: SharedScenes;
  },
): void {
  const { addresses, previews, previewSlots } = options;

  /** A bot fetches the previews of all its chat users, so its own requests have no limit. */
  async function makeInSlot(
    caller: Caller,
    { raw, reply }: { raw: FastifyRequest; reply: FastifyReply },
    make: () => Promise<string>,
  ) {
    if (caller.kind === "user" && caller.isBot) return await make();
    return await previewSlots(readNetwork(caller, raw), make, watchCaller(reply));
  }

  registerEndpoint(app, getStill, async ({ params, query, caller, raw, reply }) => {
    const { size, quick } = query;
    const { seconds, remainingSeconds } = addresses.check("still", params, { size });
    const [atSeconds = 0] = seconds;
    if (quick) {
      const still = await previews.findShotStill(params.episodeId, atSeconds, { size });
      if (still !== undefined) return sendShotStill(reply, still);
    }
    const { episodeId } = params;
    await sendStill(raw, reply, {
      previews,
      scene: { episodeId, atSeconds, size },
      create: () => makeInSlot(caller, { raw, reply }, () => previews.still(episodeId, atSeconds, { size })),
      maxAgeSeconds: remainingSeconds,
    });
  });

  registerEndpoint(app, getSharedStill, async ({ params, caller, raw, reply }) => {
    const scene = await options.sharedScenes.find(params.id);
    if (scene === undefined) throw new ApiError("not_found", "There is no public search with this id.");
    const { episodeId, timestamp: atSeconds } = scene;
    await sendStill(raw, reply, {
      previews,
      scene: { episodeId, atSeconds, size: "l" },
      create: () =>
        makeInSlot(caller, { raw, reply }, () => previews.still(episodeId, atSeconds, { size: "l" })),
      // The maker of the search can remove the confirmation.
      maxAgeSeconds: 600,
      canChange: true,
    });
  });

  registerEndpoint(app, getClip, async ({ params, query, caller, raw, reply }) => {
    const variant = { size: query.size, isMuted: query.mute };
    const { seconds, remainingSeconds } = addresses.check("clip", params, variant);
    const [fromSeconds = 0, toSeconds = 0] = seconds;
    const path = await makeInSlot(caller, { raw, reply }, () =>
      previews.clip(params.episodeId, fromSeconds, toSeconds, variant),
    );
    await sendFile(raw, reply, {
      path,
      contentType: "video/mp4",
      maxAgeSeconds: remainingSeconds,
    });
  });
}
