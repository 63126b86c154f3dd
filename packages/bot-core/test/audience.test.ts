import { expect, test } from "vitest";
import type { Person, Place, Reply } from "../src/index.ts";
import { channel, describeWithApi, newRequest, pictureOf, somebody } from "./fixtures/describe-with-api.ts";
import { freshPicture } from "./fixtures/fresh-picture.ts";

const textOf = (reply: Reply) =>
  reply.lines.map(({ spans }) => spans.map(({ text }) => text).join("")).join("\n");

describeWithApi("who sees an answer", { KOMA_GUEST_SEARCHES_PER_DAY: "2" }, (open) => {
  const countSearches = () =>
    open().measures.filter(({ name, label }) => name === "api" && label.startsWith("searchAnime")).length;

  async function lookup(
    place: Place,
    changes: { name?: string; person?: Person; isPrivate?: boolean; hasSpoiler?: boolean } = {},
  ): Promise<Reply> {
    const { name = "Alpha Show", person = somebody(), isPrivate, hasSpoiler = false } = changes;
    const subject = { picture: pictureOf(await freshPicture(name), { hasSpoiler }) };
    const options = isPrivate === undefined ? {} : { options: { isPrivate } };
    return await open().core.lookup({ person, place, subject, ...options, requestId: newRequest() });
  }

  async function allow(place: Place, ...channels: string[]): Promise<void> {
    const { core } = open();
    const [person, managed] = [somebody(), { ...place, isManagedByAsker: true }];
    const { menus } = await core.settings({ person, place: managed, scope: "place" });
    const target = menus.find(({ kind }) => kind === "channels")?.target ?? "";
    await core.press({ person, place: managed, target, values: channels, requestId: newRequest() });
  }

  test("outside of the allowed channels no search is answered, and the asker is told alone where", async () => {
    const { core } = open();
    const [person, place] = [somebody(), channel()];
    const picture = pictureOf(await freshPicture(), { reference: "a" });
    const pictures = [picture, { ...picture, reference: "b" }];
    const early = await core.lookup({
      ...{ person, place, subject: { pictures, start: "ask" as const }, requestId: newRequest() },
    });
    await allow(place, "42", "43");
    const before = countSearches();
    for (const isPrivate of [false, true]) {
      const refused = await lookup(place, { isPrivate });
      expect(refused).toMatchObject({ kind: "not-allowed", isPrivate: true, resultId: undefined });
      expect(refused.title).toBe("I don't answer in this channel");
      const ids = refused.lines.flatMap(({ spans }) => spans.map(({ channelId }) => channelId));
      expect(ids.filter((id) => id !== undefined)).toEqual(["42", "43"]);
    }
    const target = early.menus[0]?.options[0]?.target ?? "";
    expect(await core.press({ person, place, target, requestId: newRequest() })).toMatchObject({
      ...{ kind: "private", reply: { kind: "not-allowed" } },
    });
    expect(countSearches()).toBe(before);
    expect(await core.findAudience({ person, place })).toBe("private");
    expect(await core.recent({ person, place })).toMatchObject({ kind: "list", isPrivate: true });
  });

  test("an allowed channel answers, and so does a thread of it", async () => {
    const { core } = open();
    const [person, place] = [somebody(), channel()];
    await allow(place, "42");
    for (const served of [
      { ...place, channelId: "42" },
      { ...place, channelId: "77", parentChannelId: "42" },
    ]) {
      expect(await core.isServedAt(served)).toBe(true);
      expect(await core.findAudience({ person, place: served })).toBe("public");
      expect(await lookup(served)).toMatchObject({ kind: "match", isPrivate: false });
    }
    const elsewhere = { ...place, channelId: "78", parentChannelId: "9" };
    expect(await lookup(elsewhere)).toMatchObject({ kind: "not-allowed" });
  });

  test("what goes wrong, and what somebody has left, is for the asker alone", async () => {
    const [person, place] = [somebody(), channel()];
    const { core } = open();
    const ask = (picture: ReturnType<typeof pictureOf>) =>
      core.lookup({ person, place, subject: { picture }, requestId: newRequest() });
    const broken = (await freshPicture()).subarray(0, 900);
    const gone = pictureOf(broken, { read: () => Promise.reject(new Error("404")) });
    for (const [picture, kind] of [
      [pictureOf(Buffer.from("I am no picture")), "unsupported"],
      [pictureOf(broken), "unreadable"],
      [gone, "unreadable"],
      [pictureOf(broken, { sizeBytes: 600_000_000 }), "too-large"],
    ] as const) {
      expect(await ask(picture)).toMatchObject({ kind, isPrivate: true });
    }
    const address = { address: "http://127.0.0.1/a.png" };
    expect(await core.lookup({ person, place, subject: address, requestId: newRequest() })).toMatchObject({
      ...{ kind: "address", isPrivate: true },
    });
    expect(await lookup(place, { person })).toMatchObject({ kind: "match", isPrivate: false });
    await lookup(place, { person, name: "Beta Show" });
    const spent = await lookup(place, { person });
    expect(spent).toMatchObject({ kind: "quota", isPrivate: true });
  });

  test("who asked in private gets a match for adults whole, at once", async () => {
    const { core } = open();
    const place = channel();
    const whole = await lookup(place, { name: "Gamma Show", isPrivate: true });
    expect(whole).toMatchObject({ kind: "match", title: "Gamma Show", isPrivate: true });
    expect(whole.privately).toBeUndefined();
    // A message that others see stays neutral, also where the place has become private since.
    const person = somebody();
    const open_ = await lookup(place, { name: "Gamma Show", person });
    expect(open_.kind).toBe("adult");
    const target = open_.buttons.flat().find(({ action }) => action === "next")?.target ?? "";
    const admin = { ...place, isManagedByAsker: true };
    const { menus } = await core.settings({ person, place: admin, scope: "place" });
    const choice = menus.flatMap(({ options }) => options).find(({ label }) => label === "Only who asked");
    await core.press({ person, place: admin, target: choice?.target ?? "", requestId: newRequest() });
    await core.press({ person, place, target, requestId: newRequest() });
    const back = target.replace(/^(p\.[^.]+)\.2/, "$1.1");
    const press = { person, place, target: back, requestId: newRequest() };
    expect(await core.press(press)).toMatchObject({ kind: "update", reply: { kind: "adult" } });
    expect(await core.press({ ...press, isPrivate: true })).toMatchObject({
      ...{ kind: "update", reply: { kind: "match", title: "Gamma Show" } },
    });
    expect(await lookup(place, { name: "Gamma Show" })).toMatchObject({ kind: "match", isPrivate: true });
  });

  test("the words of a preview behind a spoiler mark tell nothing", async () => {
    const place = channel();
    expect((await lookup(place)).preview?.description).toContain("Alpha Show");
    const hidden = await lookup(place, { hasSpoiler: true });
    expect(hidden.preview?.description).toBe("Scene behind a spoiler mark");
    expect(textOf(hidden)).not.toContain("Alpha Show");
  });
});
