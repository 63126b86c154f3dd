import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { dropImage, listSavedImages } from "./fixtures/acts.ts";
import { open } from "./fixtures/open-browser.ts";
import { openProxy } from "./fixtures/open-proxy.ts";

const run = promisify(execFile);
const ffmpeg = process.env.FFMPEG_PATH ?? "ffmpeg";
const url = inject("url");
const hasFfmpeg = await run(ffmpeg, ["-version"]).then(
  () => true,
  () => false,
);

describe.skipIf(url === "" || !hasFfmpeg)("videos and other formats", () => {
  let folder: string;
  const pathOf = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "koma-videos-"));
    await Promise.all([
      writeVideo(inject("image"), pathOf("short.mp4"), 4, ["-c:v", "libx264"]),
      writeVideo(inject("image"), pathOf("short.webm"), 4, ["-c:v", "libvpx"]),
      writeVideo(inject("image"), pathOf("long.mp4"), 75, ["-c:v", "libx264"]),
      writeVideo(inject("image"), pathOf("short.mkv"), 2, ["-c:v", "libx264"]),
      run(ffmpeg, ["-y", "-i", inject("image"), pathOf("image.bmp")]),
    ]);
    const bytes = await readFile(pathOf("short.mp4"));
    await writeFile(pathOf("corrupt.mp4"), bytes.subarray(0, 200));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  test("a dropped video shows its searched frame, also after back and forward, and so does a pasted one", async () => {
    const { page, errors } = await openPage();
    const input = page.locator("input.picture-file");
    expect(await input.getAttribute("accept")).toMatch(/image\/\*.*video\/mp4.*video\/webm/);
    await dropImage(page, pathOf("short.mp4"), "video/mp4");
    await expectFrame(page);
    await page.goBack();
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    await page.goForward();
    await page.getByText("Your video").waitFor();
    await page.getByRole("button", { name: "Search another image" }).click();
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    await paste(page, await readFile(pathOf("short.webm")), "video/webm");
    await expectFrame(page);
    expect(errors).toEqual([]);
  });

  test("a large video and its searched frame survive a reload, back and forward", async () => {
    const { page } = await openPage();
    // The session storage of a tab holds 5 MB.
    await dropImage(page, pathOf("short.mp4"), "video/mp4", 7 * 1024 ** 2);
    await expectFrame(page);
    await expect.poll(() => listSavedImages(page)).toHaveLength(1);
    await page.reload();
    await expectFrame(page);
    await page.goBack();
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    await page.reload();
    await page.goForward();
    await expectFrame(page);
  });

  test("videos that are too long, too large, of another format or corrupt are rejected, with the limits or the formats", async () => {
    const { page } = await openPage();
    const tooLarge = ["The video is too long or too large", /60 seconds and 10 MB/] as const;
    const unreadable = ["That video can't be searched", /MP4 and WebM/] as const;
    for (const [name, type, padding, [title, remedy]] of [
      ["long.mp4", "video/mp4", 0, tooLarge],
      ["short.mkv", "video/x-matroska", 0, unreadable],
      ["short.mp4", "video/mp4", 10 * 1024 ** 2, tooLarge],
      ["corrupt.mp4", "video/mp4", 0, unreadable],
    ] as const) {
      await dropImage(page, pathOf(name), type, padding);
      const panel = page.locator(".problem", { hasText: title });
      await panel.waitFor();
      expect(await panel.textContent()).toMatch(remedy);
    }
  });

  test("a video of 8 MiB may take a minute to upload", async () => {
    const { page } = await open({}, { isReused: false });
    await page.clock.install();
    let isSent = false;
    const proxy = await openProxy({
      async onRequest(incoming) {
        if (incoming.url !== "/api/anime/search") return;
        isSent = true;
        await new Promise(() => {});
      },
    });
    onTestFinished(() => proxy.close());
    await page.goto(proxy.url);
    await dropImage(page, pathOf("short.mp4"), "video/mp4", 8 * 1024 ** 2);
    await expect.poll(() => isSent).toBe(true);
    await page.clock.runFor(60_000);
    expect(await page.locator(".problem").count()).toBe(0);
    await page.clock.runFor(120_000);
    await page.locator(".problem").waitFor();
  });

  test("a BMP is found", async () => {
    const { page } = await openPage();
    await dropImage(page, pathOf("image.bmp"), "image/bmp");
    await page.getByText("Found", { exact: true }).waitFor();
  });

  async function openPage() {
    const opened = await open();
    await opened.page.goto(url);
    await opened.page.getByText(/searches left today/).waitFor();
    return opened;
  }
});

/** Writes a video whose only frame with detail is the image, in the second half. */
async function writeVideo(image: string, path: string, seconds: number, codec: string[]): Promise<void> {
  const half = seconds / 2;
  await run(ffmpeg, [
    ...["-y", "-loop", "1", "-framerate", "8", "-t", String(seconds), "-i", image],
    ...["-vf", `scale=trunc(iw/2)*2:trunc(ih/2)*2,drawbox=t=fill:c=black:enable='lt(t,${half})'`],
    ...[...codec, "-b:v", "1M", "-pix_fmt", "yuv420p", path],
  ]);
}

/** Waits for the result of a video of 4 seconds, and for its searched frame. */
async function expectFrame(page: Page): Promise<void> {
  // A video needs ten runs of ffmpeg, which take long on a busy machine.
  await page.getByText("Found", { exact: true }).waitFor({ timeout: 60_000 });
  const note = (await page.getByText(/^Searched: the frame at 00:00:0[23]\.\d{3}$/).textContent()) ?? "";
  const seconds = Number(note.slice(-6));
  const video = page.locator(".asked video");
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => [element.currentTime, element.readyState >= 2]))
    .toEqual([expect.closeTo(seconds, 1), true]);
}

async function paste(page: Page, bytes: Buffer, type: string): Promise<void> {
  await page.evaluate(
    ({ text, type }) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], "pasted", { type }));
      document.body.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    { text: bytes.toString("base64"), type },
  );
}
