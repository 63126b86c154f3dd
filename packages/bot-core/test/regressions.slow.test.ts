import { connectDatabase } from "@koma/database";
import { readStack } from "@koma/process";
import { expect, inject, onTestFinished, test } from "vitest";
import { channel, createPerson, describeWithApi, imageOf, newRequest } from "./fixtures/describe-core.ts";
import { freshImage } from "./fixtures/fresh-image.ts";

const chat = { kind: "direct", id: "1", isAgeRestricted: false } as const;

describeWithApi("keys that a user pasted, and matches that change later", (open) => {
  test("unlink removes a pasted key without revoking it, and offers the revocation", async () => {
    const { core, api } = open();
    const [person, user] = [createPerson(), await api.signUp()];
    const { key } = await user.createApiKey({ title: "By hand" });
    await core.pasteKey({ person, chat, key });
    const reply = await core.unlink({ person, chat });
    expect((await user.listApiKeys()).items.map(({ title }) => title)).toEqual(["By hand"]);
    const target = reply.buttons.flat().find(({ action }) => action === "revoke")?.target ?? "";
    const act = (by = person) => core.runAction({ person: by, chat, target, requestId: newRequest() });
    expect(await act(createPerson())).toMatchObject({ kind: "notice" });
    expect((await user.listApiKeys()).total).toBe(1);
    expect(await act()).toMatchObject({ kind: "update", reply: { title: "Key revoked" } });
    expect((await user.listApiKeys()).total).toBe(0);
    expect(await act()).toMatchObject({ kind: "private", reply: { kind: "expired" } });
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
});

test("an unhandled rejection is logged with its stack and without secrets", () => {
  const text = readStack(new Error("bad token secret-token"), ["secret-token", ""]);
  expect(text).toContain("bad token …");
  expect(text).toContain("regressions.slow.test.ts");
});
