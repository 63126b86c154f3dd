import type { Transaction } from "../connection/run-transaction.ts";
import { AnilistIdTakenError } from "../errors.ts";
import type { Anime as AnimeRow, Prisma } from "../generated/client.ts";

/**
 * Assigns the files that name an AniList id to a locked anime, and returns the columns that an update of it sets;
 * none when the id stays. Throws AnilistIdTakenError.
 */
export async function replaceAnilistId(
  tx: Transaction,
  known: AnimeRow,
  anilistId: number | null | undefined,
): Promise<Prisma.AnimeUpdateInput> {
  if (anilistId === undefined || anilistId === known.anilistId) return {};
  const twin = anilistId === null ? null : await tx.anime.findUnique({ where: { anilistId } });
  if (twin !== null) {
    throw new AnilistIdTakenError(twin.titleRomaji ?? twin.titleEnglish ?? twin.titleNative ?? twin.id);
  }
  await tx.animeKey.deleteMany({ where: { key: `anilist:${known.anilistId}`, animeId: known.id } });
  if (anilistId !== null) {
    const key = `anilist:${anilistId}`;
    const owner = { animeId: known.id };
    await tx.animeKey.upsert({ where: { key }, create: { key, ...owner }, update: owner });
  }
  // The other ids and the time belong to the metadata of the former id; without a time it is read again.
  return { anilistId, malId: null, metadataAt: null };
}
