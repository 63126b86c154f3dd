import { createRandom, type Random } from "@koma/testing/drawing";
import { expect, test } from "vitest";
import { parseVideoPath } from "../../src/file-name/parse-video-path.ts";

const runs = 300;
const words = [
  "Hoshi",
  "Ame",
  "Kaze",
  "Tower",
  "Rain",
  "Umi",
  "Paper",
  "Harbour",
  "Glass",
  "Yume",
  "Lantern",
];
const tags = [
  ...["1080p", "BD", "x264", "HEVC", "10bit", "FLAC", "AAC", "A1B2C3D4", "Dual Audio", "Eng Sub", "WEB-DL"],
  ...["1920x1080", "Multiple Subtitle", "Blu-ray", "GB", "CHS", "DTS-HD", "Batch", "Uncensored"],
];

test("any tags in any order and brackets give the same answer", () => {
  forEachRun((random) => {
    const { title, number } = drawName(random);
    const shown = random.shuffle(tags).slice(0, random.whole(1, 5));
    const isJoined = random.chance(0.4);
    const brackets = isJoined
      ? `[${shown.join(random.pick([" ", "_", ", "]))}]`
      : shown.map((tag) => random.pick([`[${tag}]`, `(${tag})`])).join(random.pick(["", " "]));
    const file = random.pick([
      `[Moss] ${title} - ${padded(number)} ${brackets}`,
      `[Moss] ${title} ${padded(number)} ${brackets}`,
      `[Moss] ${title} [${padded(number)}]${brackets}`,
      `${title} - ${padded(number)} - ${brackets}`,
      `[Moss] ${title} ${brackets} - ${padded(number)}`,
    ]);
    expect({ file, ...read(file) }).toEqual({ file, title, season: null, number: String(number) });
  });
});

test("any separators give the same answer", () => {
  forEachRun((random) => {
    const { title, number } = drawName(random);
    const season = random.whole(1, 9);
    const episode = random.pick([
      `S${padded(season)}E${padded(number)}`,
      `S${season}E${number}`,
      `s${padded(season)}e${padded(number)}`,
      `${season}x${padded(number)}`,
      `S${padded(season)}x${padded(number)}`,
    ]);
    const separator = random.pick([" ", ".", "_"]);
    const name = `${title}${random.pick([" ", " - "])}${episode}${random.pick(["", " 1080p WEB-DL"])}`;
    const file = name.replaceAll(" ", separator);
    expect({ file, ...read(file) }).toEqual({ file, title, season, number: String(number) });
  });
});

test("a folder with the name of its file changes nothing", () => {
  forEachRun((random) => {
    const { title, number } = drawName(random);
    const file = random.pick([
      `[Moss] ${title} - ${padded(number)} [1080p]`,
      `${title} S02E${padded(number)} 1080p`.replaceAll(" ", "."),
      `${title} - 2x${padded(number)} - Rain`,
      `${title} Episode ${number}`,
    ]);
    expect({ file, ...read(`${file}/${file}`) }).toEqual({ file, ...read(file) });
    expect(read(file)).toMatchObject({ title, number: String(number) });
  });
});

test("every name has a title and is read in little time", () => {
  const pieces: [string, ...string[]] = [
    "-",
    " ",
    ".",
    "_",
    "[",
    "]",
    "(",
    ")",
    "★",
    "第",
    "話",
    "S01",
    "E02",
    "x",
    "1080p",
    "aac ",
  ];
  const more = [
    "01",
    "1.5",
    "2019",
    "OVA",
    "french ",
    "【",
    "】",
    "Season ",
    "- 03",
    "+",
    "~",
    "v2",
    "完",
    "a",
  ];
  forEachRun((random) => {
    const file = Array.from({ length: random.whole(1, 60) }, () => random.pick([...pieces, ...more]));
    expect(read(file.join("").replaceAll("/", "")).title).not.toBe("");
  });
  const startedAtMs = performance.now();
  for (const piece of [...pieces, ...more, "aac aac", "- ", "[aac] ", "01-"]) {
    read(piece.repeat(250).slice(0, 250));
    read(`[${piece.repeat(250).slice(0, 240)}!]`);
  }
  expect(performance.now() - startedAtMs).toBeLessThan(20_000);
});

function read(file: string) {
  const { title, season, number } = parseVideoPath(`/x/${file}.mkv`);
  return { title, season, number };
}

function drawName(random: Random): { title: string; number: number } {
  const title = random.shuffle(words).slice(0, random.whole(1, 3)).join(" ");
  return { title, number: random.whole(1, 99) };
}

function padded(number: number): string {
  return String(number).padStart(2, "0");
}

/** Runs with one seed each, which a failure shows by its file name. */
function forEachRun(run: (random: Random) => void): void {
  for (let seed = 1; seed <= runs; seed += 1) run(createRandom(seed));
}
