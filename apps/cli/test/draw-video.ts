import { spawn } from "node:child_process";
import { findFfmpeg } from "@koma/library";
import { observe } from "./observe.ts";

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

let tools: ReturnType<typeof findFfmpeg> | undefined;

async function runFfmpeg(args: readonly string[]): Promise<void> {
  tools ??= findFfmpeg();
  const { ffmpegPath } = await tools;
  const child = spawn(ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, stderr } = await observe(child).ended;
  if (code !== 0) throw new Error(stderr);
}
