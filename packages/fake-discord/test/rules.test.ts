import { REST, Routes } from "discord.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Fake, openFake, type User } from "../src/index.ts";

const v2 = 1 << 15;
const text = (content = "words") => ({ type: 10, content });
const button = (fields: object = {}) => ({ type: 2, style: 1, label: "Go", custom_id: "go", ...fields });
const row = (...components: object[]) => ({ type: 1, components });
const media = (url = "https://example.org/a.png") => ({ media: { url } });
const select = (fields: object = {}) => ({
  type: 3,
  custom_id: "pick",
  options: [{ label: "A", value: "a" }],
  ...fields,
});
const message = (...components: object[]) => ({ flags: v2, components });
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

/** The violations of this message, and the status of the response. */
async function post(body: unknown, files: (typeof png)[] = []) {
  const status = await rest.post(Routes.channelMessages(user.direct.id), { body, files }).then(
    () => 200,
    (error: { status: number }) => error.status,
  );
  return { status, problems: fake.violations.map(({ problem }) => problem) };
}

async function register(...commands: object[]) {
  await rest.put(Routes.applicationCommands(fake.applicationId), { body: commands }).catch(() => undefined);
  return fake.violations.map(({ problem }) => problem);
}

describe("valid requests", () => {
  test("a card with every component", async () => {
    const section = {
      type: 9,
      components: [text()],
      accessory: { type: 11, media: { url: "attachment://a.png" } },
    };
    const inner = [
      section,
      { type: 14 },
      { type: 12, items: [media()] },
      row(button({ emoji: { name: "👍" } })),
      row(select()),
    ];
    const body = {
      ...message({ type: 17, accent_color: 255, components: inner }),
      attachments: [{ id: "0" }],
    };
    expect(await post(body, [png])).toEqual({ status: 200, problems: [] });
    expect(fake.warnings).toEqual([]);
  });

  test("commands in several languages", async () => {
    const names = {
      name_localizations: { ja: "検索", "pt-BR": "procurar" },
      description_localizations: { ko: "찾기" },
    };
    const option = {
      type: 3,
      name: "period",
      description: "How far back",
      choices: [{ name: "Week", value: "week" }],
    };
    const slash = {
      name: "find",
      description: "Find",
      default_member_permissions: 32,
      options: [option],
      ...names,
    };
    expect(await register(slash, { type: 3, name: "Find anime scene" })).toEqual([]);
    expect(fake.commands.map(({ name }) => name)).toEqual(["find", "Find anime scene"]);
  });
});

