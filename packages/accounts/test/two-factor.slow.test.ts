import { URI } from "otpauth";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { openMailServer } from "./fixtures/mail-server.ts";
import { nextAddress, openTestAccounts } from "./fixtures/open-test-accounts.ts";

const origin = "http://koma.example";

describeWithDatabase("the second factor", (open) => {
  // A code is valid for 30 seconds, so the clock moves only where a test moves it.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());
  const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

  /** A user who has begun the activation, with an authenticator app. */
  async function openUser(environment: Record<string, string> = {}) {
    const test = openTestAccounts(open().database, environment);
    const { user, password = "" } = await test.users.create({ email: `${crypto.randomUUID()}@site.example` });
    const { email } = user;
    const home = nextAddress();

    const enterPassword = (from = nextAddress(), cookie = "") =>
      test.ask("/sign-in/email", { body: { email, password }, from, headers: { cookie, origin } });
    const enterCode = (code: string, challenge: { headers: Headers }, from = nextAddress(), cookie = "") =>
      test.ask("/two-factor/verify-totp", {
        body: { code, trustDevice: true },
        from,
        headers: { cookie: `${sessionCookies(challenge.headers)}; ${cookie}`, origin },
      });
    const enterRecoveryCode = async (code: string) => {
      const headers = { cookie: sessionCookies((await enterPassword()).headers), origin };
      return await test.ask("/two-factor/verify-backup-code", { body: { code }, headers });
    };

    const first = await enterPassword(home);
    const session = { cookie: sessionCookies(first.headers), origin };
    const ask = (path: string, body: object) => test.ask(path, { body, headers: session });
    const { totpURI, backupCodes } = (await ask("/two-factor/enable", { password })).body as {
      totpURI: string;
      backupCodes: string[];
    };
    const app = URI.parse(totpURI);
    return {
      ...{ test, user, email, password, home, session, app, backupCodes },
      ...{ ask, enterPassword, enterCode, enterRecoveryCode },
      readCode: () => app.generate(),
    };
  }

  /** A user with an active second factor, at the beginning of the next code. */
  async function openProtected(environment: Record<string, string> = {}) {
    const opened = await openUser(environment);
    const activated = await opened.ask("/two-factor/verify-totp", { code: opened.readCode() });
    expect(activated.status).toBe(200);
    // The connection to the mail server has a deadline, which a jump of the clock would pass.
    await opened.test.close();
    pass(30);
    const session = { cookie: sessionCookies(activated.headers), origin };
    const ask = (path: string, body: object) => opened.test.ask(path, { body, headers: session });
    return { ...opened, session, ask };
  }

  it("is activated with the password and a code, which ends all other sessions", async () => {
    const { test, email, session, ask, enterPassword, ...user } = await openUser();
    expect(await ask("/two-factor/enable", { password: "a guess" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_PASSWORD" },
    });
    expect(user.app).toMatchObject({ issuer: "Koma", label: email, digits: 6, period: 30 });
    const stored = await open().readTable("TwoFactor");
    const { utf8, base32 } = user.app.secret;
    for (const plain of [utf8, base32, ...user.backupCodes]) expect(stored).not.toContain(plain);
    const other = await enterPassword();
    expect(await test.authenticate({ cookie: other.cookie })).toMatchObject({ by: "session" });
    expect((await ask("/two-factor/verify-totp", { code: "12345" })).status).toBe(401);
    expect((await test.users.show(email))?.isTwoFactorEnabled).toBe(false);
    const activated = await ask("/two-factor/verify-totp", { code: user.readCode() });
    expect(activated.status).toBe(200);
    expect((await test.users.show(email))?.isTwoFactorEnabled).toBe(true);
    expect(await test.authenticate({ cookie: activated.cookie })).toMatchObject({ by: "session" });
    for (const { cookie } of [other, session]) {
      expect(await test.authenticate({ cookie })).toEqual({ problem: "unauthenticated" });
    }
  });

  it("is needed for a session and for a known device, on every sign-in", async () => {
    const { test, user, readCode, enterPassword, enterCode } = await openProtected();
    const countSessions = async () => (await open().readTable("Session")).split(user.id).length - 1;
    const before = await countSessions();
    const challenge = await enterPassword();
    expect(challenge).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
    expect(challenge.cookie).not.toContain(".device_");
    expect(await test.authenticate({ cookie: challenge.cookie })).toEqual({ problem: "unauthenticated" });
    expect(await countSessions()).toBe(before);
    const wrong = await enterCode("000000", challenge);
    expect(wrong).toMatchObject({ status: 401, body: { code: "INVALID_CODE" } });
    expect(wrong.cookie).not.toContain(".device_");
    const done = await enterCode(readCode(), challenge);
    expect(done.status).toBe(200);
    expect(done.cookie).toContain(".device_");
    expect(done.cookie).not.toContain("trust_device");
    const cookie = sessionCookies(done.headers);
    expect(await test.authenticate({ cookie })).toMatchObject({ userId: user.id, by: "session" });
    expect((await enterPassword(nextAddress(), cookie)).body).toMatchObject({ twoFactorRedirect: true });
    expect((await enterCode(readCode(), { headers: new Headers() })).status).toBe(401);
  });

  it("accepts each code once, also from simultaneous requests", async () => {
    const { readCode, enterPassword, enterCode } = await openProtected();
    const code = readCode();
    const challenges = await Promise.all([enterPassword(), enterPassword(), enterPassword()]);
    const responses = await Promise.all(challenges.map((challenge) => enterCode(code, challenge)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(await enterCode(code, await enterPassword())).toMatchObject({ body: { code: "INVALID_CODE" } });
    pass(30);
    expect((await enterCode(readCode(), await enterPassword())).status).toBe(200);
  });

  it("is replaced by each recovery code once, until there are new ones", async () => {
    const { test, ask, password, backupCodes, enterRecoveryCode } = await openProtected();
    const [one = "", other = ""] = backupCodes;
    expect(backupCodes).toHaveLength(10);
    const done = await enterRecoveryCode(one);
    expect(await test.authenticate({ cookie: sessionCookies(done.headers) })).toMatchObject({
      by: "session",
    });
    expect(await enterRecoveryCode(one)).toMatchObject({
      status: 401,
      body: { code: "INVALID_BACKUP_CODE" },
    });
    expect((await ask("/two-factor/generate-backup-codes", { password: "a guess" })).status).toBe(400);
    const renewed = await ask("/two-factor/generate-backup-codes", { password });
    const [fresh = ""] = (renewed.body as { backupCodes: string[] }).backupCodes;
    expect((await enterRecoveryCode(other)).status).toBe(401);
    expect((await enterRecoveryCode(fresh)).status).toBe(200);
  });

  it("limits wrong codes of all unknown devices together, and notifies the owner", async () => {
    const mail = await openMailServer();
    onTestFinished(() => mail.close());
    const { test, home, session, readCode, enterPassword, enterCode } = await openProtected(mail.environment);
    // The letter about the activation.
    await mail.read();
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await enterCode("000000", await enterPassword())).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await enterCode(readCode(), await enterPassword());
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect(await mail.read()).toMatchObject({ subject: "Wrong codes for your account" });
    await test.close();
    expect(mail.letters).toEqual([]);
    // The owner: in a known network, then on a known device elsewhere.
    const device = session.cookie.split("; ").find((cookie) => cookie.includes(".device_")) ?? "";
    expect((await enterCode("000000", await enterPassword(), home)).status).toBe(401);
    expect((await enterCode(readCode(), await enterPassword(), home)).status).toBe(200);
    pass(30);
    expect((await enterCode(readCode(), await enterPassword(), nextAddress(), device)).status).toBe(200);
    pass(3600);
    expect((await enterCode(readCode(), await enterPassword())).status).toBe(200);
  });

  it("is needed again for changes of the account, unless its code was sent in the last five minutes", async () => {
    const { ask, password, readCode, backupCodes, test, email } = await openProtected();
    const changes: [string, object][] = [
      ["/change-password", { currentPassword: password, newPassword: "another password" }],
      ["/two-factor/generate-backup-codes", { password }],
      ["/two-factor/disable", { password }],
      ["/delete-user", { password }],
    ];
    pass(300);
    const refuse = async () => {
      for (const [path, body] of changes) {
        expect(await ask(path, body), path).toMatchObject({ status: 403, body: { code: "CODE_REQUIRED" } });
      }
    };
    await refuse();
    expect((await ask("/two-factor/verify-totp", { code: "000000" })).status).toBe(401);
    await refuse();
    expect((await ask("/two-factor/verify-totp", { code: readCode() })).status).toBe(200);
    expect((await ask("/two-factor/generate-backup-codes", { password: "an attempt" })).status).toBe(400);
    pass(301);
    await refuse();
    expect((await ask("/two-factor/verify-backup-code", { code: backupCodes[0] })).status).toBe(200);
    expect((await ask("/two-factor/disable", { password })).status).toBe(200);
    expect(await test.users.show(email)).toMatchObject({ isTwoFactorEnabled: false });
  });

  it("notifies the owner of its activation, new recovery codes and removal", async () => {
    const mail = await openMailServer();
    onTestFinished(() => mail.close());
    const { test, user, ask, password } = await openProtected(mail.environment);
    expect((await ask("/two-factor/generate-backup-codes", { password })).status).toBe(200);
    expect((await ask("/two-factor/disable", { password })).status).toBe(200);
    await test.close();
    const texts = mail.letters.map((letter) => letter.replace(/=\r\n/g, ""));
    expect(texts).toEqual([
      expect.stringContaining("A second factor was activated"),
      expect.stringContaining("The recovery codes of your Koma account were replaced"),
      expect.stringContaining("The second factor of your Koma account was removed"),
    ]);
    for (const text of texts) expect(text).toContain(`To: ${user.email}`);
  });

  it("does not count right codes", async () => {
    const { readCode, enterPassword, enterCode } = await openProtected();
    for (let count = 0; count < 12; count += 1) {
      expect((await enterCode(readCode(), await enterPassword(), nextAddress())).status).toBe(200);
      pass(30);
    }
  });

  it("is deactivated with the password, and removed by the operator with all sessions", async () => {
    const { test, user, session, ask, password, enterPassword } = await openProtected();
    expect((await ask("/two-factor/disable", { password: "a guess" })).status).toBe(400);
    expect((await ask("/two-factor/disable", {})).status).toBe(400);
    expect((await enterPassword()).body).toMatchObject({ twoFactorRedirect: true });
    const disabled = await ask("/two-factor/disable", { password });
    expect(disabled.status).toBe(200);
    expect((await enterPassword()).body).toMatchObject({ user: { id: user.id } });
    expect(await test.users.resetTwoFactor(user.id)).toBe(false);
    expect(await test.authenticate({ cookie: session.cookie })).toEqual({ problem: "unauthenticated" });
    const other = await openProtected();
    expect(await other.test.users.resetTwoFactor(other.user.id)).toBe(true);
    expect(await other.test.authenticate(other.session)).toEqual({ problem: "unauthenticated" });
    expect((await other.enterPassword()).body).toMatchObject({ user: { id: other.user.id } });
    expect(await other.test.users.resetTwoFactor("nobody")).toBe(false);
  });

  it("is needed after a sign-in with Discord as well", async () => {
    const { database } = open();
    const settings = { DISCORD_CLIENT_ID: "123", DISCORD_CLIENT_SECRET: "a secret" };
    const { test, user, email, readCode, enterCode } = await openProtected(settings);
    await (await database.loadAuthAdapter())({}).create({
      model: "account",
      data: { userId: user.id, accountId: "42", providerId: "discord" },
    });
    const discord = vi.spyOn(globalThis, "fetch").mockImplementation(async (address) => {
      const isToken = new URL(String(address)).pathname.endsWith("/oauth2/token");
      if (isToken) return Response.json({ access_token: "a token", token_type: "Bearer", scope: "identify" });
      return Response.json({
        ...{ id: "42", username: "rin", global_name: "Rin", discriminator: "0" },
        ...{ avatar: null, email, verified: true },
      });
    });
    const begun = await test.ask("/sign-in/social", {
      body: { provider: "discord", callbackURL: `${origin}/account?a=b` },
    });
    const state = new URL((begun.body as { url: string }).url).searchParams.get("state");
    const returned = await test.ask(`/callback/discord?code=1&state=${state}`, {
      headers: { cookie: sessionCookies(begun.headers) },
    });
    discord.mockRestore();
    expect([returned.status, returned.headers.get("location")]).toEqual([
      302,
      `${origin}/sign-in?step=code&next=%2Faccount%3Fa%3Db`,
    ]);
    expect(await test.authenticate({ cookie: returned.cookie })).toEqual({ problem: "unauthenticated" });
    expect(returned.cookie).not.toContain(".device_");
    const done = await enterCode(readCode(), returned);
    expect(await test.authenticate({ cookie: sessionCookies(done.headers) })).toMatchObject({
      by: "session",
    });
  });
});

/** The cookies that a browser keeps of a response: the last one of each name, unless it has expired. */
function sessionCookies(headers: Headers): string {
  const cookies = new Map<string, string>();
  for (const set of headers.getSetCookie()) {
    const [pair = ""] = set.split(";", 1);
    const name = pair.slice(0, pair.indexOf("="));
    cookies.delete(name);
    if (!/;\s*Max-Age=0\b/i.test(set)) cookies.set(name, pair);
  }
  return [...cookies.values()].join("; ");
}
