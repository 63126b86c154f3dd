import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeOnBoth } from "./describe-on-both.ts";
import { makeUser, minutesLater, noon } from "./make-search.ts";

const seconds = (count: number) => new Date(noon.getTime() + count * 1000);

describeOnBoth("links", (open) => {
  async function ask(change: { userCodeHash?: string } = {}) {
    const { database } = open();
    const bot = await makeUser(database);
    const codes = { deviceCodeHash: randomUUID(), userCodeHash: randomUUID(), ...change };
    const asked = { botUserId: bot.userId, chatUser: "discord:1", displayName: "Rin", platform: "discord" };
    const times = { expiresAt: minutesLater(10), intervalSeconds: 5, at: noon };
    const link = await database.links.create({ ...codes, ...asked, ...times });
    return { ...codes, botUserId: bot.userId, link };
  }

  it("are given once to one of many that ask, after somebody approved", async () => {
    const { database, connectAgain } = open();
    const other = await connectAgain();
    const { userId } = await makeUser(database);
    const { deviceCodeHash, userCodeHash, botUserId, link } = await ask();
    const poll = (each = database, at = noon) => each.links.poll({ deviceCodeHash, botUserId, at });
    expect(await poll()).toEqual({ state: "pending", intervalSeconds: 5, expiresAt: minutesLater(10) });
    const find = () => database.links.findByUserCode({ userCodeHash, at: noon });
    expect(await find()).toEqual({ link, isOpen: true });
    expect(await database.links.approve({ userCodeHash, userId, at: noon })).toBe(true);
    expect(await database.links.approve({ userCodeHash, userId, at: noon })).toBe(true);
    const thief = await makeUser(database);
    expect(await database.links.approve({ userCodeHash, userId: thief.userId, at: noon })).toBe(false);
    expect(await database.links.deny({ userCodeHash, at: noon })).toBe(false);
    expect(await find()).toEqual({ link, isOpen: false });
    const foreign = { deviceCodeHash, botUserId: thief.userId, at: noon };
    expect(await database.links.poll(foreign)).toEqual({ state: "expired" });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => poll(index % 2 === 0 ? database : other)),
    );
    expect(answers.filter(({ state }) => state === "approved")).toEqual([
      { state: "approved", userId, link },
    ]);
    expect(answers.filter(({ state }) => state === "expired")).toHaveLength(11);
  });

  it("end when denied or too old", async () => {
    const { database } = open();
    const { userId } = await makeUser(database);
    const denied = await ask();
    expect(await database.links.deny({ userCodeHash: denied.userCodeHash, at: noon })).toBe(true);
    const { deviceCodeHash, botUserId } = denied;
    expect(await database.links.poll({ deviceCodeHash, botUserId, at: noon })).toEqual({ state: "denied" });
    expect(await database.links.approve({ userCodeHash: denied.userCodeHash, userId, at: noon })).toBe(false);
    const old = await ask();
    const at = minutesLater(10);
    const found = await database.links.findByUserCode({ userCodeHash: old.userCodeHash, at });
    expect(found).toEqual({ link: old.link, isOpen: false });
    expect(await database.links.findByUserCode({ userCodeHash: "another", at })).toBeUndefined();
    expect(await database.links.approve({ userCodeHash: old.userCodeHash, userId, at })).toBe(false);
    expect(await database.links.poll({ ...old, at })).toEqual({ state: "expired" });
    const again = await ask({ userCodeHash: old.userCodeHash });
    expect(again.link).toBeUndefined();
  });

  it("tell a hasty bot to slow down, by five seconds more each time", async () => {
    const { database } = open();
    const asked = await ask();
    const at = [0, 5, 7, 16, 30, 40];
    const answers = [];
    for (const second of at) answers.push(await database.links.poll({ ...asked, at: seconds(second) }));
    expect(answers).toEqual([
      { state: "pending", intervalSeconds: 5, expiresAt: minutesLater(10) },
      { state: "pending", intervalSeconds: 5, expiresAt: minutesLater(10) },
      { state: "slow_down", intervalSeconds: 10 },
      { state: "slow_down", intervalSeconds: 15 },
      { state: "slow_down", intervalSeconds: 20 },
      { state: "slow_down", intervalSeconds: 25 },
    ]);
  });
});

describeOnBoth("attempts and blocks", (open) => {
  it("refuse more attempts than the limit until their window ends", async () => {
    const { database, connectAgain } = open();
    const other = await connectAgain();
    const wanted = { key: randomUUID(), limit: 3, windowSeconds: 3600, at: noon };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? database : other).attempts.take(wanted)),
    );
    expect(answers.filter(({ isRefused }) => !isRefused)).toHaveLength(3);
    expect(answers[0]?.windowEndsAt).toEqual(minutesLater(60));
    const next = await database.attempts.take({ ...wanted, at: minutesLater(60) });
    expect(next).toEqual({ isRefused: false, windowEndsAt: minutesLater(120) });
  });

  it("keep chat users and servers blocked until unblocked", async () => {
    const { database } = open();
    const [key, server] = [randomUUID(), randomUUID()];
    await database.chatBlocks.block({ key, kind: "user", note: null });
    await database.chatBlocks.block({ key, kind: "user", note: "spam" });
    await database.chatBlocks.block({ key: server, kind: "server", note: null });
    expect(await database.chatBlocks.find(["other", key])).toMatchObject({ kind: "user", note: "spam" });
    expect((await database.chatBlocks.list()).map((block) => block.key).sort()).toEqual([key, server].sort());
    expect(await database.chatBlocks.unblock(key)).toBe(true);
    expect(await database.chatBlocks.unblock(key)).toBe(false);
    expect(await database.chatBlocks.find([key])).toBeUndefined();
    expect(await database.chatBlocks.find([])).toBeUndefined();
  });
});
