import { createServer, request as sendRequest } from "node:http";
import { expect, test } from "vitest";
import type { Person, Reply } from "../src/index.ts";
import { ImageTooLargeError } from "../src/index.ts";
import { checkBotKey } from "../src/process/check-bot-key.ts";
import {
  channel,
  createPerson,
  describeWithApi,
  direct,
  imageOf,
  newRequest,
  requestLookup,
} from "./fixtures/describe-core.ts";
import { freshImage } from "./fixtures/fresh-image.ts";

describeWithApi("what goes wrong", (open) => {
  const lookup = (
    subject: Parameters<ReturnType<typeof open>["core"]["lookup"]>[0]["subject"],
    person = createPerson(),
  ) => open().core.lookup({ person, chat: direct, subject, requestId: newRequest() });

  const countSearches = () =>
    open().measures.filter(({ name, label }) => name === "api" && label.startsWith("searchAnime")).length;

  test("invalid images get a reply without an API call", async () => {
    const before = countSearches();
    const text = imageOf(Buffer.from("I am no picture"), { name: "picture.png" });
    expect(await lookup({ image: text })).toMatchObject({
      kind: "unsupported",
      title: "I can't read this file",
      isPrivate: true,
    });
    const webp = Buffer.from("RIFF\x10\0\0\0WEBPVP8 broken");
    expect(await lookup({ image: imageOf(webp) })).toMatchObject({ kind: "unreadable" });
    const large = imageOf(new Uint8Array(), {
      sizeBytes: 600_000_000,
      read: () => Promise.reject(new Error("read")),
    });
    expect(await lookup({ image: large })).toMatchObject({ kind: "too-large" });
    const growing = imageOf(new Uint8Array(), { read: () => Promise.reject(new ImageTooLargeError()) });
    expect(await lookup({ image: growing })).toMatchObject({ kind: "too-large" });
    const gone = imageOf(new Uint8Array(), { read: () => Promise.reject(new Error("404")) });
    expect(await lookup({ image: gone })).toMatchObject({
      kind: "unreadable",
      title: "I couldn't get the picture",
    });
    expect(countSearches()).toBe(before);
    const broken = (await freshImage()).subarray(0, 900);
    expect(await lookup({ image: imageOf(broken) })).toMatchObject({
      kind: "unreadable",
      title: "The picture seems to be damaged",
      isPrivate: true,
    });
  });

  test("an outage has a retry button, and the message is replaced by the result", async () => {
    const { api } = open();
    const image = imageOf(await freshImage(), { reference: "again" });
    const core = await open().openCore({ fetchImage: async () => image });
    const person = createPerson();
    await api.stop();
    // A problem is private; the result of a public request is public again.
    const chat = channel();
    const lookupIn = (isPrivate: boolean) =>
      core.lookup({ person, chat, subject: { image }, options: { isPrivate }, requestId: newRequest() });
    const [inPublic, inPrivate, failed] = await Promise.all([
      lookupIn(false),
      lookupIn(true),
      core.lookup({ person, chat: direct, subject: { image }, requestId: newRequest() }),
    ]);
    expect(failed).toMatchObject({ kind: "offline" });
    const retry = (reply: Reply, by = person, where: object = { chat: direct }) => {
      const target = reply.buttons.flat().find(({ action }) => action === "retry")?.target ?? "";
      return core.runAction({ person: by, chat: direct, target, requestId: newRequest(), ...where });
    };
    const still = await retry(failed);
    if (still.kind !== "update") throw new Error(`It is ${still.kind}.`);
    expect(still.reply).toMatchObject({ kind: "offline" });
    await api.start();
    expect(await retry(still.reply, createPerson())).toMatchObject({ kind: "notice", isAlert: true });
    expect(await retry(still.reply)).toMatchObject({ kind: "update", reply: { title: "Alpha Show" } });
    const here = { chat, isPrivate: true };
    expect(await retry(inPublic, person, here)).toMatchObject({ kind: "publish", reply: { kind: "match" } });
    expect(await retry(inPrivate, person, here)).toMatchObject({ kind: "update", reply: { kind: "match" } });
  });

  test("a restart of the API is waited for: dropped connections, then a proxy without an API", async () => {
    const { api, openCore } = open();
    let count = 0;
    const proxy = createServer((request, response) => {
      if (++count <= 4) return request.socket.destroy();
      if (count <= 6) return response.writeHead(502).end("Bad Gateway");
      const { method, headers, url = "" } = request;
      const forwarded = sendRequest(new URL(url, api.url), { method, headers }, (received) => {
        response.writeHead(received.statusCode ?? 500, received.headers);
        received.pipe(response);
      });
      request.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const address = proxy.address();
    const port = typeof address === "object" ? address?.port : 0;
    const core = await openCore({ apiUrl: `http://127.0.0.1:${port}` });
    const image = imageOf(await freshImage());
    const request = { person: createPerson(), chat: direct, subject: { image }, requestId: newRequest() };
    const reply = await core.lookup(request).finally(() => proxy.close());
    expect(reply).toMatchObject({ kind: "match" });
    expect(count).toBe(7);
  });

  test("a personal key in place of the bot's key is a start error that names the cause", async () => {
    const { api } = open();
    const { signal } = new AbortController();
    const check = (botKey: string, apiUrl = api.url) =>
      checkBotKey({ apiUrl, botKey, platform: "discord" }, signal);
    const { key } = await (await api.signUp()).createApiKey({ title: "Mine" });
    await expect(check(key)).rejects.toThrow(/KOMA_BOT_KEY is a personal API key.*koma bot key create/);
    await check(api.botKey);
    // An unreachable API is accepted, because it may start later.
    await check(key, "http://127.0.0.1:1");
  });

  test("the API fetches addresses, and rejects private ones", async () => {
    for (const address of [
      "http://127.0.0.1:1/a.jpg",
      "ftp://site.example/a.jpg",
      "http://169.254.169.254/",
    ]) {
      expect(await lookup({ address })).toMatchObject({
        kind: "address",
        title: "This address can't be opened",
        isPrivate: true,
      });
    }
    expect(await lookup({ address: "http://nothing.invalid/a.jpg" })).toMatchObject({ kind: "address" });
  });

  test("a person has a limited number of requests, in order; further ones are rejected", async () => {
    const { core } = open();
    const person = createPerson();
    const replies = await Promise.all(
      Array.from({ length: 7 }, async (_, index) => {
        const image = imageOf(await freshImage(index % 2 === 0 ? "alpha" : "beta"));
        return await requestLookup(core, { person, chat: direct }, { image });
      }),
    );
    const kinds = replies.map(({ kind }) => kind).sort();
    // Five requests are accepted; the guest has three searches.
    expect(kinds).toEqual(["busy", "busy", "match", "match", "match", "quota", "quota"]);
  });

  test("an API that rejects the bot, blocks the person or returns invalid data has separate messages", async () => {
    const { openCore, logs } = open();
    const image = imageOf(await freshImage());
    const ask = async (status: number, body: object, person: Person = createPerson()): Promise<Reply> => {
      const server = createServer((request, response) => {
        request.resume();
        request.on("end", () => {
          response.writeHead(status, { "content-type": "application/problem+json", "retry-after": "90" });
          response.end(
            JSON.stringify({ type: "t", title: "t", status, detail: "d", requestId: "r", ...body }),
          );
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      const core = await openCore({ apiUrl: `http://127.0.0.1:${port}` });
      const request = { person, chat: direct, subject: { image }, requestId: newRequest() };
      return await core.lookup(request).finally(() => server.close());
    };
    expect(await ask(401, { code: "invalid_api_key" })).toMatchObject({ kind: "offline" });
    expect(logs.join("\n")).toContain("rejects the bot's own key");
    expect(await ask(403, { code: "forbidden" })).toMatchObject({ kind: "not-allowed" });
    // A blocked person gets no stored result either; with any other problem it is still shown.
    const blocked = createPerson();
    const request = { person: blocked, chat: direct, subject: { image }, requestId: newRequest() };
    expect(await open().core.lookup(request)).toMatchObject({ kind: "match" });
    expect(await ask(502, { nonsense: true }, blocked)).toMatchObject({ kind: "match" });
    expect(await ask(403, { code: "forbidden" }, blocked)).toMatchObject({ kind: "not-allowed" });
    expect(await ask(503, { code: "not_ready" })).toMatchObject({
      kind: "not-ready",
      retryAt: expect.any(Date),
    });
    expect(await ask(503, { code: "search_busy" })).toMatchObject({
      kind: "busy",
      retryAt: expect.any(Date),
    });
    expect(await ask(500, { code: "internal_error" })).toMatchObject({ kind: "failure" });
    expect(await ask(502, { nonsense: true })).toMatchObject({ kind: "offline" });
    expect(await ask(505, { nonsense: true })).toMatchObject({ kind: "failure" });
    const limited = await ask(429, { code: "hourly_limit_reached" });
    expect(limited).toMatchObject({ kind: "limit", title: "That was a lot of searches in one hour" });
    expect((limited.retryAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(80_000);
  });

  test("settings change languages, previews, private replies and channels for permitted people", async () => {
    const { core } = open();
    const [admin, chat] = [createPerson(), channel({ isManagedByRequester: true, name: "Bebop" })];
    const choose = async (label: string, scope: "person" | "place", who = chat) => {
      const { menus } = await core.settings({ person: admin, chat, scope });
      const target =
        menus.flatMap(({ options }) => options).find((option) => option.label === label)?.target ?? "";
      expect(target).toMatch(/^[\w.-]{1,40}$/);
      return await core.runAction({ person: admin, chat: who, target, requestId: newRequest() });
    };
    expect(await choose("Only who asked", "place", { ...chat, isManagedByRequester: false })).toMatchObject({
      kind: "notice",
    });
    expect(await core.findAudience({ person: admin, chat })).toBe("public");
    expect(await choose("Only who asked", "place")).toMatchObject({
      kind: "update",
      reply: { kind: "settings" },
    });
    expect(await core.findAudience({ person: admin, chat })).toBe("private");
    await choose("Text only", "place");
    await choose("日本語", "place");
    const other = { ...createPerson(), locale: "es-419" };
    const request = { person: other, chat, subject: { image: imageOf(await freshImage()) } };
    const reply = await core.lookup({ ...request, requestId: newRequest() });
    expect(reply).toMatchObject({ isPrivate: true, preview: undefined, language: "es" });
    expect((await core.translatorFor({ person: other, chat })).language).toBe("ja");
    await core.language({ person: other, chat, tag: "zh-TW" });
    expect((await core.translatorFor({ person: other, chat })).language).toBe("zh-Hant");
    const { menus } = await core.settings({ person: admin, chat, scope: "place" });
    const channels = menus.find(({ kind }) => kind === "channels")?.target ?? "";
    await core.runAction({ person: admin, chat, target: channels, values: ["42"], requestId: newRequest() });
    expect(await core.isServedAt(chat)).toBe(false);
    expect(await core.isServedAt({ ...chat, channelId: "42" })).toBe(true);
    const refused = await core.settings({
      person: other,
      chat: { ...chat, isManagedByRequester: false },
      scope: "place",
    });
    expect(refused.kind).toBe("not-allowed");
  });
});
