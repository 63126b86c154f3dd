import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Api, InputFile } from "grammy";
import sharp from "sharp";
import { expect, it } from "vitest";
import { findBrowser, openStandIn, takePictures } from "./stand-in/index.ts";

const drawStill = async () =>
  new Uint8Array(
    await sharp({ create: { width: 640, height: 360, channels: 3, background: "#c04060" } })
      .jpeg()
      .toBuffer(),
  );

async function talk() {
  const standIn = await openStandIn();
  const api = new Api(standIn.token, { apiRoot: standIn.apiUrl });
  const [mina, jon] = [standIn.createUser({ name: "Mina" }), standIn.createUser({ name: "Jon" })];
  const group = standIn.createGroup({ title: "Screens", members: [mina, jon] });
  const still = await drawStill();
  const shown = await jon.sends(group, { photo: still, text: "what is <this>?" });
  const asked = await mina.sends(group, { text: "@koma_bot mute", replyTo: shown });
  await api.setMessageReaction(group.id, asked.id, [{ type: "emoji", emoji: "👀" }]).catch(() => undefined);
  await api.sendPhoto(group.id, new InputFile(still), {
    caption:
      "<b>Mushishi</b> &lt;3\nEpisode 4 · <code>12:34</code>–12:41\nVery likely, 97 %\n<tg-spoiler>secret</tg-spoiler>",
    parse_mode: "HTML",
    has_spoiler: true,
    reply_parameters: { message_id: asked.id },
    reply_markup: {
      inline_keyboard: [
        [
          { text: "◀", callback_data: "p" },
          { text: "▶", callback_data: "n" },
        ],
        [
          { text: "Right", callback_data: "r" },
          { text: "AniList", url: "https://anilist.co/anime/457" },
        ],
      ],
    },
  });
  return { standIn, group, mina };
}

it("draws a chat in light and dark, with everything that people see", async () => {
  const { standIn, group, mina } = await talk();
  const pages = (["light", "dark"] as const).map((theme) =>
    standIn.renderChat(group.messages, { theme, viewer: mina, notice: "Thank you" }),
  );
  const [page = ""] = pages;
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
  expect(standIn.violations).toEqual([]);
  await standIn.close();
  if (findBrowser() === undefined) {
    process.stderr.write("There is no Chromium on this machine: no pictures of chats are taken.\n");
    return;
  }
  const pictures = await takePictures(pages, { width: 480 });
  const sizes = await Promise.all(pictures.map((picture) => sharp(picture).stats()));
  expect((sizes[0]?.channels[0]?.mean ?? 0) > (sizes[1]?.channels[0]?.mean ?? 255)).toBe(true);
  const folder = process.env.KOMA_TEST_PICTURES;
  if (folder)
    for (const [index, picture] of pictures.entries())
      await writeFile(join(folder, `telegram-chat-${index}.png`), picture);
});
