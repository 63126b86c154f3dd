import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findFfmpeg } from "@koma/media";
import { expect, onTestFinished, test } from "vitest";
import { createVideoAccess } from "../../src/quality/images/video-access.ts";
import { openKomaSystem } from "../../src/quality/systems/koma-system.ts";
import { measureTimes, type TimeRow } from "../../src/times/measure-times.ts";
import { readFrames } from "../../src/times/read-frames.ts";
import { drawEpisode } from "../../src/times/series/draw-episode.ts";
import { sumUpTimes } from "../../src/times/times-report.ts";

// docs/decisions/times.md has the results of whole episodes and of a film.
test("the second of most frames of a drawn episode is found", { timeout: 600_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "koma-times-"));
  const { signal } = new AbortController();
  const tools = await findFfmpeg();
  const koma = await openKomaSystem({ folder: join(folder, "koma"), tools, signal });
  onTestFinished(async () => {
    await koma.close();
    await rm(folder, { recursive: true });
  });
  const file = join(folder, "Paper Street - 01.mp4");
  await drawEpisode(tools, file, { series: "Paper Street", number: 1, seconds: 30 });
  const access = createVideoAccess(tools, signal);
  const video = await readFrames(access, { file, name: basename(file), work: "Paper Street" }, () => {});
  await koma.index([video], () => {});
  const rows: TimeRow[] = await Array.fromAsync(
    measureTimes(access, [video], [koma], { count: 8, seed: "guard" }),
  );
  const shareOf = Object.fromEntries(sumUpTimes(rows).map(({ edit, right }) => [edit, right]));
  for (const edit of ["clean", "low resolution", "subtitles", "tone"])
    expect(shareOf[edit], edit).toBeGreaterThanOrEqual(0.85);
  expect(shareOf["cropped edges"]).toBeGreaterThanOrEqual(0.6);
});
