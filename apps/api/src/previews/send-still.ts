import { readFile } from "node:fs/promises";
import { sharp } from "@koma/image";
import { PreviewGoneError, type PreviewSize, type Previews, PreviewUnavailableError } from "@koma/library";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendFile } from "./send-file.ts";

/**
 * Responds with the still that `create` creates. While no machine that has the video responds, and where the video
 * is missing, the stored still of the shot replaces it.
 */
export async function sendStill(
  request: FastifyRequest,
  reply: FastifyReply,
  o: {
    previews: Previews;
    scene: { episodeId: string; atSeconds: number; size: PreviewSize };
    create: () => Promise<string>;
    maxAgeSeconds: number;
    canChange?: boolean;
    /** Default: JPEG. */
    format?: "jpeg" | "webp";
  },
): Promise<void> {
  const { previews, scene, maxAgeSeconds, canChange = false, format = "jpeg" } = o;
  try {
    const path = await o.create();
    if (format === "webp") {
      const cacheControl = `public, max-age=${Math.floor(maxAgeSeconds)}, immutable`;
      return await sendWebp(reply, await readFile(path), cacheControl);
    }
    await sendFile(request, reply, { path, contentType: "image/jpeg", maxAgeSeconds, canChange });
  } catch (error) {
    if (!(error instanceof PreviewUnavailableError || error instanceof PreviewGoneError)) throw error;
    const stored = await previews.findShotStill(scene.episodeId, scene.atSeconds, scene);
    if (stored === undefined) throw error;
    if (format === "webp") await sendWebp(reply, stored, "no-store");
    else sendShotStill(reply, stored);
  }
}

const webpQuality = 85;

async function sendWebp(reply: FastifyReply, jpeg: Buffer, cacheControl: string): Promise<void> {
  const webp = await sharp(jpeg).webp({ quality: webpQuality }).toBuffer();
  reply.type("image/webp").header("cache-control", cacheControl).send(webp);
}

/** Responds with a stored still of a shot, which must not be cached in place of the exact still. */
export function sendShotStill(reply: FastifyReply, still: Buffer): void {
  reply.type("image/jpeg").header("cache-control", "no-store").send(still);
}
