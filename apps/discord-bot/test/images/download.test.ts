import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { ImageTooLargeError } from "@koma/bot-core";
import { afterEach, expect, test } from "vitest";
import { createDownload, DownloadError } from "../../src/images/download.ts";

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const options = { limitBytes: 100, signal: new AbortController().signal };
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof DownloadError ? error.reason : error),
  );

test("downloads from the configured host", async () => {
  const url = await serve((_, response) => response.end("abc"));
  const download = createDownload({ apiUrl: `${url}/api` });
  expect(Buffer.from(await download(`${url}/a.png`, options)).toString()).toBe("abc");
});

test.each([
  "http://169.254.169.254/latest/meta-data",
  "http://cdn.discordapp.com/a.png",
  "https://cdn.discordapp.com.evil.example/a.png",
  "https://evildiscordapp.com/a.png",
  "https://user:word@cdn.discordapp.com/a.png",
  "http://127.0.0.1:1/a.png",
  "file:///etc/passwd",
  "nonsense",
])("does not ask %s", async (url) => {
  const download = createDownload({
    apiUrl: "https://discord.com/api",
    fetch: () => Promise.reject(new Error("asked")),
  });
  expect(await reasonOf(download(url, options))).toBe("not-allowed");
});

test("stops at the limit regardless of the declared length", async () => {
  const url = await serve(({ url: path }, response) => {
    if (path === "/honest") response.setHeader("content-length", "101");
    response.end(Buffer.alloc(101));
  });
  const download = createDownload({ apiUrl: url });
  for (const path of ["honest", "chunked"]) {
    await expect(download(`${url}/${path}`, options)).rejects.toThrow(ImageTooLargeError);
  }
});

test("follows no redirect, and distinguishes deleted files from failures", async () => {
  const url = await serve(({ url: path }, response) => {
    if (path === "/moved") response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    else if (path === "/gone") response.writeHead(404).end();
    else if (path === "/slow") response.write("a");
    else response.writeHead(500).end();
  });
  const download = createDownload({ apiUrl: url, timeoutMs: 100 });
  expect(await reasonOf(download(`${url}/moved`, options))).toBe("failed");
  expect(await reasonOf(download(`${url}/gone`, options))).toBe("gone");
  expect(await reasonOf(download(`${url}/broken`, options))).toBe("failed");
  expect(await reasonOf(download(`${url}/slow`, options))).toBe("failed");
});

test("stops when it is aborted", async () => {
  const url = await serve((_, response) => response.write("a"));
  const download = createDownload({ apiUrl: url });
  const controller = new AbortController();
  const work = download(url, { limitBytes: 100, signal: controller.signal });
  controller.abort(new Error("not wanted"));
  await expect(work).rejects.toThrow("not wanted");
});
