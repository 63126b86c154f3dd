import { afterEach, expect, it } from "vitest";
import { createSignLimits } from "../src/sign-limits.ts";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { openTestAccounts, openWithMail, testSecret } from "./fixtures/open-test-accounts.ts";

describeWithDatabase("mail", (open) => {
  afterEach(() => {
    process.env.NODE_ENV = "test";
  });

  it("requires a confirmed address for sign-in", async () => {
    const { mail, ...test } = await openWithMail(open().database);
    const { email, password, status, cookie } = await test.signUp();
    expect([status, cookie]).toEqual([200, expect.not.stringContaining("session_token")]);
    expect(await test.ask("/sign-in/email", { body: { email, password } })).toMatchObject({ status: 403 });
    const { to, subject, link } = await mail.read();
    expect([to, subject, link.origin]).toEqual([email, "Confirm your address", "http://koma.example"]);
    const opened = await test.ask(`${link.pathname.replace("/api/auth", "")}${link.search}`);
    expect(opened.status).toBe(302);
    expect(await test.ask("/sign-in/email", { body: { email, password } })).toMatchObject({ status: 200 });
    expect(await test.users.show(email)).toMatchObject({ isEmailVerified: true });
  });

  it("signs in with the link only in the browser that signed up, and not over another session", async () => {
    const { mail, ...test } = await openWithMail(open().database);
    const openLink = async (headers: Record<string, string>) => {
      const { link } = await mail.read();
      return await test.ask(`${link.pathname.replace("/api/auth", "")}${link.search}`, { headers });
    };
    const setsSession = ({ cookie }: { cookie: string }) => /session_token=[^;]/.test(cookie);
    const first = await test.signUp();
    const elsewhere = await openLink({});
    expect([elsewhere.status, setsSession(elsewhere)]).toEqual([302, false]);
    expect(await test.users.show(first.email)).toMatchObject({ isEmailVerified: true });

    const second = await test.signUp();
    // A browser that has signed up with another address.
    expect(setsSession(await openLink({ cookie: first.cookie }))).toBe(false);
    const { email, password } = second;
    const signedIn = await test.ask("/sign-in/email", { body: { email, password } });

    const third = await test.signUp();
    expect(setsSession(await openLink({ cookie: `${signedIn.cookie}; ${third.cookie}` }))).toBe(false);

    const fourth = await test.signUp();
    const here = await openLink({ cookie: fourth.cookie });
    expect(await test.authenticate({ cookie: here.cookie })).toMatchObject({ by: "session" });
  });

  it("notifies the owner of an address, and not the caller, that it has an account", async () => {
    const { mail, ...test } = await openWithMail(open().database);
    const first = await test.signUp();
    await mail.read();
    const second = await test.signUp(first.email);
    const comparable = ({ body }: typeof first) =>
      JSON.stringify(body, (name, value) => (/^(?:id|createdAt|updatedAt)$/.test(name) ? "" : value));
    expect([second.status, comparable(second)]).toEqual([200, comparable(first)]);
    expect(await mail.read()).toMatchObject({ to: first.email, subject: "You already have an account" });
  });

  it("notifies the owner of a published API key once, and the operator of a bot's", async () => {
    const { mail, ...test } = await openWithMail(open().database);
    const { user } = await test.users.create({ email: "careless@site.example" });
    const { key } = await test.keys.create({ userId: user.id, title: "My script" });
    for (let times = 0; times < 2; times++) await test.keys.revokeLeaked({ key, foundBy: "bot" });
    const { to, subject, link } = await mail.read();
    expect([to, subject, link.href]).toEqual([
      user.email,
      "An API key of yours was published",
      "http://koma.example/keys",
    ]);
    const bot = await test.users.create({ email: "published@bot.example", isBot: true });
    const botKey = await test.keys.create({ userId: bot.user.id, title: "Discord", isBot: true });
    await test.keys.revokeLeaked({ key: botKey.key, foundBy: "bot" });
    await test.close();
    expect(mail.letters).toEqual([]);
    const warning = `The bot key "Discord" (${botKey.start}…) was published in a chat and is revoked. Restart the bots that use it.`;
    expect(test.logs).toContainEqual({ level: "warn", message: warning });
  });

  it("changes a forgotten password once, and ends all sessions", async () => {
    const { database, readTable } = open();
    const { mail, ...test } = await openWithMail(database);
    const { user, password = "" } = await test.users.create({ email: "forgetful@site.example" });
    const { email } = user;
    const signedIn = await test.ask("/sign-in/email", { body: { email, password } });
    const requests = await test.ask("/request-password-reset", { body: { email, redirectTo: "/reset" } });
    const otherUser = { email: "nobody@site.example", redirectTo: "/reset" };
    expect((await test.ask("/request-password-reset", { body: otherUser })).body).toEqual(requests.body);
    const { to, link } = await mail.read();
    expect(to).toBe(email);
    const token = link.pathname.split("/").at(-1) ?? "";
    expect(mail.letters).toEqual([]);
    expect(await readTable("Verification")).not.toContain(token);
    const body = { token, newPassword: "a new password" };
    expect(await test.ask("/reset-password", { body })).toMatchObject({ status: 200 });
    expect(await test.ask("/reset-password", { body })).toMatchObject({ status: 400 });
    expect(await test.authenticate({ cookie: signedIn.cookie })).toEqual({ problem: "unauthenticated" });
    expect((await test.ask("/sign-in/email", { body: { email, password } })).status).toBe(401);
    const renewed = await test.ask("/sign-in/email", { body: { email, password: "a new password" } });
    expect(await test.authenticate({ cookie: renewed.cookie })).toMatchObject({ userId: user.id });
    await test.close();
    expect(await mail.read()).toMatchObject({ to: email, subject: "Your account was changed" });
  });

  it("notifies the owner of a new password, five times an hour at most", async () => {
    const { mail, ...test } = await openWithMail(open().database);
    const { user, password = "" } = await test.users.create({ email: "changing@site.example" });
    const { email } = user;
    let current = password;
    for (let count = 0; count < 7; count += 1) {
      const { cookie } = await test.ask("/sign-in/email", { body: { email, password: current } });
      const body = { currentPassword: current, newPassword: `password number ${count}` };
      const headers = { cookie, origin: "http://koma.example" };
      expect((await test.ask("/change-password", { body, headers })).status).toBe(200);
      current = body.newPassword;
    }
    test.reportChange(user.id, "apiKey");
    test.reportChange("unknown", "apiKey");
    await test.close();
    const subjects = mail.letters.map((letter) => /^Subject: (.*)\r$/m.exec(letter)?.[1]);
    expect(subjects).toEqual(Array(6).fill("Your account was changed"));
    expect(mail.letters.filter((letter) => letter.includes("An API key"))).toHaveLength(1);
  });

  it("limits the mails to an address; the owner keeps the last link and a limit of a known device", async () => {
    const { mail, ...test } = await openWithMail(open().database);
    const { user, password } = await test.users.create({ email: "victim@site.example" });
    const { email } = user;
    const signedIn = await test.ask("/sign-in/email", { body: { email, password } });
    const verify = () => test.ask("/send-verification-email", { body: { email, callbackURL: "/" } });
    for (let count = 0; count < 5; count += 1) await verify();
    const ask = (headers: Record<string, string> = {}) =>
      test.ask("/request-password-reset", { body: { email, redirectTo: "/" }, headers });
    for (let count = 0; count < 5; count += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    const device = signedIn.cookie.split("; ").find((cookie) => cookie.includes(".device_")) ?? "";
    expect((await ask({ cookie: device, origin: "http://koma.example" })).status).toBe(200);
    await test.close();
    const links: URL[] = [];
    while (links.length < 6) links.push((await mail.read()).link);
    const token = links[4]?.pathname.split("/").at(-1);
    const reset = await test.ask("/reset-password", { body: { token, newPassword: "a new password" } });
    expect(reset.status).toBe(200);
  });

  it("tells the owner once a day that many sign-ins failed", async () => {
    const { database } = open();
    let at = new Date();
    const { mail, ...test } = await openWithMail(database, {}, { now: () => at });
    const { user } = await test.users.create({ email: "attacked@site.example" });
    const limits = createSignLimits({ database, secret: testSecret, now: () => at, signUpsPerHour: 10 });
    const attack = async () => {
      for (let done = 0; done < 100; done += 1) {
        await limits.signIn(user.email, { network: `network ${done}`, device: undefined });
      }
      const body = { email: user.email, password: "a guess" };
      for (let done = 0; done < 2; done += 1) await test.ask("/sign-in/email", { body });
      await test.close();
      return mail.letters.length;
    };
    expect(await attack()).toBe(1);
    at = new Date(at.getTime() + 2 * 3_600_000);
    expect(await attack()).toBe(1);
    at = new Date(at.getTime() + 23 * 3_600_000);
    expect(await attack()).toBe(2);
    expect(await mail.read()).toMatchObject({ to: user.email, subject: "Failed sign-ins to your account" });
  });

  it("logs only the reason when the server rejects a mail", async () => {
    const unreachable = {
      KOMA_SMTP_URL: "smtp://user:secret@127.0.0.1:9",
      KOMA_MAIL_FROM: "koma@site.example",
    };
    const test = openTestAccounts(open().database, unreachable);
    const { status } = await test.signUp();
    await test.close();
    expect(status).toBe(200);
    expect(test.logs).toEqual([{ level: "warn", message: "A mail could not be sent: ESOCKET" }]);
  });

  async function logLinks(environment: string | undefined, settings: Record<string, string> = {}) {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
    const test = openTestAccounts(open().database, { KOMA_BASE_URL: "http://127.0.0.1:3000", ...settings });
    const { email, cookie } = await test.signUp();
    expect(cookie).toContain("better-auth.session_token=");
    const { status } = await test.ask("/request-password-reset", { body: { email, redirectTo: "/reset" } });
    await test.close();
    return { status, logs: test.logs };
  }

  it.each<[string | undefined, Record<string, string>]>([
    ["development", {}],
    ["development", { KOMA_BASE_URL: "https://koma.example", HOST: "0.0.0.0" }],
    [undefined, {}],
    ["", { KOMA_BASE_URL: "http://localhost:3000", HOST: "::1" }],
    [undefined, { KOMA_BASE_URL: "http://[::1]:3000/path", HOST: "localhost" }],
  ])("logs links if NODE_ENV is %j with %j", async (environment, settings) => {
    const { status, logs } = await logLinks(environment, settings);
    expect([status, logs.map(({ level }) => level)]).toEqual([200, ["info", "info"]]);
    expect(logs.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Mail: Confirm your address \(for \S+@\S+\): http\S+\/api\/auth\/verify-email\?token=/,
      ),
      expect.stringMatching(
        /^Mail: Choose a new password \(for \S+@\S+\): http\S+\/api\/auth\/reset-password\//,
      ),
    ]);
  });

  it.each<[string | undefined, Record<string, string>]>([
    ["production", {}],
    ["test", {}],
    ["Production", {}],
    ["staging", {}],
    [undefined, { KOMA_BASE_URL: "https://koma.example" }],
    [undefined, { KOMA_BASE_URL: "http://127.0.0.1.koma.example" }],
    [undefined, { KOMA_BASE_URL: "http://192.168.0.7:3000" }],
    [undefined, { HOST: "0.0.0.0" }],
    [undefined, { HOST: "::" }],
    [undefined, { KOMA_TRUSTED_PROXIES: "127.0.0.1" }],
    ["development", { KOMA_TRUSTED_PROXIES: "127.0.0.1" }],
  ])(
    "neither sends nor logs links if NODE_ENV is %j with %j and no server",
    async (environment, settings) => {
      expect(await logLinks(environment, settings)).toEqual({ status: 400, logs: [] });
    },
  );
});
