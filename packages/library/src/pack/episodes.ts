import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { CorruptDescriptorsError, decodeDescriptors, isStripChunk } from "@koma/engine";
import { z } from "zod";
import { CorruptStillsError, listShots, type ShotTimes } from "../stills/still-set.ts";
import { PackAnime } from "./pack-anime.ts";
import { PackError } from "./pack-error.ts";
import { readSections, type Section, writeSections } from "./sections.ts";

/** Limits of an episode: characters of its texts, its sections, and its bytes after they are inflated. */
export const episodeLimits = { title: 500, number: 100, sections: 20_000, bytes: 256 * 1024 * 1024 } as const;

const EpisodeHead = z.object({
  /** SHA-256 of the video, in hexadecimal. */
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  title: z.string().min(1).max(episodeLimits.title),
  season: z.number().int().min(0).max(100_000).nullable(),
  number: z.string().min(1).max(episodeLimits.number).nullable(),
  episodeTitle: z.string().min(1).max(episodeLimits.title).nullable(),
  durationSeconds: z.number().min(0).max(1_000_000),
});

type EpisodeHead = z.infer<typeof EpisodeHead>;

/** A picture or a clip between two times, in whole milliseconds. */
export type PackPart = ShotTimes & { bytes: Uint8Array };

/** What a pack contains of one episode; all but the head may be absent. */
export type PackEpisode = EpisodeHead & {
  /** Titles and ids of the anime. */
  anime?: PackAnime | undefined;
  /** The results of `encodeFrameTable` and `encodeDescriptorChunks`, and the number of frames. */
  descriptors?: { frameTable: Uint8Array; chunks: Uint8Array[]; frameCount: number } | undefined;
  /** The result of `encodeStillSet`. */
  stills?: Uint8Array | undefined;
  /** Single frames as AVIF, in order of time; each is shown between its times. */
  frames: PackPart[];
  /** Clips as MP4, in order of time. */
  clips: PackPart[];
};

// "EPIS": the head of an episode as JSON; the sections up to the next one belong to it. "ANIM": its anime as
// JSON. "FTAB": the frame table. "DESC": a chunk of descriptors, deflated. "STRP": a chunk of strips, which follows them. "STIL": the
// set of shot stills. "FRAM" and "CLIP": two uint32, the first and the last millisecond, then the bytes of a
// frame or a clip. The limit of the database.
const chunkLimitBytes = 256 * 1024;
/** The sections of a pack with the bytes that each may have. */
export const sectionLimits: ReadonlyMap<string, number> = new Map([
  ["EPIS", 64 * 1024],
  ["ANIM", 256 * 1024],
  ["FTAB", 4 * 1024 * 1024],
  ["DESC", chunkLimitBytes],
  ["STRP", chunkLimitBytes],
  ["STIL", 32 * 1024 * 1024],
  ["FRAM", 4 * 1024 * 1024],
  ["CLIP", 32 * 1024 * 1024],
]);
const timesBytes = 8;

/** Writes episodes as a pack: a stream of its bytes. */
export async function* writePack(
  modelId: string,
  episodes: AsyncIterable<PackEpisode> | Iterable<PackEpisode>,
): AsyncGenerator<Uint8Array, void, void> {
  async function* sections(): AsyncGenerator<Section, void, void> {
    for await (const episode of episodes) yield* writeEpisode(episode);
  }
  yield* writeSections(modelId, sections());
}

/**
 * Reads the episodes of a pack of one model from a stream; one episode is in memory. An episode that was
 * yielded is intact. Throws PackError and the errors of the stream.
 */
export async function* readPack(
  source: AsyncIterable<Uint8Array>,
  { modelId }: { modelId: string },
): AsyncGenerator<PackEpisode, void, void> {
  let open: OpenEpisode | undefined;
  for await (const section of readSections(source, { modelId, limits: sectionLimits })) {
    if (section.type === "EPIS") {
      if (open !== undefined) yield await open.finish();
      open = openEpisode(modelId, section.content);
    } else if (open === undefined) {
      throw new PackError(`A section "${section.type}" of the pack belongs to no episode.`);
    } else {
      open.add(section);
    }
  }
  if (open !== undefined) yield await open.finish();
}

