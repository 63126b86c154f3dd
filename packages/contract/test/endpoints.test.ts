import { expect, test } from "vitest";
import type { z } from "zod";
import type { Endpoint } from "../src/endpoint/endpoint.ts";
import { listExamples } from "../src/endpoint/example.ts";
import { listErrors } from "../src/endpoint/list-errors.ts";
import { exampleProblem, Problem, problems } from "../src/endpoint/problem.ts";
import { endpoints } from "../src/endpoints.ts";
import { describeField } from "../src/open-api/json-schema.ts";

const all: readonly Endpoint[] = endpoints;
const byId = new Map(all.map((endpoint) => [endpoint.id, endpoint]));

function get(id: string): Endpoint {
  const endpoint = byId.get(id);
  if (endpoint === undefined) throw new Error(`There is no endpoint ${id}.`);
  return endpoint;
}

test("operations have ids and addresses of their own", () => {
  expect(byId.size).toBe(all.length);
  expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length);
});

test("the fields of a request have different names, so that programs can pass them in one object", () => {
  for (const { id, params, query, form, json } of all) {
    const names = [params?.shape, query?.shape, form?.fields.shape, form?.files, json?.shape].flatMap(
      (fields) => Object.keys(fields ?? {}),
    );
    expect(new Set(names).size, id).toBe(names.length);
  }
});

test("every JSON body has a valid example", () => {
  for (const { id, json, replies } of all) {
    const responses = Object.values(replies).flatMap((reply) => ("body" in reply ? [reply.body] : []));
    for (const schema of [...(json ? [json] : []), ...responses]) {
      const examples = listExamples(schema);
      expect(examples.length, id).toBeGreaterThan(0);
      for (const example of examples) expect(schema.parse(example), id).toEqual(example);
    }
  }
});

test("every parameter has a default or a valid example", () => {
  const fields = all.flatMap(({ id, params, query, headers }) =>
    [params, query, headers].flatMap((location) =>
      Object.entries<z.ZodType>((location?.shape ?? {}) as Record<string, z.ZodType>).map(
        ([name, field]) => ({
          where: `${id} ${name}`,
          field,
        }),
      ),
    ),
  );
  expect(fields.length).toBeGreaterThan(20);
  for (const { where, field } of fields) {
    const examples = (describeField(field).examples ?? []) as unknown[];
    if (examples.length === 0) expect(field.safeParse(undefined).data, where).toBeDefined();
    for (const example of examples) expect(field.parse(example), where).toBe(example);
  }
});

test("every error has a valid example", () => {
  for (const code of Object.keys(problems) as (keyof typeof problems)[]) {
    const example = exampleProblem(code);
    expect(Problem.parse(example)).toEqual(example);
  }
});

test.each([
  ["getRankings", { period: "all", limit: 50, includeAdult: false }],
  ["getRecentSearches", { limit: 20, offset: 0 }],
  ["listApiKeys", { page: 1, pageSize: 20 }],
  ["listUserSearches", { page: 1, pageSize: 20 }],
  ["findAnime", { query: "", limit: 10 }],
])("%s has its defaults, and ignores unknown parameters", (id, defaults) => {
  expect(get(id).query?.parse({ other: "1" })).toEqual(defaults);
});

test.each([
  ["getRankings", "period", ["daily", "weekly", "monthly", "yearly", "all"], ["", "hourly", "ALL"]],
  ["getRankings", "limit", ["1", "100"], ["0", "101", "-1", "1.5", "1e1", "", " 1"]],
  ["getRankings", "includeAdult", ["true", "false"], ["1", "yes", "", "TRUE"]],
  ["getRecentSearches", "limit", ["1", "100"], ["0", "101"]],
  ["getRecentSearches", "offset", ["0", "10000"], ["-1", "10001"]],
  ["listApiKeys", "page", ["1", "1000000000"], ["0", "x"]],
  ["listApiKeys", "pageSize", ["1", "100"], ["0", "101"]],
  ["getSearch", "confirmToken", ["abc_-1"], ["", "a b", "ü"]],
  ["getSurroundings", "rank", ["1", "5"], ["0", "6", "x"]],
])("%s accepts as %s %j and rejects %j", (id, name, good, bad) => {
  const { query } = get(id);
  for (const value of good) expect(query?.safeParse({ [name]: value }).success, value).toBe(true);
  for (const value of bad) {
    expect(query?.safeParse({ [name]: value }).error?.issues[0]?.path, value).toEqual([name]);
  }
});

