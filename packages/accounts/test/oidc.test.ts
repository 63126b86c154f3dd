import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { openOidcServer } from "./fixtures/oidc-server.ts";
import { openTestAccounts } from "./fixtures/open-test-accounts.ts";

const redirectAddress = "http://koma.example/api/auth/callback/oidc";
let provider: Awaited<ReturnType<typeof openOidcServer>>;
beforeAll(async () => {
  // The provider warns that it is no production server.
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "info").mockReturnValue();
  provider = await openOidcServer({ redirectAddress });
});
afterAll(() => provider.close());

describeWithDatabase("sign-in with an OpenID Connect provider", (open) => {
  const openAccounts = (settings: Record<string, string> = {}) =>
    openTestAccounts(open().database, { ...provider.settings, ...settings });
  type Test = ReturnType<typeof openAccounts>;

  async function signIn(test: Test, login: string, change: (callback: URL) => void = () => undefined) {
    const started = await test.ask("/sign-in/social", {
      body: { provider: "oidc", callbackURL: "/account" },
    });
    const { url } = started.body as { url: string };
    const callback = await provider.signIn(login, url);
    change(callback);
    const path = callback.pathname.replace("/api/auth", "") + callback.search;
    const returned = await test.ask(path, { headers: { cookie: started.cookie } });
    const found = await test.authenticate({ cookie: returned.cookie });
    return { returned, isSignedIn: found !== undefined && "by" in found && found.by === "session" };
  }

  function join(o: { isVerified?: boolean; groups?: string[] } = {}) {
    const login = randomUUID();
    const person = {
      email: `${login}@site.example`,
      email_verified: o.isVerified ?? true,
      name: "Rin",
      groups: o.groups ?? [],
    };
    provider.people.set(login, person);
    return { login, ...person };
  }

  it("creates an account, and gives and takes the role of an operator by a claim", async () => {
    const test = openAccounts({ KOMA_OIDC_ADMIN_CLAIM: "groups=koma-admins" });
    expect(test.describeSignIn()).toMatchObject({ oidcName: expect.stringMatching(/^127\.0\.0\.1:\d+$/) });
    const { login, email } = join({ groups: ["staff", "koma-admins"] });
    expect((await signIn(test, login)).isSignedIn).toBe(true);
    expect(await test.users.show(email)).toMatchObject({ name: "Rin", isEmailVerified: true, isAdmin: true });
    provider.people.set(login, { email, email_verified: true, name: "Rin", groups: ["koma-admins-not"] });
    expect((await signIn(test, login)).isSignedIn).toBe(true);
    expect(await test.users.show(email)).toMatchObject({ isAdmin: false });
    const { items } = await open().database.audit.list({ page: 1, pageSize: 2 });
    expect(items.map(({ actor, action }) => [actor, action])).toEqual([
      ["oidc", "user.admin.remove"],
      ["oidc", "user.admin"],
    ]);
  });

  it("uses an existing account only if both sides have verified its address", async () => {
    const test = openAccounts();
    for (const [isVerifiedHere, isVerified] of [
      [true, true],
      [true, false],
      [false, true],
    ] as const) {
      const { login, email } = join({ isVerified });
      if (isVerifiedHere) await test.users.create({ email });
      else await test.signUp(email);
      const { isSignedIn } = await signIn(test, login);
      expect([isVerifiedHere, isVerified, isSignedIn]).toEqual([
        isVerifiedHere,
        isVerified,
        isVerifiedHere && isVerified,
      ]);
    }
  });

  it("refuses a response with another state or code", async () => {
    const test = openAccounts();
    for (const name of ["state", "code"]) {
      const { login, email } = join();
      const { isSignedIn } = await signIn(test, login, ({ searchParams }) => searchParams.set(name, "guess"));
      expect([name, isSignedIn, await test.users.show(email)]).toEqual([name, false, undefined]);
    }
  });

  it("logs that the provider cannot be reached", async () => {
    const test = openAccounts({ KOMA_OIDC_ISSUER: "http://127.0.0.1:9" });
    const { status } = await test.ask("/sign-in/social", { body: { provider: "oidc", callbackURL: "/" } });
    expect(status).toBe(404);
    expect(test.logs.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^KOMA_OIDC_ISSUER: the provider cannot be used\. .*"oidc"/),
    );
  });

  it("is the only way to create an account if it is set so", async () => {
    const test = openAccounts({ KOMA_OIDC_SIGN_UPS_ONLY: "true" });
    expect(test.describeSignIn()).toMatchObject({ allowsSignUpByMail: false });
    expect((await test.signUp()).status).toBe(400);
    expect((await signIn(test, join().login)).isSignedIn).toBe(true);
    const { email, password } = { email: `${randomUUID()}@site.example`, password: "a good password" };
    await test.users.create({ email, password });
    expect((await test.ask("/sign-in/email", { body: { email, password } })).status).toBe(200);
  });
});
