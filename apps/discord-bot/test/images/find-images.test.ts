import { expect, test } from "vitest";
import { findAddress, findImages } from "../../src/images/find-images.ts";

const attachment = (id: string, more: object = {}) => ({
  id,
  filename: `${id}.png`,
  size: 10,
  url: `https://cdn.discordapp.com/attachments/1/${id}/${id}.png`,
  proxy_url: `https://media.discordapp.net/attachments/1/${id}/${id}.png`,
  content_type: "image/png",
  ...more,
});
const namesOf = (message: object) => findImages(message).map(({ name }) => name);

test("finds attachments, components, embeds and forwarded messages once each, in display order", () => {
  const message = {
    content: "",
    attachments: [
      attachment("a"),
      attachment("notes", { filename: "notes.txt", content_type: "text/plain" }),
    ],
    components: [
      {
        type: 17,
        components: [
          {
            type: 12,
            items: [
              {
                media: {
                  url: "https://site.example/b.png",
                  proxy_url: "https://images-ext-1.discordapp.net/b",
                },
              },
            ],
          },
          { type: 9, components: [], accessory: { type: 11, media: { url: "https://site.example/c.png" } } },
        ],
      },
    ],
    embeds: [
      { image: { url: "https://site.example/d.png", proxy_url: "https://images-ext-1.discordapp.net/d" } },
      { thumbnail: { url: "https://site.example/e.jpg" } },
      { title: "only words" },
      { image: { url: "https://site.example/d.png" } },
    ],
    message_snapshots: [
      { message: { attachments: [attachment("f"), attachment("a")], embeds: [], content: "" } },
    ],
  };
  expect(namesOf(message)).toEqual(["a.png", "b.png", "c.png", "d.png", "e.jpg", "f.png"]);
});

test("returns all attachments if none has the type of an image", () => {
  const archive = attachment("x", { filename: "x.zip", content_type: "application/zip" });
  expect(namesOf({ attachments: [archive] })).toEqual(["x.zip"]);
  expect(namesOf({ attachments: [archive, attachment("y")] })).toEqual(["y.png"]);
});

test.each([
  ["the flag", { attachments: [attachment("a", { flags: 8 })] }, true],
  ["the file's name", { attachments: [attachment("a", { filename: "SPOILER_a.png" })] }, true],
  [
    "bars around a link",
    { content: "||https://site.example/a.png||", embeds: [{ image: { url: "https://site.example/a.png" } }] },
    true,
  ],
  [
    "a hidden container",
    {
      components: [
        {
          type: 17,
          spoiler: true,
          components: [{ type: 12, items: [{ media: { url: "https://site.example/a.png" } }] }],
        },
      ],
    },
    true,
  ],
  ["nothing", { attachments: [attachment("a", { flags: 4 })] }, false],
])("a spoiler by %s", (_, message, hasSpoiler) => {
  expect(findImages(message)).toEqual([expect.objectContaining({ hasSpoiler })]);
});

test.each([
  ["look <https://site.example/a.png>!", "https://site.example/a.png"],
  ["||https://site.example/a.png||", "https://site.example/a.png"],
  ["(see http://site.example/a?x=1).", "http://site.example/a?x=1"],
  ["ftp://site.example/a.png", undefined],
  ["no address here: https://", undefined],
])("the address in %s", (text, address) => {
  expect(findAddress(text)).toBe(address);
});

test("finds stickers, except vector graphics", () => {
  const sticker = (id: string, type: number) => ({ id, name: `sticker ${id}`, format_type: type });
  const found = findImages({ sticker_items: [1, 2, 3, 4].map((type) => sticker(String(type), type)) });
  expect(found.map(({ url }) => url)).toEqual([
    "https://media.discordapp.net/stickers/1.png",
    "https://media.discordapp.net/stickers/2.png",
    "https://media.discordapp.net/stickers/4.gif",
  ]);
});
