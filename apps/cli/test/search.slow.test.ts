import { link, mkdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLibraryWorkplace, type Workplace } from "./koma.ts";

let workplace: Workplace;
beforeAll(async () => {
  workplace = await createLibraryWorkplace();
  await writeFile(workplace.path("text.jpg"), "this is not an image");
});
afterAll(() => workplace.remove());

test("searches a frame of a video", async () => {
  const { stdout } = await workplace.koma("search", "--json", "films/Test Card - 02.mp4");
  const line = JSON.parse(stdout);
  expect(line.matches[0].file).toBe("Test Card - 02.mp4");
  expect(Math.abs(line.matches[0].timestamp - line.queryFrame.timestamp)).toBeLessThan(1);
});

test("searches hundreds of images in order and in bounded memory", async () => {
  const count = 200;
  // Long names: this command line alone has 50 KB.
  const folder = "many".repeat(60);
  await mkdir(workplace.path(folder));
  const sources = ["card.jpg", "apple.png", "text.jpg"].map((name) => workplace.path(name));
  const queries = Array.from({ length: count }, (_, index) => `${folder}/${index}`);
  for (const [index, query] of queries.entries()) await link(sources[index % 3] ?? "", workplace.path(query));
  const isBounded = ["--max-old-space-size=160"];
  const args = ["search", "--json", "-n", "1", ...queries];
  const run = workplace.start(args, { KOMA_ENGINE_WORKERS: "2" }, isBounded);
  const { stdout, code, stderr } = await run.ended;
  expect(stderr).toBe("");
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(1);
  expect(lines.map((line) => line.query)).toEqual(queries);
  const expected = ["Test Card - 02.mp4", "Apple Man - OVA 1.mkv", "unsupported_image_type"];
  for (const [index, line] of lines.entries()) {
    expect(line.error?.code ?? line.matches[0]?.file).toBe(expected[index % 3]);
  }
}, 300_000);

test("ends without an error when the reader closes the pipe", async () => {
  const run = workplace.start(["search", "--json", ...Array(200).fill("card.jpg")]);
  await run.printed(/\n/);
  run.child.stdout?.destroy();
  expect(await run.ended).toMatchObject({ code: 0, stderr: "" });
});
