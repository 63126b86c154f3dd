import type { Transaction } from "../connection/run-transaction.ts";
import type { Anime as AnimeRow } from "../generated/client.ts";

/** The key that maps the id of a merged anime to the remaining one. */
export function mergedKey(id: string): string {
  return `merged:${id}`;
}

/** Locks the rows of anime for update, in the order of their ids. Returns the ids that exist. */
export async function lockAnimeRows(tx: Transaction, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Anime" WHERE "id" = ANY(${[...ids]}) ORDER BY "id" FOR UPDATE`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Merges two anime: episodes, keys, counts and recent searches of `id` move to `remainingId`. Both rows are
 * locked for update. The matches of searches keep `id`, because `resolve` finds the remaining anime by its
 * key.
 */
export async function mergeAnime(tx: Transaction, id: string, remainingId: string): Promise<void> {
  await tx.episode.updateMany({ where: { animeId: id }, data: { animeId: remainingId } });
  await tx.animeKey.updateMany({ where: { animeId: id }, data: { animeId: remainingId } });
  await tx.animeKey.create({ data: { key: mergedKey(id), animeId: remainingId } });
  await tx.search.updateMany({ where: { listedAnimeId: id }, data: { listedAnimeId: remainingId } });
  await tx.$executeRaw`
    INSERT INTO "AnimeStatistics" AS known ("animeId", "searches", "listed")
    SELECT ${remainingId}, "searches", "listed" FROM "AnimeStatistics" WHERE "animeId" = ${id}
    ON CONFLICT ("animeId") DO UPDATE SET
      "searches" = known."searches" + excluded."searches", "listed" = known."listed" + excluded."listed"`;
  await tx.$executeRaw`
    INSERT INTO "AnimeSearchCount" AS known ("animeId", "period", "start", "searches")
    SELECT ${remainingId}, "period", "start", "searches" FROM "AnimeSearchCount" WHERE "animeId" = ${id}
    ON CONFLICT ("period", "start", "animeId") DO UPDATE SET "searches" = known."searches" + excluded."searches"`;
  await tx.anime.delete({ where: { id } });
}

/**
 * The current id of an anime: the id itself, or that of the anime that it was merged into. Undefined when the
 * anime does not exist.
 */
export async function findCurrentId(tx: Transaction, id: string): Promise<string | undefined> {
  if ((await tx.anime.count({ where: { id } })) > 0) return id;
  return (await tx.animeKey.findUnique({ where: { key: mergedKey(id) } }))?.animeId;
}

/**
 * Merges an anime into another one on behalf of an operator. Metadata moves to a remaining anime that has
 * none. Files that name the AniList id of the deleted anime are assigned to the remaining one.
 */
export async function mergeWithMetadata(tx: Transaction, merged: AnimeRow, into: AnimeRow): Promise<void> {
  await mergeAnime(tx, merged.id, into.id);
  if (merged.anilistId !== null) {
    const key = `anilist:${merged.anilistId}`;
    await tx.animeKey.upsert({
      where: { key },
      create: { key, animeId: into.id },
      update: { animeId: into.id },
    });
  }
  if (into.metadataAt !== null || merged.metadataAt === null) {
    // Metadata that is applied later must not publish scenes of the merged anime.
    if (!merged.isAdult || into.isAdult || into.editedFields.includes("isAdult")) return;
    const editedFields = [...into.editedFields, "isAdult"];
    await tx.anime.update({ where: { id: into.id }, data: { isAdult: true, editedFields } });
    return;
  }
  const { id: _id, searchText: _text, touchedAt: _touchedAt, isSample: _isSample, ...others } = merged;
  // The cover was deleted with its anime; the next synchronization downloads it again.
  const metadata = { ...others, coverVersion: into.coverVersion };
  const data = { ...metadata, ...combineEdits(merged, into) };
  await tx.anime.update({ where: { id: into.id }, data: { ...data, searchText: toSearchText(data) } });
}

/**
 * The fields that an operator edited, with their names, of an anime and of the one that is merged into it;
 * those of the remaining anime win.
 */
export function combineEdits(merged: AnimeRow | undefined, into: AnimeRow): Partial<AnimeRow> {
  const editedFields = [...new Set([...(merged?.editedFields ?? []), ...into.editedFields])];
  return {
    ...(merged !== undefined && pickFields(merged, merged.editedFields)),
    ...pickFields(into, into.editedFields),
    editedFields,
  };
}

function pickFields(row: AnimeRow, names: readonly string[]): Partial<AnimeRow> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
}

/** The value of the column `searchText`: all titles for comparison. */
export function toSearchText(
  titles: Pick<AnimeRow, "titleRomaji" | "titleEnglish" | "titleNative" | "synonyms">,
): string {
  const { titleRomaji, titleEnglish, titleNative, synonyms } = titles;
  const folded = [titleRomaji, titleEnglish, titleNative, ...synonyms].flatMap((title) =>
    title === null ? [] : [foldTitle(title)],
  );
  return `\n${[...new Set(folded)].join("\n")}\n`;
}

/** A title for comparison: NFKC, lower case, single spaces. */
export function foldTitle(title: string): string {
  return title.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}
