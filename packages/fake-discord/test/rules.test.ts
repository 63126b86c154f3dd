import { REST, Routes } from "discord.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Fake, openFake, type User } from "../src/index.ts";

const v2 = 1 << 15;
const text = (content = "words") => ({ type: 10, content });
const button = (fields: object = {}) => ({ type: 2, style: 1, label: "Go", custom_id: "go", ...fields });
const row = (...components: object[]) => ({ type: 1, components });
const gallery = (url: string) => ({ type: 12, items: [{ media: { url } }] });
const options = [{ label: "A", value: "a" }];
const select = (fields: object = {}) => ({ type: 3, custom_id: "pick", options, ...fields });
const message = (...components: object[]) => ({ flags: v2, components });
const many = (count: number, make: (at: number) => object) =>
  Array.from({ length: count }, (_, at) => make(at));
const png = { data: Buffer.from("no picture, yet bytes"), name: "a.png" };

let fake: Fake;
let rest: REST;
let user: User;
beforeAll(async () => {
  fake = await openFake();
  rest = new REST({ api: fake.apiUrl, version: "10", retries: 0 }).setToken(fake.token);
  user = fake.createUser();
});
afterAll(() => fake.close());
beforeEach(() => {
  (fake.violations as unknown[]).length = 0;
  (fake.warnings as unknown[]).length = 0;
});

const problems = () => fake.violations.map(({ problem }) => problem);

/** The status of the response to a message, and its violations. */
async function post(body: unknown, files: (typeof png)[] = []) {
  const sent = rest.post(Routes.channelMessages(user.direct.id), { body, files });
  const status = await sent.then(
    () => 200,
    (error: { status: number }) => error.status,
  );
  return { status, problems: problems() };
}

const register = (...body: object[]) =>
  rest.put(Routes.applicationCommands(fake.applicationId), { body }).catch(() => undefined);

describe("a message is rejected:", () => {
  const rejected: Readonly<Record<string, object>> = {
    "content beside components V2": { ...message(text()), content: "words" },
    "embeds: not supported by the fake": { embeds: [{ title: "t" }] },
    "components V2 without components": message(),
    "components of type 10 need the flag 1 << 15": { components: [text()] },
    "at most 40 components, not 41": message(
      { type: 17, components: many(38, () => text()) },
      text(),
      text(),
    ),
    "at most 4000 characters in all": message(text("x".repeat(3000)), text("x".repeat(1001))),
    "custom_id go twice in one message": message(row(button(), button({ label: "B" }))),
    "component id 7 twice in one message": message({ ...text(), id: 7 }, { ...text(), id: 7 }),
    "a row has one select and no other component": message(row(select(), button())),
    "button Go: like is no emoji": message(row(button({ emoji: { name: "like" } }))),
    "an empty text display": message(text(" ")),
    "attachment://b.png is no file of this message": message(gallery("attachment://b.png")),
    "select pick: a value twice": message(row(select({ options: [...options, ...options] }))),
    "select pick: 1 to 2 of 1 options": message(row(select({ max_values: 2 }))),
    "EPHEMERAL is not accepted here": { content: "x", flags: 64 },
    "an empty message": { content: "" },
    "content of 2001 characters, at most 2000": { content: "x".repeat(2001) },
    "attachments: 5 is neither an uploaded nor an existing file": {
      content: "x",
      attachments: [{ id: "5" }],
    },
    "/content: must be string,null": { content: 5 },
    "label: must NOT have more than 80 characters": message(row(button({ label: "x".repeat(81) }))),
    "must NOT have more than 5 items": message(row(...many(6, (at) => button({ custom_id: `b${at}` })))),
  };
  test.each(Object.entries(rejected))("%s", async (problem, body) => {
    expect(await post(body)).toEqual({
      status: 400,
      problems: expect.arrayContaining([expect.stringContaining(problem)]),
    });
  });

  test("an unknown key is a violation that Discord accepts", async () => {
    const body = message(row(button({ colour: 1 })));
    expect(await post(body)).toEqual({
      status: 200,
      problems: ["/components/0/components/0: unknown key colour"],
    });
  });

  test("file names that Discord changes, unlisted files, files that no component shows, possible pings", async () => {
    await post({ content: "x" }, [{ ...png, name: "my picture.png" }]);
    await post({ content: "x", attachments: [] }, [png]);
    expect(problems()).toEqual([
      'file name "my picture.png" will be changed',
      "files[0] is not among the attachments",
    ]);
    await post(message(text("hi @everyone")), [png]);
    expect(fake.warnings.map(({ problem }) => problem)).toEqual([
      "no allowed_mentions, but users could be notified",
      "file a.png is shown by no component",
    ]);
  });
});

