import { basename, dirname, join } from "node:path";
import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { runTool } from "./start-tool.ts";

/** This system has no ffmpeg that Koma can use; the message says what ffmpeg adds and how to install it. */
export class FfmpegMissingError extends Error {
  override readonly name = "FfmpegMissingError";
}

/** A configured path of ffmpeg or ffprobe that does not work; the message names the variable. */
export class FfmpegPathError extends Error {
  override readonly name = "FfmpegPathError";
}

/**
 * Finds ffmpeg: the configured paths (ffprobe defaults to the folder of a configured ffmpeg), otherwise the
 * PATH. A configured path that does not work is an error and is never replaced. Throws FfmpegMissingError and
 * FfmpegPathError.
 */
export async function findFfmpeg(
  options: { ffmpegPath?: string | undefined; ffprobePath?: string | undefined } = {},
): Promise<FfmpegTools> {
  const { ffmpegPath, ffprobePath } = options;
  const ffmpeg = await tryFfmpeg(ffmpegPath ?? "ffmpeg", ffmpegPath === undefined ? "system" : "configured");
  if (typeof ffmpeg !== "string") return { ...ffmpeg, ffprobePath: await findFfprobe(ffprobePath, ffmpeg) };
  if (ffmpegPath !== undefined) {
    throw new FfmpegPathError(
      `The configured ffmpeg ${ffmpegPath} ${ffmpeg}. Correct FFMPEG_PATH or unset it.`,
    );
  }
  const reason = ffmpeg === "does not run" ? "There is no ffmpeg" : `The ffmpeg of this system ${ffmpeg}`;
  throw new FfmpegMissingError(`${reason}. ${remedy}`);
}

const remedy =
  "Koma indexes videos, shows stills and clips of them, and finds scenes by short videos with ffmpeg; everything else works without it. Install it (Debian and Ubuntu: apt install ffmpeg; Fedora: dnf install ffmpeg; macOS: brew install ffmpeg; Windows: winget install ffmpeg) or set FFMPEG_PATH to its full path.";

type Ffmpeg = Omit<FfmpegTools, "ffprobePath">;

async function findFfprobe(configured: string | undefined, ffmpeg: Ffmpeg): Promise<string> {
  if (configured !== undefined) {
    if (await runs(configured)) return configured;
    throw new FfmpegPathError(
      `The configured ffprobe ${configured} does not run. Correct FFPROBE_PATH or unset it.`,
    );
  }
  const candidates = ffmpeg.origin === "configured" ? [neighbour(ffmpeg.ffmpegPath), "ffprobe"] : ["ffprobe"];
  for (const path of candidates) if (path !== undefined && (await runs(path))) return path;
  throw new FfmpegMissingError(
    "No ffprobe was found beside ffmpeg. Install it or set FFPROBE_PATH to its full path.",
  );
}

/** Returns the tool, or the reason why it is unusable as the end of a sentence. */
async function tryFfmpeg(path: string, origin: FfmpegTools["origin"]): Promise<Ffmpeg | string> {
  const text = await output(path, ["-version"]);
  if (text === undefined) return "does not run";
  const version = /^ffmpeg version (\S+)/m.exec(text)?.[1];
  if (version === undefined) return "is not ffmpeg";
  // Some distributions omit x264, which clips need. The list of encoders would take another start of ffmpeg, a seventh
  // of a second, at each start of Koma.
  if (!/--enable-libx264\b/.test(text)) return "cannot encode H.264 (it was built without libx264)";
  return { ffmpegPath: path, version, origin, frameTimingOption: frameTimingOption(text) };
}

// ffmpeg 5.1 (libavutil 57.28) introduced -fps_mode; builds from git have no usable version number.
function frameTimingOption(text: string): FfmpegTools["frameTimingOption"] {
  const [, major = "0", minor = "0"] = /libavutil\s+(\d+)\.\s*(\d+)/.exec(text) ?? [];
  return Number(major) > 57 || (major === "57" && Number(minor) >= 28) ? "-fps_mode" : "-vsync";
}

async function runs(path: string): Promise<boolean> {
  return (await output(path, ["-version"])) !== undefined;
}

async function output(path: string, args: string[]): Promise<string | undefined> {
  const ending = await runTool(path, args).catch(() => undefined);
  return ending?.exitCode === 0 ? ending.output.toString("utf8") : undefined;
}

function neighbour(ffmpegPath: string): string | undefined {
  const name = basename(ffmpegPath).replace(/ffmpeg/i, "ffprobe");
  return name === basename(ffmpegPath) ? undefined : join(dirname(ffmpegPath), name);
}
