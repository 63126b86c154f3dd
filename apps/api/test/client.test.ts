import { ApiProblem, createClient } from "@koma/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  nextGuest,
  openTestLibrary,
  readImage,
  type TestApi,
  type TestLibrary,
} from "./fixtures/open-test-api.ts";
import { makeBot, signUp } from "./fixtures/test-users.ts";

let library: TestLibrary;
let api: TestApi;
beforeAll(async () => {
  library = await openTestLibrary();
  api = await library.openApi();
});
afterAll(() => library.close());

const refusal = (call: Promise<unknown>) => call.catch((error: unknown) => error);

test("the typed client covers the calls of a user, an API key and a bot", async () => {
  const baseUrl = api.url;
  const user = await signUp(api);
  const person = createClient({ baseUrl, cookie: user.session.cookie });
  const { key } = await person.createApiKey({ title: "My script" });
  const program = createClient({ baseUrl, apiKey: key });
  const bot = createClient({
    baseUrl,
    apiKey: (await makeBot(api)).headers.authorization.replace("Bearer ", ""),
  });
  const anyone = createClient({ baseUrl });

  const [alpha] = (await anyone.findAnime({ query: "alpha" })).items;
  expect((await anyone.findAnime({ animeId: alpha?.id })).items).toEqual([alpha]);
  expect((await anyone.findAnime({ animeId: "unknown" })).items).toEqual([]);
  const image = await readImage("Alpha Show 2.jpg");
  const found = await program.searchAnime({ image, ...(alpha ? { animeId: alpha.id } : {}) });
  expect(found.matches[0]?.anime).toEqual(alpha);
  expect(found.quota).toMatchObject({ kind: "credits", remaining: 9 });
  expect(await program.getQuota()).toEqual(found.quota);
  expect((await person.getCredits()).free.used).toBe(1);
  const chat = { headers: { "x-koma-chat-user": `discord:${Date.now()}` } };
  expect(await bot.getQuota({}, chat)).toMatchObject({ kind: "guest", remaining: 5 });

  const confirmed = await program.confirmSearch({ id: found.id, rank: 1 });
  expect((await anyone.getSearch({ id: found.id })).confirmation).toEqual(confirmed);
  expect((await anyone.getRankings({ period: "daily" })).entries.map(({ anime }) => anime.id)).toContain(
    alpha?.id,
  );
  // Other tests confirm searches too, some with a clock that is ahead.
  expect((await anyone.getRecentSearches({ limit: 100 })).items.map(({ id }) => id)).toContain(found.id);
  const [segment = ""] = /[^/]+\/\d+\/[\w-]+\/[^/]+$/.exec(found.matches[0]?.imageUrl ?? "") ?? [];
  const [episodeId = "", expires = "", signature = "", cut = ""] = segment.split("/");
  const still = await anyone.getStill({ episodeId, expires, signature, cut, size: "s" });
  expect(still.type).toBe("image/jpeg");
  await person.unconfirmSearch({ id: found.id });
  expect((await person.listUserSearches()).items).toMatchObject([{ id: found.id, confirmation: null }]);
  await person.deleteUserSearch({ id: found.id });
  expect(await refusal(person.getSearch({ id: found.id }))).toMatchObject({ code: "not_found", status: 404 });

  const request = { chatUser: "telegram:77", displayName: "Spike", platform: "telegram" } as const;
  const link = await bot.createLink(request);
  expect(await bot.claimLink({ deviceCode: link.deviceCode })).toMatchObject({ intervalSeconds: 5 });
  expect(await person.getLink({ userCode: link.userCode })).toMatchObject(request);
  await person.approveLink({ userCode: link.userCode });
  const linked = await bot.claimLink({ deviceCode: link.deviceCode });
  if (!("key" in linked)) throw new Error("The link was approved.");
  await createClient({ baseUrl, apiKey: linked.key }).deleteCurrentApiKey();
  const refused = await bot.createLink({ ...request, chatUser: "telegram:78" });
  await person.denyLink({ userCode: refused.userCode });
  expect(await refusal(bot.claimLink({ deviceCode: refused.deviceCode }))).toMatchObject({
    code: "link_denied",
  });

  const keys = await person.listApiKeys();
  expect(keys.items.map(({ title }) => title)).toEqual(["My script"]);
  await person.deleteApiKey({ id: keys.items[0]?.id ?? "" });
  const ended = await refusal(program.getCredits());
  expect(ended).toBeInstanceOf(ApiProblem);
  expect(ended).toMatchObject({ code: "invalid_api_key", status: 401 });
  expect(await anyone.listProducts()).toEqual({ items: [] });
  expect(await anyone.getReadiness()).toMatchObject({ status: "ready" });
});

test("the client reports a guest's limit at once, because midnight is after any deadline", async () => {
  const from = nextGuest();
  const guest = createClient({
    baseUrl: api.url,
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("x-forwarded-for", from);
      return fetch(url, { ...init, headers });
    },
  });
  const image = await readImage("Beta Show 2.jpg");
  for (let i = 0; i < 5; i++) await guest.searchAnime({ image });
  const refused = await refusal(guest.searchAnime({ image }));
  expect(refused).toMatchObject({ code: "guest_limit_reached", quota: { remaining: 0 } });
});
