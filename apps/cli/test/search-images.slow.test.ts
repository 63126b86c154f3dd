import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Match, SearchOutcome } from "@koma/contract";
import { sharp } from "@koma/image";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createLibraryWorkplace, createServerWorkplace, type Workplace } from "./koma.ts";

const SearchLine = z.union([
  z.strictObject({
    query: z.string(),
    outcome: SearchOutcome,
    matches: z.array(Match.extend({ file: z.string() }).strict()).max(5),
  }),
  z.strictObject({ query: z.string(), error: z.strictObject({ code: z.string(), detail: z.string() }) }),
]);

let workplace: Workplace;
beforeAll(async () => {
  workplace = await createLibraryWorkplace();
  await writeFile(workplace.path("text.jpg"), "this is not an image");
  await writeFile(workplace.path("empty.jpg"), "");
});
afterAll(() => workplace.remove());

test("an empty library is an error with a remedy, and one JSON line per image", async () => {
  const empty = await createServerWorkplace();
  try {
    const { code, stdout, stderr } = await empty.koma("search", "--json", "card.jpg", "missing.png");
    expect([code, stderr]).toEqual([1, expect.stringContaining("`koma index PATH`")]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => SearchLine.parse(JSON.parse(line)));
    expect(lines).toMatchObject([
      { query: "card.jpg", error: { code: "not_ready" } },
      { query: "missing.png", error: { code: "not_ready" } },
    ]);
  } finally {
    await empty.remove();
  }
});

test("prints only one JSON line per image, in the order of the arguments", async () => {
  const queries = ["apple.png", "text.jpg", "./card.jpg", "missing.png", "empty.jpg", "films"];
  const { code, stdout } = await workplace.koma("search", "--json", ...queries);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => SearchLine.parse(JSON.parse(line)));
  expect(code).toBe(1);
  expect(lines.map((line) => line.query)).toEqual(queries);
  expect(lines.map((line) => ("error" in line ? line.error.code : line.matches[0]?.file))).toEqual([
    "Apple Man - OVA 1.mkv",
    "unsupported_image_type",
    "Test Card - 02.mp4",
    "not_found",
    "image_required",
    "invalid_request",
  ]);
  const [apple, , card] = lines.map((line) => ("matches" in line ? line.matches[0] : undefined));
  expect(lines[2]).toMatchObject({ outcome: "found" });
  expect(card).toMatchObject({
    anime: { title: { romaji: "Test Card" } },
    episode: { season: null, number: 2 },
  });
  expect(apple?.episode?.number).toBe("OVA 1");
  expect(Math.abs((card?.timestamp ?? 0) - 2)).toBeLessThan(1);
});

test("prints a table", async () => {
  const { code, stdout } = await workplace.koma("search", "card.jpg");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^card\.jpg\n +Anime +Episode +Time +Similarity\n/);
  expect(stdout).toMatch(/^1 +Test Card +2 +0:0[123]/m);
});

test("searches one anime only and limits the matches", async () => {
  const list = await workplace.koma("library", "list", "--json");
  const ids = list.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).anime);
  const apple = ids.find((anime) => anime.titleRomaji === "Apple Man");
  const { stdout } = await workplace.koma("search", "--json", "-n", "1", "--anime", apple.id, "card.jpg");
  const { matches } = JSON.parse(stdout);
  expect(matches.map((match: Match) => match.anime.id)).toEqual([apple.id]);
  const byTitle = await workplace.koma("search", "--json", "-n", "1", "--anime", "apple man", "card.jpg");
  expect(JSON.parse(byTitle.stdout).matches).toEqual(matches);
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
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.query)).toEqual(queries);
  expect(lines[0].matches[0].file).toBe("Test Card - 02.mp4");
  expect(lines.slice(1).map((line) => line.error.code)).toEqual([
    "image_too_large",
    "url_fetch_failed",
    "url_fetch_failed",
  ]);
});
