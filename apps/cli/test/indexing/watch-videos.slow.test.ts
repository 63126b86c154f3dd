import { spawn, spawnSync } from "node:child_process";
import { appendFile, chmod, mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchVideos } from "../../src/indexing/watch-videos.ts";

vi.setConfig({ testTimeout: 180_000 });
const patience = { timeout: 60_000, interval: 100 };

let folder: string;
let watched: string;
let stop: AbortController;
let running: Promise<void>;
const indexed: string[][] = [];
const sentences: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "koma-watch-"));
  watched = join(folder, "watched");
  await mkdir(join(watched, "Show"), { recursive: true });
  indexed.length = 0;
  sentences.length = 0;
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await running;
  await chmod(join(watched, "lost+found"), 0o700).catch(() => undefined);
  await rm(folder, { recursive: true });
});

async function start(): Promise<void> {
  running = watchVideos([watched], {
    index: async (videos) => {
      indexed.push(videos);
    },
    report: (sentence) => sentences.push(sentence),
    signal: stop.signal,
  });
  await vi.waitFor(() => expect(indexed).toEqual([[watched]]), patience);
}

async function expectIndexed(video: string): Promise<void> {
  await writeFile(video, "video");
  await vi.waitFor(() => expect(indexed.flat()).toContain(video), patience);
}

test.skipIf(process.getuid?.() === 0)("goes on beside a folder without permission", async () => {
  await mkdir(join(watched, "lost+found"), { mode: 0 });
  await start();
  await expectIndexed(join(watched, "Show", "Show - 01.mp4"));
  expect(sentences).toEqual([
    `${join(watched, "lost+found")} cannot be watched: read permission is missing.`,
  ]);
});

test("compares a folder that was away and is back", async () => {
  await start();
  await rename(watched, join(folder, "elsewhere"));
  await vi.waitFor(
    () => expect(sentences).toEqual([expect.stringContaining("is not there any more")]),
    patience,
  );
  await writeFile(join(folder, "elsewhere", "Show", "Show - 01.mp4"), "video");
  await rename(join(folder, "elsewhere"), watched);
  await vi.waitFor(() => expect(indexed.filter(([path]) => path === watched)).toHaveLength(2), patience);
  expect(sentences).toEqual([
    expect.stringContaining("is not there any more"),
    expect.stringContaining("is back"),
  ]);
  await expectIndexed(join(watched, "Show", "Show - 02.mp4"));
});

test("indexes a video that is being written once its container has ended", async () => {
  const video = join(watched, "Show", "Show - 01.mp4");
  const box = (type: string, content: Buffer) => {
    const header = Buffer.alloc(8);
    header.writeUInt32BE(8 + content.length);
    header.write(type, 4, "latin1");
    return Buffer.concat([header, content]);
  };
  const whole = Buffer.concat([box("moov", Buffer.alloc(100)), box("mdat", Buffer.alloc(50_000))]);
  await writeFile(video, whole.subarray(0, 20_000));
  running = watchVideos([watched], {
    index: async (paths, postpone) => {
      const { size, mtimeMs } = await stat(video);
      const isPostponed = await postpone({ path: video, sizeBytes: size, modifiedAtMs: mtimeMs });
      indexed.push(isPostponed ? [] : paths);
    },
    report: (sentence) => sentences.push(sentence),
    signal: stop.signal,
  });
  await vi.waitFor(() => expect(indexed).toEqual([[]]), patience);
  await appendFile(video, whole.subarray(20_000, 40_000));
  await vi.waitFor(() => expect(indexed).toEqual([[], []]), patience);
  await appendFile(video, whole.subarray(40_000));
  await vi.waitFor(() => expect(indexed.at(-1)).toEqual([video]), patience);
  expect(sentences).toEqual([expect.stringMatching(/Show - 01\.mp4 is still being written\./)]);
});

test("compares all paths again and again", async () => {
  running = watchVideos([watched], {
    index: async (videos) => {
      indexed.push(videos);
    },
    report: (sentence) => sentences.push(sentence),
    signal: stop.signal,
    compareEveryMs: 500,
  });
  await vi.waitFor(() => expect(indexed.length).toBeGreaterThanOrEqual(3), patience);
  expect(new Set(indexed.flat())).toEqual(new Set([watched]));
  expect(sentences).toEqual([]);
});

const limited = [
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  'echo 1 >/proc/sys/user/max_inotify_watches && exec "$@"',
  "sh",
];
const canLimit = spawnSync("unshare", [...limited, "true"]).status === 0;

test.skipIf(!canLimit)("polls when the limit of watches is reached (needs user namespaces)", async () => {
  const file = fileURLToPath(new URL("./print-watched-videos.ts", import.meta.url));
  const child = spawn("unshare", [...limited, process.execPath, file, watched], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  running = new Promise((resolve) => child.once("exit", () => resolve()));
  stop.signal.addEventListener("abort", () => child.kill());
  // The second run compares what changed before polling began.
  await vi.waitFor(() => expect(printed.split(`index ${watched}\n`)).toHaveLength(3), patience);
  expect(printed).toContain("limit of watched folders");
  await writeFile(join(watched, "Show", "Show - 01.mp4"), "video");
  await vi.waitFor(() => expect(printed).toContain(`index ${join(watched, "Show", "Show - 01.mp4")}`), {
    ...patience,
    timeout: 120_000,
  });
});
