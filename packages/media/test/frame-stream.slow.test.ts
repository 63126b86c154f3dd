import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { extractStill, FrameGapError, openFrameStream, probeVideo, type VideoFrame } from "@koma/media";
import { beforeAll, describe, expect, it } from "vitest";
import {
  collect,
  difference,
  ffmpeg,
  h264,
  movingImage,
  rgbFrames,
  temporaryFolder,
  tools,
} from "./videos.ts";

const folder = temporaryFolder();
const image = { width: 64, height: 36, minGapSeconds: 0 };
const hostileNames = [
  "-y.mp4",
  "a:b%03d [x] 'q' \"d\" $(id).mkv",
  "第03話 ～夢～.mp4",
  "http:.mp4",
  "file:x.mkv",
  "tab\tand\nline.mkv",
];

// Runs of 15 B frames that no frame depends on: 0.67 s.
const longRuns = ["-x264-params", "bframes=15:b-adapt=0:b-pyramid=none:keyint=48:scenecut=0"];
let plain: string;
let plainFrames: VideoFrame[];

beforeAll(async () => {
  plain = folder.path("plain.mp4");
  await ffmpeg(...movingImage(2), ...h264, plain, ...h264, ...longRuns, folder.path("sparse.mkv"));
  const turn = ["-c", "copy", "-metadata:s:v:0", "rotate=90"];
  await ffmpeg("-i", plain, ...turn, folder.path("turned.mp4"));
  await ffmpeg(...movingImage(1, "90x90"), "-vf", "setsar=16/9", ...h264, folder.path("wide-pixels.mkv"));
  await ffmpeg(...movingImage(30, "320x180"), ...h264, folder.path("long.mkv"));
  await mkdir(folder.path("names"));
  for (const name of hostileNames) await copyFile(plain, folder.path(`names/${name}`));
  plainFrames = await collect(openFrameStream(tools, plain, image));
});

