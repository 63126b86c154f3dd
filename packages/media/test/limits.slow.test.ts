import { chmod, readFile, writeFile } from "node:fs/promises";
import { extractStill, limitTools, probeVideo, UnreadableVideoError } from "@koma/media";
import { expect, test } from "vitest";
import { ffmpeg, h264, movingImage, temporaryFolder, tone, tools } from "./videos.ts";

const folder = temporaryFolder();
const limits = { memoryBytes: 1024 ** 3, cpuSeconds: 20, pixels: 4096 * 2304 };
const still = { atSeconds: 0.5, width: 320 };

test("a video within the limits returns its frame", async () => {
  const file = folder.path("ordinary.mp4");
  await ffmpeg(...movingImage(1, "1920x1080"), ...h264, file);
  const limited = limitTools(tools, limits);
  expect((await probeVideo(limited, file)).width).toBe(1920);
  expect((await extractStill(limited, file, still)).subarray(0, 2).toString("hex")).toBe("ffd8");
});

test.each([
  ["mp4", "aac"],
  ["mkv", "libmp3lame"],
  ["webm", "libopus"],
])("a %s with sound by %s returns its frame", async (type, sound) => {
  const file = folder.path(`sound.${type}`);
  const image = type === "webm" ? ["-c:v", "libvpx"] : h264;
  await ffmpeg(...movingImage(1), ...tone(1), ...image, "-c:a", sound, file);
  const limited = limitTools(tools, limits);
  expect((await probeVideo(limited, file)).width).toBe(160);
  expect(await extractStill(limited, file, still)).toBeInstanceOf(Buffer);
});

test("rejects frames with too many pixels", async () => {
  const file = folder.path("large.mp4");
  await ffmpeg(...movingImage(1, "640x360"), ...h264, file);
  expect(await extractStill(tools, file, still)).toBeInstanceOf(Buffer);
  const limited = limitTools(tools, { ...limits, pixels: 320 * 180 });
  await expect(extractStill(limited, file, still)).rejects.toThrow(UnreadableVideoError);
});

test("rejects codecs that chats do not use", async () => {
  const file = folder.path("rare.mkv");
  await ffmpeg(...movingImage(1), "-c:v", "ffv1", file);
  expect(await extractStill(tools, file, still)).toBeInstanceOf(Buffer);
  await expect(extractStill(limitTools(tools, limits), file, still)).rejects.toThrow(UnreadableVideoError);
});

test.skipIf(process.platform !== "linux")("stops the tool above the memory limit", async () => {
  const file = folder.path("memory.mp4");
  await ffmpeg(...movingImage(1, "1920x1080"), ...h264, file);
  const limited = limitTools(tools, { ...limits, memoryBytes: 48 * 1024 * 1024 });
  await expect(extractStill(limited, file, still)).rejects.toThrow(UnreadableVideoError);
});

test.skipIf(process.platform === "win32")("hides the environment from the tool", async () => {
  const [file, tool, seen] = ["env.mp4", "tool.sh", "seen"].map((name) => folder.path(name));
  await ffmpeg(...movingImage(1), ...h264, file ?? "");
  await writeFile(tool ?? "", `#!/bin/sh\n/usr/bin/env > '${seen}'\nexit 1\n`);
  await chmod(tool ?? "", 0o755);
  process.env.KOMA_TEST_SECRET_OF_BOT = "token";
  try {
    const limited = limitTools({ ...tools, ffprobePath: tool ?? "" }, limits);
    await expect(probeVideo(limited, file ?? "")).rejects.toThrow(UnreadableVideoError);
  } finally {
    delete process.env.KOMA_TEST_SECRET_OF_BOT;
  }
  const names = (await readFile(seen ?? "", "utf8")).split("\n").map((line) => line.split("=")[0]);
  const ofShell = ["PWD", "SHLVL", "_", "OLDPWD", ""];
  const own = ["AV_LOG_FORCE_NOCOLOR", "GCONV_PATH"];
  expect(names.filter((name) => !ofShell.includes(name ?? "")).sort()).toEqual(own);
});
