import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connectDatabase, type Database } from "@koma/database";
import { createTestDatabase } from "@koma/database/testing/databases";
import { sharp } from "@koma/image";
import { FfmpegMissingError, type IndexEvent, type Library, openLibrary } from "@koma/library";
import { clipsFolder, samplePack } from "@koma/sample-library";
import { afterEach, beforeEach, expect, test } from "vitest";

let server: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
let database: Database;
const opened: Library[] = [];
const logs: string[] = [];

beforeEach(async () => {
  server = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "koma-samples-"));
  database = await connectDatabase({ dataDir: folder, databaseUrl: server.url });
  logs.length = 0;
});
afterEach(async () => {
  for (const library of opened.splice(0)) await library.close();
  await database.close();
  await server.remove();
  await rm(folder, { recursive: true });
});

/** Opens a library on a machine without ffmpeg. */
async function open(pack: string | undefined): Promise<Library> {
  const library = await openLibrary({
    database,
    dataDir: folder,
    tools: () => Promise.reject(new FfmpegMissingError("There is no ffmpeg.")),
    samplePack: pack,
    engineWorkers: 1,
    onLog: (message) => logs.push(message),
  });
  opened.push(library);
  return library;
}

test("the sample library is loaded without ffmpeg, is found, and shows stills and clips", async () => {
  const library = await open(samplePack);
  const events: IndexEvent[] = [];
  const ensure = () => library.ensureSampleLibrary({ clipsFolder, onEvent: (event) => events.push(event) });
  expect(await ensure()).toMatchObject({ files: 8, indexed: 8, failed: 0 });
  const loaded = events.filter((event) => event.kind === "indexed");
  expect(loaded.map(({ isLoaded }) => isLoaded)).toEqual(Array(8).fill(true));
  expect(events.filter(({ kind }) => kind === "started" || kind === "progress")).toEqual([]);
  expect(await ensure()).toMatchObject({ indexed: 0, skipped: 8 });
  expect(await library.verify()).toMatchObject({ problems: [] });

  const [episode] = await database.episodes.list();
  if (episode === undefined) throw new Error("There are no episodes.");
  const previews = library.openPreviews();
  const [shot] = await previews.listShots(episode.id, { fromSeconds: 12, toSeconds: 12 });
  if (shot === undefined) throw new Error("There is no shot.");
  const middle = (shot.fromSeconds + shot.toSeconds) / 2;
  const query = await previews.findShotStill(episode.id, middle);
  if (query === undefined) throw new Error("There is no still of the shot.");

  const search = await library.openSearch({ follow: false });
  const [match] = (await search.search(query, { limit: 1 })).matches;
  expect(match).toMatchObject({ episode: { id: episode.id }, isConfident: true });
  expect(match?.timestamp).toBeGreaterThanOrEqual(shot.fromSeconds - 0.001);
  expect(match?.timestamp).toBeLessThanOrEqual(shot.toSeconds + 0.001);

  // As on a machine that does not have the copies of the clips.
  await rm(join(folder, "sample"), { recursive: true });
  const sizeOf = async (size: "s" | "l") => {
    const { width, height, format } = await sharp(
      await previews.still(episode.id, middle, { size }),
    ).metadata();
    return [format, width, height];
  };
  expect(await sizeOf("s")).toEqual(["jpeg", 320, 180]);
  expect(await sizeOf("l")).toEqual(["jpeg", 480, 270]);
  const clip = await readFile(await previews.clip(episode.id, shot.fromSeconds, shot.toSeconds));
  expect(clip.subarray(4, 8).toString()).toBe("ftyp");
  const other = await readFile(await previews.clip(episode.id, 0, 1));
  expect(other.equals(clip)).toBe(false);
  expect(logs).toEqual([]);
});

test.each([
  [
    "is damaged",
    async () => truncated(await readFile(samplePack)),
    "The pack is truncated: it ends too early.",
  ],
  [
    "is of another model",
    async () => otherModel(await readFile(samplePack)),
    /^The pack is of the model "[^"]+"; this version of Koma has "[^"]+"\.$/,
  ],
])("a pack that %s is named, and the videos are read instead", async (_name, change, reason) => {
  const pack = join(folder, "changed.koma");
  await mkdir(dirname(pack), { recursive: true });
  await writeFile(pack, await change());
  const library = await open(pack);
  await expect(library.ensureSampleLibrary({ clipsFolder })).rejects.toThrow("There is no ffmpeg");
  const [message = ""] = logs;
  expect(message.replace(`${pack}: `, "").replace(" The sample videos are read instead.", "")).toMatch(
    reason,
  );
  expect(logs).toHaveLength(1);
});

function truncated(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - 1);
}

function otherModel(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  // The last character of the model id.
  changed[11 + changed.readUInt16BE(10)] = 0x78;
  return changed;
}
