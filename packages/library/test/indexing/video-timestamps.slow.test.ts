import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, expect, inject, test } from "vitest";
import { findTools, openTestLibrary, still } from "../fixtures/open-test-library.ts";

const run = promisify(execFile);
const opened = await openTestLibrary({ isEmbedded: true });
afterAll(() => opened.close());

// Kinds of timestamps that do not increase regularly from zero.
const videos: [name: string, ending: string, filters: string[]][] = [
  [
    "variable frame rate",
    "mkv",
    [
      "-vf",
      "select='if(lt(t,3),1,not(mod(n,4)))',setpts='if(lt(T,3),PTS,PTS+(T-3)/TB*0.5)'",
      "-vsync",
      "vfr",
    ],
  ],
  ["non-zero start", "ts", ["-output_ts_offset", "7.3", "-c", "copy"]],
  ["one frame a second", "webm", ["-r", "1", "-c:v", "libvpx", "-b:v", "1M"]],
];

test.each(videos)("finds the times of a video with %s (.%s)", async (name, ending, options) => {
  const file = `${opened.videosDir}/${name} - 01.${ending}`;
  const source = `${inject("videosDir")}/1.mp4`;
  await run((await findTools()).ffmpegPath, ["-v", "error", "-i", source, ...options, file]);
  // The fast mode describes the videos with a variable and with a low frame rate from all their frames.
  const { summary } = await opened.index([file], { fast: true });
  expect(summary).toMatchObject({ indexed: 1, failed: 0 });
  const search = await opened.library.openSearch({ follow: false });
  try {
    // A search finds the time of the frame that a player shows (stills are cut by seeking).
    for (const seconds of [1, 2.5, 4.5, 8]) {
      const image = await still(file, seconds);
      const episode = await opened.database.episodes.findByPath(file);
      const { matches } = await search.search(image, { limit: 1, animeId: episode?.animeId });
      const { from = Number.NaN, to = Number.NaN, isConfident } = matches[0] ?? {};
      expect(isConfident).toBe(true);
      expect(from, `shot of ${seconds} s`).toBeLessThanOrEqual(seconds + 1);
      expect(to, `shot of ${seconds} s`).toBeGreaterThanOrEqual(seconds - 1);
      expect(to - from).toBeLessThan(5);
    }
  } finally {
    await search.close();
  }
});
