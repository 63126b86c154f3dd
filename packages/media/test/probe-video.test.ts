import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FfmpegTools, probeVideo } from "@koma/media";
import { expect, onTestFinished, test } from "vitest";

test("the properties of a video are read once until its file changes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "koma-probe-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [video, starts, ffprobePath] = ["video.mkv", "starts", "ffprobe"].map((name) => join(folder, name));
  if (video === undefined || starts === undefined || ffprobePath === undefined) throw new Error("no path");
  const streams = [{ index: 0, codec_type: "video", codec_name: "h264", width: 160, height: 90 }];
  await writeFile(ffprobePath, `#!/bin/sh\necho >>'${starts}'\necho '${JSON.stringify({ streams })}'\n`);
  await chmod(ffprobePath, 0o755);
  await writeFile(video, "frames");
  const tools: FfmpegTools = {
    ...{ ffmpegPath: "ffmpeg", ffprobePath, version: "7.1" },
    origin: "system",
    frameTimingOption: "-fps_mode",
  };
  const probe = async () => {
    expect(await probeVideo(tools, video)).toMatchObject({ width: 160, videoCodec: "h264" });
    return (await readFile(starts, "utf8")).length;
  };
  expect([await probe(), await probe()]).toEqual([1, 1]);
  await appendFile(video, " and more");
  expect([await probe(), await probe()]).toEqual([2, 2]);
  await rm(video);
  await expect(probe()).rejects.toThrow("does not exist");
});
