import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import {
  decodeDescriptors,
  encodeDescriptorChunks,
  encodeFrameTable,
  loadModel,
  openFrameIndex,
} from "@koma/engine";
import type { ImportSummary } from "@koma/library";
import { findTestFrame, findTestVideo } from "@koma/sample-library/test-videos";
import { createRandom } from "@koma/testing/drawing";
import { mutateBytes } from "@koma/testing/fuzzing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkEpisode } from "../../src/pack/check-episode.ts";
import { type PackEpisode, readPack, sectionLimits, writePack } from "../../src/pack/episodes.ts";
import { PackError } from "../../src/pack/pack-error.ts";
import { readSections, type Section, writeSections } from "../../src/pack/sections.ts";
import { encodeStillSet } from "../../src/stills/still-set.ts";
import { noTools, openTestLibrary, type TestLibrary } from "../fixtures/open-test-library.ts";
import { indexTestVideos } from "../shared/index-test-videos.ts";

const model = await loadModel();
const bidi = "\u202e";
const giver = await openTestLibrary({ tools: noTools });
const receiver = await openTestLibrary({ tools: noTools });
const folder = giver.videosDir;
const file = join(folder, "all.koma");

beforeAll(async () => {
  await indexTestVideos(giver, join(folder, "videos"), {
    "Test Card - 01.mp4": "small bars",
    "Test Card - 02.mp4": "small card",
    "Spiral.mp4": "small spiral",
  });
  const card = await findAnime(giver, "Test Card");
  await giver.database.anime.applyMetadata(card.id, {
    ...{ anilistId: 11, malId: 12, titleRomaji: "Test Card", titleEnglish: `Card${bidi}\u0007` },
    ...{ titleNative: "テスト", synonyms: ["Testbild"], format: "TV", year: 1967, isAdult: true },
    coverUrl: "http://127.0.0.1/cover.jpg",
  });
  await giver.library.exportPack(file, { hasStills: true });
});
afterAll(async () => {
  await giver.close();
  await receiver.close();
});
beforeEach(async () => {
  const ids = (await receiver.database.episodes.list()).map(({ id }) => id);
  await receiver.library.remove({ ids });
});

async function findAnime({ library }: TestLibrary, title: string) {
  const entry = (await library.list()).find(({ anime }) => anime.titleRomaji === title);
  if (entry === undefined) throw new Error(`There is no ${title}.`);
  return entry.anime;
}

const importBytes = (bytes: Uint8Array, name = "all.koma") =>
  receiver.library.importPack(inParts(bytes), { name });

async function* inParts(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096);
}

async function joined(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(parts));
}

async function listEpisodes(): Promise<PackEpisode[]> {
  return await Array.fromAsync(readPack(inParts(await readFile(file)), { modelId: model.id }));
}

