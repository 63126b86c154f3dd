// `npm run render -w @koma/sample-library`: renders all sample clips again, with FFMPEG_PATH or the ffmpeg in PATH.
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { drawShots, framesPerSecond } from "./draw-shots.ts";
import { image } from "./drawing/drawing.ts";
import { encodeVideo } from "./drawing/encode-video.ts";
import { clipsFolder } from "./index.ts";
import { sampleEpisodes } from "./sample-series.ts";

const limitBytes = 3_000_000;
const tools = { ffmpegPath: process.env.FFMPEG_PATH || "ffmpeg" };
let totalBytes = 0;
for (const { file, shots } of sampleEpisodes) {
  const outputFile = join(clipsFolder, file);
  await mkdir(dirname(outputFile), { recursive: true });
  await encodeVideo(tools, { ...image, framesPerSecond, frames: drawShots(shots()), outputFile });
  const { size } = await stat(outputFile);
  totalBytes += size;
  process.stdout.write(`${file}: ${size} bytes\n`);
}
process.stdout.write(`${sampleEpisodes.length} clips: ${totalBytes} bytes\n`);
if (totalBytes > limitBytes) throw new Error(`The clips have more than ${limitBytes} bytes.`);