describe("interactions", () => {
  const label = (custom_id: string) => ({
    type: 18,
    label: "Key",
    component: { type: 4, custom_id, style: 1 },
  });
  const modal = (...components: object[]) => ({ type: 9, data: { custom_id: "m", title: "M", components } });
  const rejected: Readonly<Record<string, object>> = {
    "flags 32768: IS_COMPONENTS_V2 is not accepted here": { type: 5, data: { flags: v2 } },
    "content has no meaning in a deferral": { type: 5, data: { content: "x" } },
    "callback type 7 does not fit an interaction of type 2": { type: 7, data: { content: "x" } },
    "custom_id key twice in one message": modal(label("key"), label("key")),
    "a modal has at most 5 components, not 6": modal(...many(6, (at) => label(`${at}`))),
  };
  test.each(Object.entries(rejected))("%s", async (problem, body) => {
    await register({ name: "find", description: "Find", integration_types: [0], contexts: [1] });
    const { id, token } = user.slash("find");
    await rest.post(Routes.interactionCallback(id, token), { body, auth: false }).catch(() => undefined);
    expect(problems()).toEqual([problem]);
  });
});

describe("a command is rejected:", () => {
  const slash = (fields: object = {}) => ({ name: "find", description: "Find", ...fields });
  const option = (fields: object = {}) => ({ type: 3, name: "period", description: "How far", ...fields });
  const rejected: Readonly<Record<string, object>> = {
    'command find it: name "find it" has invalid characters': slash({ name: "find it" }),
    'command find: name "Trouver" has invalid characters': slash({ name_localizations: { fr: "Trouver" } }),
    "command find: a description of 0 characters": { name: "find" },
    "command find: a description of 101 characters": slash({
      description_localizations: { ja: "x".repeat(101) },
    }),
    'command find Period: name "Period" has invalid characters': slash({
      options: [option({ name: "Period" })],
    }),
    "command find: required options come first": slash({
      options: [option(), option({ name: "b", required: true })],
    }),
    "/0/default_member_permissions: must be integer,null": slash({ default_member_permissions: "32" }),
  };
  test.each(Object.entries(rejected))("%s", async (problem, command) => {
    await register(command);
    expect(problems()).toContain(problem);
  });

  test("a command twice", async () => {
    await register(slash(), slash());
    expect(problems()).toEqual(["command 1 find twice"]);
  });
});

describe("requests", () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${fake.apiUrl}/v10${path}`, { headers: { authorization: `Bot ${fake.token}` }, ...init });

  test("unknown paths, methods and query parameters are violations, and routes that the fake lacks", async () => {
    const messages = `/channels/${user.direct.id}/messages`;
    await ask("/channel/1");
    await ask(messages, { method: "DELETE" });
    await ask(`/channels/${user.direct.id}/invites`);
    await ask(`${messages}?limit=101`);
    await ask(`${messages}?amount=5`);
    expect(fake.violations.map(({ rule }) => rule)).toEqual(["path", "path", "fake", "query", "query"]);
  });

  test("an unknown token is rejected; violations contain no interaction token", async () => {
    expect((await ask("/applications/@me", { headers: { authorization: "Bot other" } })).status).toBe(401);
    await ask(`/webhooks/${fake.applicationId}/secret-token/messages/%40original?thread=1`);
    expect(problems()).toEqual(["described by Discord, but not implemented by the fake"]);
    expect(JSON.stringify(fake.violations)).not.toContain("secret-token");
  });
});

test("a request before retry_after is a violation", async () => {
  fake.faults.rateLimit({ route: /GET \/applications/, retryAfterSeconds: 5 });
  const headers = { authorization: `Bot ${fake.token}` };
  const ask = () => fetch(`${fake.apiUrl}/v10/applications/@me`, { headers });
  expect((await ask()).status).toBe(429);
  await expect.poll(async () => (await ask()) && fake.violations.length).toBeGreaterThan(0);
  expect(fake.violations).toMatchObject([{ rule: "rate-limit" }]);
});
