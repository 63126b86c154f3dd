import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { listConditions } from "../src/notifications/conditions.ts";
import { sendNotification } from "../src/notifications/send-notification.ts";
import { watchConditions } from "../src/notifications/watch-conditions.ts";

let status = 200;
const requests: { headers: IncomingHttpHeaders; body: string }[] = [];
const server = createServer(async (request, response) => {
  const body = await text(request);
  requests.push({ headers: request.headers, body });
  response.writeHead(status, status === 302 ? { location: "http://127.0.0.1:1/" } : {}).end("ok");
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-topic`;
afterAll(() => server.close());

const notification = {
  condition: "disk",
  state: "problem",
  message: "The disk is full, @everyone.",
  site: "https://koma.example",
  at: new Date("2026-11-27T12:00:00Z"),
} as const;

test.each([
  ["json", { ...notification, at: "2026-11-27T12:00:00.000Z" }],
  ["ntfy", "Problem: The disk is full, @everyone. (https://koma.example)"],
  [
    "discord",
    {
      content: "Problem: The disk is full, @everyone. (https://koma.example)",
      allowed_mentions: { parse: [] },
    },
  ],
  ["slack", { text: "Problem: The disk is full, @everyone. (https://koma.example)" }],
] as const)("is sent in the form of %s", async (format, expected) => {
  await sendNotification({ url, format }, notification);
  const sent = requests.at(-1);
  expect(format === "ntfy" ? sent?.body : JSON.parse(sent?.body ?? "")).toEqual(expected);
  expect(sent?.headers["content-type"]).toBe(
    format === "ntfy" ? "text/plain;charset=UTF-8" : "application/json",
  );
});

test.each([500, 302])("status %i is an error that does not name the address", async (failing) => {
  status = failing;
  const error = await sendNotification({ url, format: "json" }, notification).catch((one: unknown) => one);
  status = 200;
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).not.toContain("secret-topic");
});

test("a problem is sent once, again after a failure, and when it ends", async () => {
  const states = ["full", "full", "full", undefined, undefined];
  const sent: string[] = [];
  const logs: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let attempts = 0;
  const stop = watchConditions({
    conditions: {
      async disk() {
        if (states.length === 0) resolve();
        return states.shift();
      },
    },
    async send({ state, message }) {
      attempts += 1;
      if (attempts === 1) throw new Error("no network");
      sent.push(`${state} ${message}`);
    },
    onLog: (line) => void logs.push(line),
    gapMs: 1,
  });
  await ended;
  await stop();
  expect(sent).toEqual(["problem full", "solved full"]);
  expect(logs).toEqual([expect.stringContaining("no network")]);
});

test("failed videos, a failed backup, a service that is down and no problem", async () => {
  const read = async (o: { dead: number; failedAt: Date | undefined }) => {
    const conditions = listConditions({
      dataDir: ".",
      database: { indexQueue: { count: async () => ({ waiting: 0, running: 0, dead: o.dead }) } as never },
      indexQueue: {
        status: () => ({ waiting: 0, run: undefined, lastRun: undefined, fractions: new Map() }),
      },
      backups: { status: async () => ({ lastAt: undefined, failedAt: o.failedAt }), close: async () => {} },
      upstreams: {
        listDown: (forMs) =>
          o.dead > 0 && forMs === 3_600_000 ? [{ name: "koma.example", url: "https://koma.example" }] : [],
      },
    });
    return [await conditions.indexing?.(), await conditions.backup?.(), await conditions.upstream?.()];
  };
  expect(await read({ dead: 0, failedAt: undefined })).toEqual([undefined, undefined, undefined]);
  expect(await read({ dead: 2, failedAt: new Date() })).toEqual([
    expect.stringContaining("2 videos"),
    expect.stringContaining("backup failed"),
    expect.stringContaining("koma.example have failed for an hour"),
  ]);
});
