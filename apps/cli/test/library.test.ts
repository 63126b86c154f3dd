import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import {
  createLibraryWorkplace,
  createServerWorkplace,
  expectError,
  expectOutput,
  parseLines,
} from "./koma.ts";

const workplace = await createLibraryWorkplace();
afterAll(() => workplace.remove());

const listed = async () => parseLines((await workplace.koma("library", "list", "--json")).stdout);

test("lists and shows anime as text and JSON", async () => {
  const { stdout } = await workplace.koma("library", "list");
  expect(stdout).toMatch(/^Anime +Year +Episodes +Length +Frames +Id$/m);
  expect(stdout).toMatch(/^Test Card +2 +0:06/m);
  const entries = await listed();
  expect(entries.map(({ anime }) => anime.titleRomaji)).toEqual(["Apple Man", "Lost", "Test Card"]);
  const card = entries[2];
  expect(card.episodes).toHaveLength(2);
  const shown = await workplace.koma("library", "show", card.anime.id);
  expect(shown.stdout).toMatch(/^2 +0:04 +\d+ +ready +Test Card - 02\.mp4 +\S+$/m);
  expect((await workplace.koma("library", "show", "test CARD")).stdout).toBe(shown.stdout);
  expectError(
    await workplace.koma("library", "show", "nobody"),
    /nothing in the library has the id or title nobody/,
  );
});

test("exports a pack that an empty library imports, lists with its origin and removes", async () => {
  const target = await createServerWorkplace();
  const pack = workplace.path("cards.koma");
  const exported = await workplace.koma("library", "export", pack, "--anime", "Test Card", "--stills");
  expect(exported).toMatchObject({ code: 0, stderr: "" });
  expect(exported.stdout).toMatch(
    /^2 episodes, \d+ frames: \d+ kB, \d+ kB per episode, [\d.]+ [Mk]B per 24 minutes\.\nThe pack is in .+\n$/,
  );
  expectError(await workplace.koma("library", "export", pack), `koma: ${pack} exists already.\n`);

  const importPack = () => target.koma("library", "import", pack);
  expect((await importPack()).stdout).toMatch(/^2 episodes: 2 imported \(\d+ frames\)\.\n$/);
  expect((await importPack()).stdout).toBe("2 episodes: 2 unchanged.\n");
  expect((await workplace.koma("library", "import", pack)).stdout).toBe(
    "2 episodes: 2 in the library with a video.\n",
  );
  const { stdout } = await target.koma("library", "list");
  expect(stdout).toMatch(/^Anime +Year +Episodes +Length +Frames +Origin +Id$/m);
  expect(stdout).toMatch(/^Test Card +2 +0:06 +\d+ +cards\.koma +\S+$/m);
  expect((await target.koma("library", "show", "Test Card")).stdout).toContain("from the pack cards.koma");
  expect((await target.koma("search", workplace.path("card.jpg"))).stdout).toContain("Test Card");
  expect((await target.koma("library", "remove", "Test Card")).stdout).toBe("2 episodes removed.\n");

  for (const [source, reason] of [
    ["none.koma", "there is no file"],
    [workplace.path("card.jpg"), "The file is not a pack of Koma."],
    ["http://example.com/cards.koma", "Only https addresses can be fetched."],
    ["https://127.0.0.1/cards.koma", "The address leads to a host that is not public."],
  ] as const) {
    const refused = await target.koma("library", "import", source);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(reason)]);
  }
  await target.remove();
});

test("verifies that the videos exist, removes by path and rebuilds", async () => {
  const lost = join(inject("libraryFolder"), "films/Lost - 01.mp4");
  expect(await workplace.koma("library", "verify")).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/Lost - 01\.mp4: .*\n4 episodes, \d+ frames: 1 problem\.$/m),
  });
  expect((await workplace.koma("library", "remove", lost)).stdout).toBe("1 episode removed.\n");
  expect((await workplace.koma("library", "remove", lost)).stdout).toBe("No episode matches.\n");
  expect((await workplace.koma("library", "rebuild")).stdout).toMatch(
    /^The index is built: \d+ frames of 3 episodes\.$/m,
  );
  expect(await workplace.koma("library", "verify")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^3 episodes, \d+ frames: no problems\.$/m),
  });
});

test("imports metadata", async () => {
  const entry = {
    sources: ["https://anilist.co/anime/11", "https://myanimelist.net/anime/12"],
    title: "Test Card",
    type: "TV",
    episodes: 2,
    status: "FINISHED",
    animeSeason: { season: "SPRING", year: 1967 },
    // The download of a private address fails, which must not fail the import.
    image: "https://koma.localhost/card.jpg",
    thumbnail: "https://example.com/card.jpg",
    synonyms: ["Testbild"],
    tags: [],
  };
  await writeFile(workplace.path("database.json"), JSON.stringify({ data: [entry] }));
  expectOutput(
    await workplace.koma("metadata", "import", "database.json"),
    "1 anime completed.\nCovers: 0 stored, 1 failed; the next run tries them again.\nNothing was found for:\n  Apple Man\n",
  );
  const card = (await listed()).find(({ anime }) => anime.titleRomaji === "Test Card");
  expect(card.anime).toMatchObject({ anilistId: 11, malId: 12, year: 1967 });
  await writeFile(workplace.path("broken.json"), "no JSON");
  expectError(await workplace.koma("metadata", "import", "broken.json"), /^koma: .+\n$/);
});

test("removes by id and by title", async () => {
  const card = (await listed()).find(({ anime }) => anime.titleRomaji === "Test Card");
  expect((await workplace.koma("library", "remove", card.episodes[0].id)).stdout).toBe(
    "1 episode removed.\n",
  );
  expect((await workplace.koma("library", "remove", "Apple Man")).stdout).toBe("1 episode removed.\n");
  expect((await workplace.koma("library", "remove", "--sample")).stdout).toBe("No episode matches.\n");
  expect((await workplace.koma("library", "remove")).code).toBe(2);
  expect(await listed()).toMatchObject([{ episodes: [{ number: "2" }] }]);
  expect((await workplace.koma("library", "remove", "Pear Man")).code).toBe(1);
  expect((await workplace.koma("library", "remove", "test card")).stdout).toBe("1 episode removed.\n");
  expect(await listed()).toEqual([]);
});

test("names the videos of a folder", async () => {
  const own = await createLibraryWorkplace();
  const folder = join(inject("libraryFolder"), "films");
  expectError(await own.koma("library", "rename", folder), /expected --title, --season or/, 2);
  const first = ["--title", "Test Cards", "--season", "2", "--first-episode", "13"];
  const { stdout } = await own.koma("library", "rename", folder, ...first);
  expect(stdout).toMatch(/^Anime +Episode +File$/m);
  const names = stdout.split("\n").filter((line) => line.startsWith("Test Cards "));
  expect(names.map((line) => /season 2, \d+/.exec(line)?.[0])).toEqual(
    [13, 14, 15, 16].map((number) => `season 2, ${number}`),
  );
  expect((await own.koma("library", "rename", join(folder, "missing"), "--season", "1")).stdout).toBe(
    "No episode matches.\n",
  );
  await own.remove();
});
