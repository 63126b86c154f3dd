import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestLibrary, still, type TestLibrary } from "../fixtures/open-test-library.ts";

let opened: TestLibrary;

beforeAll(async () => {
  opened = await openTestLibrary({ isEmbedded: true });
});
afterAll(async () => {
  await opened.close();
});

test("returns the content of several episodes as one match, for the earliest, and of two releases once", async () => {
  const later = await opened.addVideo(1, "Pair/Pair - 10.mp4");
  await opened.addVideo(1, "Pair/Pair - 2.mp4");
  await opened.addVideo(1, "Pair/Pair - 2 [720p].mp4");
  await opened.addVideo(2, "Pair/Pair - 1.mp4");
  await opened.index();
  const search = await opened.library.openSearch({ follow: false });
  try {
    const { matches, outcome } = await search.search(await still(later, 1.5), { limit: 5 });
    expect(matches[0]).toMatchObject({
      fileName: "Pair - 2 [720p].mp4",
      episode: { number: "2" },
      recurring: { episodes: 2 },
      isConfident: true,
    });
    expect(outcome).toBe("found");
    expect(matches[0]?.otherOccurrences.map(({ episode }) => episode.number)).toEqual(["10"]);
    const moments = matches.map(({ episode, from }) => `${episode.number} ${Math.round(from)}`);
    expect(new Set(moments).size).toBe(moments.length);
    expect(matches.slice(1).filter(({ isConfident }) => isConfident)).toEqual([]);
  } finally {
    await search.close();
  }
});
