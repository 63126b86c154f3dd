import { sharp } from "@koma/image";
import { expect, test } from "vitest";
import type { Reply } from "../src/index.ts";
import {
  channel,
  createPerson,
  describeWithApi,
  direct,
  imageOf,
  newRequest,
  requestLookup,
  runTarget,
} from "./fixtures/describe-core.ts";
import { freshImage } from "./fixtures/fresh-image.ts";
import { textOf } from "./fixtures/scripted-api.ts";

const find = (reply: Reply, action: string) =>
  reply.buttons.flat().find((button) => button.action === action);
const targetOf = (reply: Reply, action: string) => find(reply, action)?.target ?? `no ${action}`;
/** True for an MP4 with an audio track: it has a sample entry `mp4a`. */
const hasSound = (clip: { bytes: Uint8Array } | undefined) => Buffer.from(clip?.bytes ?? []).includes("mp4a");

describeWithApi("lookup", (open) => {
  const quotaOf = async (person: ReturnType<typeof createPerson>) => {
    const reply = await open().core.credits({ person, chat: direct });
    const written = reply.lines.map(({ spans }) => spans.map(({ text }) => text).join("")).join("\n");
    return Number(/As a guest: (\d+) of/.exec(written)?.[1]);
  };

  test("an image returns its scene, in the reader's language, with still and clip", async () => {
    const { core } = open();
    const [person, chat] = [createPerson(), channel()];
    const image = imageOf(await freshImage());
    const reply = await core.lookup({ person, chat, subject: { image }, requestId: newRequest() });
    expect(reply).toMatchObject({
      kind: "match",
      isPrivate: false,
      language: "en",
      title: "Alpha Show",
      requesterId: person.id,
    });
    expect(reply.match).toMatchObject({
      rank: 1,
      isConfident: true,
      isAdult: false,
      episodeLine: "Episode 1",
      confirmation: undefined,
      links: [{ url: "https://anilist.co/anime/101" }, { url: "https://myanimelist.net/anime/101" }],
    });
    expect(reply.match?.timeLine).toMatch(/^At 0:0\d of 0:08/);
    expect(reply.match?.similarityLine).toMatch(/%$/);
    const still = await reply.preview?.still(1_000_000);
    expect((await sharp(still?.bytes).metadata()).format).toBe("jpeg");
    const clip = await reply.preview?.clip(8_000_000);
    expect(Buffer.from(clip?.bytes ?? []).toString("latin1", 4, 8)).toBe("ftyp");
    expect(hasSound(clip)).toBe(true);
    const muted = await core.lookup({
      ...{ person, chat, subject: { image }, requestId: newRequest() },
      options: { mute: true },
    });
    expect(hasSound(await muted.preview?.clip(8_000_000))).toBe(false);
    expect(await reply.preview?.clip(100)).toBeUndefined();
    for (const { target = "" } of reply.buttons.flat()) expect(target).toMatch(/^[\w.-]{0,40}$/);
    const japanese = { ...createPerson(), locale: "ja" };
    const other = await requestLookup(core, { person: japanese, chat }, { image });
    expect(other).toMatchObject({ language: "ja", title: "アルファ" });
  });

  test("titles of the library are found by a part of them, without anime for adults", async () => {
    const { core, logs } = open();
    const person = createPerson();
    const [found, ...others] = await core.findTitles({ person, query: "alpha", limit: 5 });
    expect([found?.title, others]).toEqual(["Alpha Show", []]);
    expect(found?.buttons.flat().map(({ url }) => url)).toContain("https://anilist.co/anime/101");
    expect(await core.findTitles({ person, query: "night garden", limit: 5 })).toEqual([]);
    expect(logs.join("\n")).not.toContain("Titles could not be searched");
  });

  test("the same image again is free: by its bytes, by its file, and after a restart of either side", async () => {
    const { core, openCore, api } = open();
    const [person, chat] = [createPerson(), channel()];
    const bytes = await freshImage();
    const before = await quotaOf(person);
    const ask = (by: typeof core, image = imageOf(bytes), requestId = newRequest()) =>
      by.lookup({ person, chat, subject: { image }, requestId });
    const requestId = newRequest();
    const first = await ask(core, imageOf(bytes, { identity: "file 1" }), requestId);
    const unread = imageOf(bytes, {
      identity: "file 1",
      read: () => Promise.reject(new Error("it is not read again")),
    });
    for (const again of [
      await ask(core, unread),
      await ask(core),
      await ask(core, imageOf(bytes), requestId),
      await ask(await openCore(), unread),
    ]) {
      expect(again).toMatchObject({ kind: "match", resultId: first.resultId });
    }
    expect(await quotaOf(person)).toBe(before - 1);
    // Another person is charged separately.
    const other = createPerson();
    const theirs = await requestLookup(core, { person: other, chat }, { image: imageOf(bytes) });
    expect(theirs.resultId).not.toBe(first.resultId);
    expect(await quotaOf(other)).toBe(before - 1);
    await api.stop();
    expect(await ask(core)).toMatchObject({ kind: "match" });
    await api.start();
  });

  test("a request whose response was lost is not charged again", async () => {
    const { store, openCore } = open();
    const person = createPerson();
    const bytes = await freshImage();
    // Simulates a crash between the API's response and its storage.
    const forgetful = {
      ...store,
      results: { ...store.results, put: () => Promise.reject(new Error("killed")) },
    };
    const dying = await openCore({ store: { ...forgetful } });
    const ask = (by: typeof dying, requestId: string) =>
      by.lookup({ person, chat: direct, subject: { image: imageOf(bytes) }, requestId });
    const before = await quotaOf(person);
    const requestId = newRequest();
    expect(await ask(dying, requestId)).toMatchObject({ kind: "failure" });
    expect(await quotaOf(person)).toBe(before - 1);
    expect(await ask(open().core, requestId)).toMatchObject({ kind: "match" });
    expect(await quotaOf(person)).toBe(before - 1);
  });

  test("paging costs nothing, works after a restart, and is restricted to the requester", async () => {
    const { core, openCore } = open();
    // One of the candidates is for adults.
    const [person, chat] = [createPerson(), channel({ isAgeRestricted: true })];
    const subject = { image: imageOf(await freshImage()) };
    const reply = await core.lookup({ person, chat, subject, requestId: newRequest() });
    // A button shows the look-alikes.
    expect(reply.match?.count).toBe(1);
    const left = await quotaOf(person);
    const runAction = (by: typeof core, who: typeof person, target: string) =>
      by.runAction({ person: who, chat, target, requestId: newRequest() });
    const later = await openCore();
    const second = await runAction(later, person, targetOf(reply, "more"));
    if (second.kind !== "update") throw new Error(`It is ${second.kind}.`);
    expect(second.reply.match).toMatchObject({ rank: 2, isConfident: false });
    expect(second.reply.kind).toBe("uncertain");
    expect(second.reply.match?.count).toBeGreaterThan(2);
    // A second press on the same button, before the message changes, shows the same page.
    const repeated = await runAction(later, person, targetOf(reply, "more"));
    expect(repeated).toMatchObject({ kind: "update", reply: { match: { rank: 2 } } });
    expect(find(second.reply, "previous")?.isDisabled).toBe(false);
    const back = await runAction(later, person, targetOf(second.reply, "previous"));
    if (back.kind !== "update") throw new Error(`It is ${back.kind}.`);
    expect(back.reply).toMatchObject({ kind: "match", match: { rank: 1 } });
    const third = await runAction(later, person, targetOf(back.reply, "next"));
    expect(third).toMatchObject({ kind: "update", reply: { match: { rank: 2 } } });
    for (const action of ["more", "right", "wrong", "delete"]) {
      expect(await runAction(core, createPerson(), targetOf(reply, action))).toMatchObject({
        kind: "notice",
        isAlert: true,
      });
    }
    expect(await runAction(core, person, targetOf(reply, "delete"))).toEqual({ kind: "delete" });
    expect(await runAction(core, person, "p.unknown.1.x")).toMatchObject({ kind: "notice" });
    expect(await runAction(core, person, "constructor")).toMatchObject({ kind: "notice" });
    for (const right of ["isManagedByRequester", "isModeratedByRequester"]) {
      expect(
        await runTarget(
          core,
          { person: createPerson(), chat: { ...chat, [right]: true } },
          targetOf(reply, "delete"),
        ),
      ).toEqual({ kind: "delete" });
    }
    expect(await quotaOf(person)).toBe(left);
  });

  test("confirmations and rejections reach the API, and a public one is among the recent searches", async () => {
    const { core } = open();
    const [person, chat] = [createPerson(), channel()];
    const subject = { image: imageOf(await freshImage("beta")) };
    const reply = await core.lookup({ person, chat, subject, requestId: newRequest() });
    const runAction = (target: string) => core.runAction({ person, chat, target, requestId: newRequest() });
    const wrong = await runAction(targetOf(reply, "wrong"));
    expect(wrong).toMatchObject({ kind: "update", reply: { match: { confirmation: "none" } } });
    const recent = async () => (await core.recent({ person, chat })).lines.map(({ spans }) => spans[0]?.text);
    expect(await recent()).not.toContain("Beta Show");
    const right = await runAction(targetOf(reply, "right"));
    expect(right).toMatchObject({ kind: "update", reply: { match: { confirmation: "this" } } });
    expect(await recent()).toContain("Beta Show");
    expect(await runAction(targetOf(reply, "right"))).toMatchObject({ kind: "notice" });
    const rankings = await core.rankings({ person, chat, period: "daily" });
    expect(rankings.lines.length).toBeGreaterThan(0);
    const weekly = rankings.menus[0]?.options.find(({ label }) => label === "Last 7 days");
    expect(await runAction(weekly?.target ?? "")).toMatchObject({ kind: "update", reply: { kind: "list" } });
  });

  test("each candidate is rejected separately, and the API stores one right match or none", async () => {
    const { core, measures } = open();
    const [person, chat] = [createPerson(), channel({ isAgeRestricted: true })];
    const subject = { image: imageOf(await freshImage()) };
    const requested = await core.lookup({ person, chat, subject, requestId: newRequest() });
    const run = async (reply: Reply, action: string): Promise<Reply> => {
      const result = await runTarget(core, { person, chat }, targetOf(reply, action));
      if (result.kind !== "update") throw new Error(`${action} is ${result.kind}.`);
      return result.reply;
    };
    const listReports = () =>
      measures.filter(({ label }) => /confirmSearch/i.test(label)).map(({ label }) => label);
    // The look-alikes remain behind their button.
    const subjectOfOther = { image: imageOf(await freshImage()) };
    const other = await core.lookup({ person, chat, subject: subjectOfOther, requestId: newRequest() });
    const noLikely = await run(other, "wrong");
    expect(find(noLikely, "more")).toBeDefined();
    expect(textOf(noLikely)).toContain("No likely candidate is left.");
    const before = listReports().length;
    // The rejection of a look-alike does not change the others.
    const second = await run(requested, "more");
    const next = await run(second, "wrong");
    expect(next.match?.rank).not.toBe(2);
    expect(textOf(next)).toContain("This is the next candidate.");
    expect(textOf(await run(next, "next"))).not.toContain("This is the next candidate.");
    expect(listReports()).toHaveLength(before);
    const right = await run(await run(requested, "right"), "next");
    expect(right.match).toMatchObject({ rank: 2, confirmation: "none" });
    expect(listReports().slice(before)).toEqual(["confirmSearch ok"]);
    // The confirmation is removed. After every candidate is rejected, none is right.
    let shown = await run(right, "previous");
    const count = shown.match?.count ?? 0;
    shown = await run(shown, "wrong");
    expect(listReports().slice(before)).toEqual(["confirmSearch ok", "unconfirmSearch ok"]);
    for (let rank = 3; rank <= count; rank++) shown = await run(shown, "wrong");
    expect(listReports().slice(before)).toEqual([
      "confirmSearch ok",
      "unconfirmSearch ok",
      "confirmSearch ok",
    ]);
    const engines = shown.buttons.flat().flatMap(({ url }) => url ?? []);
    expect(engines).toContain("https://saucenao.com/");
  });

  test("searches in direct messages and unlisted servers are not among the recent ones", async () => {
    const { core, api } = open();
    const chat = channel({ isManagedByRequester: true });
    const admin = createPerson();
    const menus = (await core.settings({ person: admin, chat, scope: "place" })).menus;
    const off = menus.flatMap(({ options }) => options).find(({ label }) => label === "Never appear");
    await core.runAction({ person: admin, chat, target: off?.target ?? "", requestId: newRequest() });
    for (const where of [direct, chat]) {
      const person = createPerson();
      const subject = { image: imageOf(await freshImage("alpha")) };
      const reply = await core.lookup({ person, chat: where, subject, requestId: newRequest() });
      await runTarget(core, { person, chat: where }, targetOf(reply, "right"));
    }
    const recent = await (await fetch(`${api.url}/api/anime/recent-searches`)).text();
    expect(recent).not.toContain("Alpha Show");
  });

  test("an adult match is shown in direct messages and age-restricted channels, elsewhere privately", async () => {
    const { core } = open();
    const person = createPerson();
    const image = imageOf(await freshImage("night"));
    const ask = (chat: typeof direct) =>
      core.lookup({ person, chat, subject: { image }, requestId: newRequest() });
    expect(await ask(direct)).toMatchObject({ kind: "match", title: "Night Garden" });
    expect(await ask(channel({ isAgeRestricted: true }))).toMatchObject({
      kind: "match",
      title: "Night Garden",
    });
    const chat = channel();
    const elsewhere = await ask(chat);
    expect(elsewhere).toMatchObject({
      kind: "adult",
      isPrivate: false,
      match: undefined,
      preview: undefined,
      privately: { kind: "match", isPrivate: true, title: "Night Garden" },
    });
    const { privately: _privately, ...open_ } = elsewhere;
    expect(JSON.stringify(open_)).not.toContain("Night");
    const shown = await runTarget(core, { person, chat }, targetOf(elsewhere, "show"));
    expect(shown).toMatchObject({ kind: "private", reply: { title: "Night Garden", isPrivate: true } });
    const restricted = channel({ isAgeRestricted: true, isManagedByRequester: true });
    const menus = (await core.settings({ person, chat: restricted, scope: "place" })).menus;
    const off = menus.flatMap(({ options }) => options).find(({ label }) => label === "Never shown");
    await core.runAction({ person, chat: restricted, target: off?.target ?? "", requestId: newRequest() });
    expect(await ask(restricted)).toMatchObject({ kind: "adult" });
    expect((await core.ownResults({ person, limit: 10 })).map(({ title }) => title)).not.toContain(
      "Night Garden",
    );
  });

  test("an unknown image is reported as uncertain, with the closest candidates behind a button", async () => {
    const { core } = open();
    const [person, chat] = [createPerson(), channel({ isAgeRestricted: true })];
    const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
    const unknown = sharp({ create: { width: 320, height: 240, channels: 3, background: "#fff", noise } });
    const subject = { image: imageOf(await unknown.jpeg().toBuffer()) };
    const reply = await core.lookup({ person, chat, subject, requestId: newRequest() });
    expect(reply.match).toBeUndefined();
    expect(["none", "uncertain"]).toContain(reply.kind);
    expect(reply.preview).toBeUndefined();
    const engines = reply.buttons.flat().flatMap(({ url }) => url ?? []);
    expect(engines).toContain("https://trace.moe/");
    if (find(reply, "more") === undefined) return;
    const more = await runTarget(core, { person, chat }, targetOf(reply, "more"));
    expect(more).toMatchObject({
      kind: "update",
      reply: { kind: "uncertain", match: { rank: 1, isConfident: false } },
    });
  });
});
