import { resolveCommand } from "./config.ts";
import type { FfmpegTools, VideoLimits } from "./ffmpeg-tools.ts";

/**
 * Decoders of the formats that chats and phones produce; all others are disabled. ffprobe fails for a file
 * with a sound or subtitle track whose decoder is missing, so the list has those too.
 */
const codecs = [
  ...["h264", "hevc", "vp8", "vp9", "av1", "libdav1d", "libaom-av1", "libvpx", "libvpx-vp9"],
  ...[
    "mpeg1video",
    "mpeg2video",
    "mpeg4",
    "msmpeg4v1",
    "msmpeg4v2",
    "msmpeg4",
    "wmv1",
    "wmv2",
    "wmv3",
    "vc1",
  ],
  ...["h263", "flv", "theora", "mjpeg", "gif", "prores"],
  ...["aac", "mp3float", "mp3", "mp2float", "mp2", "opus", "libopus", "vorbis", "libvorbis", "ac3", "eac3"],
  ...["flac", "alac", "amrnb", "wmav2", "pcm_s16le", "pcm_s16be", "pcm_u8", "mov_text", "webvtt"],
];

/** Returns the same tools, with limits for videos of an untrusted origin. */
export function limitTools(tools: FfmpegTools, limits: VideoLimits): FfmpegTools {
  const { ffmpegPath, ffprobePath } = tools;
  return {
    ...tools,
    ffmpegPath: resolveCommand(ffmpegPath),
    ffprobePath: resolveCommand(ffprobePath),
    limits,
  };
}

/** Returns input options that limit a decoder: one thread, known codecs, small frames. */
export function inputLimits(limits: VideoLimits | undefined): string[] {
  if (limits === undefined) return [];
  return ["-threads", "1", "-max_pixels", String(limits.pixels), "-codec_whitelist", codecs.join(",")];
}

/**
 * Returns the command with limits of memory and CPU time that the kernel enforces. A shell sets them because
 * Node cannot; where the system lacks a limit (macOS: memory) the others apply.
 */
export function limitCommand(
  command: string,
  args: readonly string[],
  limits: VideoLimits | undefined,
): { command: string; args: readonly string[] } {
  if (limits === undefined || process.platform === "win32") return { command, args };
  const memoryKib = Math.floor(limits.memoryBytes / 1024);
  const script = `ulimit -v ${memoryKib} 2>/dev/null; ulimit -t ${limits.cpuSeconds} 2>/dev/null; ulimit -c 0; exec "$0" "$@"`;
  return { command: "/bin/sh", args: ["-c", script, command, ...args] };
}
