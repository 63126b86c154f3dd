import { basename, dirname, join } from "node:path";
import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { runTool } from "./start-tool.ts";

/** No usable ffmpeg; the message names the remedy. */
export class FfmpegMissingError extends Error {
  override readonly name = "FfmpegMissingError";
}

/**
 * Finds ffmpeg: the configured paths (ffprobe defaults to the folder of a configured ffmpeg), otherwise the
 * PATH, otherwise the build that npm installed. `origin` limits the search to one of them; `allowsBundled:
 * false` excludes the build of 2018 that npm installs. A configured path that does not work is an error and
 * is never replaced. Throws FfmpegMissingError.
 */
export async function findFfmpeg(
  options: {
    ffmpegPath?: string | undefined;
    ffprobePath?: string | undefined;
    origin?: FfmpegTools["origin"] | undefined;
    allowsBundled?: boolean | undefined;
  } = {},
): Promise<FfmpegTools> {
  const { ffmpegPath, origin, allowsBundled = true } = options;
  const ffmpeg =
    ffmpegPath === undefined
      ? await findUnconfigured({ origin, allowsBundled })
      : await findConfigured(ffmpegPath);
  const ffprobe = await findFfprobe(options.ffprobePath, { ffmpeg, allowsBundled });
  const isBundled = ffmpeg.origin === "bundled" || ffprobe.isBundled;
  return { ...ffmpeg, ffprobePath: ffprobe.path, isBundled };
}

type Ffmpeg = Omit<FfmpegTools, "ffprobePath" | "isBundled">;

async function findConfigured(path: string): Promise<Ffmpeg> {
  const found = await tryFfmpeg(path, "configured");
  if (typeof found !== "string") return found;
  throw new FfmpegMissingError(`The configured ffmpeg ${path} ${found}. Correct FFMPEG_PATH or unset it.`);
}

async function findUnconfigured({
  origin: only,
  allowsBundled,
}: {
  origin: FfmpegTools["origin"] | undefined;
  allowsBundled: boolean;
}): Promise<Ffmpeg> {
  const problems: string[] = [];
  const candidates = [
    { origin: "system", path: "ffmpeg" },
    { origin: "bundled", path: await bundledPath(() => import("@ffmpeg-installer/ffmpeg")) },
  ] as const;
  for (const { origin, path } of candidates) {
    if ((only !== undefined && only !== origin) || path === undefined) continue;
    if (origin === "bundled" && !allowsBundled) continue;
    const found = await tryFfmpeg(path, origin);
    if (typeof found !== "string") return found;
    problems.push(`${path} ${found}`);
  }
  const tried = problems.length === 0 ? "" : ` (${problems.join("; ")})`;
  throw new FfmpegMissingError(
    `No ffmpeg was found${tried}. Install it (for example: apt install ffmpeg, brew install ffmpeg) or set FFMPEG_PATH to its full path.`,
  );
}

async function findFfprobe(
  configured: string | undefined,
  { ffmpeg, allowsBundled }: { ffmpeg: Ffmpeg; allowsBundled: boolean },
): Promise<{ path: string; isBundled: boolean }> {
  if (configured !== undefined) {
    if (await runs(configured)) return { path: configured, isBundled: false };
    throw new FfmpegMissingError(
      `The configured ffprobe ${configured} does not run. Correct FFPROBE_PATH or unset it.`,
    );
  }
  const bundled = allowsBundled ? await bundledPath(() => import("@ffprobe-installer/ffprobe")) : undefined;
  const candidates = {
    configured: [neighbour(ffmpeg.ffmpegPath), "ffprobe", bundled],
    system: ["ffprobe", bundled],
    bundled: [bundled, "ffprobe"],
  }[ffmpeg.origin];
  for (const path of candidates) {
    if (path !== undefined && (await runs(path))) return { path, isBundled: path === bundled };
  }
  throw new FfmpegMissingError(
    "No ffprobe was found beside ffmpeg. Install it or set FFPROBE_PATH to its full path.",
  );
}

/** Returns the tool, or the reason why it is unusable as the end of a sentence. */
async function tryFfmpeg(path: string, origin: FfmpegTools["origin"]): Promise<Ffmpeg | string> {
  // Both at once: on a busy machine each start of ffmpeg takes a third of a second.
  const [text, encoders] = await Promise.all([
    output(path, ["-version"]),
    output(path, ["-hide_banner", "-encoders"]),
  ]);
  if (text === undefined) return "does not run";
  const version = /^ffmpeg version (\S+)/m.exec(text)?.[1];
  if (version === undefined) return "is not ffmpeg";
  // Some distributions omit x264; clips and the sample library need it.
  if (!encoders?.includes(" libx264 ")) return "cannot encode H.264 (it was built without libx264)";
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

// The installers throw on unsupported platforms; then this candidate is missing.
async function bundledPath(load: () => Promise<{ default: { path: string } }>): Promise<string | undefined> {
  return load().then(
    (installer) => installer.default.path,
    () => undefined,
  );
}
