import { expect, it } from "vitest";
import { drawChat } from "./fixtures/draw-chat.ts";

it("renders a chat in light and dark, with all visible content", async () => {
  const [page = ""] = await drawChat();
  for (const part of [
    "<b>Mushishi</b> &lt;3",
    "<code>12:34</code>",
    'class="spoiler"',
    "media veiled",
    "AniList",
    "key link",
    "Thank you",
    "what is &lt;this&gt;?",
    "Jon",
  ])
    expect(page).toContain(part);
});
