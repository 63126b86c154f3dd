import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, isIP, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { promisify } from "node:util";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { registerConnectionLimit } from "../src/plugins/connection-limit.ts";
import { rejectUnreadableRequest } from "../src/plugins/unreadable-request.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function openServer(options: { perAddress: number; trustedProxies?: string[] }, address = "127.0.0.1") {
  const server = createServer((_request, response) => response.end("ok"));
  const app = { server } as unknown as FastifyInstance;
  registerConnectionLimit(app, { trustedProxies: [], ...options });
  server.on("clientError", rejectUnreadableRequest);
  server.listen(0, address);
  await once(server, "listening");
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const open = async (): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: address, allowHalfOpen: true });
    socket.on("error", () => {});
    closers.push(() => socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  return Object.assign(open, { countConnections: promisify(server.getConnections.bind(server)) });
}

/** The status line of a response; empty where the connection is closed. */
async function request(socket: Socket, text = "GET / HTTP/1.1\r\nhost: x\r\n\r\n"): Promise<string> {
  let received = "";
  socket.write(text);
  for await (const chunk of socket) {
    received += String(chunk);
    if (received.includes("\r\n")) break;
  }
  return received.split("\r\n")[0] ?? "";
}

const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
const external = addresses.find(({ internal, address }) => !internal && isIP(address) === 4)?.address;

test.skipIf(external === undefined)("closes connections above the limit of one address", async () => {
  const open = await openServer({ perAddress: 2 }, external);
  const [first] = [await open(), await open()];
  expect(await request(await open())).toBe("");
  const closed = once(first as Socket, "close");
  first?.destroy();
  await closed;
  await expect.poll(async () => await request(await open())).toBe("HTTP/1.1 200 OK");
});

test.skipIf(external === undefined)("trusted proxies have no limit", async () => {
  const open = await openServer({ perAddress: 1, trustedProxies: [`${external}/32`] }, external);
  await open();
  expect(await request(await open())).toBe("HTTP/1.1 200 OK");
});

test("loopback addresses have no limit", async () => {
  const open = await openServer({ perAddress: 1 });
  await open();
  expect(await request(await open())).toBe("HTTP/1.1 200 OK");
});

test("closes a connection after its 400 although the client keeps it half-open", async () => {
  const open = await openServer({ perAddress: 1 });
  const socket = await open();
  let received = "";
  socket.on("data", (chunk) => {
    received += String(chunk);
  });
  socket.write("nonsense\r\n\r\n");
  await once(socket, "end");
  expect(received).toMatch(/^HTTP\/1\.1 400 /);
  await expect.poll(() => open.countConnections()).toBe(0);
  expect(socket.writable).toBe(true);
});
