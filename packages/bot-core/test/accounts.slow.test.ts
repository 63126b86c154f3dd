import { expect, test } from "vitest";
import type { BotCore, LinkSettled, Person, Reply } from "../src/index.ts";
import {
  channel,
  createPerson,
  describeWithApi,
  direct,
  imageOf,
  newRequest,
} from "./fixtures/describe-core.ts";
import { freshImage } from "./fixtures/fresh-image.ts";
import { textOf } from "./fixtures/scripted-api.ts";
import type { VideoName } from "./shared/videos.ts";

const chat = channel();

describeWithApi("accounts", (open) => {
  type User = Awaited<ReturnType<ReturnType<typeof open>["api"]["signUp"]>>;

  async function settledOf(person: Person): Promise<LinkSettled> {
    const find = () => open().settled.find((event) => event.person.id === person.id);
    await expect.poll(find).toBeDefined();
    const event = find();
    if (event === undefined) throw new Error("Nothing was settled.");
    return event;
  }

  /** Like `settledOf`, after the poll of a process whose clock is ahead: the interval is five seconds. */
  async function settledAtOnce(person: Person): Promise<LinkSettled> {
    const other = await open().openCore({ now: () => new Date(Date.now() + 6_000) });
    const event = await settledOf(person);
    await other.close();
    return event;
  }

  const codeOf = (reply: Reply) =>
    reply.lines.flatMap(({ spans }) => spans).find(({ style }) => style === "code")?.text ?? "";

  async function link(person: Person, user: User, core = open().core): Promise<void> {
    const reply = await core.startLink({ person, chat, context: { message: "1" } });
    await user.approveLink({ userCode: codeOf(reply) });
    expect(await settledAtOnce(person)).toMatchObject({ outcome: "linked" });
  }

  async function lookup(person: Person, video: VideoName = "alpha", core = open().core): Promise<Reply> {
    const image = imageOf(await freshImage(video));
    return await core.lookup({ person, chat: direct, subject: { image }, requestId: newRequest() });
  }

  test("links an account: the key arrives after the approval, has a title and belongs to the requester only", async () => {
    const { core, api } = open();
    const [person, otherUser, user] = [createPerson("Faye"), createPerson(), await api.signUp()];
    const reply = await core.startLink({ person, chat, context: { channel: "7", message: "8" } });
    // The address of the test's API is local, so the reply has no link to it.
    expect(reply).toMatchObject({ kind: "link", isPrivate: true, buttons: [] });
    expect(textOf(reply)).toContain("no public address");
    await user.approveLink({ userCode: codeOf(reply) });
    const event = await settledOf(person);
    expect(event).toMatchObject({ outcome: "linked", person, context: { channel: "7", message: "8" } });
    expect(event.reply).toMatchObject({ kind: "link", title: "Connected", isPrivate: true });
    expect((await user.listApiKeys()).items.map(({ title }) => title)).toEqual(["Discord: Faye"]);
    await lookup(person);
    await lookup(otherUser);
    expect((await user.getCredits()).free.used).toBe(1);
    expect((await user.listUserSearches()).total).toBe(1);
    expect(textOf(await core.credits({ person, chat }))).toContain("Free today: 2 of 3 left");
    expect(textOf(await core.credits({ person: otherUser, chat }))).toContain("As a guest: 2 of 3 left");
    expect((await core.startLink({ person, chat, context: {} })).title).toBe("You are already connected");
  });

  test("a pending link survives a restart, and a denial is reported", async () => {
    const { api, openCore } = open();
    const [one, two, user] = [createPerson(), createPerson(), await api.signUp()];
    const first = await openCore();
    const [reply, refused] = [
      await first.startLink({ person: one, chat, context: {} }),
      await first.startLink({ person: two, chat, context: {} }),
    ];
    await first.close();
    await user.approveLink({ userCode: codeOf(reply) });
    await user.denyLink({ userCode: codeOf(refused) });
    expect(await settledAtOnce(one)).toMatchObject({ outcome: "linked" });
    expect(await settledOf(two)).toMatchObject({ outcome: "denied" });
    expect((await user.listApiKeys()).total).toBe(1);
  });

  test("a repeated /link shows the same valid code, which connects once", async () => {
    const { core, api } = open();
    const [person, user] = [createPerson(), await api.signUp()];
    const first = await core.startLink({ person, chat, context: { message: "first" } });
    const second = await core.startLink({ person, chat, context: { message: "second" } });
    expect(codeOf(second)).toBe(codeOf(first));
    expect(second.buttons).toEqual(first.buttons);
    expect(codeOf(await core.startLink({ person: createPerson(), chat, context: {} }))).not.toBe(
      codeOf(first),
    );
    await user.approveLink({ userCode: codeOf(first) });
    expect(await settledAtOnce(person)).toMatchObject({
      outcome: "linked",
      context: { message: "second" },
    });
    expect((await user.listApiKeys()).total).toBe(1);
  });

  test.each(["forget", "unlink", "paste"] as const)(
    "after %s an open code connects nothing: its key is revoked at once, and the outcome is reported",
    async (way) => {
      const { core, api } = open();
      const [person, user] = [createPerson(), await api.signUp()];
      const old = await core.startLink({ person, chat, context: { message: "old" } });
      const { key } = await user.createApiKey({ title: "By hand" });
      if (way === "forget") await core.forget({ person, chat, isConfirmed: true });
      if (way === "unlink") await core.unlink({ person, chat });
      if (way === "paste") await core.pasteKey({ person, chat, key });
      else expect(codeOf(await core.startLink({ person, chat, context: {} }))).not.toBe(codeOf(old));
      await user.approveLink({ userCode: codeOf(old) });
      const event = await settledAtOnce(person);
      expect(event).toMatchObject({ outcome: "denied", context: { message: "old" } });
      expect(textOf(event.reply)).toContain("I've ended its key at once");
      expect((await user.listApiKeys()).items.map(({ title }) => title)).toEqual(["By hand"]);
      const credits = textOf(await core.credits({ person, chat }));
      expect(credits).toContain(way === "paste" ? "Connected since" : "As a guest");
    },
  );

  test("a revoked key is removed and reported, and the request does not continue as a guest's", async () => {
    const { core, api } = open();
    const [person, user] = [createPerson(), await api.signUp()];
    await link(person, user);
    const [key] = (await user.listApiKeys()).items;
    await user.deleteApiKey({ id: key?.id ?? "" });
    const refused = await lookup(person);
    expect(refused).toMatchObject({ kind: "unlinked", isPrivate: true });
    expect(textOf(await core.credits({ person, chat }))).toContain("As a guest: 3 of 3 left");
    expect(await lookup(person)).toMatchObject({ kind: "match" });
    expect(textOf(await core.credits({ person, chat }))).toContain("As a guest: 2 of 3 left");
  });

  test("an existing key is checked before it is saved; unlinking removes it only here", async () => {
    const { core, api } = open();
    const [person, user] = [createPerson(), await api.signUp()];
    const { key, id } = await user.createApiKey({ title: "By hand" });
    for (const bad of ["hello", `koma_${"x".repeat(52)}`]) {
      expect(textOf(await core.pasteKey({ person, chat, key: bad }))).toContain("isn't a valid Koma API key");
    }
    for (const scope of ["search", "account"] as const) {
      const narrow = await user.createApiKey({ title: scope, scopes: [scope] });
      const reply = await core.pasteKey({ person, chat, key: narrow.key });
      expect(textOf(reply)).toContain("can't both search and read your credits");
    }
    expect(await core.pasteKey({ person, chat, key: ` ${key}\n` })).toMatchObject({ title: "Connected" });
    expect(await core.unlink({ person, chat })).toMatchObject({ title: "Disconnected", isPrivate: true });
    expect((await user.listApiKeys()).items.map((each) => each.id)).toContain(id);
    expect(await core.unlink({ person, chat })).toMatchObject({ title: "You aren't connected" });
  });

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

  test("without the API, unlinking removes the key here and reports that it remains valid", async () => {
    const { core, api } = open();
    const [person, user] = [createPerson(), await api.signUp()];
    await link(person, user);
    await api.stop();
    expect(textOf(await core.unlink({ person, chat }))).toContain("couldn't reach Koma");
    expect(await core.lookup(await offlineRequest(person))).toMatchObject({ kind: "offline" });
    expect(core.status().isApiReachable).toBe(false);
    await api.start();
    expect(await lookup(person)).toMatchObject({ kind: "match" });
    expect(core.status().isApiReachable).toBe(true);
  });

  const offlineRequest = async (person: Person) => ({
    person,
    chat: direct,
    requestId: newRequest(),
    subject: { image: imageOf(await freshImage("beta")) },
  });

  test("forgetting asks for confirmation, then revokes the key and deletes all data", async () => {
    const { core, api, store } = open();
    const [person, user] = [createPerson(), await api.signUp()];
    await link(person, user);
    const found = await lookup(person);
    await core.language({ person, chat, tag: "日本語" });
    // Other words show the choice and change nothing.
    expect((await core.language({ person, chat, tag: "xx" })).menus).toHaveLength(1);
    expect((await core.translatorFor({ person, chat })).language).toBe("ja");
    const reply = await core.forget({ person, chat });
    expect(reply.buttons.flat()[0]).toMatchObject({ action: "forget" });
    const target = reply.buttons.flat()[0]?.target ?? "";
    const action = (who: Person) => core.runAction({ person: who, chat, target, requestId: newRequest() });
    expect(await action(createPerson())).toMatchObject({ kind: "notice" });
    expect((await user.listApiKeys()).total).toBe(1);
    expect(await action(person)).toMatchObject({ kind: "update", reply: { kind: "text" } });
    expect((await user.listApiKeys()).total).toBe(0);
    expect((await core.translatorFor({ person, chat })).language).toBe("en");
    expect(await core.reopen({ person, chat, resultId: found.resultId ?? "" })).toMatchObject({
      kind: "expired",
    });
    expect(await core.ownResults({ person, limit: 5 })).toEqual([]);
    expect(store.kind).toMatch(/embedded|postgresql/);
  });

  test("reports exhausted credits with the time of their renewal", async () => {
    const { core, api } = open();
    const [guest, person, user] = [createPerson(), createPerson(), await api.signUp()];
    await link(person, user);
    const ask = async (who: Person) => {
      const replies = [];
      for (let time = 0; time < 4; time++) replies.push(await lookup(who, time % 2 === 0 ? "alpha" : "beta"));
      return replies.map(({ kind }) => kind);
    };
    expect(await ask(guest)).toEqual(["match", "match", "match", "quota"]);
    expect(await ask(person)).toEqual(["match", "match", "match", "quota"]);
    const [ofGuest, ofUser] = [await lookup(guest), await lookup(person)];
    expect(ofGuest).toMatchObject({
      title: "Your free searches for today are used up",
      retryAt: api.dayEndsAt,
    });
    expect(ofGuest.buttons.flat()).toMatchObject([{ action: "link", target: "link" }]);
    expect(ofUser).toMatchObject({ title: "Your credits are used up", retryAt: api.dayEndsAt });
    const action = { person: guest, chat, target: "link", requestId: newRequest() };
    expect(await core.runAction(action)).toMatchObject({ kind: "private", reply: { kind: "link" } });
  });

  test("rotates the keys of the vault, and decrypts no key for another person", async () => {
    const { api, store, openCore, vaultKey, logs } = open();
    const [person, other, user] = [createPerson(), createPerson(), await api.signUp()];
    await link(person, user);
    await open().core.pasteKey({
      person: other,
      chat,
      key: (await user.createApiKey({ title: "Other" })).key,
    });
    const newKey = new Uint8Array(32).fill(9);
    const rotated = await openCore({ vaultKeys: [newKey, vaultKey] });
    expect(textOf(await rotated.credits({ person, chat }))).toContain("Connected since");
    const onlyNew = await openCore({ vaultKeys: [newKey] });
    expect(textOf(await onlyNew.credits({ person, chat }))).toContain("Connected since");
    // An attacker with write access to the database gives one person another's row.
    const rows = await readRows(onlyNew, [person, other]);
    await store.accounts.put(rows.other, rows.own, new Date());
    expect(textOf(await onlyNew.credits({ person: other, chat }))).toContain("As a guest");
    expect(logs.join("\n")).toContain("was changed, or belongs to another row");
    expect(logs.join("\n")).not.toContain("koma_");
    // Restores the key of the other tests.
    const back = await openCore({ vaultKeys: [vaultKey, newKey] });
    expect(textOf(await back.credits({ person, chat }))).toContain("Connected since");
  });

  async function readRows(_core: BotCore, [person, other]: [Person, Person]) {
    const { store } = open();
    const all = await store.accounts.listSealedOtherwise("none");
    const { createVault } = await import("../src/vault/vault.ts");
    const { openIdentities } = await import("../src/vault/identities.ts");
    const vault = createVault([new Uint8Array(32).fill(9)]);
    const identities = await openIdentities("discord", store.memory, vault);
    const own = all.find(({ personKey }) => personKey === identities.person(person.id).personKey);
    if (own === undefined) throw new Error("There is no row.");
    return { own, other: identities.person(other.id) };
  }
});
