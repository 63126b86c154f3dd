import { expect, test } from "vitest";
import { writeCard } from "../fixtures/write-card.ts";

test("a card becomes a page with escaped text, embedded images and hidden spoilers", async () => {
  const html = await writeCard();
  expect(html).toContain("<h2>Mushishi &lt;3</h2>");
  expect(html).toContain("<small>Episode 4 · <b>12:34</b>–12:41</small>");
  expect(html.match(/data:image\/png;base64/g)).toHaveLength(3);
  expect(html.match(/class="media spoiler"/g)).toHaveLength(1);
  expect(html).toContain('<span class="button style2 disabled">◀</span>');
});
