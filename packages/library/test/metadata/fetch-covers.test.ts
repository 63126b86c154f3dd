import { sharp } from "@koma/image";
import { openLibrary } from "@koma/library";
import { afterAll, expect, test } from "vitest";
import { findTools, openTestLibrary } from "../fixtures/open-test-library.ts";

const opened = await openTestLibrary();
afterAll(() => opened.close());

async function addAnime(title: string, coverUrl: string): Promise<string> {
  const { id } = await opened.database.anime.findOrCreate({ key: title, title });
  const titles = { titleRomaji: title, titleEnglish: null, titleNative: null, synonyms: [] };
  const facts = { anilistId: null, malId: null, format: null, year: null, isAdult: false };
  await opened.database.anime.applyMetadata(id, { ...titles, ...facts, coverUrl });
  return id;
}

async function readCover(id: string): Promise<Uint8Array | undefined> {
  const [anime] = await opened.database.anime.findMany([id]);
  return anime?.coverVersion ? await opened.database.covers.read(id, anime.coverVersion) : undefined;
}

test("stores scaled covers, and tries those again that failed", async () => {
  const blank = { width: 900, height: 1200, channels: 3, background: "#a03020" } as const;
  const jpeg = await sharp({ create: blank }).jpeg().toBuffer();
  const files: Record<string, Buffer> = {
    "https://a.example/good.jpg": jpeg,
    "https://a.example/vector.svg": Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`,
    ),
    "https://a.example/broken.jpg": jpeg.subarray(0, 300),
  };
  const requested: string[] = [];
  const fetchCover = async (address: string) => {
    requested.push(address);
    const bytes = files[address];
    if (bytes === undefined) throw new Error("The server responded with status 404.");
    return bytes;
  };
  const good = await addAnime("Good", "https://a.example/good.jpg");
  const vector = await addAnime("Vector", "https://a.example/vector.svg");
  const broken = await addAnime("Broken", "https://a.example/broken.jpg");
  const absent = await addAnime("Absent", "https://a.example/absent.jpg");
  expect(await opened.library.fetchCovers(fetchCover)).toEqual({ stored: 1, failed: 3 });
  const { format, width, height } = await sharp(await readCover(good)).metadata();
  expect([format, width, height]).toEqual(["webp", 240, 320]);
  for (const id of [vector, broken, absent]) expect(await readCover(id)).toBeUndefined();
  for (const id of [vector, broken, absent])
    expect(opened.logs.filter((line) => line.startsWith(`The cover of the anime ${id} `))).toHaveLength(1);
  expect(opened.logs.join("\n")).not.toContain("https://a.example/");

  requested.length = 0;
  files["https://a.example/absent.jpg"] = jpeg;
  expect(await opened.library.fetchCovers(fetchCover)).toEqual({ stored: 1, failed: 2 });
  expect(requested).not.toContain("https://a.example/good.jpg");
  expect(await readCover(absent)).toBeDefined();
});

test("throws when a cover cannot be stored", async () => {
  const { database, dataDir } = opened;
  await addAnime("Full", "https://a.example/full.jpg");
  const blank = { width: 9, height: 9, channels: 3, background: "#a03020" } as const;
  const jpeg = await sharp({ create: blank }).jpeg().toBuffer();
  const write = () => Promise.reject(new Error("The disk is full."));
  const full = { ...database, covers: { ...database.covers, write } };
  const library = await openLibrary({
    database: full,
    dataDir,
    tools: findTools,
    engineWorkers: 1,
    onLog: () => {},
  });
  const fetching = library.fetchCovers(async () => jpeg).finally(() => library.close());
  await expect(fetching).rejects.toThrow("The disk is full.");
});

test("stops when the signal aborts", async () => {
  const id = await addAnime("Late", "https://a.example/late.jpg");
  const stop = new AbortController();
  const fetching = opened.library.fetchCovers(
    async (_address, signal) => {
      stop.abort();
      signal.throwIfAborted();
      throw new Error("This is not reached.");
    },
    { signal: stop.signal },
  );
  await expect(fetching).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(await readCover(id)).toBeUndefined();
});
