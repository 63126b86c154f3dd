import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { isVideoFile, ToolStoppedError, UnreadableVideoError, withUntrustedVideo } from "@koma/media";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ffmpeg, h264, movingImage, temporaryFolder, tone, tools } from "./videos.ts";

const folder = temporaryFolder();
const timeoutMs = 60_000;
const still = { atSeconds: 0.5, width: 80 };

// Tests of other packages store videos in the shared folder at the same time.
const sharedFolder = process.env.TMPDIR;
beforeAll(async () => {
  await mkdir(folder.path("tmp"));
  process.env.TMPDIR = folder.path("tmp");
});
afterAll(() => {
  if (sharedFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = sharedFolder;
});

async function drawMp4(name: string, seconds: number): Promise<Buffer> {
  const file = folder.path(name);
  await ffmpeg(...movingImage(seconds), ...tone(seconds), ...h264, "-c:a", "aac", file);
  return await readFile(file);
}

const listTemporary = () => readdir(folder.path("tmp"));

test("recognises MP4 and WebM by their content", async () => {
  const mp4 = await drawMp4("plain.mp4", 1);
  for (const [name, codec] of [
    ["plain.webm", "libvpx"],
    ["plain.mkv", "libx264"],
    ["plain.mov", "libx264"],
  ] as const) {
    await ffmpeg(...movingImage(1), "-c:v", codec, folder.path(name));
  }
  expect(isVideoFile(mp4)).toBe(true);
  expect(isVideoFile(await readFile(folder.path("plain.webm")))).toBe(true);
  expect(isVideoFile(await readFile(folder.path("plain.mov")))).toBe(true);
  expect(isVideoFile(await readFile(folder.path("plain.mkv")))).toBe(false);
  for (const brand of ["avif", "avis", "heic", "mif1", "msf1", "crx "]) {
    expect(isVideoFile(Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mp42`))).toBe(false);
  }
  for (const text of ["", "ftyp", "\0\0\0\x08ftyp", "\x1aE\xdf\xa3"]) {
    expect(isVideoFile(Buffer.from(text, "latin1"))).toBe(false);
  }
});

test("returns the length of a video with sound and its frames, and deletes its file", async () => {
  const files = [await drawMp4("two-seconds.mp4", 2)];
  for (const [name, image, sound] of [
    ["mp3.mp4", "libx264", "libmp3lame"],
    ["opus.webm", "libvpx", "libopus"],
    ["vorbis.webm", "libvpx", "libvorbis"],
  ] as const) {
    await ffmpeg(...movingImage(2), ...tone(2), "-c:v", image, "-c:a", sound, folder.path(name));
    files.push(await readFile(folder.path(name)));
  }
  for (const bytes of files) {
    const found = await withUntrustedVideo(tools, bytes, { timeoutMs }, async (video) => ({
      ...video,
      still: await video.extractStill(still),
      last: await video.extractStill({ atSeconds: 99, width: 80 }),
    }));
    expect(found.durationSeconds).toBeCloseTo(2, 0);
    expect(found.endSeconds).toBeCloseTo(2, 0);
    expect(found.still.subarray(0, 2).toString("hex")).toBe("ffd8");
    expect(found.last.equals(found.still)).toBe(false);
  }

  expect(await listTemporary()).toEqual([]);
});

test("measures the length of a recording that does not state it", async () => {
  const file = folder.path("live.webm");
  // A browser writes a recording as a stream: without a duration and an index.
  await ffmpeg(...movingImage(3), "-c:v", "libvpx", "-live", "1", "-f", "webm", file);
  const bytes = await readFile(file);
  const video = await withUntrustedVideo(tools, bytes, { timeoutMs }, async (one) => one);
  expect(video.endSeconds).toBeGreaterThan(2.5);
  expect(video.endSeconds).toBeLessThan(3.5);
  expect(video.durationSeconds).toBeGreaterThan(2.5);
});

test("throws UnreadableVideoError for damaged bytes and after its time", async () => {
  const bytes = await drawMp4("damaged.mp4", 1);
  const cut = withUntrustedVideo(tools, bytes.subarray(0, 2000), { timeoutMs }, async () => undefined);
  await expect(cut).rejects.toThrow(UnreadableVideoError);
  const late = withUntrustedVideo(tools, bytes, { timeoutMs: 1 }, (video) => video.extractStill(still));
  await expect(late).rejects.toThrow("decoding takes too long");

  expect(await listTemporary()).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "kills ffmpeg on abort and decodes one video at a time",
  async () => {
    const bytes = await drawMp4("stuck.mp4", 1);
    const [tool, seen] = ["stuck.sh", "pids"].map((name) => folder.path(name));
    // A decoder that does not end. It has no PATH.
    await writeFile(tool ?? "", `#!/bin/sh\necho $$ >> '${seen}'\nexec /bin/sleep 600\n`);
    await chmod(tool ?? "", 0o755);
    const stuck = { ...tools, ffmpegPath: tool ?? "" };
    const stopping = new AbortController();
    const first = withUntrustedVideo(stuck, bytes, { timeoutMs: 600_000, signal: stopping.signal }, (video) =>
      video.extractStill(still),
    );
    const second = withUntrustedVideo(tools, bytes, { timeoutMs }, (video) => video.extractStill(still));
    let hasEnded = false;
    second.finally(() => {
      hasEnded = true;
    });
    await expect.poll(() => stat(seen ?? "").catch(() => undefined)).toBeDefined();
    await expect.poll(() => readFile(seen ?? "", "utf8")).toMatch(/^\d+\n$/);
    const pid = Number(await readFile(seen ?? "", "utf8"));
    expect(process.kill(pid, 0)).toBe(true);
    expect(hasEnded).toBe(false);
    stopping.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    // The process has exited before the result: its folder is deleted.
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect((await second).length).toBeGreaterThan(0);
    expect(await listTemporary()).toEqual([]);
  },
);

test.skipIf(process.platform === "win32")("does not blame the video for a stop from outside", async () => {
  const bytes = await drawMp4("stopped.mp4", 1);
  // As with Ctrl+C and systemd, the tool receives the signal; ffmpeg catches it, ffprobe does not.
  const stopped = folder.path("stopped.sh");
  await writeFile(stopped, "#!/bin/sh\nkill -TERM $$\n");
  const caught = folder.path("caught.sh");
  const note = "[info] Exiting normally, received signal 2.";
  await writeFile(caught, `#!/bin/sh\necho '${note}' >&2\nexit 255\n`);
  for (const file of [stopped, caught]) await chmod(file, 0o755);
  for (const changed of [{ ffprobePath: stopped }, { ffmpegPath: stopped }, { ffmpegPath: caught }]) {
    const use = withUntrustedVideo({ ...tools, ...changed }, bytes, { timeoutMs }, (video) =>
      video.extractNextStill(still),
    );
    await expect(use).rejects.toThrow(ToolStoppedError);
  }
});

test("returns the next frame for a time between two, with its time, and the last one after the end", async () => {
  const bytes = await drawMp4("next.mp4", 1);
  await withUntrustedVideo(tools, bytes, { timeoutMs }, async (video) => {
    const next = await video.extractNextStill({ atSeconds: 0.51, width: 80 });
    expect(next.atSeconds).toBeCloseTo(13 / 24, 4);
    expect(next.image.equals(await video.extractStill({ atSeconds: next.atSeconds, width: 80 }))).toBe(true);
    expect(next.image.equals(await video.extractStill({ atSeconds: 0.51, width: 80 }))).toBe(false);
    const last = await video.extractNextStill({ atSeconds: 99, width: 80 });
    expect(last.image.equals(await video.extractStill({ atSeconds: 99, width: 80 }))).toBe(true);
  });
});
