import { expect, test } from "vitest";
import { type ComparedEpisode, countNeeded, detectLabels } from "../../src/labels/detect-labels.ts";
import { sampleFrames } from "../../src/labels/sampled-frames.ts";
import { type Content, drawEpisode } from "./draw-episode.ts";

const model = { id: "test", dimensions: 64 };
const opening = { seed: 1, seconds: 90 };
const ending = { seed: 2, seconds: 89 };

function compare(name: string, contents: readonly Content[], id = name): ComparedEpisode {
  const { durationSeconds, descriptors } = drawEpisode(model, 1000 + id.length + Number(name), contents);
  return { id, name, durationSeconds, frames: sampleFrames(descriptors) };
}

const own = (seed: number, seconds: number) => ({ seed: 100 + seed, seconds });

const detect = (episodes: ComparedEpisode[], needed = 3) =>
  Object.fromEntries(detectLabels(episodes, needed).map(({ id, labels }) => [id, labels]));

test("finds the opening and the ending wherever they are, and nothing in an episode without them", () => {
  const labels = detect([
    compare("1", [opening, own(1, 400), ending, own(2, 10)]),
    compare("2", [own(3, 62.5), opening, own(4, 300), ending]),
    compare("3", [own(5, 130), opening, own(6, 250), ending, own(7, 31)]),
    compare("4", [own(8, 600)]),
  ]);
  const near = (seconds: number) => expect.closeTo(seconds, 0);
  expect(labels[1]).toEqual([
    { label: "opening", from: near(0), to: near(90) },
    { label: "ending", from: near(490), to: near(579) },
  ]);
  expect(labels[2]).toEqual([
    { label: "opening", from: near(62.5), to: near(152.5) },
    { label: "ending", from: near(452.5), to: near(541.5) },
  ]);
  expect(labels[3]?.map(({ from }) => from)).toEqual([near(130), near(470)]);
  expect(labels[4]).toEqual([]);
});

test("ignores what too few episodes contain, short and long recaps, and other files of one episode", () => {
  const recap = own(20, 40);
  const flashback = own(21, 150);
  const labels = detect([
    compare("1", [opening, own(1, 100), recap, own(2, 100), flashback]),
    compare("2", [opening, own(3, 80), recap, own(4, 70), flashback]),
    compare("2", [opening, own(3, 80), recap, own(4, 70), flashback], "2 again"),
    compare("3", [own(5, 110), recap, own(6, 40), flashback, own(7, 30)]),
  ]);
  expect(labels).toEqual({ 1: [], 2: [], "2 again": [], 3: [] });
});

test("is not deceived by scenes of one camera, which look alike at any distance in time", () => {
  const talk = (seconds: number) => Array.from({ length: seconds / 6 }, (_, at) => own(30 + (at % 2), 6));
  const labels = detect([
    compare("1", [own(1, 100), ...talk(300), own(2, 100)]),
    compare("2", [own(3, 60), ...talk(240), own(4, 190)]),
    compare("3", [own(5, 170), ...talk(180), own(6, 90)]),
  ]);
  expect(labels).toEqual({ 1: [], 2: [], 3: [] });
});

test("needs three episodes, half of fewer than six, and never one alone", () => {
  expect([1, 2, 3, 4, 5, 6, 24].map(countNeeded)).toEqual([2, 2, 2, 2, 3, 3, 3]);
});
