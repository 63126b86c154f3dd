import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createImageFetch } from "../src/fetch-image.ts";
import { ImageFetchError } from "../src/image-fetch-error.ts";
import { type ImageNetwork, publicNetwork } from "../src/network.ts";
import { openFakeInternet, otherPublicAddress, ownAddresses, publicAddress } from "./shared/fake-internet.ts";

const limitBytes = 10 * 1024 * 1024;
let internet: Awaited<ReturnType<typeof openFakeInternet>>;
let responses: string[][];

beforeEach(async () => {
  responses = [];
  internet = await openFakeInternet({
    "pictures.example": [publicAddress],
    "two.example": ["2606:4700::1", publicAddress],
    "other.example": [otherPublicAddress],
    "rebinding.example": () => responses.shift() ?? ["127.0.0.1"],
    "mixed.example": [publicAddress, "10.0.0.1"],
    "127.0.0.1.nip.example": ["127.0.0.1"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "own.example": [publicAddress, ownAddresses[0] ?? ""],
    "database.example": [publicAddress],
  });
});
afterEach(() => internet.close());

const fetchImage = (
  address: string,
  {
    budgetBytes = 2 * limitBytes,
    ...options
  }: { timeoutMs?: number; signal?: AbortSignal; budgetBytes?: number; network?: ImageNetwork } = {},
) =>
  createImageFetch({
    network: options.network ?? internet.network,
    limitBytes,
    timeoutMs: options.timeoutMs ?? 5000,
    userAgent: "test",
  })(address, {
    share: createBudget(budgetBytes),
    signal: options.signal ?? new AbortController().signal,
  });

function createBudget(limit: number) {
  let used = 0;
  return {
    take(bytes: number) {
      used += bytes;
      if (used > limit) throw new RangeError("The budget is exhausted.");
    },
    release(bytes: number) {
      used -= bytes;
    },
  };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ImageFetchError ? error.code : String(error);
};

describe("addresses that are rejected before a request is sent", () => {
  test.each([
    "http://127.0.0.1/a.jpg",
    "http://127.0.0.1:8080/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://a.localhost/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://0/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127.0.0.1./",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.1.2.3/",
    "http://127.0.0.1.nip.example/",
    "http://mixed.example/",
    "http://mapped.example/",
    "http://93.184.216.99/",
    "http://[2a00:1450:4001::99]/",
    "http://own.example/",
    "http://database.example/",
    "http://user@pictures.example/",
    "http://user:pass@pictures.example/",
    "http://:pass@pictures.example/",
    "http://pictures.example:22/",
    "http://pictures.example:0/",
    "file:///etc/passwd",
    "ftp://pictures.example/a.jpg",
    "gopher://pictures.example/",
    "data:image/png;base64,iVBORw0KGgo=",
    "javascript:alert(1)",
    "//pictures.example/a.jpg",
    "pictures.example/a.jpg",
    "http://",
    "http://[::1",
    "nonsense",
  ])("rejects %s", async (address) => {
    expect(await codeOf(fetchImage(address))).toBe("url_not_allowed");
    expect(internet.dialled).toEqual([]);
  });
});

test("rejects the host of the server's own base address, by name and by address", async () => {
  await internet.serve(publicAddress, (_request, response) => response.end("reached"));
  const network = { ...internet.network, serverHost: "pictures.example" };
  for (const address of ["http://pictures.example/", "http://two.example/", `http://${publicAddress}/`]) {
    expect(await codeOf(fetchImage(address, { network }))).toBe("url_not_allowed");
  }
  expect(internet.dialled).toEqual([]);
});

test("returns the bytes of an image from the checked address", async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251));
  await internet.serve(publicAddress, (request, response) => {
    expect(request.headers.host).toBe("pictures.example:8080");
    expect(request.headers.cookie).toBeUndefined();
    expect(request.url).toBe("/a%20b.jpg?x=1");
    response.end(bytes);
  });
  expect(Buffer.from(await fetchImage("http://pictures.example:8080/a%20b.jpg?x=1#part")).equals(bytes)).toBe(
    true,
  );
  expect(internet.dialled).toEqual([`${publicAddress}:8080`]);
});

test("resolves a rebinding name once per hop, and connects to the checked address", async () => {
  responses = [[publicAddress]];
  await internet.serve(publicAddress, (_request, response) => void response.end("picture"));
  expect(Buffer.from(await fetchImage("http://rebinding.example/")).toString()).toBe("picture");
  expect(internet.resolved).toEqual(["rebinding.example"]);
  expect(internet.dialled).toEqual([`${publicAddress}:80`]);
  expect(await codeOf(fetchImage("http://rebinding.example/"))).toBe("url_not_allowed");
});

test("tries the next address if one does not respond", async () => {
  await internet.serve(publicAddress, (_request, response) => void response.end("picture"));
  internet.network.resolve = async () => [otherPublicAddress, publicAddress];
  expect(Buffer.from(await fetchImage("http://two.example/")).toString()).toBe("picture");
  expect(internet.dialled).toEqual([`${otherPublicAddress}:80`, `${publicAddress}:80`]);
});

