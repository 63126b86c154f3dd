import { Match, type PreviewPaths } from "@koma/contract";
import { expect, test } from "vitest";
import { type FoundScene, presentMatch } from "../../src/presentation/present-match.ts";

const found: FoundScene & { fileName: string } = {
  rank: 1,
  anime: {
    id: "a",
    anilistId: 1,
    malId: null,
    format: "TV",
    year: 1998,
    isAdult: false,
    coverUrl: null,
    titleRomaji: "Romaji",
    titleEnglish: null,
    titleNative: "原題",
  },
  episode: { season: 2, number: "3", title: null },
  durationSeconds: 1435.2,
  timestamp: 754.25,
  from: 752,
  to: 756.5,
  looksSameFrom: 754.125,
  looksSameTo: 754.375,
  label: "ending",
  similarity: 0.973,
  isConfident: true,
  isMirrored: false,
  region: null,
  recurring: null,
  otherOccurrences: [{ episode: { season: null, number: "4", title: null }, from: 62, to: 66.5 }],
  fileName: "inside.mkv",
};

const example = (Match.meta()?.examples as unknown[] | undefined)?.[0];
const previewPaths = Match.parse(example).previewPaths as PreviewPaths;

test("a found scene becomes a match of the contract without other fields", () => {
  const match = presentMatch(found, { imageUrl: "http://x/i.jpg", videoUrl: "http://x/v.mp4", previewPaths });
  expect(Match.parse(match)).toEqual(match);
  expect(match).toMatchObject({
    anime: { title: { romaji: "Romaji", english: null, native: "原題" } },
    episode: { season: 2, number: 3 },
    looksSameFrom: 754.125,
    looksSameTo: 754.375,
    label: "ending",
    duration: 1435.2,
    otherOccurrences: [{ episode: { season: null, number: 4, title: null }, from: 62, to: 66.5 }],
    imageUrl: "http://x/i.jpg",
    videoUrl: "http://x/v.mp4",
    previewPaths,
  });
  expect(match).not.toHaveProperty("fileName");
});

test.each([
  ["12", 12],
  ["OVA 2", "OVA 2"],
  ["13.5", "13.5"],
  ["1-2", "1-2"],
  [null, null],
])("episode %s is formatted as %s", (number, expected) => {
  const match = presentMatch({ ...found, episode: { season: null, number, title: "Title" } });
  expect(match.episode).toEqual({ season: null, number: expected, title: "Title" });
});

test("an episode without known fields is null", () => {
  const match = presentMatch({ ...found, episode: { season: null, number: null, title: null } });
  expect(match.episode).toBeNull();
});