describe("messages", () => {
  const many = (count: number, make: (at: number) => object) =>
    Array.from({ length: count }, (_, at) => make(at));
  const wrong: readonly [string, object, string | RegExp][] = [
    ["content beside V2", { ...message(text()), content: "words" }, "content beside components V2"],
    ["embeds", { embeds: [{ title: "t" }] }, "embeds: not supported by the fake"],
    ["V2 without components", message(), "components V2 without components"],
    [
      "V2 components without the flag",
      { components: [text()] },
      "components of type 10 need the flag 1 << 15",
    ],
    [
      "more than 40 components",
      message({ type: 17, components: many(38, () => text()) }, text(), text()),
      "at most 40 components, not 41",
    ],
    [
      "more than 4000 characters",
      message(text("x".repeat(3000)), text("x".repeat(1001))),
      /at most 4000 characters.*not 4001/,
    ],
    [
      "a custom_id twice",
      message(row(button(), button({ label: "B" }))),
      "custom_id go twice in one message",
    ],
    [
      "a component id twice",
      message({ ...text(), id: 7 }, { ...text(), id: 7 }),
      "component id 7 twice in one message",
    ],
    [
      "six buttons",
      message(row(...many(6, (at) => button({ custom_id: `b${at}` })))),
      /at most 5 buttons, not 6|more than 5 items/,
    ],
    [
      "a select beside a button",
      message(row(select(), button())),
      "a row has one select and no other component",
    ],
    ["an empty row", message(row()), /an empty row|fewer than 1 items/],
    [
      "a button without custom_id",
      message(row({ type: 2, style: 1, label: "Go" })),
      "button Go: needs a custom_id",
    ],
    [
      "a button without label and emoji",
      message(row({ type: 2, style: 1, custom_id: "go" })),
      "button go: needs a label or an emoji",
    ],
    [
      "a link with custom_id",
      message(row(button({ style: 5, url: "https://a.org" }))),
      "button Go: a link button has no custom_id",
    ],
    [
      "a link without url",
      message(row({ type: 2, style: 5, label: "Go" })),
      "button Go: a link button needs a url",
    ],
    [
      "a link of another kind",
      message(row({ type: 2, style: 5, label: "Go", url: "ftp://a.org" })),
      "button Go: url must be http(s)",
    ],
    [
      "a url on a button",
      message(row(button({ url: "https://a.org" }))),
      "button Go: only link buttons have a url",
    ],
    [
      "an emoji that is none",
      message(row(button({ emoji: { name: "like" } }))),
      "button Go: like is no emoji",
    ],
    ["a button outside of a row", message(button()), /outside of a row|one of the allowed values/],
    [
      "a section without accessory",
      message({ type: 9, components: [text()] }),
      /needs a button or thumbnail|accessory/,
    ],
    [
      "a section of four texts",
      message({ type: 9, components: many(4, () => text()), accessory: button() }),
      /1 to 3 texts|more than 3 items/,
    ],
    [
      "eleven gallery items",
      message({ type: 12, items: many(11, () => media()) }),
      /1 to 10 items|more than 10 items/,
    ],
    ["an empty text", message(text(" ")), "an empty text display"],
    [
      "a container in a container",
      message({ type: 17, components: [{ type: 17, components: [text()] }] }),
      /container inside|allowed values/,
    ],
    [
      "an image that is not attached",
      message({ type: 12, items: [media("attachment://b.png")] }),
      "attachment://b.png is no file of this message",
    ],
    [
      "a file component",
      message({ type: 13, file: { url: "https://a.org/b.png" } }),
      "the fake supports no file components",
    ],
    [
      "two options of one value",
      message(
        row(
          select({
            options: [
              { label: "A", value: "a" },
              { label: "B", value: "a" },
            ],
          }),
        ),
      ),
      "select pick: a value twice",
    ],
    [
      "more to choose than there is",
      message(row(select({ max_values: 2 }))),
      "select pick: 1 to 2 of 1 options",
    ],
    [
      "a private message outside of interactions",
      { content: "x", flags: 64 },
      /EPHEMERAL is not accepted here/,
    ],
    ["an empty message", { content: "" }, "an empty message"],
    ["too much content", { content: "x".repeat(2001) }, "content of 2001 characters, at most 2000"],
    [
      "mentions both ways",
      { content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } },
      /users both in parse and by name/,
    ],
    ["enforce_nonce alone", { content: "x", enforce_nonce: true }, "enforce_nonce without a nonce"],
    [
      "an unknown attachment",
      { content: "x", attachments: [{ id: "5" }] },
      "attachments: 5 is neither an uploaded nor an existing file",
    ],
  ];
  test.each(wrong)("%s is rejected", async (_name, body, problem) => {
    const { status, problems } = await post(body);
    expect(status).toBe(400);
    expect(problems).toContainEqual(typeof problem === "string" ? problem : expect.stringMatching(problem));
  });

  const described: readonly [string, object, string, number][] = [
    ["an unknown key", { content: "x", contents: "y" }, "/: unknown key contents", 200],
    [
      "an unknown key deep inside",
      message(row(button({ colour: 1 }))),
      "/components/0/components/0: unknown key colour",
      200,
    ],
    [
      "a long label",
      message(row(button({ label: "x".repeat(81) }))),
      "/components/0/components/0/label: must NOT have more than 80 characters",
      400,
    ],
    [
      "a long custom_id",
      message(row(button({ custom_id: "x".repeat(101) }))),
      "/components/0/components/0/custom_id: must NOT have more than 100 characters",
      400,
    ],
    ["a wrong kind of value", { content: 5 }, "/content: must be string,null", 400],
    [
      "a long nonce",
      { content: "x", nonce: "x".repeat(26) },
      "/nonce: must NOT have more than 25 characters",
      400,
    ],
  ];
  test.each(described)("%s is rejected by the description", async (_name, body, problem, status) => {
    expect(await post(body)).toEqual({ status, problems: expect.arrayContaining([problem]) });
  });

  test("file names that Discord changes, unlisted files, files that no component shows", async () => {
    const { problems } = await post({ content: "x" }, [{ ...png, name: "my picture.png" }]);
    expect(problems).toEqual(['file name "my picture.png" will be changed']);
    await post({ content: "x", attachments: [] }, [png]);
    expect(fake.violations.at(-1)?.problem).toBe("files[0] is not among the attachments");
    await post(message(text()), [png]);
    expect(fake.warnings.at(-1)?.problem).toBe("file a.png is shown by no component");
  });

  test("a possible ping is a warning, not a violation", async () => {
    expect(await post({ content: "hi @everyone" })).toEqual({ status: 200, problems: [] });
    expect(fake.warnings).toMatchObject([{ problem: "no allowed_mentions, but users could be notified" }]);
  });

  test("an edit can neither remove Components V2 nor add content", async () => {
    await post(message(text("first")));
    const sent = user.direct.messages.at(-1);
    const edit = (body: unknown) =>
      rest.patch(Routes.channelMessage(user.direct.id, sent?.id ?? ""), { body }).catch(() => undefined);
    await edit({ components: [text("second")] });
    expect([sent?.text, sent?.editCount, fake.violations.length]).toEqual(["second", 1, 0]);
    await edit({ flags: 0, components: [text()] });
    await edit({ content: "words" });
    expect(fake.violations.map(({ problem }) => problem)).toEqual([
      "flags: IS_COMPONENTS_V2 cannot be removed",
      "content beside components V2",
    ]);
  });
});

