import { expect, it } from "vitest";
import { createSignLimits } from "../src/sign-limits.ts";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { openWithMail, testSecret } from "./fixtures/open-test-accounts.ts";

describeWithDatabase("limits of strangers with many networks", (open) => {
  it("sends five mails an hour to an address with which others sign up, and responds the same", async () => {
    let at = new Date();
    const { mail, ...test } = await openWithMail(open().database, {}, { now: () => at });
    const email = "mailbox@site.example";
    const responses = [await test.signUp(email)];
    for (let count = 1; count < 8; count += 1) responses.push(await test.signUp(email));
    const describe = ({ status, body }: (typeof responses)[number]) => [status, Object.keys(body ?? {})];
    for (const response of responses) expect(describe(response)).toEqual(describe(responses[0] as never));
    await test.close();
    expect(mail.letters).toHaveLength(5);
    // A new user still gets a link on request.
    await test.ask("/send-verification-email", { body: { email, callbackURL: "/" } });
    await test.close();
    expect(mail.letters).toHaveLength(6);
    at = new Date(at.getTime() + 3_600_001);
    await test.signUp(email);
    await test.close();
    expect(mail.letters).toHaveLength(7);
  });

  /** The networks of different /64s, as better-auth writes them: in one /56, or each in another /56 of a /48. */
  const listNetworks = (count: number, size: 56 | 48, site: string) =>
    Array.from({ length: count }, (_, index) => {
      const subnet = (index * (size === 56 ? 1 : 256)).toString(16).padStart(4, "0");
      return `2001:0db8:${site}:${subnet}:0000:0000:0000:0000`;
    });

  it.each([
    [56, 4, "a056"],
    [48, 8, "a048"],
  ] as const)("a /%i has %i times the sign-ups, wrong passwords and requests", async (size, times, site) => {
    const { database } = open();
    const at = new Date();
    const limits = createSignLimits({ database, secret: testSecret, now: () => at, signUpsPerHour: 2 });
    const count = async (networks: string[], take: (network: string) => Promise<boolean>) => {
      const taken = await networks.reduce<Promise<number>>(
        async (sum, network) => (await sum) + Number(await take(network)),
        Promise.resolve(0),
      );
      return taken;
    };
    const twice = listNetworks(times * 2, size, site).flatMap((network) => [network, network]);
    expect(await count(twice, async (network) => !(await limits.signUp(network)).isRefused)).toBe(times * 2);
    const rule = { window: 60, max: 2 };
    const request = async (network: string) =>
      (await limits.storage.consume(`${network}|/sign-in/email`, rule)).allowed;
    expect(await count(twice, request)).toBe(times * 2);
    expect(await request("203.0.113.7")).toBe(true);
    const email = `${site}@site.example`;
    const attempt = async (network: string) =>
      !(await limits.signIn(email, { network, device: undefined })).isRefused;
    const attempts = listNetworks(times * 21, size, site);
    // After a hundred failures on the account, each network has one attempt a minute.
    expect(await count(attempts, attempt)).toBe(size === 56 ? 80 : 108);
    expect(await attempt("203.0.113.7")).toBe(true);
  });
});
