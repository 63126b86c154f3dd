import { describe, expect, test } from "vitest";
import { cut, hide, toRun, toRunLine, writeHtml } from "../../src/replies/runs.ts";

describe("HTML", () => {
  test("escapes the text of users", () => {
    expect(writeHtml([toRun('<b>&amp; "x"', "strong")], 100)).toBe("<b>&lt;b&gt;&amp;amp; &quot;x&quot;</b>");
  });

  test("nests tags, with links inside", () => {
    const line = hide(
      toRunLine({
        style: "quiet",
        spans: [
          { text: "a", url: "https://x.example/?a=1&b=2" },
          { text: "b", style: "code" },
        ],
      }),
      true,
    );
    expect(writeHtml([line], 100)).toBe(
      '<tg-spoiler><i><a href="https://x.example/?a=1&amp;b=2">a</a></i></tg-spoiler><tg-spoiler><i><code>b</code></i></tg-spoiler>',
    );
  });

  test("truncates by visible characters, and closes every tag", () => {
    expect(writeHtml([toRun("&&&&&&", "strong"), toRun("more")], 4)).toBe("<b>&amp;&amp;&amp;…</b>");
    expect(writeHtml([toRun("1234"), toRun("5")], 5)).toBe("1234");
    expect(writeHtml([toRun("1234"), toRun("56", "quiet"), toRun("7")], 7)).toBe("1234\n<i>56</i>");
    expect(writeHtml([toRun("1234"), toRun("567")], 7)).toBe("1234\n5…");
  });

  test("never splits a grapheme", () => {
    expect(cut("a👨‍👩‍👧‍👦b", 6)).toBe("a…");
    expect(cut("か゚か゚か゚", 4)).toBe("か゚…");
    expect(cut("short", 5)).toBe("short");
  });
});

test("items have a bullet, unless they have a number", () => {
  expect(writeHtml([toRunLine({ style: "item", spans: [{ text: "one" }] })], 99)).toBe("• one");
  expect(writeHtml([toRunLine({ style: "item", spans: [{ text: "1. one" }] })], 99)).toBe("1. one");
});
