import { expect, test } from "vitest";
import { readFolderNames } from "../../src/file-name/compare-siblings.ts";
import { parseVideoPath } from "../../src/file-name/parse-video-path.ts";

type Folder = [folder: string, videos: [file: string, title: string, number: string | null][]];

const folders: Folder[] = [
  [
    "/x/Hoshi no Ame",
    [
      ["[Moss] Hoshi no Ame 14 Rain in June.mkv", "Hoshi no Ame", "14"],
      ["[Moss] Hoshi no Ame 15 The Tower.mkv", "Hoshi no Ame", "15"],
      ["[Moss] Hoshi no Ame 16 Low Tide.mkv", "Hoshi no Ame", "16"],
    ],
  ],
  [
    "/x/Anime",
    [
      ["Eve 100 1 [88F4F7F0].mkv", "Eve 100", "1"],
      ["Eve 100 2 [11F4F7F0].mkv", "Eve 100", "2"],
      ["Eve 100 3 [22F4F7F0].mkv", "Eve 100", "3"],
    ],
  ],
  // A number that is the same in all names is part of the title.
  [
    "/x/Area",
    [
      ["Area 88 1 Rain.mkv", "Area 88", "1"],
      ["Area 88 2 Tower.mkv", "Area 88", "2"],
      ["Area 88 3 Tide.mkv", "Area 88", "3"],
    ],
  ],
  // Words that are the same in all names are the title.
  [
    "/x/Backup of 2019",
    [
      ["01 - Hoshi no Ame.mkv", "Hoshi no Ame", "1"],
      ["02 - Hoshi no Ame.mkv", "Hoshi no Ame", "2"],
      ["03 - Hoshi no Ame.mkv", "Hoshi no Ame", "3"],
    ],
  ],
  [
    "/x/Hoshi no Ame",
    [
      ["1 Rain.mkv", "Hoshi no Ame", "1"],
      ["2 Tower.mkv", "Hoshi no Ame", "2"],
      ["3 Tide.mkv", "Hoshi no Ame", "3"],
    ],
  ],
  // Films stay films.
  [
    "/x/Movies",
    [
      ["12 Silent Stars (2011).mkv", "12 Silent Stars (2011)", null],
      ["7 Towers (1999).mkv", "7 Towers (1999)", null],
      ["Low Tide (2003).mkv", "Low Tide (2003)", null],
    ],
  ],
  // Explicit numbers need no other video.
  [
    "/x/Mixed",
    [
      ["Star 100 S01E02.mkv", "Star 100", "2"],
      ["Star 100 S01E03.mkv", "Star 100", "3"],
      ["Star 100 - 04.mkv", "Star 100", "4"],
    ],
  ],
];

test.each(folders)("the videos of %s are named by comparing them", (folder, videos) => {
  const siblings = readFolderNames(videos.map(([file]) => file));
  for (const [file, title, number] of videos) {
    expect(parseVideoPath(`${folder}/${file}`, siblings)).toMatchObject({ title, number });
  }
});

test("a folder of 1800 videos with bare numbers is read in seconds", () => {
  const files = Array.from({ length: 1800 }, (_, index) => `Hoshi no Ame ${index + 1} Rain ${index % 7}.mkv`);
  const siblings = readFolderNames(files);
  const startedAtMs = performance.now();
  for (const [index, file] of files.entries()) {
    expect(parseVideoPath(`/x/Hoshi/${file}`, siblings).number).toBe(String(index + 1));
  }
  expect(performance.now() - startedAtMs).toBeLessThan(20_000);
});
