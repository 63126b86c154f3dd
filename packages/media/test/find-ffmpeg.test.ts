import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FfmpegMissingError, FfmpegPathError, findFfmpeg } from "@koma/media";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

// The programs print what ffmpeg prints: the tests need none. Those of the slow layer read videos with a real one.
const current =
  "echo ffmpeg version 7.1; echo 'libavutil      59. 39.100'; echo 'configuration: --enable-gpl --enable-libx264'";
const old =
  "echo ffmpeg version 4.4.2; echo 'libavutil      56. 70.100'; echo 'configuration: --enable-gpl --enable-libx264'";
const programs = {
  "whole/ffmpeg": current,
  "whole/ffprobe": "echo ffprobe version 7.1",
  "old/ffmpeg": old,
  "old/ffprobe": "echo ffprobe version 4.4.2",
  "alone/ffmpeg": current,
  "poor/ffmpeg": "echo ffmpeg version 9.9",
  "other/ffmpeg": "echo hello",
};

let folder: string;
const path = (name: string) => join(folder, name);
const systemPath = process.env.PATH;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "koma-find-"));
  for (const [name, text] of Object.entries(programs)) {
    await mkdir(path(join(name, "..")), { recursive: true });
    await writeFile(path(name), `#!/bin/sh\n${text}\n`);
    await chmod(path(name), 0o755);
  }
  await writeFile(path("no-program"), "text");
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  process.env.PATH = systemPath;
});

describe("findFfmpeg", () => {
  it("finds the ffmpeg of the system", async () => {
    process.env.PATH = path("whole");
    expect(await findFfmpeg()).toEqual({
      ...{ ffmpegPath: "ffmpeg", ffprobePath: "ffprobe", version: "7.1", origin: "system" },
      frameTimingOption: "-fps_mode",
    });
    process.env.PATH = path("old");
    expect(await findFfmpeg()).toMatchObject({ version: "4.4.2", frameTimingOption: "-vsync" });
  });

  it("uses a configured ffmpeg and the ffprobe in its folder", async () => {
    process.env.PATH = path("old");
    expect(await findFfmpeg({ ffmpegPath: path("whole/ffmpeg") })).toEqual({
      ...{ ffmpegPath: path("whole/ffmpeg"), ffprobePath: path("whole/ffprobe"), version: "7.1" },
      ...{ origin: "configured", frameTimingOption: "-fps_mode" },
    });
    expect(await findFfmpeg({ ffmpegPath: path("alone/ffmpeg") })).toMatchObject({ ffprobePath: "ffprobe" });
  });

  it("uses a configured ffprobe", async () => {
    process.env.PATH = path("old");
    const tools = await findFfmpeg({ ffprobePath: path("whole/ffprobe") });
    expect(tools).toMatchObject({ ffmpegPath: "ffmpeg", ffprobePath: path("whole/ffprobe") });
  });

  it.each([
    ["missing", /does not run. Correct FFMPEG_PATH or unset it/],
    ["no-program", /does not run/],
    ["other/ffmpeg", /is not ffmpeg/],
    ["poor/ffmpeg", /cannot encode H\.264/],
  ])("reports the problem of a configured ffmpeg that is %s", async (name, sentence) => {
    const finding = findFfmpeg({ ffmpegPath: path(name) });
    await expect(finding).rejects.toThrow(FfmpegPathError);
    await expect(finding).rejects.toThrow(sentence);
  });

  it("reports the problem of a configured ffprobe", async () => {
    process.env.PATH = path("whole");
    const finding = findFfmpeg({ ffprobePath: path("missing") });
    await expect(finding).rejects.toThrow(FfmpegPathError);
    await expect(finding).rejects.toThrow(/Correct FFPROBE_PATH or unset it/);
  });

  it.each([
    ["nowhere", /^There is no ffmpeg\. Koma indexes videos.* apt install ffmpeg/],
    ["poor", /^The ffmpeg of this system cannot encode H\.264/],
    ["alone", /^No ffprobe was found/],
  ])("names the remedy where the programs of the system are %s", async (name, sentence) => {
    process.env.PATH = path(name);
    const finding = findFfmpeg();
    await expect(finding).rejects.toThrow(FfmpegMissingError);
    await expect(finding).rejects.toThrow(sentence);
  });
});
