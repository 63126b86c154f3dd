import { watchVideos } from "../../src/indexing/watch-videos.ts";

/** Watches the folder of the first argument and prints what would be indexed. */
await watchVideos([process.argv[2] ?? ""], {
  index: async (videos) => {
    process.stdout.write(`index ${videos.join(" ")}\n`);
  },
  report: (sentence) => process.stdout.write(`${sentence}\n`),
  signal: new AbortController().signal,
});
