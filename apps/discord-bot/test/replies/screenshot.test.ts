import { takeImage } from "@koma/bot-core/testing/take-image";
import { openFake, renderMessage } from "@koma/fake-discord";
import { findChromium } from "@koma/testing";
import { REST, Routes } from "discord.js";
import sharp from "sharp";
import { expect, test } from "vitest";

async function writeCard() {
  const fake = await openFake();
  const rest = new REST({ api: fake.apiUrl, version: "10", retries: 0 }).setToken(fake.token);
  const user = fake.createUser();
  const still = await sharp({ create: { width: 640, height: 360, channels: 3, background: "#c04060" } })
    .png()
    .toBuffer();
  const components = [
    {
      type: 17,
      accent_color: 0x43b581,
      components: [
        { type: 10, content: "## Mushishi <3\n-# Episode 4 · **12:34**–12:41\nVery likely, 97 % ||secret||" },
        {
          type: 12,
          items: [
            { media: { url: "attachment://still.png" }, spoiler: true },
            { media: { url: "attachment://still.png" } },
          ],
        },
        { type: 14 },
        {
          type: 9,
          components: [{ type: 10, content: "[AniList](https://anilist.co/anime/457)" }],
          accessory: { type: 11, media: { url: "attachment://still.png" } },
        },
        {
          type: 1,
          components: [
            { type: 2, style: 2, label: "◀", custom_id: "p", disabled: true },
            { type: 2, style: 3, label: "Right", custom_id: "r" },
            { type: 2, style: 5, label: "Open", url: "https://anilist.co/" },
          ],
        },
        {
          type: 1,
          components: [
            {
              type: 3,
              custom_id: "s",
              placeholder: "Which picture?",
              options: [{ label: "The first", value: "0", description: "scene.png" }],
            },
          ],
        },
      ],
    },
  ];
  await rest.post(Routes.channelMessages(user.direct.id), {
    body: { flags: 1 << 15, components, attachments: [{ id: "0" }] },
    files: [{ data: still, name: "still.png" }],
  });
  expect(fake.violations).toEqual([]);
  const message = await user.direct.waitForMessage();
  const html = renderMessage(message);
  await fake.close();
  return html;
}

test("a card becomes a page with escaped text, embedded images and hidden spoilers", async () => {
  const html = await writeCard();
  expect(html).toContain("<h2>Mushishi &lt;3</h2>");
  expect(html).toContain("<small>Episode 4 · <b>12:34</b>–12:41</small>");
  expect(html.match(/data:image\/png;base64/g)).toHaveLength(3);
  expect(html.match(/class="media spoiler"/g)).toHaveLength(1);
  expect(html).toContain('<span class="button style2 disabled">◀</span>');
});

test.skipIf(findChromium() === undefined)("Chromium renders the image", async () => {
  const image = await takeImage(await writeCard());
  if (process.env.KOMA_TEST_PICTURES) await sharp(image).toFile(`${process.env.KOMA_TEST_PICTURES}/card.png`);
  const { width, height } = await sharp(image).metadata();
  expect(width).toBe(720);
  expect(height).toBeGreaterThan(300);
  const { channels } = await sharp(image).stats();
  expect(channels[0]?.max).toBeGreaterThan(0xb0);
});
