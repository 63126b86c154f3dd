import { expect, test } from "vitest";
import { openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { createSecretWatch, watchFetch } from "./fixtures/secret-watch.ts";
import { makeBot, makeKey, postJson, signUp } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
test("the watch over the logs finds keys, cookies, passwords, codes, tokens, signatures and addresses in log lines", async () => {
  const watch = createSecretWatch();
  const plain = globalThis.fetch;
  const watched = watchFetch(plain, watch);
  globalThis.fetch = watched.fetch;
  try {
    const api = await library.openApi({}, { logger: { level: "trace", stream: watch.stream } });
    const user = await signUp(api);
    const [key, bot] = [await makeKey(api, user), await makeBot(api)];
    const request = { chatUser: "discord:1", displayName: "Spike", platform: "discord" };
    const link = (await postJson(api, "/api/links", request, bot.headers)).body as Record<string, string>;
    await api.call(`/api/links/${link.userCode}`, { headers: user.session });
    const image = await readImage("Alpha Show 2.jpg");
    const found = (await api.search({ image }, { headers: key.headers })).body as {
      confirmToken: string;
      matches: { imageUrl: string }[];
    };
    await watched.settled();
    const clean = watch.count();
    expect(clean.lines).toBeGreaterThan(5);
    expect(watch.findLeaks()).toEqual([]);

    const cookies = user.session.cookie.split("; ").map((cookie) => cookie.replace(/^[^=]*=/, ""));
    const signature = found.matches[0]?.imageUrl.split("/").at(-2) ?? "";
    const secrets = [
      ...[key.key, bot.headers.authorization.slice(7), user.password, user.email],
      ...cookies.flatMap((cookie) => [cookie, decodeURIComponent(cookie)]),
      ...[link.deviceCode ?? "", link.userCode ?? "", found.confirmToken, signature],
    ];
    for (const secret of secrets) api.app.log.trace(`about ${secret}!`);
    const leaks = watch.findLeaks();
    expect(leaks.map((leak) => leak.secret).toSorted()).toEqual(expect.arrayContaining(secrets.toSorted()));
    for (const { secret, line } of leaks) expect(line).toContain(secret);
  } finally {
    globalThis.fetch = plain;
  }
});
