import type { Configuration } from "@koma/config";
import { getClip, getStill } from "@koma/contract";
import { PreviewBusyError, type Previews } from "@koma/library";
import type { FastifyInstance, FastifyRequest } from "fastify";
import pLimit, { type LimitFunction } from "p-limit";
import { readClientNetwork } from "../client-network.ts";
import type { PreviewAddresses } from "../previews/preview-addresses.ts";
import { sendFile } from "../previews/send-file.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/** `GET /previews/still/…` and `GET /previews/clip/…`. */
export function registerPreviews(
  app: FastifyInstance,
  options: { addresses: PreviewAddresses; previews: Previews; config: Configuration },
): void {
  const { addresses, previews } = options;
  const limits = new Map<string, LimitFunction>();

  /** Makes a preview in turn with the others of the client's network, so that one network cannot fill the queue. */
  async function makeInTurn(request: FastifyRequest, make: () => Promise<string>): Promise<string> {
    const network = readClientNetwork(request);
    const limit = limits.get(network) ?? pLimit(options.config.KOMA_PREVIEWS_PER_NETWORK);
    limits.set(network, limit);
    if (limit.pendingCount >= waitingPerNetwork) throw new PreviewBusyError();
    try {
      return await limit(make);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(network);
    }
  }

  registerEndpoint(app, getStill, async ({ params, query, raw, reply }) => {
    const { seconds, remainingSeconds } = addresses.check("still", params);
    const [atSeconds = 0] = seconds;
    const path = await makeInTurn(raw, () =>
      previews.still(params.episodeId, atSeconds, { size: query.size }),
    );
    await sendFile(raw, reply, {
      path,
      contentType: "image/jpeg",
      maxAgeSeconds: remainingSeconds,
    });
  });

  registerEndpoint(app, getClip, async ({ params, query, raw, reply }) => {
    const { seconds, remainingSeconds } = addresses.check("clip", params);
    const [fromSeconds = 0, toSeconds = 0] = seconds;
    const path = await makeInTurn(raw, () =>
      previews.clip(params.episodeId, fromSeconds, toSeconds, { size: query.size, isMuted: query.mute }),
    );
    await sendFile(raw, reply, {
      path,
      contentType: "video/mp4",
      maxAgeSeconds: remainingSeconds,
    });
  });
}

/** A page shows the stills of a few searches at once. */
const waitingPerNetwork = 40;
