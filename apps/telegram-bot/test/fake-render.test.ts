import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { takeImages } from "@koma/bot-core/testing/take-image";
import { openFake } from "@koma/fake-telegram";
import { findChromium } from "@koma/testing";
import { Api, InputFile } from "grammy";
import sharp from "sharp";
import { expect, it } from "vitest";

const drawStill = async () =>
  new Uint8Array(
    await sharp({ create: { width: 640, height: 360, channels: 3, background: "#c04060" } })
      .jpeg()
      .toBuffer(),
  );

async function talk() {
  const fake = await openFake();
  const api = new Api(fake.token, { apiRoot: fake.apiUrl });
  const [mina, jon] = [fake.createUser({ name: "Mina" }), fake.createUser({ name: "Jon" })];
  const group = fake.createGroup({ title: "Screens", members: [mina, jon] });
  const still = await drawStill();
  const shown = await jon.sends(group, { photo: still, text: "what is <this>?" });
  const requested = await mina.sends(group, { text: "@koma_bot mute", replyTo: shown });
  await api
    .setMessageReaction(group.id, requested.id, [{ type: "emoji", emoji: "👀" }])
    .catch(() => undefined);
  await api.sendPhoto(group.id, new InputFile(still), {
    caption:
      "<b>Mushishi</b> &lt;3\nEpisode 4 · <code>12:34</code>–12:41\nVery likely, 97 %\n<tg-spoiler>secret</tg-spoiler>",
    parse_mode: "HTML",
    has_spoiler: true,
    reply_parameters: { message_id: requested.id },
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
  return { fake, group, mina };
}

type Talk = Awaited<ReturnType<typeof talk>>;

function drawPages(fake: Talk["fake"], group: Talk["group"], mina: Talk["mina"]): string[] {
  return (["light", "dark"] as const).map((theme) =>
    fake.renderChat(group.messages, { theme, viewer: mina, alert: "Thank you" }),
  );
}

it("renders a chat in light and dark, with all visible content", async () => {
  const { fake, group, mina } = await talk();
  const [page = ""] = drawPages(fake, group, mina);
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
  expect(fake.violations).toEqual([]);
  await fake.close();
});

it.skipIf(findChromium() === undefined)("uses dark colours in the dark theme", async () => {
  const { fake, group, mina } = await talk();
  const pages = drawPages(fake, group, mina);
  await fake.close();
  const images = await takeImages(pages, { width: 480 });
  const sizes = await Promise.all(images.map((image) => sharp(image).stats()));
  expect((sizes[0]?.channels[0]?.mean ?? 0) > (sizes[1]?.channels[0]?.mean ?? 255)).toBe(true);
  const folder = process.env.KOMA_TEST_PICTURES;
  if (folder)
    for (const [index, image] of images.entries())
      await writeFile(join(folder, `telegram-chat-${index}.png`), image);
});