describe("an exported pack", () => {
  test("is found in an empty library, has stills, and names its origin", async () => {
    const summary = await importBytes(await readFile(file));
    expect(summary).toMatchObject({ episodes: 3, imported: 3, unchanged: 0, withVideo: 0, isStopped: false });
    const entries = await receiver.library.list();
    expect(entries.map(({ anime, episodes }) => [anime.titleRomaji, episodes.length])).toEqual([
      ["Spiral", 1],
      ["Test Card", 2],
    ]);
    expect(entries[1]?.anime).toMatchObject({
      ...{ anilistId: 11, malId: 12, titleEnglish: "Card", titleNative: "テスト", synonyms: ["Testbild"] },
      ...{ format: "TV", year: 1967, isAdult: true, coverUrl: null, metadataAt: null },
    });
    const [, second] = entries[1]?.episodes ?? [];
    if (second === undefined) throw new Error("There is no second episode.");
    expect(second).toMatchObject({
      ...{ packName: "all.koma", number: "2", state: "ready", fileName: "Test Card - 2" },
      path: `pack:${second.contentHash}`,
    });
    expect(await receiver.library.verify()).toMatchObject({ episodes: 3, problems: [] });

    const search = await receiver.library.openSearch({ follow: false });
    const image = await readFile(findTestFrame("small card", 2));
    const [match] = (await search.search(image, { limit: 1 })).matches;
    expect(match).toMatchObject({ episode: { id: second.id }, isConfident: true, label: null });
    expect(Math.abs((match?.timestamp ?? 0) - 2)).toBeLessThan(0.2);
    const previews = receiver.library.openPreviews();
    expect((await previews.findShotStill(second.id, 2))?.subarray(0, 2).toString("hex")).toBe("ffd8");
    await expect(previews.clip(second.id, 1, 2)).rejects.toThrow("imported from a pack");
    expect(await previews.hasVideo(second.id)).toBe(false);

    await receiver.database.episodes.editLabels(second.id, [
      { label: "preview", from: 0, to: 100 },
      { label: "opening", from: 1.5, to: 2.5 },
      { label: "ending", from: 3, to: 4 },
    ]);
    expect((await search.search(image, { limit: 1 })).matches[0]).toMatchObject({ label: "opening" });
  });

  test("changes nothing when it is imported again, and adds stills that are missing", async () => {
    const bytes = await readFile(file);
    await importBytes(bytes);
    const { database } = receiver;
    const before = await database.episodes.list();
    const seq = await database.libraryChanges.currentSeq();
    await database.stills.remove([before[0]?.id ?? ""]);
    expect(await importBytes(bytes, "copy.koma")).toMatchObject({ imported: 0, unchanged: 3 });
    expect(await database.episodes.list()).toEqual(before);
    expect(await database.libraryChanges.currentSeq()).toBe(seq);
    expect((await database.stills.list()).size).toBe(3);
  });

  test("leaves own videos as they are, and becomes an own video with the file", async () => {
    const own = join(folder, "own");
    await indexTestVideos(receiver, own, { "Test Card - 02.mp4": "spiral and card" });
    const [video] = await receiver.database.episodes.list();
    expect(await importBytes(await readFile(file))).toMatchObject({ imported: 2, withVideo: 1 });
    expect(await receiver.database.episodes.find(video?.id ?? "")).toEqual(
      expect.objectContaining({ path: join(own, "Test Card - 02.mp4"), packName: null }),
    );
    const titles = (await receiver.library.list()).map(({ anime }) => anime.titleRomaji);
    expect(titles).toEqual(["Spiral", "Test Card"]);

    const spiral = (await receiver.database.episodes.list()).find(
      ({ packName, number }) => packName && !number,
    );
    await copyFile(findTestVideo("small spiral"), join(own, "My Spiral.mp4"));
    await indexTestVideos(receiver, own, { "My Spiral.mp4": "small spiral" });
    expect(await receiver.database.episodes.find(spiral?.id ?? "")).toMatchObject({
      ...{ path: join(own, "My Spiral.mp4"), packName: null, state: "ready" },
    });
    expect(await receiver.database.episodes.list()).toHaveLength(3);
  });

  test("is continued after it broke off, without a visible half", async () => {
    const bytes = await readFile(file);
    await expect(importBytes(bytes.subarray(0, bytes.length - 2000))).rejects.toThrow(
      /^The pack is truncated: it ends too early\. The \d imported before it stay in the library\.$/,
    );
    const stopping = new AbortController();
    const stopped: ImportSummary = await receiver.library.importPack(inParts(bytes), {
      ...{ name: "all.koma", signal: stopping.signal },
      onProgress: ({ summary }) => summary.episodes > 1 && stopping.abort(),
    });
    expect(stopped.isStopped).toBe(true);
    const ready = await receiver.database.episodes.listReady(model.id);
    const rows = await receiver.database.episodes.list();
    expect(rows.filter(({ state }) => state === "ready")).toHaveLength(ready.length);
    expect((await importBytes(bytes)).isStopped).toBe(false);
    expect(await receiver.library.verify()).toMatchObject({ episodes: 3, problems: [] });
  });

  test("is written without stills, of one anime, and not over another file", async () => {
    const target = join(folder, "one.koma");
    const { id } = await findAnime(giver, "Test Card");
    const summary = await giver.library.exportPack(target, { animeIds: [id] });
    expect(summary).toMatchObject({ episodes: 2, skipped: 0, seconds: 6 });
    const read = await Array.fromAsync(readPack(inParts(await readFile(target)), { modelId: model.id }));
    expect(read.map(({ stills, frames, clips }) => [stills, frames, clips])).toEqual(
      Array(2).fill([undefined, [], []]),
    );
    await expect(giver.library.exportPack(target)).rejects.toThrow(
      new PackError(`${target} exists already.`),
    );
    const none = join(folder, "none.koma");
    await expect(giver.library.exportPack(none, { animeIds: ["x"] })).rejects.toThrow(
      "There is no indexed episode to write.",
    );
    await expect(readFile(none)).rejects.toThrow("ENOENT");
  });
});

