import { expect, test } from "vitest";
import { renderReply } from "../../src/replies/render-reply.ts";
import { makeMatch, makeReply } from "../fixtures/replies.ts";

async function render(language: "en" | "ja", rank: number, count: number): Promise<string> {
  const reply = makeReply({ kind: "match", language, match: makeMatch({ rank, count }) });
  return JSON.stringify(await renderReply(reply, { fileLimitBytes: 0 }));
}

test("a candidate shows its position among several", async () => {
  expect(await render("en", 2, 5)).toContain("2 of 5");
  expect(await render("ja", 2, 5)).toContain("2 / 5");
  expect(await render("en", 1, 1)).not.toContain("1 of 1");
});
