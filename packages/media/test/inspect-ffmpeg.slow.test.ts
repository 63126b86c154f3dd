import { chmod, writeFile } from "node:fs/promises";
import { inspectFfmpeg } from "@koma/media";
import { expect, it } from "vitest";
import { temporaryFolder, tools } from "./videos.ts";

const folder = temporaryFolder();

it("finds every part", async () => {
  expect(await inspectFfmpeg(tools)).toEqual({
    ffmpegPath: expect.stringMatching(/^\//),
    ffprobePath: expect.stringMatching(/^\//),
    missingParts: [],
    missingCodecs: [],
  });
});

it("names the encoders, muxers, filters and codecs that a build lacks", async () => {
  const ffmpegPath = folder.path("poor-ffmpeg");
  // Only ffmpeg's own AV1 decoder, which needs hardware, remains of the AV1 decoders.
  const lacking = " aac | mp4 | showinfo | hevc | libdav1d | libaom-av1 ";
  await writeFile(ffmpegPath, `#!/bin/sh\n"${tools.ffmpegPath}" "$@" | grep -vE '${lacking}'\n`);
  await chmod(ffmpegPath, 0o755);
  expect(await inspectFfmpeg({ ...tools, ffmpegPath })).toMatchObject({
    missingParts: ["encoder aac", "muxer mp4", "filter showinfo"],
    missingCodecs: ["hevc", "av1"],
  });
});
