// Describes videos for the benchmark of the vector index:
//   node describe-videos.mjs OUTPUT_FOLDER CROPS QUERY_IMAGES VIDEO...
// frames.bin: int8 descriptors of all stored frames; videos.json: frames per video.
// crops.bin: int8 descriptors of CROPS random crops of every stored frame, as the contents of further scenes.
// queries.bin: float32 descriptors of all views of edited images; queries.json: per view image, frame and pass.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { defaultModelFolder, loadModel, openEngine } from "@koma/engine";
import { openDescriptorSession } from "@koma/engine/internals/descriptor-session";
import { quantise } from "@koma/engine/internals/episode/quantise";
import { sharp } from "@koma/image";
import { createRandom } from "@koma/sample-library/drawing";

const [folder, cropCount, queryImages, ...videos] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
/** Query images come from the first videos. */
const QUERY_VIDEOS = Math.min(5, videos.length);
const model = await loadModel(defaultModelFolder);
const engine = await openEngine({ model, workers: 1 });
const { width, height } = engine.frameStreamOptions;
const random = createRandom(7).next;
const dimensions = model.dimensions;

async function* readFrames(video, rate) {
  let at = 0;
  for await (const pixels of readRaw(video, [`scale=${width}:${height}`], width * height * 3)) {
    yield { atSeconds: at++ / rate, pixels };
  }
}

async function* readRaw(video, filters, frameBytes) {
  const ffmpeg = spawn(
    "ffmpeg",
    [
      "-v",
      "error",
      "-threads",
      "1",
      "-i",
      video,
      "-an",
      "-vf",
      filters.join(","),
      "-fps_mode",
      "passthrough",
      "-pix_fmt",
      "rgb24",
      "-f",
      "rawvideo",
      "pipe:1",
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let rest = Buffer.alloc(0);
  for await (const chunk of ffmpeg.stdout) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (rest.length >= frameBytes) {
      yield new Uint8Array(rest.subarray(0, frameBytes));
      rest = rest.subarray(frameBytes);
    }
  }
}

async function probe(video) {
  const { stdout } = await promisify(execFile)("ffprobe", [
    "-v",
    "error",
    "-select_streams",
    "v:0",
    "-show_entries",
    "stream=width,height,r_frame_rate",
    "-of",
    "csv=p=0",
    video,
  ]);
  const [w, h, rate] = stdout.trim().split(",");
  const [over, under] = rate.split("/").map(Number);
  return { ratio: Number(w) / Number(h), rate: over / (under || 1) };
}

/**
 * Crops all frames of a shot by the same random rectangles, so that neighbouring frames stay neighbours; crop
 * by crop.
 */
async function describeCrops(video, described, rate) {
  const frameAt = new Map();
  for (let frame = 0; frame < described.count; frame++) {
    frameAt.set(Math.round(described.atSeconds[frame] * rate), frame);
  }
  const session = await openDescriptorSession(model);
  const out = new Int8Array(Number(cropCount) * described.count * dimensions);
  const [w, h] = [320, 180];
  const boxes = new Map();
  let batch = [];
  const flush = async () => {
    const vectors = await session.describe(Buffer.concat(batch.map(({ pixels }) => pixels)));
    for (const [i, { row }] of batch.entries()) {
      quantise(
        vectors.subarray(i * dimensions, (i + 1) * dimensions),
        out.subarray(row * dimensions, (row + 1) * dimensions),
      );
    }
    batch = [];
  };
  let at = 0;
  for await (const pixels of readRaw(video, [`scale=${w}:${h}`], w * h * 3)) {
    const frame = frameAt.get(at++);
    if (frame === undefined) continue;
    const shot = described.shotOf[frame];
    if (!boxes.has(shot)) boxes.set(shot, Array.from({ length: Number(cropCount) }, randomCrop));
    for (const [crop, box] of boxes.get(shot).entries()) {
      batch.push({ row: crop * described.count + frame, pixels: sampleCrop(pixels, w, h, box) });
      if (batch.length === 32) await flush();
    }
  }
  if (batch.length > 0) await flush();
  return Buffer.from(out.buffer);
}

function randomCrop() {
  const size = 0.3 + random() * 0.3;
  const order = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ][Math.floor(random() * 6)];
  return {
    size,
    x: random() * (1 - size),
    y: random() * (1 - size),
    flip: random() < 0.5,
    order,
    gain: 0.6 + random() * 0.8,
    offset: (random() - 0.5) * 60,
  };
}

/**
 * Changes colours and contrast, so that crops of a frame differ from it and from each other; nearest pixels.
 */
