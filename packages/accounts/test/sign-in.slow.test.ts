import { randomUUID } from "node:crypto";
import type { Database } from "@koma/database";
import { expect, it } from "vitest";
import { createSignLimits } from "../src/sign-limits.ts";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { nextAddress, openTestAccounts, openWithMail, testSecret } from "./fixtures/open-test-accounts.ts";

/** Counts failures to sign in from many networks, without the cost of a password hash for each. */
async function failSignIns(database: Database, options: { email: string; count: number }): Promise<void> {
  const limits = createSignLimits({
    database,
    secret: testSecret,
    now: () => new Date(),
    signUpsPerHour: 10,
  });
  for (let done = 0; done < options.count; done += 1) {
    await limits.signIn(options.email, { network: `network ${done}`, device: undefined });
  }
}

describeWithDatabase("signing up and in", (open) => {
  it("creates a session, and ends it", async () => {
    const test = openTestAccounts(open().database);
    const { email, password, body, session } = await test.signUp();
    expect(body).toMatchObject({ user: { email, name: "Rin" } });
    const { cookie } = await test.ask("/sign-in/email", { body: { email: email.toUpperCase(), password } });
    expect(cookie).toMatch(/^better-auth\.session_token=/);
    const found = await test.authenticate({ cookie });
    expect(found).toMatchObject({ by: "session", isBot: false });
    await test.ask("/sign-out", { body: {}, headers: { ...session, cookie } });
    expect(await test.authenticate({ cookie })).toEqual({ problem: "unauthenticated" });
    expect(await test.authenticate({ cookie: session.cookie })).toMatchObject({ by: "session" });
    expect(await test.authenticate({ cookie: session.cookie.replace(";", "x;") })).toEqual({
      problem: "unauthenticated",
    });
    expect(await test.authenticate({ cookie: "theme=dark" })).toBeUndefined();
    expect(await test.authenticate({})).toBeUndefined();
  });

  it("marks the cookie as secure only if the base address is https, including its path prefix", async () => {
    const test = openTestAccounts(open().database, { KOMA_BASE_URL: "https://site.example/koma" });
    const { status, headers } = await test.signUp();
    const [cookie] = headers.getSetCookie();
    expect([status, cookie]).toEqual([
      200,
      expect.stringMatching(/^__Secure-better-auth\.session_token=.*; Secure;/),
    ]);
    expect(cookie).toMatch(/HttpOnly; Secure; SameSite=Lax$/);
    const plain = await openTestAccounts(open().database).signUp();
    expect(plain.headers.getSetCookie()[0]).not.toContain("Secure");
  });

  it("accepts cookies from trusted origins only, and requests without cookies except from foreign sites", async () => {
    const test = openTestAccounts(open().database);
    const { email, password, session } = await test.signUp();
    const change = (headers: Record<string, string>) =>
      test.ask("/update-user", { body: { name: "Ran" }, headers: { cookie: session.cookie, ...headers } });
    const referer = { referer: "http://koma.example/page", "sec-fetch-site": "same-origin" };
    for (const headers of [{}, referer, { ...referer, origin: "null" }])
      expect(await change(headers)).toMatchObject({ status: 403, body: { code: "MISSING_OR_NULL_ORIGIN" } });
    const foreign = { origin: "https://evil.example" };
    for (const origin of [foreign.origin, "https://SITE.example", "https://site.example/"])
      expect(await change({ origin })).toMatchObject({ status: 403, body: { code: "INVALID_ORIGIN" } });
    expect(await change({ origin: "https://site.example" })).toMatchObject({ status: 200 });
    expect(await change({ origin: "http://koma.example" })).toMatchObject({ status: 200 });
    const signIn = (headers: Record<string, string>) =>
      test.ask("/sign-in/email", { body: { email, password }, headers });
    expect((await signIn({})).status).toBe(200);
    expect((await signIn({ origin: "https://site.example" })).status).toBe(200);
    expect((await signIn({ cookie: "theme=dark" })).status).toBe(200);
    expect((await signIn(foreign)).status).toBe(403);
    const body = { email: `${randomUUID()}@site.example`, password, name: "Rin" };
    expect((await test.ask("/sign-up/email", { body, headers: foreign })).status).toBe(403);
  });

  it("rejects names, images and texts that are not usable", async () => {
    const test = openTestAccounts(open().database);
    const { session } = await test.signUp();
    const change = async (body: object) => await test.ask("/update-user", { body, headers: session });
    const isUsable = async (body: object) => (await change(body)).status === 200;
    const invisible = ["", "  ", "\u3000", "\u200b", "\u3164 "];
    for (const name of invisible) {
      const fields = { name, email: `${randomUUID()}@site.example`, password: "good enough" };
      for (const response of [await test.ask("/sign-up/email", { body: fields }), await change({ name })])
        expect([name, response]).toMatchObject([name, { status: 400, body: { code: "INVALID_NAME" } }]);
    }
    for (const name of [1, true, ["A"], { toString: 1 }, null])
      expect([name, (await change({ name })).body]).toMatchObject([name, { code: "INVALID_NAME" }]);
    const addresses = ["javascript:alert(1)", "http://a.example/b.png", "data:image/png;base64,AA"];
    for (const image of [...addresses, "//a", "https:///x", "", 1, true, ["A"], { toString: 1 }])
      expect([image, (await change({ image })).body]).toMatchObject([image, { code: "INVALID_IMAGE" }]);
    expect([await isUsable({ image: "https://a.example/b.png" }), await isUsable({ image: null })]).toEqual([
      ...[true, true],
    ]);
    const revoked = await test.ask("/revoke-session", { body: { token: "a\0" }, headers: session });
    const verified = await test.ask("/verify-email?token=a%00", { headers: session });
    for (const { body } of [revoked, verified]) expect(body).toMatchObject({ code: "INVALID_TEXT" });
  });

  it("rejects long names, and addresses in the domain of the bots", async () => {
    const test = openTestAccounts(open().database);
    const signUp = async (email: string, name: string) =>
      (await test.ask("/sign-up/email", { body: { email, name, password: "good enough" } })).status;
    expect(await signUp(`${randomUUID()}@site.example`, "x".repeat(101))).toBe(400);
    expect(await signUp(`${randomUUID()}@site.example`, "a\u001b[2J")).toBe(400);
    expect(await signUp("bot@koma.invalid", "Koma bot")).toBe(400);
    expect(await signUp(`${randomUUID()}@site.example`, "𝒦".repeat(100))).toBe(200);
    const { email, session } = await test.signUp();
    const change = async (body: object) =>
      (await test.ask("/update-user", { body, headers: session })).status;
    expect([await change({ name: "x".repeat(101) }), await change({ image: "x".repeat(2049) })]).toEqual([
      400, 400,
    ]);
    expect(await change({ name: "Ran" })).toBe(200);
    expect(await change({ isBot: true, isDisabled: false, name: "Bot" })).toBe(400);
    const claim = {
      email: `${randomUUID()}@site.example`,
      name: "Bot",
      password: "good enough",
      isBot: true,
    };
    expect((await test.ask("/sign-up/email", { body: claim })).status).toBe(400);
    expect(await test.users.show(email)).toMatchObject({ name: "Ran", isBot: false });
  });

  it("ends all other sessions with a change of the password, and revokes API keys on request", async () => {
    const test = openTestAccounts(open().database);
    const { email, password, session } = await test.signUp();
    const other = await test.ask("/sign-in/email", { body: { email, password } });
    const { userId } = (await test.authenticate({ cookie: session.cookie })) as { userId: string };
    const { key } = await test.keys.create({ userId, title: "Script" });
    const authorization = `Bearer ${key}`;
    const change = async (currentPassword: string, newPassword: string, rest: object, cookie: string) =>
      await test.ask("/change-password", {
        body: { currentPassword, newPassword, ...rest },
        headers: { ...session, cookie },
      });
    const changed = await change(password, "another password", {}, session.cookie);
    expect(changed.status).toBe(200);
    expect(await test.authenticate({ cookie: other.cookie })).toEqual({ problem: "unauthenticated" });
    expect(await test.authenticate({ cookie: changed.cookie })).toMatchObject({ by: "session" });
    expect(await test.authenticate({ authorization })).toMatchObject({ by: "key" });
    const revoke = { revokeApiKeys: true, revokeOtherSessions: false };
    expect((await change("a guess", "third password", revoke, changed.cookie)).status).toBe(400);
    expect(await test.authenticate({ authorization })).toMatchObject({ by: "key" });
    expect((await change("another password", "third password", revoke, changed.cookie)).status).toBe(200);
    expect(await test.authenticate({ authorization })).toEqual({ problem: "invalid_api_key" });
    expect(await test.authenticate({ cookie: changed.cookie })).toEqual({ problem: "unauthenticated" });
    const signIn = (typed: string) => test.ask("/sign-in/email", { body: { email, password: typed } });
    expect([(await signIn(password)).status, (await signIn("third password")).status]).toEqual([401, 200]);
  });

  it("lists the sessions of a user with their devices, at any age, and ends single ones", async () => {
    const { database, readTable } = open();
    const test = openTestAccounts(database);
    const { email, password, session } = await test.signUp();
    const version = `9.${randomUUID().slice(0, 4)}`;
    const other = await test.ask("/sign-in/email", {
      body: { email, password },
      headers: {
        "user-agent": `Mozilla/5.0 (X11; Linux x86_64; rv:${version}) Gecko/20100101 Firefox/${version}`,
      },
    });
    expect(await readTable("Session")).not.toContain(version);
    const { userId } = (await test.authenticate({ cookie: session.cookie })) as { userId: string };
    const old = new Date(Date.now() - 3 * 24 * 3_600_000);
    await (await database.loadAuthAdapter())({}).updateMany({
      model: "session",
      where: [{ field: "userId", value: userId }],
      update: { createdAt: old },
    });
    const list = async () => {
      const { status, text } = await test.ask("/list-sessions", { headers: session });
      expect(status).toBe(200);
      return JSON.parse(text) as { token: string; userAgent: string | null; ipAddress: string | null }[];
    };
    const sessions = await list();
    expect(sessions.map(({ userAgent, ipAddress }) => `${userAgent} ${ipAddress}`).sort()).toEqual([
      "Firefox, Linux null",
      "null null",
    ]);
    const { token } = sessions.find(({ userAgent }) => userAgent !== null) ?? {};
    const otherUser = await test.signUp();
    const revoke = (headers: Record<string, string>) =>
      test.ask("/revoke-session", { body: { token }, headers });
    await revoke(otherUser.session);
    expect(await test.authenticate({ cookie: other.cookie })).toMatchObject({ by: "session" });
    expect((await revoke(session)).status).toBe(200);
    expect(await test.authenticate({ cookie: other.cookie })).toEqual({ problem: "unauthenticated" });
    expect(await list()).toHaveLength(1);
  });

  it("deletes an account only with its password, or without one soon after the sign-in", async () => {
    let at = new Date();
    const test = openTestAccounts(open().database, {}, { now: () => at });
    const { email, password, session } = await test.signUp();
    const remove = (body: object, headers: Record<string, string>) =>
      test.ask("/delete-user", { body, headers });
    for (const body of [{}, { password: "" }, { password: "a guess" }, { token: "x" }]) {
      expect(await remove(body, session)).toMatchObject({ status: 400, body: { code: "INVALID_PASSWORD" } });
    }
    expect(await test.users.show(email)).toBeDefined();
    expect((await remove({ password }, session)).status).toBe(200);
    expect(await test.users.show(email)).toBeUndefined();
    // An account that signs in with Discord has no password.
    const other = await test.signUp();
    const { userId } = (await test.authenticate({ cookie: other.session.cookie })) as { userId: string };
    await (await open().database.loadAuthAdapter())({}).deleteMany({
      model: "account",
      where: [{ field: "userId", value: userId }],
    });
    at = new Date(at.getTime() + 6 * 60_000);
    expect(await remove({}, other.session)).toMatchObject({ status: 400, body: { code: "SESSION_EXPIRED" } });
    at = new Date(at.getTime() - 5 * 60_000);
    expect((await remove({}, other.session)).status).toBe(200);
  });

  it("takes new passwords of 10 characters that are not common; older ones keep working", async () => {
    const { mail, ...test } = await openWithMail(open().database);
    const signUp = async (password: string) => {
      const body = { email: `${randomUUID()}@site.example`, name: "Rin", password };
      const response = await test.ask("/sign-up/email", { body });
      return response.status === 200 ? 200 : (response.body as { code: string }).code;
    };
    expect(await signUp("nine char")).toBe("PASSWORD_TOO_SHORT");
    expect(await signUp("Password123")).toBe("PASSWORD_TOO_COMMON");
    expect(await signUp("1q2w3e4r5t")).toBe("PASSWORD_TOO_COMMON");
    expect(await signUp("ten  chars")).toBe(200);
    const { user } = await test.users.create({ email: `${randomUUID()}@site.example`, password: "old one" });
    const { email } = user;
    await test.close();
    mail.letters.length = 0;
    const { status, cookie } = await test.ask("/sign-in/email", { body: { email, password: "old one" } });
    expect(status).toBe(200);
    const change = (newPassword: string) =>
      test.ask("/change-password", {
        body: { currentPassword: "old one", newPassword },
        headers: { cookie, origin: "http://koma.example" },
      });
    expect(await change("qwertyuiop")).toMatchObject({ body: { code: "PASSWORD_TOO_COMMON" } });
    expect(await change("short one")).toMatchObject({ body: { code: "PASSWORD_TOO_SHORT" } });
    await test.ask("/request-password-reset", { body: { email, redirectTo: "/reset" } });
    const token = (await mail.read()).link.pathname.split("/").at(-1);
    const reset = (newPassword: string) => test.ask("/reset-password", { body: { token, newPassword } });
    expect(await reset("QWERTYUIOP")).toMatchObject({ body: { code: "PASSWORD_TOO_COMMON" } });
    expect(await reset("a good password")).toMatchObject({ status: 200 });
  });

  it("limits password attempts over all instances, without locking out the owner elsewhere", async () => {
    const { database, connectAgain } = open();
    const instances = [openTestAccounts(database), openTestAccounts(await connectAgain())];
    const [one] = instances;
    const { email, password } = (await one?.signUp()) ?? {};
    const from = nextAddress();
    const statuses: number[] = [];
    for (let count = 0; count < 24; count += 1) {
      const response = await instances[count % 2]?.ask("/sign-in/email", {
        body: { email, password: "a guess" },
        from,
      });
      statuses.push(response?.status ?? 0);
    }
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(4).fill(429)]);
    const right = { email, password };
    expect((await one?.ask("/sign-in/email", { body: right, from }))?.status).toBe(429);
    expect((await one?.ask("/sign-in/email", { body: right }))?.status).toBe(200);
  });

  it("does not count sign-ins that succeed", async () => {
    const test = openTestAccounts(open().database);
    const { email, password } = await test.signUp();
    const from = nextAddress();
    const signIn = async (typedPassword: string) =>
      (await test.ask("/sign-in/email", { body: { email, password: typedPassword }, from })).status;
    const failures = await Promise.all(Array.from({ length: 19 }, () => signIn("a guess")));
    expect(new Set(failures)).toEqual(new Set([401]));
    expect([await signIn(password), await signIn(password)]).toEqual([200, 200]);
  });

  it("does not lock the owner out after 100 failures of others, and slows new networks down", async () => {
    let at = new Date();
    const { database } = open();
    const test = openTestAccounts(database, {}, { now: () => at });
    const home = nextAddress();
    const { email, password } = await test.signUp();
    const known = await test.ask("/sign-in/email", { body: { email, password }, from: home });
    const device = known.cookie.split("; ").find((cookie) => cookie.includes(".device_")) ?? "";
    await failSignIns(database, { email, count: 100 });
    const attacker = nextAddress();
    const signIn = (typedPassword: string, from: string, cookie?: string) =>
      test.ask("/sign-in/email", {
        body: { email, password: typedPassword },
        from,
        headers: cookie === undefined ? {} : { cookie, origin: "http://koma.example" },
      });
    expect((await signIn("a guess", attacker)).status).toBe(401);
    const refused = await signIn("a guess", attacker);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect((await signIn(password, attacker, `${device}x`)).status).toBe(429);
    at = new Date(at.getTime() + 61_000);
    expect((await signIn("a guess", attacker)).status).toBe(401);
    // The owner: on a new network, on a known one, and on a known device in the network of the attacker.
    expect((await signIn(password, nextAddress())).status).toBe(200);
    expect((await signIn("a typing error", home)).status).toBe(401);
    expect((await signIn(password, home)).status).toBe(200);
    expect((await signIn(password, attacker, device)).status).toBe(200);
  });

  it("does not accept the device cookie of one account for another one", async () => {
    const { database } = open();
    const test = openTestAccounts(database);
    const [one, other] = [await test.signUp(), await test.signUp()];
    const [, nameOfOther = ""] = /(better-auth\.device_[^=]+)=/.exec(other.cookie) ?? [];
    const [, value = ""] = /better-auth\.device_[^=]+=([^;]+)/.exec(one.cookie) ?? [];
    await failSignIns(database, { email: other.email, count: 100 });
    const from = nextAddress();
    const signIn = async () => {
      const body = { email: other.email, password: "a guess" };
      return (
        await test.ask("/sign-in/email", { body, from, headers: { cookie: `${nameOfOther}=${value}` } })
      ).status;
    };
    expect([await signIn(), await signIn()]).toEqual([401, 429]);
  });

  it("limits sign-ups by network over all instances, also concurrent ones; failed ones do not count", async () => {
    const { database, connectAgain } = open();
    const settings = { KOMA_SIGN_UPS_PER_HOUR: "3" };
    const instances = [
      openTestAccounts(database, settings),
      openTestAccounts(await connectAgain(), settings),
    ];
    const signUp = async (index: number, from: string, password = "good enough") => {
      const body = { email: `${randomUUID()}@site.example`, password, name: "Rin" };
      const response = await instances[index % 2]?.ask("/sign-up/email", { body, from });
      return response?.status;
    };
    const network = nextAddress().replace(/::1$/, "");
    expect(await signUp(0, `${network}::1`, "short")).toBe(400);
    const statuses = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((index) => signUp(index, `${network}::${index + 1}`)),
    );
    expect(statuses.sort()).toEqual([200, 200, 200, 429, 429, 429]);
    expect(await signUp(0, nextAddress())).toBe(200);
  });

  it("uses the client address of the API, whatever the headers contain", async () => {
    const test = openTestAccounts(open().database, { KOMA_SIGN_UPS_PER_HOUR: "1" });
    const from = nextAddress();
    const signUp = (headers: Record<string, string>) =>
      test.ask("/sign-up/email", {
        body: { email: `${randomUUID()}@site.example`, password: "good enough", name: "Rin" },
        from,
        headers,
      });
    expect((await signUp({})).status).toBe(200);
    for (const name of [
      "x-forwarded-for",
      "x-koma-client-ip",
      "x-real-ip",
      "forwarded",
      "cf-connecting-ip",
    ]) {
      const refused = await signUp({ [name]: "203.0.113.9" });
      expect([name, refused.status]).toEqual([name, 429]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    }
  });

  it("redirects to Discord if it is configured, and returns to the base address", async () => {
    const discord = { DISCORD_CLIENT_ID: "123", DISCORD_CLIENT_SECRET: "a secret" };
    const prefix = { KOMA_BASE_URL: "https://site.example/koma" };
    const test = openTestAccounts(open().database, { ...discord, ...prefix });
    const body = { provider: "discord", callbackURL: "/" };
    const begun = await test.ask("/sign-in/social", { body });
    const { url } = begun.body as { url: string };
    const { origin, searchParams } = new URL(url);
    expect([origin, searchParams.get("client_id")]).toEqual(["https://discord.com", "123"]);
    expect(searchParams.get("redirect_uri")).toBe("https://site.example/koma/api/auth/callback/discord");
    const elsewhere = await test.ask("/sign-in/social", {
      body: { ...body, callbackURL: "https://evil.example" },
    });
    expect(elsewhere.status).toBe(403);
    expect((await openTestAccounts(open().database).ask("/sign-in/social", { body })).status).toBe(404);
  });

  it("logs no mail addresses, passwords or unchecked input", async () => {
    const test = openTestAccounts(open().database);
    const { email, password } = await test.signUp();
    await test.signUp(email);
    await test.ask("/sign-in/email", { body: { email, password: "a guess" } });
    await test.ask("/sign-in/email", { body: { email: "x@evil.example", password } });
    await test.ask("/sign-in/email", {
      body: { email, password },
      headers: { origin: "https://evil.example" },
    });
    await test.close();
    expect(test.logs.filter(({ level }) => level === "warn")).toEqual([]);
  });
});
