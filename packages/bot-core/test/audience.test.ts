import { expect, test } from "vitest";
import type { Chat, Person, Reply } from "../src/index.ts";
import { channel, createPerson, describeWithApi, imageOf, newRequest } from "./fixtures/describe-with-api.ts";
import { freshImage } from "./fixtures/fresh-image.ts";

const textOf = (reply: Reply) =>
  reply.lines.map(({ spans }) => spans.map(({ text }) => text).join("")).join("\n");

describeWithApi("who sees an answer", { KOMA_GUEST_SEARCHES_PER_DAY: "2" }, (open) => {
  const countSearches = () =>
    open().measures.filter(({ name, label }) => name === "api" && label.startsWith("searchAnime")).length;

  async function lookup(
    chat: Chat,
    changes: { name?: string; person?: Person; isPrivate?: boolean; hasSpoiler?: boolean } = {},
  ): Promise<Reply> {
    const { name = "Alpha Show", person = createPerson(), isPrivate, hasSpoiler = false } = changes;
    const subject = { image: imageOf(await freshImage(name), { hasSpoiler }) };
    const options = isPrivate === undefined ? {} : { options: { isPrivate } };
    return await open().core.lookup({ person, chat, subject, ...options, requestId: newRequest() });
  }

  const allow = (chat: Chat, ...channels: string[]) => choose("Where I answer", chat, channels);

  async function choose(menu: string, chat: Chat, channels: readonly string[]): Promise<void> {
    const { core } = open();
    const [person, managed] = [createPerson(), { ...chat, isManagedByRequester: true }];
    const { menus } = await core.settings({ person, chat: managed, scope: "place" });
    const target = menus.find(({ label }) => label === menu)?.target ?? "";
    await core.runAction({ person, chat: managed, target, values: channels, requestId: newRequest() });
  }

  test("outside of the allowed channels the requester gets a private reply that names them", async () => {
    const { core } = open();
    const [person, chat] = [createPerson(), channel()];
    const image = imageOf(await freshImage(), { reference: "a" });
    const images = [image, { ...image, reference: "b" }];
    const early = await core.lookup({
      person,
      chat,
      subject: { images, start: "ask" as const },
      requestId: newRequest(),
    });
    await allow(chat, "42", "43");
    const before = countSearches();
    for (const isPrivate of [false, true]) {
      const refused = await lookup(chat, { isPrivate });
      expect(refused).toMatchObject({ kind: "not-allowed", isPrivate: true, resultId: undefined });
      expect(refused.title).toBe("I don't answer in this channel");
      const ids = refused.lines.flatMap(({ spans }) => spans.map(({ channelId }) => channelId));
      expect(ids.filter((id) => id !== undefined)).toEqual(["42", "43"]);
    }
    const target = early.menus[0]?.options[0]?.target ?? "";
    expect(await core.runAction({ person, chat, target, requestId: newRequest() })).toMatchObject({
      kind: "private",
      reply: { kind: "not-allowed" },
    });
    expect(countSearches()).toBe(before);
    expect(await core.findAudience({ person, chat })).toBe("private");
    expect(await core.recent({ person, chat })).toMatchObject({ kind: "list", isPrivate: true });
  });

  test("searches are served in an allowed channel and its threads", async () => {
    const { core } = open();
    const [person, chat] = [createPerson(), channel()];
    await allow(chat, "42");
    for (const served of [
      { ...chat, channelId: "42" },
      { ...chat, channelId: "77", parentChannelId: "42" },
    ]) {
      expect(await core.isServedAt(served)).toBe(true);
      expect(await core.findAudience({ person, chat: served })).toBe("public");
      expect(await lookup(served)).toMatchObject({ kind: "match", isPrivate: false });
    }
    const elsewhere = { ...chat, channelId: "78", parentChannelId: "9" };
    expect(await lookup(elsewhere)).toMatchObject({ kind: "not-allowed" });
  });

  test("where every image is searched, only a confident match or a day's first limit is replied", async () => {
    const { core } = open();
    const chat = channel();
    const here = { ...chat, channelId: "42" };
    const thread = { ...chat, channelId: "77", parentChannelId: "42" };
    expect(await core.searchesEveryImage(here)).toBe(false);
    await choose("Where I search every image", chat, ["42"]);
    const searched = await Promise.all([here, thread, chat].map((one) => core.searchesEveryImage(one)));
    expect(searched).toEqual([true, true, false]);

    const find = (person: Person, image: Uint8Array) =>
      core.lookupAutomatically({
        person,
        chat: here,
        subject: { image: imageOf(image) },
        requestId: newRequest(),
      });
    const person = createPerson();
    expect(await find(person, (await freshImage()).subarray(0, 900))).toBeUndefined();
    for (const name of ["Alpha Show", "Beta Show"]) {
      expect(await find(person, await freshImage(name))).toMatchObject({ kind: "match", isPrivate: false });
    }
    const replies = await Promise.all([1, 2].map(async () => find(person, await freshImage())));
    expect(replies.flatMap((reply) => reply?.kind ?? [])).toEqual(["quota"]);
    expect(await find(person, await freshImage())).toBeUndefined();

    await allow(chat, "43");
    expect(await core.searchesEveryImage(here)).toBe(false);
  });

  test("problems and remaining credits are private", async () => {
    const [person, chat] = [createPerson(), channel()];
    const { core } = open();
    const ask = (image: ReturnType<typeof imageOf>) =>
      core.lookup({ person, chat, subject: { image }, requestId: newRequest() });
    const broken = (await freshImage()).subarray(0, 900);
    const gone = imageOf(broken, { read: () => Promise.reject(new Error("404")) });
    for (const [image, kind] of [
      [imageOf(Buffer.from("I am no picture")), "unsupported"],
      [imageOf(broken), "unreadable"],
      [gone, "unreadable"],
      [imageOf(broken, { sizeBytes: 600_000_000 }), "too-large"],
    ] as const) {
      expect(await ask(image)).toMatchObject({ kind, isPrivate: true });
    }
    const address = { address: "http://127.0.0.1/a.png" };
    expect(await core.lookup({ person, chat, subject: address, requestId: newRequest() })).toMatchObject({
      kind: "address",
      isPrivate: true,
    });
    expect(await lookup(chat, { person })).toMatchObject({ kind: "match", isPrivate: false });
    await lookup(chat, { person, name: "Beta Show" });
    const spent = await lookup(chat, { person });
    expect(spent).toMatchObject({ kind: "quota", isPrivate: true });
  });

  test("a private request shows an adult match completely, at once", async () => {
    const { core } = open();
    const chat = channel();
    const whole = await lookup(chat, { name: "Gamma Show", isPrivate: true });
    expect(whole).toMatchObject({ kind: "match", title: "Gamma Show", isPrivate: true });
    expect(whole.privately).toBeUndefined();
    // A message that others see stays neutral, even after the chat has become private.
    const person = createPerson();
    const open_ = await lookup(chat, { name: "Gamma Show", person });
    expect(open_.kind).toBe("adult");
    const targetOf = ({ buttons }: Reply, name: string) =>
      buttons.flat().find(({ action }) => action === name)?.target ?? `no ${name}`;
    const request = { person, chat, requestId: newRequest() };
    const shown = await core.runAction({ ...request, target: targetOf(open_, "show") });
    if (shown.kind !== "private") throw new Error(`It is ${shown.kind}.`);
    // The look-alikes are behind a button of the private reply.
    const more = targetOf(shown.reply, "more");
    const opened = await core.runAction({ ...request, target: more, isPrivate: true });
    if (opened.kind !== "update") throw new Error(`It is ${opened.kind}.`);
    const admin = { ...chat, isManagedByRequester: true };
    const { menus } = await core.settings({ person, chat: admin, scope: "place" });
    const choice = menus.flatMap(({ options }) => options).find(({ label }) => label === "Only who asked");
    await core.runAction({ person, chat: admin, target: choice?.target ?? "", requestId: newRequest() });
    const action = { person, chat, target: targetOf(opened.reply, "previous"), requestId: newRequest() };
    expect(await core.runAction(action)).toMatchObject({ kind: "update", reply: { kind: "adult" } });
    expect(await core.runAction({ ...action, isPrivate: true })).toMatchObject({
      kind: "update",
      reply: { kind: "match", title: "Gamma Show" },
    });
    expect(await lookup(chat, { name: "Gamma Show" })).toMatchObject({ kind: "match", isPrivate: true });
  });

  test("the text alternative of a preview behind a spoiler mark reveals nothing", async () => {
    const chat = channel();
    expect((await lookup(chat)).preview?.description).toContain("Alpha Show");
    const hidden = await lookup(chat, { hasSpoiler: true });
    expect(hidden.preview?.description).toBe("Scene behind a spoiler mark");
    expect(textOf(hidden)).not.toContain("Alpha Show");
  });
});
