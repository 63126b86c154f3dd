import { EventEmitter } from "node:events";
import type { FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { createCalendar } from "../src/calendar.ts";
import { toClientNetwork } from "../src/client-network.ts";
import { registerConnectionLimit } from "../src/plugins/connection-limit.ts";
import { createCallerQuota } from "../src/search/quota.ts";
import { createSearchQueue } from "../src/search/search-queue.ts";
import { createUploadBudget } from "../src/search/upload-budget.ts";
import { nextGuest, openTestLibrary } from "./fixtures/open-test-api.ts";

const library = await openTestLibrary();

/** The sizes of wider networks, and how many times the limits of a /64 they have. */
const multiples = [
  [56, 4],
  [48, 8],
] as const;

let sites = 0;

/** A /48 of the other range for documentation (RFC 9637): the guests of other tests are in 2001:db8::/32. */
function nextSite(): string {
  sites += 1;
  return `3fff:${sites.toString(16)}:0`;
}

/** Addresses of different /64s: `count` in one /56, or each in another /56 of the /48. */
function listAddresses(count: number, size: 56 | 48, site = nextSite()) {
  return Array.from(
    { length: count },
    (_, index) => `${site}:${(index * (size === 56 ? 1 : 256)).toString(16)}::1`,
  );
}

/** The number of addresses for which `take` succeeds. */
async function countTaken(addresses: string[], take: (network: string) => unknown): Promise<number> {
  let taken = 0;
  for (const address of addresses) {
    try {
      await take(toClientNetwork(address));
      taken += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/busy|too_many|guest_limit/) });
    }
  }
  return taken;
}

const guest = (network: string) => ({ caller: { kind: "guest", hash: network } as const, network });

test.each(multiples)("a /%i has %i times the queue places and failures of a /64", async (size, times) => {
  const limits = { atOnce: 1, guestQueued: 2, failedMs: 100 };
  const started = createSearchQueue(limits);
  const start = (network: string) => started.start(guest(network));
  expect(await countTaken(listAddresses(50, size), start)).toBe(times * 3);

  const queue = createSearchQueue(limits);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const stop = new AbortController();
  const running = [queue.run(guest("203.0.113.1"), stop.signal, () => held)];
  const wait = (network: string) => {
    queue.check(guest(network));
    running.push(queue.run(guest(network), stop.signal, async () => undefined));
  };
  expect(await countTaken(listAddresses(30, size), wait)).toBe(times * 2);
  expect(await countTaken(["203.0.113.2"], wait)).toBe(1);
  release();
  await Promise.all(running);

  const failing = createSearchQueue(limits);
  const fail = (network: string) => {
    failing.check(guest(network));
    failing.charge(guest(network), 100);
  };
  expect(await countTaken(listAddresses(50, size), fail)).toBe(times);
});

test.each(multiples)("a /%i has %i times the upload memory of a /64", async (size, times) => {
  const budget = createUploadBudget({
    ...{ poolBytes: 10_000, networkBytes: 100, callerBytes: 100 },
    ...{ idleMs: 10_000, minimumBytesPerSecond: 1 },
  });
  const take = (network: string) => budget.open({ caller: network, network }).take(50);
  expect(await countTaken(listAddresses(50, size), take)).toBe(times * 2);
  expect(await countTaken(["203.0.113.2"], take)).toBe(1);
});

test.each([[64, 1] as const, ...multiples])(
  "a /%i has %i times the connections of one client",
  (size, times) => {
    const server = new EventEmitter();
    registerConnectionLimit({ server } as unknown as FastifyInstance, { perAddress: 2, trustedProxies: [] });
    const connect = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), { remoteAddress, isOpen: true, destroy: () => {} });
      socket.destroy = () => {
        socket.isOpen = false;
      };
      server.emit("connection", socket);
      return socket;
    };
    const addresses =
      size === 64
        ? ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4"]
        : listAddresses(30, size, "2001:db8:1");
    const sockets = addresses.map(connect);
    expect(sockets.filter(({ isOpen }) => isOpen)).toHaveLength(times * 2);
    expect(connect("2001:db8:2::1").isOpen).toBe(true);
    for (const socket of sockets) if (socket.isOpen) socket.emit("close");
    expect(connect(addresses.at(-1) ?? "").isOpen).toBe(true);
  },
);

test.each([
  [56, 4],
  [48, 20],
] as const)(
  "a /%i has %i times the guest searches of a /64, and failed ones do not count",
  async (size, times) => {
    const api = await library.openApi({ KOMA_GUEST_SEARCHES_PER_DAY: "1" });
    const quota = createCallerQuota({
      database: library.database,
      calendar: createCalendar("UTC", () => new Date()),
      limits: { guestSearchesPerDay: 1, freeCreditsPerDay: 0, searchesPerHour: 0 },
      leaseSeconds: 30,
    });
    const identify = async (address: string) => {
      const request = { headers: {}, ip: address } as never;
      const caller = await api.app.identifyCaller(request, { security: ["guest"] });
      if (caller === undefined) throw new Error("no caller");
      return caller;
    };
    const addresses = listAddresses(times + 3, size);
    const first = await identify(addresses[0] ?? "");
    await quota.release(await quota.reserve(first, "owner", () => undefined), first);
    const reserve = async (address: string) =>
      await quota.reserve(await identify(address), "owner", () => undefined);
    let taken = 0;
    for (const address of addresses) {
      await reserve(address).then(
        () => {
          taken += 1;
        },
        (error) =>
          expect(error).toMatchObject({ code: "guest_limit_reached", extras: { quota: { remaining: 0 } } }),
      );
    }
    expect(taken).toBe(times);
    await expect(reserve(nextGuest())).resolves.toMatchObject({ kind: "guest" });
  },
);

test("a /56 has four times the requests of a /64", async () => {
  const strict = await library.openApi({ KOMA_REQUESTS_PER_MINUTE: "2" });
  const statuses: number[] = [];
  for (const from of listAddresses(10, 56)) {
    statuses.push((await strict.call("/api/anime", { headers: { "x-forwarded-for": from } })).status);
  }
  expect(statuses).toEqual([...Array(8).fill(200), 429, 429]);
});
