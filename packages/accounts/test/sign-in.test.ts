import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeOnBoth } from "./fixtures/describe-on-both.ts";
import { nextAddress, openTestAccounts } from "./fixtures/open-test-accounts.ts";

describeOnBoth("signing up and in", (open) => {
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
    expect(await test.authenticate({ cookie: `${session.cookie}x` })).toEqual({ problem: "unauthenticated" });
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
    expect(await change({})).toMatchObject({ status: 403, body: { code: "MISSING_OR_NULL_ORIGIN" } });
    const foreign = { origin: "https://evil.example" };
    expect(await change(foreign)).toMatchObject({ status: 403, body: { code: "INVALID_ORIGIN" } });
    expect(await change({ origin: "https://site.example" })).toMatchObject({ status: 200 });
    expect(await change({ origin: "http://koma.example" })).toMatchObject({ status: 200 });
    const signIn = (headers: Record<string, string>) =>
      test.ask("/sign-in/email", { body: { email, password }, headers });
    expect((await signIn({})).status).toBe(200);
    expect((await signIn({ origin: "https://site.example" })).status).toBe(200);
    expect((await signIn(foreign)).status).toBe(403);
    const body = { email: `${randomUUID()}@site.example`, password, name: "Rin" };
    expect((await test.ask("/sign-up/email", { body, headers: foreign })).status).toBe(403);
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

  it("changes the password for a caller with the current one", async () => {
    const test = openTestAccounts(open().database);
    const { email, password, session } = await test.signUp();
    const change = (currentPassword: string) =>
      test.ask("/change-password", {
        body: { currentPassword, newPassword: "another password", revokeOtherSessions: true },
        headers: session,
      });
    expect((await change("a guess")).status).toBe(400);
    expect((await change(password)).status).toBe(200);
    expect(await test.authenticate({ cookie: session.cookie })).toEqual({ problem: "unauthenticated" });
    expect((await test.ask("/sign-in/email", { body: { email, password } })).status).toBe(401);
    const again = { email, password: "another password" };
    expect((await test.ask("/sign-in/email", { body: again })).status).toBe(200);
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