describe("frame stream", () => {
  it("yields the frames of the video", async () => {
    const expected = await rgbFrames(plain, image.width, image.height);
    expect(plainFrames.length).toBe(expected.length);
    for (const [i, frame] of plainFrames.entries()) {
      expect(difference(frame.pixels, expected[i] ?? new Uint8Array())).toBeLessThan(1);
    }
    // The receiver owns each buffer.
    expect(new Set(plainFrames.map((frame) => frame.pixels.buffer)).size).toBe(48);
  });

  it("yields the frames of the default stream", async () => {
    const file = folder.path("two-streams.mkv");
    const maps = ["-i", plain, "-map", "0", "-map", "1"];
    const dispositions = ["-disposition:v:0", "0", "-disposition:v:1", "default"];
    const black = ["-f", "lavfi", "-i", "color=black:size=160x90:rate=24:duration=2"];
    await ffmpeg(...black, ...maps, ...dispositions, ...h264, file);
    const [first] = await collect(openFrameStream(tools, file, image));
    const [expected] = plainFrames;
    expect(difference(first?.pixels ?? new Uint8Array(), expected?.pixels ?? new Uint8Array())).toBeLessThan(
      3,
    );
    expect((await extractStill(tools, file, { atSeconds: 1, width: 64 })).length).toBeGreaterThan(1000);
  });

  it("yields a still of every sixth frame beside the same frames", async () => {
    const expected = await rgbFrames(plain, 80, 45);
    const frames = await collect(openFrameStream(tools, plain, { ...image, stillWidth: 80 }));
    expect(frames.map((frame) => ({ ...frame, still: undefined }))).toEqual(plainFrames);
    const withStill = [...frames.entries()].filter(([, frame]) => frame.still !== undefined);
    expect(withStill.map(([i]) => i)).toEqual([0, 6, 12, 18, 24, 30, 36, 42]);
    for (const [i, { still }] of withStill) {
      expect([still?.width, still?.height]).toEqual([80, 45]);
      expect(difference(still?.pixels ?? new Uint8Array(), expected[i] ?? new Uint8Array())).toBeLessThan(1);
    }
  });

  it("yields all stills of a long video to a slow reader", async () => {
    const stream = openFrameStream(tools, folder.path("long.mkv"), { ...image, stillWidth: 320 });
    let [frames, stills] = [0, 0];
    for await (const { still } of stream) {
      if (frames++ < 100) await delay(5);
      if (still !== undefined) stills += 1;
    }
    expect([frames, stills]).toEqual([720, 120]);
  });

  it("yields whole upright stills of square pixels, at most as wide as the video", async () => {
    const borders = { left: 0.25, top: 0, right: 0.25, bottom: 0 };
    for (const [name, size] of [
      ["turned.mp4", [90, 160]],
      ["wide-pixels.mkv", [160, 90]],
    ] as const) {
      const options = { ...image, borders, stillWidth: 320 };
      const [first] = await collect(openFrameStream(tools, folder.path(name), options));
      expect([first?.still?.width, first?.still?.height]).toEqual(size);
    }
  });

  it("yields upright frames", async () => {
    const { width, height } = await probeVideo(tools, folder.path("turned.mp4"));
    expect([width, height]).toEqual([90, 160]);
    const upright = await collect(
      openFrameStream(tools, folder.path("turned.mp4"), { ...image, width: 36, height: 64 }),
    );
    const [a, b] = [upright[5]?.pixels ?? new Uint8Array(), plainFrames[5]?.pixels ?? new Uint8Array()];
    expect(difference(a, turnedLeft(b, 64, 36))).toBeLessThan(20);
  });

  it("yields the display size for non-square pixels", async () => {
    const { width, height } = await probeVideo(tools, folder.path("wide-pixels.mkv"));
    expect([width, height]).toEqual([160, 90]);
  });

  it.each(hostileNames)("reads a video named %j", async (name) => {
    const frames = await collect(openFrameStream(tools, folder.path(`names/${name}`), image));
    expect(frames).toEqual(plainFrames);
  });

  it("yields the reference frames with their times, and throws where they are too far apart", async () => {
    const reference = { ...image, decodedFrames: "reference" } as const;
    const frames = await collect(openFrameStream(tools, plain, reference));
    // At most two of three frames are B frames that no frame depends on.
    expect(frames.length).toBeGreaterThanOrEqual(plainFrames.length / 3);
    expect(frames.length).toBeLessThan(plainFrames.length);
    for (const frame of frames) expect(plainFrames).toContainEqual(frame);
    const sparse = openFrameStream(tools, folder.path("sparse.mkv"), reference);
    await expect(collect(sparse)).rejects.toThrow(FrameGapError);
  });

  it.each(["auto", "missing"])("decodes in software without the hardware of %s", async (hardwareDecoder) => {
    const frames = await collect(openFrameStream({ ...tools, hardwareDecoder }, plain, image));
    expect(frames).toEqual(plainFrames);
  });

  it.runIf(process.platform === "linux")("stops its process when the receiver returns early", async () => {
    for await (const _frame of openFrameStream(tools, folder.path("long.mkv"), image)) {
      expect(await childProcesses()).toHaveLength(1);
      break;
    }
    expect(await childProcesses()).toEqual([]);
  });

  it.runIf(process.platform === "linux")("stops its process when the receiver throws", async () => {
    const failing = async () => {
      for await (const _frame of openFrameStream(tools, folder.path("long.mkv"), image))
        throw new Error("mine");
    };
    await expect(failing()).rejects.toThrow("mine");
    expect(await childProcesses()).toEqual([]);
  });

  it.runIf(process.platform === "linux")("stops its process on abort and throws the reason", async () => {
    const stop = new AbortController();
    let seen = 0;
    const reading = async () => {
      for await (const _frame of openFrameStream(tools, folder.path("long.mkv"), {
        ...image,
        signal: stop.signal,
      })) {
        if (++seen === 10) stop.abort(new Error("enough"));
      }
    };
    await expect(reading()).rejects.toThrow("enough");
    expect(seen).toBe(10);
    expect(await childProcesses()).toEqual([]);
    await expect(reading()).rejects.toThrow("enough");
  });

  it.runIf(process.platform === "linux")("reads only a few megabytes ahead", async () => {
    const big = { width: 640, height: 360, minGapSeconds: 0 };
    const before = process.memoryUsage().arrayBuffers;
    const stream = openFrameStream(tools, folder.path("long.mkv"), big);
    await stream.next();
    const [child = 0] = await childProcesses();
    await settled(() => cpuTicks(child));
    // Of 498 MB in total; a part of it is garbage that was not collected.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40e6);
    // The process still runs: it waits for the receiver.
    expect(await childProcesses()).toEqual([child]);
    await stream.return();
    expect(await childProcesses()).toEqual([]);
  });
});

function turnedLeft(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      turned.set(
        pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
        ((width - 1 - x) * height + y) * 3,
      );
    }
  }
  return turned;
}

/** Returns the ids of the child processes that still run ffmpeg. */
async function childProcesses(): Promise<number[]> {
  const ids = (await readdir("/proc")).map(Number).filter((id) => id > 0);
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, "utf8").catch(() => "")));
  return ids.filter((_, i) => {
    const match = /^\d+ \((.*)\) \S (\d+) /.exec(stats[i] ?? "");
    return match?.[1] === "ffmpeg" && Number(match[2]) === process.pid;
  });
}

async function cpuTicks(id: number): Promise<number> {
  const fields = (await readFile(`/proc/${id}/stat`, "utf8")).replace(/^.*\) /, "").split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** Waits until a value no longer changes. */
async function settled(measure: () => Promise<number>): Promise<void> {
  let last = Number.NaN;
  for (let equal = 0; equal < 8; ) {
    await delay(50);
    const value = await measure();
    equal = value === last ? equal + 1 : 0;
    last = value;
  }
}
