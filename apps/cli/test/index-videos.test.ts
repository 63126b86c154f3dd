import { mkdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawVideo } from "./draw-video.ts";
import { createServerWorkplace, type Workplace } from "./koma.ts";

let workplace: Workplace;
beforeAll(async () => {
  workplace = await createServerWorkplace();
});
afterAll(() => workplace.remove());

test("prints events as JSON lines with the summary last; a broken video causes exit code 1", async () => {
  await mkdir(workplace.path("broken"));
  const video = workplace.path("broken/Test Card - 01.mp4");
  await drawVideo(video, { source: "testsrc2", seconds: 2 });
  await writeFile(workplace.path("broken/Broken - 01.mp4"), "not a video");
  const { code, stdout } = await workplace.koma("index", "--json", "broken");
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(1);
  expect(events[0]).toMatchObject({ kind: "discovered", files: 2 });
  expect(events.at(-1)).toMatchObject({ kind: "summary", files: 2, indexed: 1, failed: 1 });
  const totals = events.filter((event) => event.kind === "total");
  expect(totals.at(-1)).toMatchObject({
    files: 2,
    done: 2,
    videoSeconds: 2,
    remainingSeconds: 0,
    fraction: 1,
  });
  const failed = events.find((event) => event.kind === "failed");
  expect(failed.file).toBe(workplace.path("broken/Broken - 01.mp4"));
  const again = await workplace.koma("index", "broken");
  expect(again.stdout).toMatch(/^2 videos: 1 unchanged, 1 failed\.$/m);
});
