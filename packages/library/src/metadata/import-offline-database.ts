import { readFile } from "node:fs/promises";
import type { AnimeMetadata, Database } from "@koma/database";
import { z } from "zod";
import type { ProgressOptions } from "../progress-options.ts";
import { createTitleMatcher } from "../titles/title-matcher.ts";
import { applyMetadata, listMetadataTargets, type MetadataResult } from "./apply-metadata.ts";

/** A file whose form is not that of anime-offline-database. */
export class MetadataFileError extends Error {
  override readonly name = "MetadataFileError";
}

/**
 * Imports the library's metadata from a file of the anime-offline-database project
 * (https://github.com/manami-project/anime-offline-database), as JSON or as JSON lines. Throws
 * MetadataFileError.
 */
export async function importOfflineDatabase(
  database: Database,
  file: string,
  o: ProgressOptions,
): Promise<MetadataResult> {
  const targets = await listMetadataTargets(database);
  const matcher = createTitleMatcher(targets);
  let entries = 0;
  for (const value of await readValues(file)) {
    const entry = OfflineEntry.safeParse(value);
    if (!entry.success) continue;
    entries += 1;
    matcher.offer(toMetadata(entry.data));
  }
  if (entries === 0) throw new MetadataFileError(`${file} contains no anime. ${expected}`);
  return await applyMetadata(database, targets, matcher.result(), o);
}

const expected = 'Expected a file of anime-offline-database: JSON ({ "data": [...] }) or JSON lines.';

// Contains only the used fields; the rest of an entry may change.
const OfflineEntry = z.object({
  sources: z.array(z.string()),
  title: z.string().min(1),
  type: z.string().default("UNKNOWN"),
  animeSeason: z.object({ year: z.number().int().nullish() }).nullish(),
  image: z.string().nullish(),
  synonyms: z.array(z.string()).default([]),
  tags: z.array(z.string()).default([]),
  studios: z.array(z.string()).default([]),
});

function toMetadata(entry: z.infer<typeof OfflineEntry>): AnimeMetadata {
  return {
    anilistId: findSourceId(entry.sources, /^https:\/\/anilist\.co\/anime\/(\d+)\/?$/),
    malId: findSourceId(entry.sources, /^https:\/\/myanimelist\.net\/anime\/(\d+)\/?$/),
    titleRomaji: entry.title,
    titleEnglish: null,
    // Synonyms have no language; kana occur in Japanese only.
    titleNative: entry.synonyms.find((synonym) => /[\u3041-\u30fa]/u.test(synonym)) ?? null,
    synonyms: entry.synonyms,
    format: entry.type === "UNKNOWN" ? null : entry.type,
    year: entry.animeSeason?.year ?? null,
    isAdult: entry.tags.some((tag) => tag.toLowerCase() === "hentai"),
    coverUrl: entry.image?.startsWith("https://") === true ? entry.image : null,
    studios: entry.studios,
  };
}

function findSourceId(sources: readonly string[], pattern: RegExp): number | null {
  for (const source of sources) {
    const id = pattern.exec(source)?.[1];
    if (id !== undefined) return Number(id);
  }
  return null;
}

async function readValues(file: string): Promise<Iterable<unknown>> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new MetadataFileError(`${file} cannot be read: ${error.message}`);
  });
  const whole = parseJson(text);
  if (Array.isArray(whole)) return whole;
  const data = z.object({ data: z.array(z.unknown()) }).safeParse(whole);
  return data.success ? data.data.data : readLines(text);
}

function* readLines(text: string): Generator<unknown, void, void> {
  for (let from = 0; from < text.length; ) {
    const lineEnd = text.indexOf("\n", from);
    const to = lineEnd < 0 ? text.length : lineEnd;
    yield parseJson(text.slice(from, to));
    from = to + 1;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