describe("redirects", () => {
  const redirectTo = (location: string) =>
    internet.serve(publicAddress, (_request, response) => void response.writeHead(302, { location }).end());

  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::ffff:127.0.0.1]/",
    "//localhost/",
    "http://127.0.0.1.nip.example/",
    "file:///etc/passwd",
    "http://user:pass@other.example/",
  ])("to %s are rejected", async (location) => {
    await redirectTo(location);
    expect(await codeOf(fetchImage("http://pictures.example/"))).toBe("url_not_allowed");
    expect(internet.dialled).toEqual([`${publicAddress}:80`]);
  });

  test("are followed, including relative ones, at most three", async () => {
    await internet.serve(publicAddress, (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(307, { location: `/${left - 1}` }).end();
      else response.writeHead(308, { location: "http://other.example/end" }).end();
    });
    await internet.serve(otherPublicAddress, (_request, response) => void response.end("there"));
    expect(Buffer.from(await fetchImage("http://pictures.example/2")).toString()).toBe("there");
    expect(await codeOf(fetchImage("http://pictures.example/3"))).toBe("url_fetch_failed");
  });

  test("in a loop, or without a target, fail", async () => {
    await redirectTo("/again");
    expect(await codeOf(fetchImage("http://pictures.example/"))).toBe("url_fetch_failed");
    expect(internet.dialled).toHaveLength(4);
    await internet.serve(otherPublicAddress, (_request, response) => void response.writeHead(301).end());
    expect(await codeOf(fetchImage("http://other.example/"))).toBe("url_fetch_failed");
  });
});

describe("faulty servers", () => {
  test("reports unknown names, closed ports and error statuses", async () => {
    await internet.serve(publicAddress, (_request, response) => void response.writeHead(404).end());
    expect(await codeOf(fetchImage("http://unknown.example/"))).toBe("url_fetch_failed");
    expect(await codeOf(fetchImage("http://other.example/"))).toBe("url_fetch_failed");
    expect(await codeOf(fetchImage("http://pictures.example/"))).toBe("url_fetch_failed");
  });

  test("abandons a server that never responds in time", async () => {
    await internet.serveRaw(publicAddress, () => {});
    const startedMs = performance.now();
    expect(await codeOf(fetchImage("http://pictures.example/", { timeoutMs: 400 }))).toBe("url_fetch_failed");
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });

  test("abandons a server that sends slowly in time, however often data arrives", async () => {
    await internet.serveRaw(publicAddress, (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 50);
      socket.on("close", () => clearInterval(timer));
    });
    const startedMs = performance.now();
    expect(await codeOf(fetchImage("http://pictures.example/", { timeoutMs: 400 }))).toBe("url_fetch_failed");
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });

  test("rejects a server that announces or sends more than 10 MiB", async () => {
    let isStopped = false;
    await internet.serve(publicAddress, (request, response) => {
      if (request.url === "/said") response.writeHead(200, { "content-length": limitBytes + 1 });
      response.on("close", () => {
        isStopped = true;
      });
      response.write(Buffer.alloc(limitBytes));
      if (request.url === "/sent") response.end(Buffer.alloc(1));
    });
    expect(await codeOf(fetchImage("http://pictures.example/said"))).toBe("image_too_large");
    expect(await codeOf(fetchImage("http://pictures.example/sent"))).toBe("image_too_large");
    while (!isStopped) await wait(10);
  });

  test("rejects an image above the available memory until memory is free", async () => {
    await internet.serve(publicAddress, (_request, response) => void response.end(Buffer.alloc(5000)));
    // The bytes, and the 64 KiB block that collects them.
    const neededBytes = 5000 + 64 * 1024;
    const url = "http://pictures.example/";
    expect(await codeOf(fetchImage(url, { budgetBytes: neededBytes - 1 }))).toBe(
      "RangeError: The budget is exhausted.",
    );
    expect(await fetchImage(url, { budgetBytes: neededBytes })).toHaveLength(5000);
  });

  test("rejects a server that disconnects, sends a wrong length or speaks no HTTP", async () => {
    const raw = [
      "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
      "220 smtp ready\r\n",
      `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n`,
      "",
    ];
    await internet.serveRaw(publicAddress, (socket) => void socket.end(raw.shift() ?? ""));
    for (let i = 0; i < 5; i++) {
      expect(await codeOf(fetchImage("http://pictures.example/"))).toBe("url_fetch_failed");
    }
  });
});

test("uses TLS for the host name, at the checked address", async () => {
  const greetings: Buffer[] = [];
  await internet.serveRaw(publicAddress, (socket) => {
    socket.once("data", (bytes) => {
      greetings.push(bytes);
      socket.destroy();
    });
  });
  expect(await codeOf(fetchImage("https://pictures.example/"))).toBe("url_fetch_failed");
  expect(internet.dialled).toEqual([`${publicAddress}:443`]);
  // 22 is a handshake record (RFC 8446). The server name is readable in it.
  expect(greetings[0]?.[0]).toBe(22);
  expect(greetings[0]?.includes("pictures.example")).toBe(true);
  // The list of protocols (RFC 7301) has nine bytes: HTTP/1.1 and nothing else.
  expect(greetings[0]?.includes("\0\x09\x08http/1.1")).toBe(true);
});

test("ends when the caller disconnects", async () => {
  await internet.serveRaw(publicAddress, () => {});
  const caller = new AbortController();
  const work = fetchImage("http://pictures.example/", {
    signal: caller.signal,
  });
  setTimeout(() => caller.abort(), 50);
  await expect(work).rejects.toThrow(/abort/i);
});

test("the real network does not wait for names beyond the deadline", async () => {
  const started = performance.now();
  await publicNetwork.resolve("name.invalid", AbortSignal.timeout(500)).catch(() => []);
  expect(performance.now() - started).toBeLessThan(3000);
});

test("the real network lists this machine's own addresses", () => {
  expect(publicNetwork.ownAddresses()).toContain("127.0.0.1");
});
