import { expect, test } from "vitest";
import { escapeText, writeLine } from "../../src/replies/markdown.ts";

test.each([
  ["*stars* and _lines_", "\\*stars\\* and \\_lines\\_"],
  ["||hidden|| `code` ~~x~~", "\\|\\|hidden\\|\\| \\`code\\` \\~\\~x\\~\\~"],
  ["<@1> [a](b)", "\\<@1\\> \\[a\\](b)"],
  ["# no heading", "\\# no heading"],
  ["-# no small print", "\\-# no small print"],
  ["1. no list\n- nor this", "1\\. no list\n\\- nor this"],
  ["Re:Zero 2nd – 12:34", "Re:Zero 2nd – 12:34"],
])("%s is shown literally", (text, escaped) => {
  expect(escapeText(text)).toBe(escaped);
});

test("an address in plain text does not become a link", () => {
  expect(escapeText("see https://evil.example/")).not.toContain("https://");
});

test("a link's text and address cannot close the link's markup", () => {
  const link = { text: "a](b", url: "https://site.example/a b)>x" };
  expect(writeLine({ style: "normal", spans: [link] })).toBe("[a\\](b](<https://site.example/a%20b%29%3ex>)");
});

test("lines are written in their style, and hidden ones behind a spoiler mark", () => {
  const line = (style: "normal" | "heading" | "quiet" | "item") => ({ style, spans: [{ text: "a" }] });
  expect(["normal", "heading", "quiet", "item"].map((style) => writeLine(line(style as "normal")))).toEqual([
    ...["a", "**a**", "-# a", "- a"],
  ]);
  expect(writeLine(line("normal"), { isHidden: true })).toBe("||a||");
  expect(writeLine({ style: "normal", spans: [{ text: "WD`JB", style: "code" }] })).toBe("`WDˋJB`");
});