test("chat users are ids of a known platform", () => {
  const { headers } = get("getQuota");
  const isGood = (value: string) => headers?.safeParse({ "x-koma-chat-user": value }).success;
  expect(["discord:123", "telegram:1"].map(isGood)).toEqual([true, true]);
  expect(["discord:", "discord:12a", "slack:1", "Discord:1", "discord:1\n", "123"].filter(isGood)).toEqual(
    [],
  );
});

test("chat servers are ids of a known platform, negative on Telegram", () => {
  for (const id of ["searchAnime", "getQuota"]) {
    const { headers } = get(id);
    const isGood = (value: string) =>
      headers?.safeParse({ "idempotency-key": "k", "x-koma-chat-server": value }).success;
    expect(["discord:123", "telegram:1", "telegram:-1001234567890"].filter(isGood)).toHaveLength(3);
    expect(["discord:-1", "discord:server:1", "telegram:--1", "irc:1", "1", ""].filter(isGood)).toEqual([]);
    expect(listErrors(get(id))).toContain("forbidden");
  }
});

test("a key's title has 1 to 64 characters after trimming, some of them visible", () => {
  const title = (titleInput: string) =>
    get("createApiKey").json?.safeParse({ title: titleInput }).data?.title;
  expect(title("  Bot \n")).toBe("Bot");
  expect(title("🎬".repeat(64))).toBe("🎬".repeat(64));
  expect(title("👩‍💻 مفتاح")).toBe("👩‍💻 مفتاح");
  const invisible = ["", "   ", " \u200b", "\u200d\ufeff", "\u3164", "\u2800", "\u0301"];
  const misleading = ["a\u0000b", "a\nb", "a\u2028b", "a\u009bb", "a\u202eb", "a\u2066b"];
  for (const bad of [...invisible, ...misleading, "x".repeat(65)]) expect(title(bad), bad).toBeUndefined();
});

test("a link's user code is accepted in any case, with or without the dash", () => {
  const read = (userCode: string) => get("getLink").params?.safeParse({ userCode }).data?.userCode;
  expect(["WDJB-MJHT", "wdjb-mjht", "wdjbmjht"].map(read)).toEqual(Array(3).fill("WDJB-MJHT"));
  expect(["WDJB", "WDJB--MJHT", "WDJ1-MJHT", "../x"].map(read)).toEqual(Array(4).fill(undefined));
});

test.each([
  ["chatUser", ["discord:x"]],
  ["platform", ["telegram", "irc"]],
  ["displayName", [" ", "\u202e", "\u3164\u200b", "A\u2028B", "A\nB", "A".repeat(101), undefined]],
])("a link requires a user of its platform with a readable name (%s)", (field, values) => {
  for (const value of values) {
    const input = { chatUser: "discord:1", displayName: "Spike", platform: "discord", [field]: value };
    expect(get("createLink").json?.safeParse(input).error?.issues[0]?.path, value).toEqual([field]);
  }
});

test.each([
  ["searchAnime", ["invalid_request", "unauthenticated", "invalid_api_key", "credits_exhausted"]],
  ["createApiKey", ["untrusted_origin", "unsupported_media_type", "forbidden"]],
  ["confirmSearch", ["not_found", "confirmation_expired", "untrusted_origin"]],
] as const)("%s can respond with %j", (id, codes) => {
  expect(listErrors(get(id))).toEqual(expect.arrayContaining([...codes]));
});

test("endpoints that ignore credentials have no errors for them", () => {
  for (const id of ["getRankings", "getRecentSearches", "findAnime"]) {
    expect(listErrors(get(id)).filter((code) => problems[code].status === 401)).toEqual([]);
  }
  expect(listErrors(get("createLink"))).not.toContain("untrusted_origin");
  expect(listErrors(get("getCredits"))).not.toContain("untrusted_origin");
});
