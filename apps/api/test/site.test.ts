import { Site } from "@koma/contract";
import { expect, test } from "vitest";
import { openTestLibrary } from "./fixtures/open-test-api.ts";

const library = await openTestLibrary();

test("returns the library's size and the sign-in methods", async () => {
  const api = await library.openApi({
    KOMA_GUEST_SEARCHES_PER_DAY: "7",
    KOMA_BASE_URL: "https://koma.example/find",
    DISCORD_CLIENT_ID: "1",
    DISCORD_CLIENT_SECRET: "x",
  });
  const site = Site.parse((await api.call("/api/site")).body);
  expect(site).toMatchObject({
    baseUrl: "https://koma.example/find",
    limits: { guestSearchesPerDay: 7, freeCreditsPerDay: 10, searchesPerHour: 100, imageBytes: 10_485_760 },
    signIn: { hasDiscord: true, verifiesAddresses: false },
  });
  expect(site.frameCount).toBeGreaterThan(0);
});

test("excludes videos of the library's owner from the samples", async () => {
  const api = await library.openApi();
  expect(Site.parse((await api.call("/api/site")).body).examples).toEqual([]);
});

test("returns frames of sample videos, and their addresses work", async () => {
  const videos = await library.database.episodes.list();
  const list = async () => videos.map((video) => ({ ...video, isSample: true }));
  const database = { ...library.database, episodes: { ...library.database.episodes, list } };
  const api = await library.openApi({}, { database });
  const { examples } = Site.parse((await api.call("/api/site")).body);
  expect(examples.length).toBe(Math.min(6, videos.length));
  for (const { imageUrl } of examples) {
    const still = await fetch(imageUrl.replace(/^https?:\/\/[^/]+/, api.url));
    expect([still.status, still.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  }
});