describe("a hostile pack", () => {
  test("has its texts cleaned, and no path of it is used", async () => {
    const [episode] = await listEpisodes();
    if (episode?.anime === undefined) throw new Error("There is no episode.");
    const title = `../../etc/passwd${bidi}\n\u001b[2J\u0000`;
    const hostile = { ...episode, title, episodeTitle: title, number: "1\n2", anime: undefined };
    await importBytes(await joined(writePack(model.id, [hostile])));
    const [row] = await receiver.database.episodes.list();
    const clean = "../../etc/passwd [2J";
    expect(row).toMatchObject({
      ...{ path: `pack:${episode.contentHash}`, number: "1 2", title: clean },
      anime: { titleRomaji: clean },
    });
    const none = { ...episode, title: bidi, contentHash: "a1".repeat(32) };
    await expect(importBytes(await joined(writePack(model.id, [none])))).rejects.toThrow("has no title");
  });

  test.each<[string, (episode: Required<PackEpisode>) => Partial<PackEpisode>, string]>([
    [
      "stills that are no images",
      () => ({ stills: encodeStillSet([{ fromSeconds: 0, toSeconds: 1, jpeg: Buffer.from("<script>") }]) }),
      "An episode of the pack has a still that is no image.",
    ],
    [
      "bytes behind its stills",
      ({ stills }) => ({ stills: Buffer.concat([stills ?? Buffer.alloc(0), Buffer.alloc(3)]) }),
      "An episode of the pack is damaged. The stills are too long.",
    ],
    [
      "vectors of other dimensions",
      ({ descriptors }) => ({ descriptors: withDimensions(descriptors) }),
      "An episode of the pack has impossible descriptors.",
    ],
  ])("with %s is refused", async (_name, change, message) => {
    const [episode] = await listEpisodes();
    const changed = { ...episode, ...change(episode as Required<PackEpisode>) } as PackEpisode;
    await expect(importBytes(await joined(writePack(model.id, [changed])))).rejects.toThrow(
      new PackError(message),
    );
    expect(await receiver.library.list()).toEqual([]);
  });

  test("with valid checksums over changed bytes is refused, or is usable", async () => {
    const sections = await Array.fromAsync(
      readSections(inParts(await readFile(file)), { modelId: model.id, limits: sectionLimits }),
    );
    const random = createRandom(36);
    const index = await openFrameIndex({ model, cacheFolder: join(folder, "index") });
    let accepted = 0;
    for (let round = 0; round < 300; round++) {
      const changed = [...sections];
      const at = random.whole(0, changed.length - 1);
      const section = changed[at];
      if (section !== undefined) changed[at] = mutate(random, section);
      const bytes = await joined(writeSections(model.id, changed));
      try {
        for await (const episode of readPack(inParts(bytes), { modelId: model.id })) {
          await checkEpisode(model, episode);
          if (episode.descriptors !== undefined) await index.addStored("episode", episode.descriptors);
        }
        accepted += 1;
      } catch (error) {
        if (!(error instanceof PackError)) throw new Error(`round ${round}`, { cause: error });
      }
    }
    await index.close();
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(300);
  });
});

/** The same frames with vectors of eight dimensions. */
function withDimensions(descriptors: PackEpisode["descriptors"]): PackEpisode["descriptors"] {
  if (descriptors === undefined) return undefined;
  const { frameTable, chunks, frameCount } = descriptors;
  const { regions: _regions, strips: _strips, ...decoded } = decodeDescriptors(model.id, frameTable, chunks);
  const narrow = { ...decoded, vectors: decoded.vectors.subarray(0, decoded.count * 8) };
  return {
    ...{ frameTable: encodeFrameTable(narrow), frameCount },
    chunks: encodeDescriptorChunks(narrow, 256 * 1024),
  };
}

/** Changes the content of a section, and sets the checksum in it, which follows a signature. */
function mutate(random: ReturnType<typeof createRandom>, { type, content }: Section): Section {
  if (type === "EPIS" || type === "ANIM" || type === "STIL")
    return { type, content: mutateBytes(random, Buffer.from(content), []) };
  const bytes = Buffer.from(type === "DESC" ? inflateRawSync(content) : content);
  const sealed = Buffer.concat([bytes.subarray(0, 8), mutateBytes(random, bytes.subarray(8), [])]);
  sealed.writeUInt32BE(crc32(sealed.subarray(8)), 4);
  return { type, content: type === "DESC" ? deflateRawSync(sealed) : sealed };
}
