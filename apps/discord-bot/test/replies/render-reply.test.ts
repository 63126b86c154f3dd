import { makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import type { Language } from "@koma/messages";
import { expect, test } from "vitest";
import { orderLines } from "../../src/replies/markdown.ts";
import { renderReply } from "../../src/replies/render-reply.ts";

async function render(language: Language, rank: number, count: number): Promise<string> {
  const reply = makeReply({ kind: "match", language, match: makeMatch({ rank, count }) });
  return JSON.stringify(renderReply(reply));
}

test("a candidate shows its position among several", async () => {
  expect(await render("en", 2, 5)).toContain("2 of 5");
  expect(await render("ja", 2, 5)).toContain("2 / 5");
  expect(await render("en", 1, 1)).not.toContain("1 of 1");
});

test("the cover is a thumbnail beside the text", async () => {
  const coverUrl = "https://koma.example/previews/cover/a/9f86d081884c7d65.webp";
  const reply = makeReply({ kind: "match", match: makeMatch({ coverUrl }) });
  const { components } = renderReply(reply);
  const accessory = { media: { url: coverUrl }, description: "Alpha Show" };
  expect(components).toMatchObject([{ components: [{ accessory }, expect.anything(), expect.anything()] }]);
});

test("the searched image is a thumbnail beside the text, instead of the cover", async () => {
  const searchedImageUrl = "https://cdn.discordapp.com/ephemeral-attachments/1/2/a.png?ex=3";
  const match = makeMatch({ coverUrl: "https://koma.example/previews/cover/a/9f86d081884c7d65.webp" });
  const reply = makeReply({ kind: "match", match, searchedImageUrl });
  const { components, files } = renderReply(reply);
  expect(components).toMatchObject([
    {
      components: [
        {
          components: [{ content: expect.stringContaining("Alpha Show") }],
          accessory: { media: { url: searchedImageUrl }, description: "The picture that was searched" },
        },
        expect.anything(),
        expect.anything(),
      ],
    },
  ]);
  expect(files).toEqual([]);
});

test("a line of a right-to-left language keeps its order, behind the markup at its start", async () => {
  const lines = ["### هل هذا هو؟", "-# **الحلقة 1 · 0:03**", "- نعم.", "Alpha Show", "**Alpha**: نعم."];
  expect(orderLines(lines.join("\n"), "ar").split("\n")).toEqual([
    "### \u2067هل هذا هو؟\u2069",
    "-# \u2067**الحلقة 1 · 0:03**\u2069",
    "- \u2067نعم.\u2069",
    "Alpha Show",
    "\u2067**Alpha**: نعم.\u2069",
  ]);
  expect(orderLines("アルファ: نعم.", "ja")).toBe("アルファ: نعم.");
  expect(await render("ar", 2, 5)).toContain("-# \u2067");
});
