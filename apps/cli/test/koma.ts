import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFfmpeg } from "@koma/library";
import { observe } from "./observe.ts";

const program = fileURLToPath(new URL("../src/koma.ts", import.meta.url));

/** A folder with an empty library, and functions that run the real `koma` in it. */
export async function createWorkplace() {
  const folder = await mkdtemp(join(tmpdir(), "koma-cli-"));
  const start = (
    args: readonly string[],
    environment: Record<string, string> = {},
    nodeArgs: readonly string[] = [],
  ) =>
    observe(
      spawn(process.execPath, [...nodeArgs, program, ...args], {
        cwd: folder,
        env: {
          ...process.env,
          KOMA_DATA_DIR: join(folder, "data"),
          DATABASE_URL: "",
          KOMA_SAMPLE_LIBRARY: "false",
          ...environment,
        },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  return {
    folder,
    path: (...parts: string[]) => join(folder, ...parts),
    /** Starts `koma` in the folder. */
    start,
    /** Runs `koma` in the folder and waits for its end. */
    koma: (...args: string[]) => start(args).ended,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 }),
  };
}

/**
 * Renders a video of some seconds from one of ffmpeg's test sources: "testsrc2", "mandelbrot", "smptebars", …
 */
export async function drawVideo(
  file: string,
  { source, seconds }: { source: string; seconds: number },
): Promise<void> {
  await runFfmpeg([
    ...["-f", "lavfi", "-i", `${source}=size=320x180:rate=12`, "-t", String(seconds)],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", file],
  ]);
}

/** Extracts the frame of a video at that time. */
export async function takeFrame(video: string, atSeconds: number, image: string): Promise<void> {
  await runFfmpeg(["-ss", String(atSeconds), "-i", video, "-frames:v", "1", image]);
}

async function runFfmpeg(args: readonly string[]): Promise<void> {
  const { ffmpegPath } = await findFfmpeg();
  const child = spawn(ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, stderr } = await observe(child).ended;
  if (code !== 0) throw new Error(stderr);
}
