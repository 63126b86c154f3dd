import { connectDatabase } from "@koma/database";
import { expect, inject, onTestFinished, test } from "vitest";
import type { Chat, Person, Reply } from "../src/index.ts";
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
import { textOf } from "./fixtures/scripted-api.ts";
import type { VideoName } from "./shared/videos.ts";

describeWithApi("who sees an answer", (open) => {
  const countSearches = () =>
    open().measures.filter(({ name, label }) => name === "api" && label.startsWith("searchAnime")).length;

  async function lookup(
    chat: Chat,
    changes: { video?: VideoName; person?: Person; isPrivate?: boolean; hasSpoiler?: boolean } = {},
  ): Promise<Reply> {
    const { video = "alpha", person = createPerson(), isPrivate, hasSpoiler = false } = changes;
    const subject = { image: imageOf(await freshImage(video), { hasSpoiler }) };
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

  async function chooseOption(menu: string, chat: Chat, label: string): Promise<void> {
    const { core } = open();
    const [person, managed] = [createPerson(), { ...chat, isManagedByRequester: true }];
    const { menus } = await core.settings({ person, chat: managed, scope: "place" });
    const options = menus.find((one) => one.label === menu)?.options ?? [];
    const target = options.find((one) => one.label === label)?.target ?? "";
    const result = await core.runAction({ person, chat: managed, target, requestId: newRequest() });
    expect(result.kind).toBe("update");
  }

  test("outside of the allowed channels the requester gets a private reply that names them", async () => {
    const { core } = open();
    const [person, chat] = [createPerson(), channel()];
    const image = imageOf(await freshImage(), { reference: "a" });
    const images = [image, { ...image, reference: "b" }];
    const early = await requestLookup(core, { person, chat }, { images });
    await allow(chat, "42", "43");
    const before = countSearches();
    for (const isPrivate of [false, true]) {
      const refused = await lookup(chat, { isPrivate });
      expect(refused).toMatchObject({ kind: "not-allowed", isPrivate: true, resultId: undefined });
      expect(refused.title).toBe("I don't answer in this channel");
      const ids = refused.lines.flatMap(({ spans }) => spans.map(({ channelId }) => channelId));
      expect(ids.filter((id) => id !== undefined)).toEqual(["42", "43"]);
    }
    const target = early.buttons[0]?.[0]?.target ?? "";
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
    for (const video of ["alpha", "beta", "alpha"] as const) {
      expect(await find(person, await freshImage(video))).toMatchObject({ kind: "match", isPrivate: false });
    }
    const replies = await Promise.all([1, 2].map(async () => find(person, await freshImage())));
    expect(replies.flatMap((reply) => reply?.kind ?? [])).toEqual(["quota"]);
    expect(await find(person, await freshImage())).toBeUndefined();

    await allow(chat, "43");
    expect(await core.searchesEveryImage(here)).toBe(false);
  });

  test("a server's searches per day end for everybody, also for managers and after a restart", async () => {
    const { core, openCore } = open();
    const now = new Date("2031-05-06T22:00:00Z");
    const chat = { ...channel(), isManagedByRequester: true };
    const first = await openCore({ now: () => now });
    const find = async (from = first, one: Chat = chat) => {
      const image = imageOf(await freshImage());
      return await requestLookup(from, { person: createPerson(), chat: one }, { image });
    };
    expect((await core.settings({ person: createPerson(), chat, scope: "place" })).menus).toContainEqual(
      expect.objectContaining({ label: "Searches per day" }),
    );
    await chooseOption("Searches per day", chat, "Up to 10 per day");
    // A failed search does not count.
    const offline = await openCore({ now: () => now, apiUrl: "http://127.0.0.1:9" });
    expect(await find(offline)).toMatchObject({ kind: "offline" });
    const kinds = (await Promise.all(Array.from({ length: 12 }, () => find()))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "quota")).toHaveLength(2);
    const again = await openCore({ now: () => now });
    const refused = await find(again);
    expect(refused).toMatchObject({
      kind: "quota",
      isPrivate: true,
      title: "The searches of this chat are used up for today",
      retryAt: new Date("2031-05-07T00:00:00Z"),
    });
    expect(textOf(refused)).toContain("in 2 hours");
    for (const other of [direct, channel()]) expect((await find(again, other)).kind).not.toBe("quota");
    const nextDay = await openCore({ now: () => new Date("2031-05-07T00:00:01Z") });
    expect((await find(nextDay)).kind).not.toBe("quota");
    await chooseOption("Searches per day", chat, "No limit");
    expect((await find(again)).kind).not.toBe("quota");
  });

  test("only members with a chosen role can search, and in direct messages everybody", async () => {
    const chat = channel();
    await choose("Roles that can search (none chosen: everyone)", chat, ["5", "6"]);
    const before = countSearches();
    for (const roles of [undefined, ["4"]]) {
      const refused = await lookup({ ...chat, requesterRoles: roles, isManagedByRequester: true });
      expect(refused).toMatchObject({ kind: "not-allowed", isPrivate: true });
      expect(refused.title).toBe("You need a certain role to search here");
    }
    expect(countSearches()).toBe(before);
    expect(await lookup({ ...chat, requesterRoles: ["4", "6"] })).toMatchObject({ kind: "match" });
    expect(await lookup(direct)).toMatchObject({ kind: "match" });
    const here = { ...chat, channelId: "42" };
    await choose("Where I search every image", chat, ["42"]);
    const { core } = open();
    expect(await core.searchesEveryImage(here)).toBe(false);
    expect(await core.searchesEveryImage({ ...here, requesterRoles: ["5"] })).toBe(true);
    // The role of all members has the id of the server.
    await choose("Roles that can search (none chosen: everyone)", chat, [chat.id]);
    expect(await lookup(chat)).toMatchObject({ kind: "match" });
  });

  test("a public reply shows the searched image on request; not for a spoiler or an adult match", async () => {
    const show = async (changes: { video?: VideoName; hasSpoiler?: boolean; isPrivate?: boolean } = {}) => {
      const { video = "alpha", hasSpoiler = false, isPrivate = false } = changes;
      const person = createPerson();
      const publicUrl = "https://cdn.example/a.png";
      const subject = { image: imageOf(await freshImage(video), { publicUrl, hasSpoiler }) };
      const options = { showsImage: true, isPrivate };
      const chat = channel({ isAgeRestricted: true });
      const reply = await open().core.lookup({ person, chat, subject, options, requestId: newRequest() });
      expect(reply.kind).toBe("match");
      return reply.searchedImageUrl;
    };
    expect(await show()).toBe("https://cdn.example/a.png");
    expect(await show({ hasSpoiler: true })).toBeUndefined();
    expect(await show({ isPrivate: true })).toBeUndefined();
    expect(await show({ video: "night" })).toBeUndefined();
  });

  test("the asker of a private result can share it once, with the asker's name", async () => {
    const { core } = open();
    const [person, chat] = [createPerson("Faye"), channel({ isManagedByRequester: true })];
    const lookup = async (isPrivate: boolean) => {
      const subject = { image: imageOf(await freshImage(), { publicUrl: "https://cdn.example/own.png" }) };
      return await requestLookup(core, { person, chat }, subject, {
        options: { isPrivate, showsImage: true },
      });
    };
    const findShare = (reply: Reply | undefined) =>
      reply?.buttons.flat().find(({ action }) => action === "share");
    expect(findShare(await lookup(false))).toBeUndefined();
    const target = findShare(await lookup(true))?.target ?? "";
    const share = () => core.runAction({ person, chat, target, isPrivate: true, requestId: newRequest() });
    const result = await share();
    if (result.kind !== "publish") throw new Error(`It is ${result.kind}.`);
    expect(result.reply).toMatchObject({ kind: "match", isPrivate: false });
    expect(JSON.stringify(result.reply.lines)).toContain("Shared by Faye");
    expect(JSON.stringify(result.reply)).not.toContain("own.png");
    expect(findShare(result.reply)).toBeUndefined();
    expect(findShare(result.rest)).toMatchObject({ isDisabled: true });
    expect(await share()).toMatchObject({ kind: "notice", text: "You have already shared this answer." });
  });

  test("a private request shows an adult match completely, at once", async () => {
    const { core } = open();
    const chat = channel();
    const whole = await lookup(chat, { video: "night", isPrivate: true });
    expect(whole).toMatchObject({ kind: "match", title: "Night Garden", isPrivate: true });
    expect(whole.privately).toBeUndefined();
    // A message that others see stays neutral, even after the chat has become private.
    const person = createPerson();
    const open_ = await lookup(chat, { video: "night", person });
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
      reply: { kind: "match", title: "Night Garden" },
    });
    expect(await lookup(chat, { video: "night" })).toMatchObject({ kind: "match", isPrivate: true });
  });

  test("a later adult mark hides a saved result in a channel", async () => {
    const { core } = open();
    const person = createPerson();
    const shown = channel();
    // No other file searches this video.
    const subject = { image: imageOf(await freshImage("cards")) };
    const reply = await core.lookup({ person, chat: shown, subject, requestId: newRequest() });
    expect(reply.kind).toBe("match");
    const database = await connectDatabase(inject("botApi"));
    onTestFinished(() => database.close());
    const anime = await database.anime.findByKey("cards");
    if (anime === undefined) throw new Error("Cards is not in the library.");
    await database.anime.applyMetadata(anime.id, { ...anime, isAdult: true });
    onTestFinished(async () => void (await database.anime.applyMetadata(anime.id, anime)));
    const { resultId = "" } = reply;
    expect(await core.reopen({ person, chat: shown, resultId })).toMatchObject({ kind: "adult" });
  });

  test("the text alternative of a preview behind a spoiler mark reveals nothing", async () => {
    const chat = channel();
    expect((await lookup(chat)).preview?.description).toContain("Alpha Show");
    const hidden = await lookup(chat, { hasSpoiler: true });
    expect(hidden.preview?.description).toBe("Scene behind a spoiler mark");
    expect(textOf(hidden)).not.toContain("Alpha Show");
  });
});
