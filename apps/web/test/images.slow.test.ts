import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeApng } from "@koma/image/testing/write-apng";
import { writeAvifSequence } from "@koma/image/testing/write-avif-sequence";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dropImage, recordSearches, searchFrame } from "./fixtures/acts.ts";
import { open } from "./fixtures/open-browser.ts";
import { openProxy } from "./fixtures/open-proxy.ts";

describe.skipIf(inject("url") === "")("images in common formats", () => {
  let folder: string;
  let proxy: Awaited<ReturnType<typeof openProxy>>;
  /** The latest form of the page: the browser does not expose the files in it. */
  let form: Promise<Buffer> = Promise.resolve(Buffer.alloc(0));
  beforeAll(async () => {
    proxy = await openProxy({
      onRequest: (incoming) => {
        if (incoming.url !== "/api/anime/search") return;
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        form = new Promise((resolve) => incoming.once("end", () => resolve(Buffer.concat(chunks))));
      },
    });
    folder = await mkdtemp(join(tmpdir(), "koma-images-"));
  });
  afterAll(async () => {
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function openPage() {
    const { page } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(proxy.url);
    await page.getByText(/searches left today/).waitFor();
    return page;
  }

  /** Drops each image on the search page, and passes the one that was sent to `check`. */
  async function searchEach(
    images: readonly { name: string; bytes: Buffer }[],
    check: (page: Page, sent: Buffer, image: { name: string; bytes: Buffer }) => Promise<void>,
  ) {
    const page = await openPage();
    for (const image of images) {
      await writeFile(join(folder, image.name), image.bytes);
      await dropImage(page, join(folder, image.name), `image/${image.name.split(".").at(-1)}`);
      await page.getByText("Found", { exact: true }).waitFor();
      await check(page, readUpload(await form), image);
      await page.getByRole("button", { name: "Search another image" }).click();
      await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    }
  }

  test("WebP, AVIF and a large PNG are sent as a JPEG of at most 1600 pixels, and found", async () => {
    const image = sharp(inject("image"));
    const images = [
      { name: "image.webp", bytes: await image.clone().webp().toBuffer() },
      { name: "image.avif", bytes: await image.clone().avif({ effort: 0 }).toBuffer() },
      { name: "image.png", bytes: await image.clone().resize(2000).png({ compressionLevel: 1 }).toBuffer() },
    ];
    await searchEach(images, async (page, sent, { name }) => {
      const { format, width = 0 } = await sharp(sent).metadata();
      expect([name, format, width <= 1600]).toEqual([name, "jpeg", true]);
      await page.getByText("Sent as a smaller JPEG").waitFor();
    });
  });

  test("animations and a JPEG of ordinary size are sent unchanged, and found", async () => {
    const frame = sharp(inject("image"));
    const { width, height } = await frame.metadata();
    const blank = sharp({ create: { width, height, channels: 3, background: "#000" } });
    const pngs = await Promise.all([blank, frame].map((each) => each.clone().png().toBuffer()));
    const animation = sharp(pngs, { join: { animated: true } });
    const images = [
      { name: "animation.gif", bytes: await animation.clone().gif().toBuffer() },
      { name: "animation.webp", bytes: await animation.clone().webp().toBuffer() },
      { name: "sequence.png", bytes: await writeApng([{ image: blank }, { image: frame }]) },
      { name: "sequence.avif", bytes: await writeAvifSequence([blank, frame]) },
      { name: "image.jpeg", bytes: await readFile(inject("image")) },
    ];
    await searchEach(images, async (page, sent, { name, bytes }) => {
      expect([name, sent.equals(bytes)]).toEqual([name, true]);
      expect(await page.getByText("Sent as a smaller JPEG").count()).toBe(0);
    });
  });

  test("an image inside a larger one: the cropped part is darkened", async () => {
    const frame = await sharp(inject("image")).resize(640, 360).toBuffer();
    const file = join(folder, "phone.jpg");
    const screen = { create: { width: 720, height: 1280, channels: 3, background: "#101418" } } as const;
    await writeFile(
      file,
      await sharp(screen)
        .composite([{ input: frame, left: 40, top: 420 }])
        .jpeg()
        .toBuffer(),
    );
    const page = await openPage();
    await dropImage(page, file);
    await page.getByText("Found", { exact: true }).waitFor();
    const candidate = await page.locator(".region").evaluate((region) => {
      const inside = region.getBoundingClientRect();
      const all = region.parentElement?.getBoundingClientRect();
      if (all === undefined) throw new Error("A region without an image.");
      return { top: (inside.top - all.top) / all.height, height: inside.height / all.height };
    });
    expect(Math.abs(candidate.top - 420 / 1280)).toBeLessThan(0.03);
    expect(Math.abs(candidate.height - 360 / 1280)).toBeLessThan(0.04);
    await page.getByText("The scene is the bright part").waitFor();
  });

  test("pasted from the clipboard, and chosen as a file", async () => {
    const page = await openPage();
    const bytes = await sharp(inject("image")).png().toBuffer();
    await page.evaluate(async (text) => {
      const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      await navigator.clipboard.write([
        new ClipboardItem({ "image/png": new Blob([data], { type: "image/png" }) }),
      ]);
    }, bytes.toString("base64"));
    await page.keyboard.press("Control+V");
    await page.getByText("Found", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Search another image" }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Drop a screenshot here" }).click(),
    ]);
    await chooser.setFiles(inject("image"));
    await page.getByText("Found", { exact: true }).waitFor();
  });

  test("opened by the operating system with the installed page, and not again after a reload", async () => {
    const { page } = await open();
    const searches = recordSearches(page);
    // Chromium fills the queue of an installed page only, so the test provides it, also after a reload.
    await page.addInitScript(
      (text) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const file = new File([bytes], "opened.jpg", { type: "image/jpeg" });
        const setConsumer = (take: (launch: object) => Promise<void>) =>
          void take({ files: [{ getFile: async () => file }] });
        Object.defineProperty(window, "launchQueue", { value: { setConsumer } });
      },
      (await readFile(inject("image"))).toString("base64"),
    );
    await page.goto(proxy.url);
    await page.getByText("Found", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("Found", { exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(searches).toHaveLength(1);
    const manifest = await (await fetch(`${proxy.url}/manifest.webmanifest`)).json();
    expect(Object.keys(manifest.file_handlers[0].accept)).toEqual(
      expect.arrayContaining(["image/webp", "video/mp4"]),
    );
  });

  test("dropped while another page is open", async () => {
    const page = await openPage();
    await page.getByRole("link", { name: "Rankings" }).click();
    await page.getByRole("heading", { name: "Rankings" }).waitFor();
    await searchFrame(page);
    await page.goBack();
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    await page.goForward();
    await page.getByText("Found", { exact: true }).waitFor();
  });
});

/** The image in a form. */
function readUpload(form: Buffer): Buffer {
  const start = form.indexOf("\r\n\r\n", form.indexOf('name="image"')) + 4;
  const boundary = form.subarray(0, form.indexOf("\r\n"));
  return form.subarray(start, form.indexOf(Buffer.concat([Buffer.from("\r\n"), boundary]), start));
}
