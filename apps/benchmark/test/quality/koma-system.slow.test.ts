import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFfmpeg } from "@koma/media";
import { expect, onTestFinished, test } from "vitest";
import { drawScene } from "../../src/quality/distractors/draw-scene.ts";
import { encodeJpeg } from "../../src/quality/raster/raster.ts";
import { openKomaSystem } from "../../src/quality/systems/koma-system.ts";

test("drawn frames are found at their time, in shots of eight", async () => {
  const folder = await mkdtemp(join(tmpdir(), "koma-system-"));
  const { signal } = new AbortController();
  const system = await openKomaSystem({ folder, tools: await findFfmpeg(), signal });
  onTestFinished(async () => {
    await system.close();
    await rm(folder, { recursive: true });
  });
  await system.addDistractors(64, () => {});
  for (const frame of [10, 60]) {
    const image = await encodeJpeg(drawScene(`distractor ${frame}`, 640, 360), 90);
    const [best] = (await system.search(image)).found;
    const from = Math.floor(frame / 8) * 80;
    expect(best).toMatchObject({ from, to: from + 70 });
    expect(Math.abs((best?.timestamp ?? 0) - frame * 10)).toBeLessThan(10);
  }
});
