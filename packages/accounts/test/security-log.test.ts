import { expect, it } from "vitest";
import type { LoggedSecurityEvent } from "../src/security-log.ts";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { openTestAccounts } from "./fixtures/open-test-accounts.ts";

const page = { page: 1, pageSize: 1000 };

describeWithDatabase("the security log", (open) => {
  it("has sign-ins, failures, resets and denials with the same hashes for one account and network", async () => {
    const events: LoggedSecurityEvent[] = [];
    const onSecurityEvent = (event: LoggedSecurityEvent) => events.push(event);
    const test = openTestAccounts(open().database, { HOST: "127.0.0.1" }, { onSecurityEvent });
    const { email, password } = await test.signUp();
    const id = (await test.users.show(email))?.id ?? "";
    const from = "192.0.2.7";
    const signIn = (tried: string, address = email) =>
      test.ask("/sign-in/email", { body: { email: address, password: tried }, from });
    expect((await signIn("a guess")).status).toBe(401);
    expect((await signIn("a guess", email.toUpperCase())).status).toBe(401);
    await test.users.disable(id);
    expect((await signIn(password)).status).toBe(403);
    test.reportSecurityEvent({ event: "admin_denied", email, network: from });
    await test.close();
    expect(events.map(({ event }) => event)).toEqual([
      "sign_in",
      "sign_in_failed",
      "sign_in_failed",
      "account_disabled",
      "admin_denied",
    ]);
    expect(new Set(events.map(({ account }) => account)).size).toBe(1);
    expect(new Set(events.slice(1).map(({ network }) => network)).size).toBe(1);
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`${email}|${id}|${from}`));
    const stored = await test.listSecurityEvents({ email, ...page });
    expect(stored.total).toBe(5);
    expect(new Set(stored.items.map(({ event }) => event))).toEqual(
      new Set(events.map(({ event }) => event)),
    );
    expect((await test.listSecurityEvents({ email: "unknown@site.example", ...page })).total).toBe(0);
  });

  it("has attempts that a limit refuses", async () => {
    const events: LoggedSecurityEvent[] = [];
    const test = openTestAccounts(open().database, {}, { onSecurityEvent: (event) => events.push(event) });
    const body = { email: "unknown@site.example", password: "a guess" };
    const statuses = new Set<number>();
    for (let count = 0; count < 21; count += 1)
      statuses.add((await test.ask("/sign-in/email", { body, from: "192.0.2.9" })).status);
    await test.close();
    expect([...statuses]).toEqual([401, 429]);
    expect(events.map(({ event }) => event)).toEqual(Array(21).fill("sign_in_failed"));
  });

  it("stores at most 120 events a minute", async () => {
    let passed = 0;
    const test = openTestAccounts(
      open().database,
      {},
      {
        onSecurityEvent() {
          passed += 1;
        },
        now: () => new Date(0),
      },
    );
    const before = (await test.listSecurityEvents(page)).total;
    for (let count = 0; count < 200; count += 1) {
      test.reportSecurityEvent({ event: "admin_denied", email: undefined, network: "192.0.2.8" });
    }
    await test.close();
    expect([passed, (await test.listSecurityEvents(page)).total - before]).toEqual([200, 120]);
  });
});
