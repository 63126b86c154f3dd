import { link, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Match, SearchOutcome } from "@koma/contract";
import { sharp } from "@koma/image";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { createLibraryWorkplace, createServerWorkplace, parseLines } from "./koma.ts";

const SearchLine = z.union([
  z.strictObject({
    query: z.string(),
    outcome: SearchOutcome,
    matches: z.array(Match.extend({ file: z.string() }).strict()).max(5),
    queryFrame: z.object({ timestamp: z.number() }).optional(),
  }),
  z.strictObject({ query: z.string(), error: z.strictObject({ code: z.string(), detail: z.string() }) }),
]);

const readLines = (stdout: string) => parseLines(stdout).map((line) => SearchLine.parse(line));

const workplace = await createLibraryWorkplace();
await writeFile(workplace.path("text.jpg"), "this is not an image");
await writeFile(workplace.path("empty.jpg"), "");
afterAll(() => workplace.remove());

test("an empty library is an error with a remedy, and one JSON line per image", async () => {
  const empty = await createServerWorkplace();
  try {
    const { code, stdout, stderr } = await empty.koma("search", "--json", "card.jpg", "missing.png");
    expect([code, stderr]).toEqual([1, expect.stringContaining("`koma index PATH`")]);
    expect(readLines(stdout)).toMatchObject([
      { query: "card.jpg", error: { code: "not_ready" } },
      { query: "missing.png", error: { code: "not_ready" } },
    ]);
  } finally {
    await empty.remove();
  }
});

test("prints only one JSON line per image or video, in the order of the arguments", async () => {
  const video = "films/Test Card - 02.mp4";
  const queries = ["apple.png", "text.jpg", "./card.jpg", video, "missing.png", "empty.jpg", "films"];
  const { code, stdout } = await workplace.koma("search", "--json", ...queries);
  const lines = readLines(stdout);
  expect(code).toBe(1);
  expect(lines.map((line) => line.query)).toEqual(queries);
  expect(lines.map((line) => ("error" in line ? line.error.code : line.matches[0]?.file))).toEqual([
    "Apple Man - OVA 1.mkv",
    "unsupported_image_type",
    "Test Card - 02.mp4",
    "Test Card - 02.mp4",
    "not_found",
    "image_required",
    "invalid_request",
  ]);
  const [apple, , card, frame] = lines.map((line) => ("matches" in line ? line : undefined));
  expect(card?.outcome).toBe("found");
  expect(card?.matches[0]).toMatchObject({
    anime: { title: { romaji: "Test Card" } },
    episode: { season: null, number: 2 },
  });
  expect(apple?.matches[0]?.episode?.number).toBe("OVA 1");
  for (const [line, at] of [[card, 2] as const, [frame, frame?.queryFrame?.timestamp ?? -9] as const])
    expect(Math.abs((line?.matches[0]?.timestamp ?? 9) - at)).toBeLessThan(1);
});

test("searches one anime only, limits the matches and prints a table", async () => {
  const table = await workplace.koma("search", "card.jpg");
  expect(table.code).toBe(0);
  expect(table.stdout).toMatch(/^card\.jpg\n +Anime +Episode +Time +Similarity\n/);
  expect(table.stdout).toMatch(/^1 +Test Card +2 +0:0[123]/m);
  const byTitle = await workplace.koma("search", "--json", "-n", "1", "--anime", "apple man", "card.jpg");
  const { matches } = JSON.parse(byTitle.stdout);
  expect(matches.map((match: Match) => match.anime.title.romaji)).toEqual(["Apple Man"]);
  const args = ["--json", "-n", "1", "--anime", matches[0].anime.id, "card.jpg"];
  expect(JSON.parse((await workplace.koma("search", ...args)).stdout).matches).toEqual(matches);
});

test("fails for an unknown anime", async () => {
  const { code, stdout, stderr } = await workplace.koma("search", "--anime", "Pear Man", "card.jpg");
  expect([code, stdout, stderr]).toEqual([
    1,
    "",
    "koma: nothing in the library has the id or title Pear Man: `koma library list` shows the anime.\n",
  ]);
});

test("fetches URLs, with limits", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/card.jpg")
      return void sharp(workplace.path("card.jpg"))
        .toBuffer()
        .then((body) => response.end(body));
    if (request.url === "/large.jpg") return void response.end(Buffer.alloc(11 * 1024 * 1024));
    response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const queries = [
    `${base}/card.jpg`,
    `${base}/large.jpg`,
    `${base}/none.jpg`,
    "http://127.0.0.1:1/refused.jpg",
  ];
  const { stdout } = await workplace.koma("search", "--json", ...queries);
  server.close();
  const lines = parseLines(stdout);
  expect(lines.map((line) => line.query)).toEqual(queries);
  expect(lines[0].matches[0].file).toBe("Test Card - 02.mp4");
  expect(lines.slice(1).map((line) => line.error.code)).toEqual([
    "image_too_large",
    "url_fetch_failed",
    "url_fetch_failed",
  ]);
});

test("searches many images in order and in bounded memory", async () => {
  // Long names: this command line alone has 25 KB.
  const folder = "many".repeat(60);
  await mkdir(workplace.path(folder));
  const sources = ["card.jpg", "apple.png", "text.jpg"].map((name) => workplace.path(name));
  const queries = Array.from({ length: 100 }, (_, index) => `${folder}/${index}`);
  for (const [index, query] of queries.entries()) await link(sources[index % 3] ?? "", workplace.path(query));
  const isBounded = ["--max-old-space-size=160"];
  const args = ["search", "--json", "-n", "1", ...queries];
  const run = workplace.start(args, { KOMA_ENGINE_WORKERS: "2" }, isBounded);
  const { stdout, code, stderr } = await run.ended;
  expect([code, stderr]).toEqual([1, ""]);
  const lines = readLines(stdout);
  expect(lines.map((line) => line.query)).toEqual(queries);
  const expected = ["Test Card - 02.mp4", "Apple Man - OVA 1.mkv", "unsupported_image_type"];
  expect(lines.map((line) => ("error" in line ? line.error.code : line.matches[0]?.file))).toEqual(
    queries.map((_, index) => expected[index % 3]),
  );
}, 300_000);

test("ends without an error when the reader closes the pipe", async () => {
  const run = workplace.start(["search", "--json", ...Array(100).fill("card.jpg")]);
  await run.printed(/\n/);
  run.child.stdout?.destroy();
  expect(await run.ended).toMatchObject({ code: 0, stderr: "" });
});
