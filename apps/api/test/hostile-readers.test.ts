import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { parseConfiguration } from "@koma/config";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createServer } from "../src/create-server.ts";
import { createResponseBudget } from "../src/plugins/response-budget.ts";

const largeBytes = 12_000_000;

let app: FastifyInstance;
let port: number;
let sockets: Socket[];
/** The requests that a handler works on, and the largest number of them. */
let running: { resolve: () => void; id: string }[];
let mostRunning: number;
beforeEach(async () => {
  [sockets, running, mostRunning] = [[], [], 0];
  app = createServer({
    config: parseConfiguration({ KOMA_TRUSTED_PROXIES: "127.0.0.1" }),
    responseLimits: { networkBytes: 2.5 * largeBytes, allBytes: 5.5 * largeBytes },
  });
  app.get<{ Params: { id: string } }>("/wait/:id", async ({ params: { id } }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    running.push({ resolve, id });
    mostRunning = Math.max(mostRunning, running.length);
    await promise;
    running = running.filter((other) => other.id !== id);
    return id;
  });
  app.get("/buffer", async () => Buffer.alloc(largeBytes));
  app.get("/text", async () => "x".repeat(largeBytes));
  app.get("/json", async () => ({ text: "x".repeat(largeBytes) }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const { resolve } of running) resolve();
  await app.close();
});

/** Sends requests in one write, on a connection that is not read. */
async function sendAll(paths: readonly string[], from = "203.0.113.1"): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const lines = `HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n\r\n`;
  socket.write(paths.map((path) => `GET ${path} ${lines}`).join(""));
  return socket;
}

const listWaits = (count: number) => Array.from({ length: count }, (_, index) => `/wait/${index}`);

test("handles the pipelined requests of a connection one after the other, in their order", async () => {
  const socket = await sendAll(listWaits(10));
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.resume();
  for (let index = 0; index < 10; index++) {
    await expect.poll(() => running.map(({ id }) => id)).toEqual([String(index)]);
    running[0]?.resolve();
  }
  const bodies = () => [...text.matchAll(/\r\n\r\n(\d)/g)].map(([, id]) => Number(id));
  await expect.poll(bodies).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(mostRunning).toBe(1);
});

test("closes a connection on which too many requests wait, and handles none of them", async () => {
  const socket = await sendAll(listWaits(300));
  const closed = once(socket.resume(), "close");
  await closed;
  running[0]?.resolve();
  await expect.poll(() => running).toEqual([]);
  expect(mostRunning).toBe(1);
  expect((await fetch(`http://127.0.0.1:${port}/buffer`)).status).toBe(200);
});

test("a connection ends after 1000 requests", () => {
  expect(app.server.maxRequestsPerSocket).toBe(1000);
});

test.each(["/buffer", "/text", "/json"])(
  "ends the oldest unread response of a network (%s)",
  async (path) => {
    const readers: Socket[] = [];
    for (let index = 0; index < 3; index++) {
      const sent = once(app.server, "request");
      readers.push(await sendAll([path]));
      await sent;
    }
    // A paused socket would not notice the end of its connection.
    const [first, ...others] = readers.map((socket) => once(socket.resume(), "close"));
    await first;
    const read = await fetch(`http://127.0.0.1:${port}/buffer`, {
      headers: { "x-forwarded-for": "203.0.113.1" },
    });
    expect((await read.arrayBuffer()).byteLength).toBe(largeBytes);
    for (const socket of readers) socket.destroy();
    await Promise.all(others);
  },
);

test("limits a network, its /56 and /48, and all networks together", () => {
  const ended: string[] = [];
  const budget = createResponseBudget({ networkBytes: 100, allBytes: 16 * 60 });
  const hold = (id: string, network: string, bytes = 60) =>
    budget.hold({ network, bytes, end: () => ended.push(id) });
  const v6 = (network: number) => `20010db80001${network.toString(16).padStart(4, "0")}/64`;

  hold("a1", "203.0.113.1");
  const release = hold("b1", "203.0.113.2");
  hold("a2", "203.0.113.1");
  expect(ended.splice(0)).toEqual(["a1"]);
  release();
  hold("b2", "203.0.113.2");
  expect(ended).toEqual([]);
  // Six fit in four times 100 bytes, thirteen in eight times.
  for (let index = 0; index < 7; index++) hold(`c${index}`, v6(index));
  expect(ended.splice(0)).toEqual(["c0"]);
  for (let index = 1; index < 9; index++) hold(`d${index}`, v6(index * 256));
  expect(ended.splice(0)).toEqual(["c1"]);
  // Fifteen of 60 bytes are left: one more fits, and no further byte.
  hold("e", "203.0.113.3");
  expect(ended).toEqual([]);
  hold("f", "203.0.113.4", 1);
  expect(ended).toEqual(["c2"]);
});

test("above the limit of all networks ends the oldest response of the network that holds most", () => {
  const ended: string[] = [];
  const budget = createResponseBudget({ networkBytes: 100, allBytes: 200 });
  const hold = (id: string, network: string, bytes: number) =>
    budget.hold({ network, bytes, end: () => ended.push(id) });
  hold("a", "203.0.113.1", 40);
  hold("b1", "203.0.113.2", 45);
  hold("b2", "203.0.113.2", 45);
  hold("c", "203.0.113.3", 60);
  expect(ended).toEqual([]);
  hold("d", "203.0.113.4", 90);
  expect(ended.splice(0)).toEqual(["b1", "c"]);
  // 175 bytes are left: 25 more fit, and no further byte.
  hold("e", "203.0.113.5", 25);
  expect(ended).toEqual([]);
  hold("f", "203.0.113.6", 1);
  expect(ended).toEqual(["d"]);
});
