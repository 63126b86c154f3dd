import { chmod, symlink, writeFile } from "node:fs/promises";
import { FfmpegMissingError, findFfmpeg } from "@koma/media";
import { beforeAll, describe, expect, it } from "vitest";
import { bundled, temporaryFolder } from "./videos.ts";

const folder = temporaryFolder();

beforeAll(async () => {
  await writeFile(folder.path("no-program"), "text");
  await writeFile(folder.path("other"), "#!/bin/sh\necho hello\n");
  await writeFile(folder.path("poor"), "#!/bin/sh\necho ffmpeg version 9.9\n");
  for (const name of ["other", "poor"]) await chmod(folder.path(name), 0o755);
  await symlink(bundled.ffmpegPath, folder.path("ffmpeg"));
  await symlink(bundled.ffprobePath, folder.path("ffprobe"));
});

describe("findFfmpeg", () => {
  it("falls back to the build of npm", () => {
    expect(bundled).toMatchObject({ origin: "bundled", isBundled: true, frameTimingOption: "-vsync" });
    expect(bundled.ffmpegPath).toContain("@ffmpeg-installer");
    expect(bundled.ffprobePath).toContain("@ffprobe-installer");
  });

  it("uses a configured ffmpeg and the ffprobe in its folder", async () => {
    expect(await findFfmpeg({ ffmpegPath: folder.path("ffmpeg") })).toEqual({
      ...bundled,
      ffmpegPath: folder.path("ffmpeg"),
      ffprobePath: folder.path("ffprobe"),
      origin: "configured",
      isBundled: false,
    });
  });

  it("uses a configured ffprobe", async () => {
    const tools = await findFfmpeg({ ffprobePath: folder.path("ffprobe") });
    expect(tools.ffprobePath).toBe(folder.path("ffprobe"));
    expect(tools.isBundled).toBe(tools.origin === "bundled");
  });

  it("recognises the ffprobe of npm beside another ffmpeg", async () => {
    await symlink(bundled.ffmpegPath, folder.path("tool"));
    const path = process.env.PATH;
    process.env.PATH = "";
    try {
      expect(await findFfmpeg({ ffmpegPath: folder.path("tool") })).toMatchObject({
        origin: "configured",
        ffprobePath: bundled.ffprobePath,
        isBundled: true,
      });
    } finally {
      process.env.PATH = path;
    }
  });

  it.each([
    ["missing", /does not run. Correct FFMPEG_PATH or unset it/],
    ["no-program", /does not run/],
    ["other", /is not ffmpeg/],
    ["poor", /cannot encode H\.264/],
  ])("reports the problem of a configured ffmpeg that is %s", async (name, sentence) => {
    const finding = findFfmpeg({ ffmpegPath: folder.path(name) });
    await expect(finding).rejects.toThrow(FfmpegMissingError);
    await expect(finding).rejects.toThrow(sentence);
  });

  it("reports the problem of a configured ffprobe", async () => {
    const finding = findFfmpeg({ ffprobePath: folder.path("missing") });
    await expect(finding).rejects.toThrow(/Correct FFPROBE_PATH or unset it/);
  });
});
