import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharp } from "@koma/image";
import type { IndexEvent } from "@koma/library";
import { clipsFolder, samplePack } from "@koma/sample-library";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { noTools, openTestLibrary, type TestLibrary } from "../fixtures/open-test-library.ts";

let opened: TestLibrary | undefined;
afterEach(async () => {
  await opened?.close();
});

/** Opens a library on a machine without ffmpeg. */
async function open(pack: string): Promise<TestLibrary> {
  opened = await openTestLibrary({ tools: noTools, samplePack: pack });
  return opened;
}

test("the sample library is loaded without ffmpeg, is found, and shows stills and clips", async () => {
  const { library, database, dataDir, logs } = await open(samplePack);
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
  await rm(join(dataDir, "sample"), { recursive: true });
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
  const folder = await mkdtemp(join(tmpdir(), "koma-samples-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const pack = join(folder, "changed.koma");
  await writeFile(pack, await change());
  const { library, logs } = await open(pack);
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