describe("interactions", () => {
  const use = async (body: object, type: "slash" | "button" = "slash") => {
    await register({ name: "find", description: "Find", integration_types: [0], contexts: [1] });
    let interaction = user.slash("find");
    const response = (with_: object) =>
      rest.post(Routes.interactionCallback(interaction.id, interaction.token), { body: with_, auth: false });
    if (type === "button") {
      await response({ type: 4, data: message(row(button())) });
      interaction = user.clickButton(await interaction.reply(), "go");
    }
    await response(body).catch(() => undefined);
    return fake.violations.map(({ problem }) => problem);
  };
  const input = (fields: object = {}) => ({ type: 4, custom_id: "key", style: 1, label: "Key", ...fields });
  const modal = (...components: object[]) => ({ type: 9, data: { custom_id: "m", title: "M", components } });
  const wrong: readonly [string, object, string][] = [
    [
      "a deferral with components V2",
      { type: 5, data: { flags: v2 } },
      "flags 32768: IS_COMPONENTS_V2 is not accepted here",
    ],
    ["a deferral with content", { type: 5, data: { content: "x" } }, "content has no meaning in a deferral"],
    [
      "an update without a message",
      { type: 7, data: { content: "x" } },
      "callback type 7 does not fit an interaction of type 2",
    ],
    [
      "suggestions without an autocomplete interaction",
      { type: 8, data: { choices: [] } },
      "callback type 8 does not fit an interaction of type 2",
    ],
    [
      "a modal with a custom_id twice",
      modal(row(input()), row(input())),
      "custom_id key twice in one message",
    ],
    [
      "a modal of six",
      modal(...[1, 2, 3, 4, 5, 6].map((at) => row(input({ custom_id: `${at}` })))),
      "a modal has at most 5 components, not 6",
    ],
    [
      "a modal's input without label",
      modal(row({ type: 4, custom_id: "key", style: 1 })),
      "a text input in a row needs a label",
    ],
  ];
  test.each(wrong)("%s is rejected", async (_name, body, problem) => {
    expect(await use(body)).toEqual([problem]);
  });

  test("an update of the message with the button is valid", async () => {
    expect(await use({ type: 7, data: message(text("changed")) }, "button")).toEqual([]);
  });
});

