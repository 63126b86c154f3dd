import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Chat } from "../src/index.ts";
import {
  channel,
  createPerson,
  describeWithStore,
  direct,
  imageOf,
  newRequest,
  requestLookup,
} from "./fixtures/describe-core.ts";
import { textOf } from "./fixtures/scripted-api.ts";

describeWithStore("without an API", (open) => {
  async function chooseOption(menu: string, chat: Chat, label: string): Promise<void> {
    const { core } = open();
    const [person, managed] = [createPerson(), { ...chat, isManagedByRequester: true }];
    const { menus } = await core.settings({ person, chat: managed, scope: "place" });
    const options = menus.find((one) => one.label === menu)?.options ?? [];
    const target = options.find((one) => one.label === label)?.target ?? "";
    const result = await core.runAction({ person, chat: managed, target, requestId: newRequest() });
    expect(result.kind).toBe("update");
  }

  test("in groups, every image is searched in the chosen topic or everywhere", async () => {
    const { core } = open();
    const { id } = channel();
    const topic = (channelId?: string): Chat => ({ kind: "group", id, channelId, isAgeRestricted: true });
    const choices = ["Only in this topic", "In the whole group", "Off"];
    const pick = (chat: Chat, label: string) => chooseOption("Where I search every image", chat, label);
    const searched = () =>
      Promise.all([topic("7"), topic("8"), topic()].map((one) => core.searchesEveryImage(one)));
    expect(await searched()).toEqual([false, false, false]);
    await pick(topic("7"), choices[0] ?? "");
    expect(await searched()).toEqual([true, false, false]);
    await pick(topic("8"), choices[0] ?? "");
    await pick(topic("7"), choices[2] ?? "");
    expect(await searched()).toEqual([false, true, false]);
    await pick(topic(), choices[1] ?? "");
    expect(await searched()).toEqual([true, true, true]);
    await pick(topic("7"), choices[2] ?? "");
    expect(await searched()).toEqual([false, true, false]);
  });

  test("the menu of languages has its own title and leads to all settings", async () => {
    const { core } = open();
    const [person, chat] = [createPerson(), direct];
    const menu = await core.language({ person, chat, tag: "xx" });
    expect(menu).toMatchObject({ title: "Language", buttons: [[{ label: "‹ Back" }]] });
    expect(menu.menus.map(({ label }) => label)).toEqual(["Language"]);
    const back = { chat, target: menu.buttons[0]?.[0]?.target ?? "", requestId: newRequest() };
    const reply = { title: "Your settings", menus: [{ label: "Language" }, {}, {}] };
    expect(await core.runAction({ ...back, person })).toMatchObject({ kind: "update", reply });
    expect(await core.runAction({ ...back, person: createPerson() })).toMatchObject({ kind: "notice" });
  });

  test("the settings of a group state that the platform hides its messages", async () => {
    const { core } = open();
    const chat: Chat = { ...channel(), kind: "group", isManagedByRequester: true };
    const show = (changes: Partial<Chat>) =>
      core.settings({ person: createPerson(), chat: { ...chat, ...changes }, scope: "place" });
    expect(textOf(await show({ hidesOtherMessages: true }))).toContain("make me an administrator");
    expect(textOf(await show({ hidesOtherMessages: false }))).toBe("");
  });

  test("a download time-out is not reported as a deleted image, and can be repeated", async () => {
    const core = await open().openCore({ fetchImage: async () => undefined });
    const slow = imageOf(new Uint8Array(), {
      reference: "slow",
      read: () => Promise.reject(new DOMException("The operation timed out.", "TimeoutError")),
    });
    const reply = await requestLookup(core, { person: createPerson(), chat: direct }, { image: slow });
    expect(reply).toMatchObject({
      title: "The picture took too long to arrive",
      buttons: [[{ action: "retry", label: "Try again" }]],
    });
  });

  test("the small preview of a file that cannot be read is searched instead", async () => {
    // An API that refuses at once: an absent one is tried again for ten seconds.
    const server = createServer((_, response) => response.writeHead(401).end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const core = await open().openCore({ apiUrl: `http://127.0.0.1:${port}` });
    const read: string[] = [];
    const readAs = (name: string, bytes: Uint8Array) => async () => {
      read.push(name);
      return bytes;
    };
    const heic = new Uint8Array([0, 0, 0, 16, ...Buffer.from("ftypheic\0\0\0\0mif1")]);
    const lookup = (preview: Uint8Array | undefined) =>
      requestLookup(
        core,
        { person: createPerson(), chat: direct },
        {
          image: imageOf(heic, {
            read: readAs("file", heic),
            ...(preview && { smallPreview: { read: readAs("preview", preview) } }),
          }),
        },
      );
    expect(await lookup(undefined)).toMatchObject({ kind: "unsupported", title: "I can't read HEIC photos" });
    expect((await lookup(new Uint8Array(9))).title).toBe("I can't read HEIC photos");
    // A preview that can be read gets as far as the search.
    const searched = await lookup(Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
    expect(["offline", "failure"]).toContain(searched.kind);
    expect(read).toEqual(["file", "file", "preview", "file", "preview"]);
    server.close();
  });

  test("a flood of images leads to one notice a minute for its sender", async () => {
    let now = new Date("2026-11-22T08:00:00Z");
    const core = await open().openCore({ now: () => now });
    const { promise: isRead, resolve: finish } = Promise.withResolvers<Uint8Array>();
    const person = createPerson();
    const lookup = (sender = person) =>
      requestLookup(
        core,
        { person: sender, chat: channel() },
        { image: imageOf(new Uint8Array(), { read: () => isRead }) },
      );
    const searched = [1, 2, 3, 4, 5].map(() => lookup());
    const busy = { kind: "busy", title: "One thing at a time" };
    expect((await lookup()).isRepeatedProblem).toBeUndefined();
    expect(await lookup()).toMatchObject({ ...busy, isRepeatedProblem: true });
    now = new Date(now.getTime() + 60_000);
    expect((await lookup()).isRepeatedProblem).toBeUndefined();
    expect(await lookup()).toMatchObject({ ...busy, isRepeatedProblem: true });
    finish(new Uint8Array());
    for (const reply of [...(await Promise.all(searched)), await lookup(createPerson())])
      expect(reply).toMatchObject({ kind: "unsupported" });
  });

  test("help and privacy are available in every language", async () => {
    const { core } = open();
    for (const locale of ["en", "ja", "zh-CN", "zh-TW", "ko", "es-ES", "pt-BR", "ru", "id", "ar"]) {
      const request = { person: { ...createPerson(), locale }, chat: direct };
      for (const reply of [await core.help(request), await core.privacy(request)]) {
        expect(reply.isPrivate).toBe(true);
        expect(JSON.stringify(reply)).not.toMatch(/\{\{|undefined\b.*title/);
        expect(reply.lines.length).toBeGreaterThan(8);
      }
    }
  });

  test("detects keys in a message, and ignores similar text", async () => {
    const { core } = open();
    const key = `koma_${"aB3".repeat(17)}x`;
    expect(core.hasLeakedKey(`my key is ${key}, is it good?`)).toBe(true);
    expect(core.hasLeakedKey("koma_short and nokoma_")).toBe(false);
    const warning = await core.warnOfLeak({
      person: createPerson(),
      chat: channel(),
      wasDeleted: true,
      outcome: "revoked",
    });
    expect(warning).toMatchObject({ kind: "leak", isPrivate: true });
    expect(textOf(warning)).toContain("I revoked the key");
  });
});
