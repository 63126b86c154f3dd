import { expect, it } from "vitest";
import type { LoggedSecurityEvent } from "../src/security-log.ts";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { openTestAccounts, openWithMail } from "./fixtures/open-test-accounts.ts";

describeWithDatabase("the page after a request", (open) => {
  it.each(["/.//evil.example", "/x/..//evil.example", "//evil.example", "https://evil.example"])(
    "is never %s",
    async (page) => {
      const test = openTestAccounts(open().database, { HOST: "127.0.0.1" });
      const query = new URLSearchParams({ token: "x", callbackURL: page });
      const { status, headers } = await test.ask(`/verify-email?${query}`);
      expect([status, headers.get("location")]).toEqual([403, null]);
      const body = { email: "rin@site.example", redirectTo: page };
      expect((await test.ask("/request-password-reset", { body })).status).toBe(403);
    },
  );

  it("is inside the prefix of Koma, also where the request names none or another one", async () => {
    const events: LoggedSecurityEvent[] = [];
    const { mail, ...test } = await openWithMail(
      open().database,
      { KOMA_BASE_URL: "http://koma.example/koma" },
      { onSecurityEvent: (event) => events.push(event) },
    );
    const { email, cookie } = await test.signUp();
    const { link } = await mail.read();
    expect(link.searchParams.get("callbackURL")).toBe("http://koma.example/koma/");
    const opened = await test.ask(`/verify-email${link.search}`, { headers: { cookie } });
    expect([opened.status, opened.headers.get("location")]).toEqual([302, "http://koma.example/koma/"]);
    for (const [redirectTo, expected] of [
      ["/other", "http://koma.example/koma/"],
      ["/koma/../other", "http://koma.example/koma/"],
      ["http://koma.example/komaevil", "http://koma.example/koma/"],
      ["/koma/reset", "/koma/reset"],
    ]) {
      await test.ask("/request-password-reset", { body: { email, redirectTo } });
      expect((await mail.read()).link.searchParams.get("callbackURL"), redirectTo).toBe(expected);
    }
    await test.ask("/request-password-reset", { body: { email }, headers: { cookie } });
    const token = (await mail.read()).link.pathname.split("/").at(-1);
    await test.ask("/reset-password", { body: { token, newPassword: "another long one" } });
    await test.close();
    const { account } = events.find(({ event }) => event === "sign_in") ?? {};
    expect(account).toBeTypeOf("string");
    expect(events.at(-1)).toMatchObject({ event: "password_reset", account });
  });
});

describeWithDatabase("a sign-up with mail", (open) => {
  it("is the same for simultaneous sign-ups with a known and with an unknown address", async () => {
    const { mail, ...test } = await openWithMail(open().database);
    const known = await test.signUp();
    const signUps = async (email: string) => {
      const responses = await Promise.all(Array.from({ length: 4 }, () => test.signUp(email)));
      return responses.map(({ status, body }) => [status, Object.keys(body ?? {})]);
    };
    expect(await signUps("rin@site.example")).toEqual(await signUps(known.email));
  });
});