describe("commands", () => {
  const slash = (fields: object = {}) => ({ name: "find", description: "Find", ...fields });
  const option = (fields: object = {}) => ({ type: 3, name: "period", description: "How far", ...fields });
  const wrong: readonly [string, object[], string][] = [
    ["upper case", [slash({ name: "Find" })], 'command Find: name "Find" is not lower case'],
    ["a space", [slash({ name: "find it" })], 'command find it: name "find it" has invalid characters'],
    [
      "upper case in a translation",
      [slash({ name_localizations: { fr: "Trouver" } })],
      'command find: name "Trouver" is not lower case',
    ],
    [
      "an unknown locale",
      [slash({ description_localizations: { "zh-Hans": "找" } })],
      "command find: description_localizations has no locale zh-Hans",
    ],
    ["no description", [{ name: "find" }], "command find: a description of 0 characters"],
    [
      "a long translated description",
      [slash({ description_localizations: { ja: "x".repeat(101) } })],
      "command find: a description of 101 characters",
    ],
    [
      "a description in the Apps menu",
      [{ type: 3, name: "Find", description: "x" }],
      "command Find: only slash commands have a description",
    ],
    ["a command twice", [slash(), slash()], "command 1 find twice"],
    [
      "an upper-case option",
      [slash({ options: [option({ name: "Period" })] })],
      'command find Period: name "Period" is not lower case',
    ],
    [
      "required after optional",
      [slash({ options: [option(), option({ name: "b", required: true })] })],
      "command find: required options come first",
    ],
    ["an option twice", [slash({ options: [option(), option()] })], "command find: an option's name twice"],
    [
      "a subcommand beside an option",
      [slash({ options: [option(), { type: 1, name: "sub", description: "s" }] })],
      "command find: subcommands beside options",
    ],
    [
      "choices and suggestions",
      [slash({ options: [option({ autocomplete: true, choices: [{ name: "a", value: "a" }] })] })],
      "command find period: choices and autocomplete",
    ],
    [
      "two choices of one value",
      [
        slash({
          options: [
            option({
              choices: [
                { name: "a", value: "a" },
                { name: "b", value: "a" },
              ],
            }),
          ],
        }),
      ],
      "command find period: two choices of one value",
    ],
    [
      "too much in all",
      [
        slash({
          options: Array.from({ length: 25 }, (_, at) =>
            option({
              name: `o${at}`,
              description: "x".repeat(100),
              choices: Array.from({ length: 4 }, (_, one) => ({
                name: `${one}`,
                value: `${one}`.padEnd(80, "x"),
              })),
            }),
          ),
        }),
      ],
      "command find: more than 8000 characters in all",
    ],
  ];
  test.each(wrong)("%s is rejected", async (_name, commands, problem) => {
    expect(await register(...commands)).toContain(problem);
  });

  test("permissions as text violate the description", async () => {
    expect(await register(slash({ default_member_permissions: "32" }))).toEqual([
      "/0/default_member_permissions: must be integer,null",
    ]);
  });
});

describe("requests", () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${fake.apiUrl}/v10${path}`, { headers: { authorization: `Bot ${fake.token}` }, ...init });

  test("a path that does not exist", async () => {
    expect((await ask("/channel/1")).status).toBe(404);
    expect(fake.violations).toMatchObject([{ rule: "path", where: "GET /channel/1" }]);
  });

  test("a body that is not JSON", async () => {
    const headers = { authorization: `Bot ${fake.token}`, "content-type": "application/json" };
    const response = await ask(`/channels/${user.direct.id}/messages`, {
      method: "POST",
      body: "{",
      headers,
    });
    expect([response.status, await response.json()]).toMatchObject([400, { code: 50109 }]);
    expect(fake.violations).toMatchObject([{ rule: "body" }]);
  });

  test("an unknown token is rejected; violations contain no interaction token", async () => {
    expect((await ask("/applications/@me", { headers: { authorization: "Bot other" } })).status).toBe(401);
    await ask(`/webhooks/${fake.applicationId}/secret-token/messages/%40original`, {
      method: "PATCH",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    await ask(`/webhooks/${fake.applicationId}/secret-token/messages/%40original?thread=1`);
    expect(JSON.stringify(fake.violations)).not.toContain("secret-token");
    expect(fake.requests.at(-1)?.route).toMatch(/@original$/);
  });

  test("an unknown query parameter and one of the wrong type", async () => {
    await ask(`/channels/${user.direct.id}/messages?limit=101`);
    await ask(`/channels/${user.direct.id}/messages?amount=5`);
    expect(fake.violations.map(({ problem }) => problem)).toEqual([
      "query parameter limit: data must be <= 100",
      "unknown query parameter amount",
    ]);
  });

  test("a method that the path lacks, and one that the fake does not implement", async () => {
    await ask(`/channels/${user.direct.id}/messages`, { method: "DELETE" });
    await ask(`/channels/${user.direct.id}/invites`);
    expect(fake.violations.map(({ rule }) => rule)).toEqual(["path", "fake"]);
  });
});