function* writeEpisode(episode: PackEpisode): Generator<Section, void, void> {
  const { anime, descriptors, stills, frames, clips, ...head } = episode;
  yield { type: "EPIS", content: toJson(EpisodeHead.parse(head)) };
  if (anime !== undefined) yield { type: "ANIM", content: toJson(PackAnime.parse(anime)) };
  if (descriptors !== undefined) {
    yield { type: "FTAB", content: descriptors.frameTable };
    for (const chunk of descriptors.chunks) {
      // Versions without strips skip their sections.
      if (isStripChunk(chunk)) yield { type: "STRP", content: chunk };
      else yield { type: "DESC", content: deflateRawSync(chunk, { level: constants.Z_BEST_COMPRESSION }) };
    }
  }
  if (stills !== undefined) yield { type: "STIL", content: stills };
  for (const frame of frames) yield { type: "FRAM", content: writePart(frame) };
  for (const clip of clips) yield { type: "CLIP", content: writePart(clip) };
}

type OpenEpisode = ReturnType<typeof openEpisode>;

/** Collects the sections of an episode. */
function openEpisode(modelId: string, json: Uint8Array) {
  const head = parseJson(EpisodeHead, json);
  let anime: Uint8Array | undefined;
  let frameTable: Uint8Array | undefined;
  let stills: Uint8Array | undefined;
  const chunks: Uint8Array[] = [];
  const frames: PackPart[] = [];
  const clips: PackPart[] = [];
  let sections = 0;
  let bytes = 0;

  function setOnce(before: Uint8Array | undefined, { type, content }: Section): Uint8Array {
    if (before !== undefined) throw new PackError(`An episode of the pack has two sections "${type}".`);
    return content;
  }

  return {
    add(section: Section): void {
      const { type } = section;
      const content = type === "DESC" ? inflate(section.content) : section.content;
      sections += 1;
      bytes += content.length;
      if (sections > episodeLimits.sections || bytes > episodeLimits.bytes)
        throw new PackError("An episode of the pack is too large.");
      if (type === "ANIM") anime = setOnce(anime, section);
      if (type === "FTAB") frameTable = setOnce(frameTable, section);
      if (type === "DESC" || type === "STRP") chunks.push(content);
      if (type === "STIL") stills = setOnce(stills, section);
      if (type === "FRAM") frames.push(readPart(section));
      if (type === "CLIP") clips.push(readPart(section));
    },

    async finish(): Promise<PackEpisode> {
      try {
        if (stills !== undefined) await listShots(readFrom(stills), { fromSeconds: 0, toSeconds: 0 });
        const known = { ...head, ...(anime !== undefined && { anime: parseJson(PackAnime, anime) }) };
        if (frameTable === undefined) {
          if (chunks.length > 0) throw new PackError("Descriptors of the pack have no frame table.");
          return { ...known, stills, frames, clips };
        }
        const { count: frameCount } = decodeDescriptors(modelId, frameTable, chunks);
        return { ...known, descriptors: { frameTable, chunks, frameCount }, stills, frames, clips };
      } catch (error) {
        if (!(error instanceof CorruptDescriptorsError || error instanceof CorruptStillsError)) throw error;
        throw new PackError(`An episode of the pack is damaged. ${error.message}`, { cause: error });
      }
    },
  };
}

function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value), "utf8");
}

function parseJson<S extends z.ZodType>(schema: S, json: Uint8Array): z.infer<S> {
  try {
    return schema.parse(JSON.parse(Buffer.from(json).toString("utf8")));
  } catch (cause) {
    throw new PackError("An episode of the pack has no valid head.", { cause });
  }
}

function inflate(content: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(content, { maxOutputLength: chunkLimitBytes });
  } catch (cause) {
    throw new PackError("Descriptors of the pack cannot be decompressed.", { cause });
  }
}

function writePart({ fromSeconds, toSeconds, bytes }: PackPart): Uint8Array {
  const times = Buffer.alloc(timesBytes);
  times.writeUInt32BE(Math.round(fromSeconds * 1000), 0);
  times.writeUInt32BE(Math.round(toSeconds * 1000), 4);
  return Buffer.concat([times, bytes]);
}

function readPart({ type, content }: Section): PackPart {
  if (content.length <= timesBytes) throw new PackError(`A section "${type}" of the pack is too short.`);
  const view = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const [from, to] = [view.readUInt32BE(0), view.readUInt32BE(4)];
  if (from > to) throw new PackError(`A section "${type}" of the pack ends before its start.`);
  return { fromSeconds: from / 1000, toSeconds: to / 1000, bytes: content.subarray(timesBytes) };
}

function readFrom(bytes: Uint8Array): (offset: number, length: number) => Promise<Uint8Array> {
  return async (offset, length) => bytes.subarray(offset, offset + length);
}
