import { afterEach, beforeEach, expect, test } from "vitest";
import { type DownloadOptions, openDownload } from "../src/download-file.ts";
import { openFakeInternet, publicAddress } from "./shared/fake-internet.ts";

let internet: Awaited<ReturnType<typeof openFakeInternet>>;
beforeEach(async () => {
  internet = await openFakeInternet({ "files.example": [publicAddress], "inside.example": ["10.0.0.1"] });
});
afterEach(() => internet.close());

const file = Buffer.alloc(300_000, "a pack ");
const { signal } = new AbortController();

async function download(address: string, options: Partial<DownloadOptions> = {}): Promise<Buffer> {
  const { network } = internet;
  const all = {
    network,
    limitBytes: 1_000_000,
    idleMs: 5000,
    userAgent: "test",
    allowsHttp: true,
    ...options,
  };
  const { bytes } = await openDownload(address, all, signal);
  return Buffer.concat(await Array.fromAsync(bytes));
}

test("streams a file, also behind a redirect, with its size", async () => {
  await internet.serve(publicAddress, (request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/file" }).end();
    else response.writeHead(200, { "content-length": file.length }).end(file);
  });
  expect((await download("http://files.example/moved")).equals(file)).toBe(true);
  const { network } = internet;
  const options = { network, limitBytes: 1_000_000, idleMs: 5000, userAgent: "test", allowsHttp: true };
  const opened = await openDownload("http://files.example/file", options, signal);
  expect(opened.totalBytes).toBe(file.length);
  await opened.bytes.return();
});

test.each([
  ["http", { allowsHttp: false }, "http://files.example/file", "Only https addresses can be fetched."],
  ["a private address", {}, "http://inside.example/file", "The address leads to a host that is not public."],
  ["a redirect to one", {}, "http://files.example/inside", "The address leads to a host that is not public."],
  ["endless redirects", {}, "http://files.example/loop", "The address was redirected more than 3 times."],
  ["a missing file", {}, "http://files.example/none", "The server responded with status 404."],
  ["a large file", { limitBytes: 1000 }, "http://files.example/file", "The file is larger than 0 GiB."],
  ["an endless file", { limitBytes: 1000 }, "http://files.example/endless", "The file is larger than 0 GiB."],
  [
    "a file that breaks off",
    {},
    "http://files.example/broken",
    "The download ended before the end of the file.",
  ],
])("refuses %s", async (_name, options, address, message) => {
  await internet.serve(publicAddress, (request, response) => {
    if (request.url === "/inside") response.writeHead(302, { location: "http://inside.example/" }).end();
    else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (request.url === "/none") response.writeHead(404).end();
    else if (request.url === "/endless") response.writeHead(200).end(file);
    else if (request.url === "/broken") {
      response.writeHead(200, { "content-length": file.length });
      response.write(file.subarray(0, 1000), () => response.destroy());
    } else response.writeHead(200, { "content-length": file.length }).end(file);
  });
  await expect(download(address, options)).rejects.toThrow(message);
});

/** Serves the file in parts of a fifth, after each of which the connection ends. */
async function serveInParts({ etags = ['"one"'], areRangesKnown = true } = {}) {
  const ranges: (string | undefined)[] = [];
  const part = file.length / 5;
  await internet.serve(publicAddress, (request, response) => {
    const etag = etags[Math.min(ranges.length, etags.length - 1)] ?? "";
    const { range, "if-range": condition } = request.headers;
    ranges.push(range);
    // The first attempt to continue meets a server that starts.
    if (ranges.length === 2) return response.writeHead(503).end();
    const from = areRangesKnown && condition === etag ? Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1]) : 0;
    const rest = file.subarray(from);
    const contentRange = `bytes ${from}-${file.length - 1}/${file.length}`;
    response.writeHead(from === 0 ? 200 : 206, {
      ...{ "content-length": rest.length, ...(etag !== "" && { etag }) },
      ...(from > 0 && { "content-range": contentRange }),
    });
    if (rest.length <= part) return response.end(rest);
    return response.write(rest.subarray(0, part), () => response.destroy());
  });
  return ranges;
}

test("continues an interrupted download of an unchanged file", async () => {
  const ranges = await serveInParts();
  expect((await download("http://files.example/file", { retryMs: 1 })).equals(file)).toBe(true);
  expect(ranges.length).toBeGreaterThanOrEqual(6);
  expect([ranges[0], ranges[1]]).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/)]);
});

test.each([
  ["a changed file", { etags: ['"one"', '"one"', '"two"'] }, "The file has changed since the download began"],
  ["a server without ranges", { areRangesKnown: false }, "or the server cannot continue it"],
  ["a file without an ETag", { etags: [""] }, "The download ended before the end of the file."],
  ["a file with a weak ETag", { etags: ['W/"one"'] }, "The download ended before the end of the file."],
])("does not continue %s", async (_name, served, message) => {
  await serveInParts(served);
  await expect(download("http://files.example/file", { retryMs: 1 })).rejects.toThrow(message);
});

test("gives up after eight interruptions", async () => {
  let requests = 0;
  await internet.serve(publicAddress, (_request, response) => {
    requests += 1;
    if (requests > 1) return response.writeHead(503).end();
    response.writeHead(200, { "content-length": file.length, etag: '"one"' });
    return response.write(file.subarray(0, 1000), () => response.destroy());
  });
  await expect(download("http://files.example/file", { retryMs: 1 })).rejects.toThrow("status 503");
  expect(requests).toBe(9);
});
