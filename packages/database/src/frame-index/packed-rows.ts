// Rows of the index are read as texts in base64 and passed on in one buffer: each column and each object of
// thousands of rows costs time in two threads, and a search needs the vectors of some of them.

export const vectorDimensions = 128;
export const thumbnailBytes = 480;
const recordBytes = 4 * 4 + 4 * 8 + 4 + 2 * vectorDimensions;
const pairBytes = 16;

type IndexedEpisode = { id: number; key: string; aspect: number; frameCount: number };

/** Rows in one buffer of records of equal length (`recordOf`), and their episodes. */
export type PackedRows = { episodes: IndexedEpisode[]; count: number; bytes: Uint8Array };

/** The columns `episode`, and `record`. */
export type PackedRow = IndexedEpisode & { record: string };

/** The columns of the set `s`. */
export const episode = `s."id", s."episodeId" AS "key", s."aspect", s."frameCount"`;

/**
 * Returns the expression of the row `f`: its set, number, frame and shot (int32 each); its time, the time of the next
 * row of the shot or NaN, the times of the shot (float64 each); the vector as `halfvec_send` writes it, after the
 * number of dimensions and two bytes of 0; the thumbnail, if any. Numbers are big-endian.
 */
export const recordOf = (thumbnail = "''") =>
  `encode(int4send(f."set") || int4send(f."number") || int4send(f."frame") || int4send(f."shot")
    || float8send(f."atSeconds") || float8send(coalesce(f."nextAtSeconds", 'NaN'))
    || float8send(f."fromSeconds") || float8send(f."toSeconds") || halfvec_send(f."vector")
    || ${thumbnail}, 'base64')`;

/** The pairs of a row: its set and number, the index of the vector (int32 each), the cosine (float32). */
export const pairsOf = `encode(string_agg(
  int4send("set") || int4send("number") || int4send("query" - 1) || float4send("cosine"), ''), 'base64')`;

/** Joins the records of rows. */
export function packRows(rows: readonly PackedRow[], { withThumbnails = false } = {}): PackedRows {
  const rowBytes = recordBytes + (withThumbnails ? thumbnailBytes : 0);
  const bytes = new Uint8Array(rows.length * rowBytes);
  const buffer = Buffer.from(bytes.buffer);
  const episodes = new Map<number, IndexedEpisode>();
  for (const [at, { record, id, key, aspect, frameCount }] of rows.entries()) {
    buffer.write(record, at * rowBytes, rowBytes, "base64");
    if (!episodes.has(id)) episodes.set(id, { id, key, aspect, frameCount });
  }
  return { episodes: [...episodes.values()], count: rows.length, bytes };
}

/** Joins at most `most` pairs of rows. */
export function packPairs(rows: readonly { pairs: string }[], most: number): Uint8Array {
  const buffer = Buffer.alloc(most * pairBytes);
  let end = 0;
  for (const { pairs } of rows) end += buffer.write(pairs, end, "base64");
  return new Uint8Array(buffer.subarray(0, end));
}
