import { randomUUID } from "node:crypto";
import { createCallerHashes, EmailTakenError } from "@koma/accounts";
import type { Database } from "@koma/database";
import { expect, it } from "vitest";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { openTestAccounts } from "./fixtures/open-test-accounts.ts";

describeWithDatabase("users", (open) => {
  const hashes = createCallerHashes("the secret of the tests");

  it("are created with a generated or passed password, once per address", async () => {
    const { users, ask } = openTestAccounts(open().database);
    const email = `${randomUUID()}@site.example`;
    const created = await users.create({ email: ` ${email.toUpperCase()} `, name: "Rin" });
    expect(created.user).toMatchObject({ email, name: "Rin", isEmailVerified: true, isBot: false });
    expect((await ask("/sign-in/email", { body: { email, password: created.password } })).status).toBe(200);
    await expect(users.create({ email })).rejects.toThrow(EmailTakenError);
    const rival = `${randomUUID()}@site.example`;
    const [won, lost] = await Promise.allSettled([
      users.create({ email: rival }),
      users.create({ email: rival }),
    ]);
    const reasons = [won, lost].map((end) => (end.status === "rejected" ? end.reason : undefined));
    expect(reasons.filter((reason) => reason !== undefined)).toEqual([expect.any(EmailTakenError)]);
    const other = await users.create({ email: `${randomUUID()}@site.example`, password: "chosen by hand" });
    expect(other.password).toBe("chosen by hand");
    expect((await users.show(email))?.id).toBe(created.user.id);
    expect((await users.show(created.user.id))?.email).toBe(email);
    expect(await users.show("nobody")).toBeUndefined();
  });

  it("that are bots have no password, and still work an hour later", async () => {
    const { users, keys, authenticate } = openTestAccounts(open().database);
    const { user, password } = await users.create({ email: `${randomUUID()}@site.example`, isBot: true });
    const { key } = await keys.create({ userId: user.id, title: "Bot", isBot: true });
    expect([user.isBot, password]).toEqual([true, undefined]);
    await open().database.collectGarbage();
    expect(await authenticate({ authorization: `Bearer ${key}` })).toMatchObject({
      userId: user.id,
      isBot: true,
    });
  });

  it("are disabled at once, everywhere, and enabled again", async () => {
    const test = openTestAccounts(open().database);
    const other = openTestAccounts(await open().connectAgain());
    const { email, password, session, body } = await test.signUp();
    const { user } = body as { user: { id: string } };
    const { key } = await test.keys.create({ userId: user.id, title: "Key" });
    const byKey = () => other.authenticate({ authorization: `Bearer ${key}` });
    const bySession = () => other.authenticate({ cookie: session.cookie });
    expect([await byKey(), await bySession()]).toMatchObject([{ by: "key" }, { by: "session" }]);
    expect(await test.users.disable(user.id)).toBe(true);
    expect(await byKey()).toEqual({ problem: "invalid_api_key" });
    expect(await bySession()).toEqual({ problem: "unauthenticated" });
    const signIn = () => other.ask("/sign-in/email", { body: { email, password } });
    expect(await signIn()).toMatchObject({ status: 403, body: { code: "USER_DISABLED" } });
    await test.users.enable(user.id);
    expect([await byKey(), (await signIn()).status]).toMatchObject([{ by: "key" }, 200]);
    expect(await bySession()).toEqual({ problem: "unauthenticated" });
    expect(await test.users.disable("nobody")).toBe(false);
  });

  it("delete their account and all personal data with their password", async () => {
    const { database, readTable } = open();
    const test = openTestAccounts(database);
    const { email, password, session, body } = await test.signUp();
    const { user } = body as { user: { id: string } };
    const { key } = await test.keys.create({ userId: user.id, title: "Key" });
    await database.credits.grant({ userId: user.id, amount: 3, reason: "a gift" });
    await reserve(database, user.id);
    const wrong = await test.ask("/delete-user", { body: { password: "a guess" }, headers: session });
    expect([wrong.status, (await test.users.show(email))?.id]).toEqual([400, user.id]);
    const done = await test.ask("/delete-user", { body: { password }, headers: session });
    expect(done).toMatchObject({ status: 200, body: { success: true } });
    expect(await test.users.show(email)).toBeUndefined();
    expect(await test.authenticate({ cookie: session.cookie })).toEqual({ problem: "unauthenticated" });
    expect(await test.authenticate({ authorization: `Bearer ${key}` })).toEqual({
      problem: "invalid_api_key",
    });
    for (const table of [
      "User",
      "Session",
      "Account",
      "ApiKey",
      "CreditAccount",
      "CreditEntry",
      "QuotaReservation",
    ]) {
      const rows = await readTable(table);
      for (const trace of [user.id, email, hashes.user(user.id)])
        expect([table, rows.includes(trace)]).toEqual([table, false]);
    }
    expect((await test.signUp(email)).status).toBe(200);
  });

  it("are deleted by the operator as well", async () => {
    const { database, readTable } = open();
    const { users } = openTestAccounts(database);
    const { user } = await users.create({ email: `${randomUUID()}@site.example` });
    await reserve(database, user.id);
    expect(await users.forget(user.id)).toBe(true);
    expect(await readTable("QuotaReservation")).not.toContain(hashes.user(user.id));
    expect(await users.show(user.id)).toBeUndefined();
    expect(await users.forget(user.id)).toBe(false);
  });

  async function reserve(database: Database, userId: string): Promise<void> {
    const caller = { userId, callerHash: hashes.user(userId) };
    const limits = { freeLimit: 10, hourlyLimit: 100, owner: "a test", leaseSeconds: 60 };
    const at = new Date();
    const day = at.toISOString().slice(0, 10);
    const { isRefused } = await database.quota.reserveUser({ ...caller, ...limits, day, at });
    expect(isRefused).toBe(false);
  }
});