function sampleCrop(pixels, w, h, { size, x, y, flip, order, gain, offset }) {
  const out = new Uint8ClampedArray(width * height * 3);
  for (let row = 0, to = 0; row < height; row++) {
    const fromRow = Math.floor((y + (size * row) / height) * h) * w;
    for (let column = 0; column < width; column++, to += 3) {
      const share = (flip ? width - 1 - column : column) / width;
      const from = (fromRow + Math.floor((x + size * share) * w)) * 3;
      for (let channel = 0; channel < 3; channel++)
        out[to + channel] = pixels[from + order[channel]] * gain + offset;
    }
  }
  return Buffer.from(out.buffer);
}

/** Edits images of stored and other frames; the correct frames are the stored ones nearest in time. */
async function describeQueries() {
  const vectors = [];
  const rows = [];
  for (let image = 0; image < Number(queryImages); image++) {
    const videoAt = image % QUERY_VIDEOS;
    const { video, atSeconds } = perVideo[videoAt];
    const seconds = random() * atSeconds.at(-1);
    const { stdout } = await promisify(execFile)(
      "ffmpeg",
      [
        "-v",
        "error",
        "-ss",
        String(seconds),
        "-i",
        video,
        "-frames:v",
        "1",
        "-c:v",
        "png",
        "-f",
        "image2pipe",
        "pipe:1",
      ],
      { encoding: "buffer", maxBuffer: 1 << 26 },
    );
    if (stdout.length === 0) continue;
    const edit = edits[Math.floor(image / QUERY_VIDEOS) % edits.length];
    const bytes = await edit.apply(await sharp(stdout).resize({ width: 640 }).png().toBuffer());
    for (const isThorough of [false, true]) {
      const { views } = await engine.describeImage(bytes, { isThorough });
      for (const { vector } of views) {
        vectors.push(Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
        rows.push({ image, edit: edit.name, videoAt, seconds, isThorough });
      }
    }
  }
  writeFileSync(path.join(folder, "queries.bin"), Buffer.concat(vectors));
  writeFileSync(path.join(folder, "queries.json"), JSON.stringify(rows));
  print("views", rows.length);
}

const edits = [
  { name: "clean", apply: (png) => sharp(png).jpeg({ quality: 85 }).toBuffer() },
  {
    name: "recompressed",
    apply: (png) => sharp(png).resize({ width: 320 }).jpeg({ quality: 25 }).toBuffer(),
  },
  { name: "cropped", apply: (png) => crop(png, 0.6) },
  {
    name: "toned",
    apply: (png) => sharp(png).linear(1.3, -30).modulate({ saturation: 1.6, hue: 25 }).jpeg().toBuffer(),
  },
  {
    name: "mirrored crop",
    apply: async (png) =>
      sharp(await crop(png, 0.8))
        .flop()
        .blur(1.5)
        .jpeg({ quality: 50 })
        .toBuffer(),
  },
  {
    name: "framed",
    apply: (png) =>
      sharp(png)
        .extend({ top: 200, bottom: 260, left: 40, right: 40, background: "#202830" })
        .jpeg()
        .toBuffer(),
  },
  { name: "third of the width", apply: (png) => crop(png, 0.45) },
  { name: "noisy", apply: (png) => noise(png) },
];

async function crop(png, share) {
  const { width: w, height: h } = await sharp(png).metadata();
  const [cw, ch] = [Math.floor(w * share), Math.floor(h * share)];
  return sharp(png)
    .extract({
      left: Math.floor(random() * (w - cw)),
      top: Math.floor(random() * (h - ch)),
      width: cw,
      height: ch,
    })
    .jpeg({ quality: 80 })
    .toBuffer();
}

async function noise(png) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at++)
    data[at] = Math.max(0, Math.min(255, data[at] + (random() - 0.5) * 70));
  return sharp(data, { raw: info }).jpeg({ quality: 60 }).toBuffer();
}

const frames = [];
const crops = [];
const perVideo = [];
for (const video of videos) {
  const { rate, ratio } = await probe(video);
  const described = await engine.describeEpisode(readFrames(video, rate), { aspect: ratio });
  frames.push(Buffer.from(described.vectors.buffer));
  perVideo.push({
    video,
    rate,
    ratio,
    count: described.count,
    atSeconds: [...described.atSeconds],
    shotOf: [...described.shotOf],
  });
  if (Number(cropCount) > 0) crops.push(await describeCrops(video, described, rate));
  print(path.basename(video), described.count);
}
writeFileSync(path.join(folder, "frames.bin"), Buffer.concat(frames));
writeFileSync(path.join(folder, "crops.bin"), Buffer.concat(crops));
writeFileSync(path.join(folder, "videos.json"), JSON.stringify(perVideo));
await describeQueries();
await engine.close();

function print(...values) {
  process.stdout.write(`${values.join(" ")}\n`);
}
