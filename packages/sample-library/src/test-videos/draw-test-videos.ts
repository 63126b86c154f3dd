// `npm run render -w @koma/sample-library`: draws all videos of the tests and their frames, with FFMPEG_PATH or the ffmpeg
// in PATH.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findTestFrame, findTestVideo, type TestVideoName, testVideos } from "./index.ts";

const run = promisify(execFile);

const ffmpegPath = process.env.FFMPEG_PATH || "ffmpeg";
for (const name of Object.keys(testVideos) as TestVideoName[]) {
  const { scenes, sceneSeconds, hasSound, frames } = testVideos[name];
  const seconds = scenes.length * sceneSeconds;
  const inputs = scenes.flatMap((scene) => ["-f", "lavfi", "-t", String(sceneSeconds), "-i", scene]);
  const sound = hasSound ? ["-f", "lavfi", "-t", String(seconds), "-i", "sine=frequency=440"] : [];
  const formats = scenes.map((_, at) => `[${at}:v]format=yuv420p[v${at}]`);
  const joined = `${scenes.map((_, at) => `[v${at}]`).join("")}concat=n=${scenes.length}[v]`;
  const file = findTestVideo(name);
  await run(ffmpegPath, [
    ...["-v", "error", "-nostdin", "-y", ...inputs, ...sound],
    ...["-filter_complex", [...formats, joined].join(";"), "-map", "[v]"],
    ...(hasSound ? ["-map", `${scenes.length}:a`, "-c:a", "aac", "-b:a", "32k"] : []),
    ...["-c:v", "libx264", "-preset", "veryfast", "-threads", "1"],
    ...[
      "-flags:v",
      "+bitexact",
      "-flags:a",
      "+bitexact",
      "-fflags",
      "+bitexact",
      "-map_metadata",
      "-1",
      file,
    ],
  ]);
  for (const at of frames) {
    const frame = ["-ss", String(at), "-i", file, "-frames:v", "1", "-q:v", "2", findTestFrame(name, at)];
    await run(ffmpegPath, ["-v", "error", "-nostdin", "-y", ...frame]);
  }
}
