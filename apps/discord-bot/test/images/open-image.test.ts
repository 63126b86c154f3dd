import { expect, test } from "vitest";
import { fromAttachment } from "../../src/images/find-images.ts";
import { isImageAttachment, openImage } from "../../src/images/open-image.ts";

const download = async () => new Uint8Array();
const url = "https://cdn.discordapp.com/attachments/1/2/a.png?ex=1&is=2&hm=3";
const attachment = { id: "2", filename: "a.png", size: 10, url, proxy_url: url };

test("other search engines get the address of an attachment, and the original address of a link", () => {
  const found = fromAttachment(attachment);
  expect(openImage(found, download)?.publicUrl).toBe(url);
  const outsideUrl = "https://site.example/b.png";
  expect(openImage({ ...found, outsideUrl }, download)?.publicUrl).toBe(outsideUrl);
});

test("a local address is not public", () => {
  const found = fromAttachment({ ...attachment, url: "http://127.0.0.1:9/a.png" });
  expect(openImage(found, download)).not.toHaveProperty("publicUrl");
});

test("only image attachments at Discord are shown beside a reply", () => {
  const cdn = "https://cdn.discordapp.com";
  expect(isImageAttachment(`${cdn}/ephemeral-attachments/1/2/a.PNG?ex=1&hm=2`)).toBe(true);
  for (const address of [
    undefined,
    `${cdn}/attachments/1/2/a.mp4?ex=1`,
    `${cdn}/stickers/1.png`,
    "https://pictures.example/attachments/1/2/a.png",
  ]) {
    expect(isImageAttachment(address)).toBe(false);
  }
});
