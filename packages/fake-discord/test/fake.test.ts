import {
  type APIMessageTopLevelComponent,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Client,
  DiscordAPIError,
  Events,
  type Message,
  type MessageContextMenuCommandInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
  Routes,
} from "discord.js";
import { afterEach, describe, expect, test } from "vitest";
import { type FakeOptions, type OwnFile, openFake } from "../src/index.ts";
import { logIn, usualIntents } from "./fixtures/log-in.ts";

// A PNG of one pixel.
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const image: OwnFile = { name: "scene.png", bytes: dot };
const everywhere = { contexts: [0, 1, 2], integration_types: [0, 1] };
const commands = [
  {
    name: "find",
    description: "Find the scene",
    ...everywhere,
    options: [
      { type: 11, name: "image", description: "A picture" },
      { type: 3, name: "address", description: "Where it is" },
    ],
  },
  { type: 3, name: "Find anime scene", ...everywhere },
];
const card: APIMessageTopLevelComponent[] = [
  {
    type: 17,
    components: [
      { type: 10, content: "# Found" },
      { type: 12, items: [{ media: { url: "attachment://still.png" } }] },
      {
        type: 1,
        components: [
          { type: 2, style: 1, label: "Next", custom_id: "next" },
          { type: 2, style: 5, label: "Open", url: "https://anilist.co/anime/1" },
        ],
      },
    ],
  },
];

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(options: FakeOptions & { onInteraction?: Parameters<typeof logIn>[1] } = {}) {
  const { onInteraction, ...rest } = options;
  const fake = await openFake(rest);
  closing.push(() => fake.close());
  const { client, errors } = await logIn(fake, onInteraction);
  closing.push(() => client.destroy());
  await client.rest.put(Routes.applicationCommands(fake.applicationId), { body: commands });
  return { fake, client, errors };
}

const replyWith = (onInteraction: (one: ChatInputCommandInteraction) => Promise<unknown>) => ({
  onInteraction: { onInteraction: (one: unknown) => onInteraction(one as ChatInputCommandInteraction) },
});

const sendCard = (command: ChatInputCommandInteraction) =>
  command.editReply({
    flags: MessageFlags.IsComponentsV2,
    files: [{ attachment: dot, name: "still.png" }],
    components: card,
    allowedMentions: { parse: [] },
  });

async function codeOf(promise: Promise<unknown>): Promise<number | string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DiscordAPIError)) throw new Error(`no error of Discord: ${String(error)}`);
  return error.code;
}

const nextMessage = (client: Client) =>
  new Promise<Message>((resolve) =>
    client.on(Events.MessageCreate, (message) => {
      if (!message.author.bot) resolve(message);
    }),
  );

describe("interactions", () => {
  test("a slash command with an image: deferred, then a card with a file", async () => {
    const { fake, errors } = await open(
      replyWith(async (command) => {
        await command.deferReply();
        const image = command.options.getAttachment("image", true);
        expect(image.contentType).toBe("image/png");
        expect(Buffer.from(await (await fetch(image.url)).arrayBuffer())).toEqual(dot);
        await sendCard(command);
      }),
    );
    const guild = fake.createGuild();
    const commandTarget = { channel: guild.channel("general") };
    const interaction = guild.owner.slash("find", { image }, commandTarget);
    expect(await interaction.acknowledged()).toBe("deferred-reply");
    const reply = await interaction.reply();
    expect(reply.text).toBe("# Found");
    expect(Buffer.from(reply.media[0]?.bytes ?? [])).toEqual(dot);
    expect(reply.button("Open").url).toBe("https://anilist.co/anime/1");
    expect(reply).toMatchObject({
      isEphemeral: false,
      isComponentsV2: true,
      editCount: 0,
      isThinking: false,
    });
    expect(commandTarget.channel.messages).toEqual([reply]);
    expect(errors).toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  test("only the requester sees a private reply, its follow-ups and deletions", async () => {
    const { fake, errors } = await open(
      replyWith(async (command) => {
        await command.reply({ content: "only you", flags: MessageFlags.Ephemeral });
        await command.followUp({ content: "and more", flags: MessageFlags.Ephemeral });
        await command.deleteReply();
      }),
    );
    const guild = fake.createGuild();
    const channel = guild.channel("general");
    const interaction = guild.owner.slash("find", {}, { channel });
    const more = await interaction.followUp();
    await fake.waitUntil(() => channel.history[0]?.isDeleted === true);
    expect(more).toMatchObject({ content: "and more", isEphemeral: true });
    expect(more.visibleTo).toBe(guild.owner.id);
    expect(channel.messages).toEqual([]);
    expect(errors).toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  test("a button edits the message and keeps its image; the second click is deferred", async () => {
    let clicked = 0;
    const { fake, errors } = await open({
      onInteraction: {
        async onInteraction(interaction) {
          if (interaction.isChatInputCommand()) {
            await interaction.deferReply();
            await sendCard(interaction);
            return;
          }
          const button = interaction as ButtonInteraction;
          clicked += 1;
          const content = `page ${clicked}`;
          const components: APIMessageTopLevelComponent[] = [{ type: 10, content }, ...card];
          if (clicked === 1) return button.update({ components, flags: MessageFlags.IsComponentsV2 });
          await button.deferUpdate();
          return button.editReply({ components, flags: MessageFlags.IsComponentsV2 });
        },
      },
    });
    const user = fake.createUser();
    const message = await user.slash("find").reply();
    const first = user.clickButton(message, "next");
    expect(await first.reply()).toBe(message);
    expect(first.acknowledgement).toBe("update");
    expect(message.text).toContain("page 1");
    expect(message.media).toHaveLength(1);
    const second = await user.clickButton(message, "next").reply();
    expect(second.text).toContain("page 2");
    expect(second.editCount).toBe(2);
    expect(() => user.clickButton(message, "nothing")).toThrow("no control nothing");
    expect(errors).toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  test("a modal: fields, submitted values, reply", async () => {
    const { fake, errors } = await open({
      onInteraction: {
        async onInteraction(interaction) {
          if (interaction.isChatInputCommand()) {
            return interaction.showModal({
              custom_id: "key",
              title: "Your key",
              components: [
                {
                  type: 18,
                  label: "API key",
                  component: { type: 4, custom_id: "value", style: 1, max_length: 20 },
                },
              ],
            });
          }
          const submit = interaction as ModalSubmitInteraction;
          const content = `got ${submit.fields.getTextInputValue("value")}`;
          return submit.reply({ content, flags: MessageFlags.Ephemeral });
        },
      },
    });
    const user = fake.createUser();
    const interaction = user.slash("find");
    expect((await interaction.modal()).fields).toMatchObject([
      { customId: "value", label: "API key", maxLength: 20 },
    ]);
    expect(() => user.submitModal(interaction, { value: "x".repeat(21) })).toThrow("longer than 20");
    const reply = await user.submitModal(interaction, { value: "secret" }).reply();
    expect(reply).toMatchObject({ content: "got secret", isEphemeral: true });
    expect(errors).toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  test("the message command contains the message regardless of intents, also by user installation in a group", async () => {
    const { fake, errors } = await open({
      hasMessageContent: false,
      onInteraction: {
        intents: usualIntents.slice(0, 3),
        async onInteraction(interaction) {
          const menu = interaction as MessageContextMenuCommandInteraction;
          expect(menu.authorizingIntegrationOwners.userId).toBe(menu.user.id);
          expect(menu.context).toBe(2);
          await menu.reply(`${menu.targetMessage.content} with ${menu.targetMessage.attachments.size}`);
        },
      },
    });
    const [one, two] = [fake.createUser({ hasInstalled: true }), fake.createUser()];
    const group = fake.createGroup(one, two);
    const message = two.sendMessage(group, { content: "what is this", attachments: [image] });
    expect(() => two.messageCommand("Find anime scene", message)).toThrow("installed neither here");
    const reply = await one.messageCommand("Find anime scene", message).reply();
    expect(reply.content).toBe("what is this with 1");
    expect(errors).toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  test("menus: valid choices, and the chosen channel in the interaction", async () => {
    const { fake, errors } = await open({
      onInteraction: {
        async onInteraction(interaction) {
          if (interaction.isChatInputCommand()) {
            const words = { type: 3, custom_id: "words", options: [{ label: "A", value: "a" }] } as const;
            const selection = { type: 8, custom_id: "places", max_values: 2 } as const;
            const components = [words, selection].map((menu) => ({ type: 1 as const, components: [menu] }));
            return interaction.reply({ content: "choose", components });
          }
          if (interaction.isChannelSelectMenu()) {
            return interaction.update(interaction.channels.map((channel) => `in ${channel?.id}`).join());
          }
          return interaction.isStringSelectMenu()
            ? interaction.update(`chose ${interaction.values.join()}`)
            : undefined;
        },
      },
    });
    const guild = fake.createGuild();
    const channel = guild.channel("general");
    const message = await guild.owner.slash("find", {}, { channel }).reply();
    expect(() => guild.owner.select(message, "words", ["b"])).toThrow("The menu has no b");
    expect(() => guild.owner.select(message, "words", [])).toThrow("requires 1 to 1");
    expect((await guild.owner.select(message, "words", ["a"]).reply()).content).toBe("chose a");
    expect((await guild.owner.select(message, "places", [channel.id]).reply()).content).toBe(
      `in ${channel.id}`,
    );
    expect(errors).toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  test("late, repeated and expired responses: 10062, 40060, 50027, and a visible failure", async () => {
    const codes: (number | string)[] = [];
    let calls = 0;
    const { fake } = await open({
      acknowledgeWithinMs: 50,
      ...replyWith(async (command) => {
        calls += 1;
        if (calls === 1) {
          await fake.waitUntil(() => late.isFailed);
          codes.push(await codeOf(command.reply("late")));
          return;
        }
        await command.reply("in time");
        const again = command.client.rest.post(Routes.interactionCallback(command.id, command.token), {
          body: { type: 5 },
        });
        codes.push(await codeOf(again));
        inTime.expire();
        codes.push(await codeOf(command.editReply("expired")));
      }),
    });
    const user = fake.createUser();
    const late = user.slash("find");
    await expect(late.reply()).rejects.toThrow("did not respond to find");
    await fake.waitUntil(() => codes.length === 1);
    const inTime = user.slash("find");
    await fake.waitUntil(() => codes.length === 3);
    expect(codes).toEqual([10062, 40060, 50027]);
    expect(fake.violations).toEqual([]);
  });
});

describe("messages", () => {
  test("direct messages with an image, replies and edits; forwarded messages contain a snapshot", async () => {
    const { fake, client } = await open();
    const user = fake.createUser({ name: "Mina" });
    const incoming = nextMessage(client);
    const sent = user.sendMessage(user.direct, { attachments: [{ ...image, isSpoiler: true }] });
    const message = await incoming;
    expect(message.attachments.first()).toMatchObject({ name: "SPOILER_scene.png", width: 1 });
    const reply = await message.reply({ content: "thinking", allowedMentions: { repliedUser: false } });
    await reply.edit("found");
    const seen = await user.direct.waitForMessage((one) => one.content === "found");
    expect(seen).toMatchObject({ editCount: 1, referenceId: sent.id, pings: [] });

    const forwarding = nextMessage(client);
    user.sendMessage(user.direct, { forward: sent });
    const forwarded = await forwarding;
    expect(forwarded.messageSnapshots.first()?.attachments.size).toBe(1);
    expect(fake.violations).toEqual([]);
    expect(fake.warnings).toEqual([]);
  });

  test("without the message content intent only mentions and direct messages have content", async () => {
    const { fake, client } = await open({
      hasMessageContent: false,
      onInteraction: { intents: usualIntents.slice(0, 3) },
    });
    const guild = fake.createGuild();
    const channel = guild.channel("general");
    const seen: string[] = [];
    client.on(Events.MessageCreate, (one) => seen.push(`${one.content}:${one.attachments.size}`));
    const shown = guild.owner.sendMessage(channel, { content: "look", attachments: [image] });
    guild.owner.sendMessage(channel, { content: "this", attachments: [image], mentionsBot: true });
    guild.owner.sendMessage(guild.owner.direct, "private");
    await expect.poll(() => seen).toEqual([":0", `<@${fake.applicationId}> this:1`, "private:0"]);
    const fetched = await (client.channels.cache.get(channel.id) as Message["channel"]).messages.fetch(
      shown.id,
    );
    expect(fetched.content).toBe("");
    expect(fake.violations).toEqual([]);
  });

  test("missing permissions and deleted objects: 50001, 50013, 50007, 10008, 50005, 50003", async () => {
    const { fake, client } = await open();
    const guild = fake.createGuild({
      channels: [{ name: "hidden" }, { name: "silent" }, { name: "files" }],
    });
    const abroad = fake.createGuild({ hasBot: false });
    const post = (id: string, content = "hi") =>
      client.rest.post(Routes.channelMessages(id), { body: { content } });
    guild.channel("hidden").denyBot("ViewChannel");
    guild.channel("silent").denyBot("SendMessages");
    guild.channel("files").denyBot("AttachFiles");
    expect(await codeOf(post(guild.channel("hidden").id))).toBe(50001);
    expect(await codeOf(post(guild.channel("silent").id))).toBe(50013);
    expect(await codeOf(post(abroad.channel("general").id))).toBe(50001);
    const files = [{ data: dot, name: "a.png" }];
    expect(await codeOf(client.rest.post(Routes.channelMessages(guild.channel("files").id), { files }))).toBe(
      50013,
    );
    const user = guild.owner;
    const written = user.sendMessage(user.direct, "hello");
    expect(await codeOf(client.rest.delete(Routes.channelMessage(user.direct.id, written.id)))).toBe(50003);
    expect(
      await codeOf(
        client.rest.patch(Routes.channelMessage(user.direct.id, written.id), { body: { content: "x" } }),
      ),
    ).toBe(50005);
    expect(await codeOf(client.rest.get(Routes.channelMessage(user.direct.id, user.id)))).toBe(10008);
    user.setAcceptsDirect(false);
    expect(await codeOf(post(user.direct.id))).toBe(50007);
    expect(await codeOf(post(guild.channel("files").id, ""))).toBe(50006);
    expect(fake.violations.map(({ problem }) => problem)).toEqual(["an empty message"]);
  });

  test("files: addresses are signed, large uploads of the bot are rejected, those of users are hosted", async () => {
    const { fake, client } = await open();
    const user = fake.createUser();
    const incoming = nextMessage(client);
    user.sendMessage(user.direct, {
      attachments: [{ name: "large.png", bytes: new Uint8Array(12 * 1024 * 1024) }],
    });
    const url = (await incoming).attachments.first()?.url ?? "";
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(12 * 1024 * 1024);
    expect((await fetch(url.replace(/hm=\w/, "hm=z"))).status).toBe(404);
    const files = [{ data: Buffer.alloc(11 * 1024 * 1024), name: "big.bin" }];
    expect(await codeOf(client.rest.post(Routes.channelMessages(user.direct.id), { files }))).toBe(40005);
    const page = await fetch(fake.hostFile(image));
    expect(page.headers.get("content-type")).toBe("image/png");
    expect(fake.violations).toEqual([]);
  });
});

describe("faults", () => {
  test("429: a request before retry_after is a violation", async () => {
    const { fake, client } = await open();
    const user = fake.createUser();
    const route = "POST /channels/{channel_id}/messages";
    const fault = fake.faults.rateLimit({ route, times: 1, retryAfterSeconds: 0.4 });
    await client.rest.post(Routes.channelMessages(user.direct.id), { body: { content: "hi" } });
    const [limited, passed] = fake.requests.filter((one) => one.route === "/channels/{channel_id}/messages");
    expect([limited?.status, passed?.status, fault.hits]).toEqual([429, 200, 1]);
    expect((passed?.at ?? 0) - (limited?.at ?? 0)).toBeGreaterThanOrEqual(400);
    expect(fake.violations).toEqual([]);

    fake.faults.rateLimit({ route: /GET \/applications/, retryAfterSeconds: 5 });
    const ask = () =>
      fetch(`${fake.apiUrl}/v10/applications/@me`, { headers: { authorization: `Bot ${fake.token}` } });
    expect((await ask()).status).toBe(429);
    await new Promise((done) => setTimeout(done, 150));
    expect((await ask()).headers.get("retry-after")).toBe("5");
    expect(fake.violations).toMatchObject([{ rule: "rate-limit" }]);
  });

  test("the usual limits: seven concurrent messages are all sent, none too early", async () => {
    const { fake, client } = await open({ hasRateLimits: true, patienceMs: 30_000 });
    const user = fake.createUser();
    const post = (at: number) =>
      client.rest.post(Routes.channelMessages(user.direct.id), { body: { content: `${at}` } });
    await Promise.all(Array.from({ length: 7 }, (_, at) => post(at)));
    expect(user.direct.messages).toHaveLength(7);
    expect(fake.requests.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(1);
    expect(fake.violations).toEqual([]);
  });

  test("the client retries 5xx and lost connections; error codes are passed on", async () => {
    const { fake, client } = await open();
    const user = fake.createUser();
    const post = () => client.rest.post(Routes.channelMessages(user.direct.id), { body: { content: "hi" } });
    const route = "POST /channels/{channel_id}/messages";
    fake.faults.fail({ route, times: 1, status: 503 });
    await post();
    fake.faults.fail({ route, times: 1, code: 50007 });
    expect(await codeOf(post())).toBe(50007);
    const lost = fake.faults.hangUp({ route, times: 1, isAfter: true });
    await post().catch(() => undefined);
    expect(lost.hits).toBe(1);
    expect(user.direct.messages.length).toBeGreaterThanOrEqual(2);
    expect(fake.violations).toEqual([]);
  });

  test("after a dropped connection the client resumes and receives missed events once", async () => {
    const { fake, client } = await open();
    const guild = fake.createGuild();
    const seen: string[] = [];
    client.on(Events.MessageCreate, (message) => seen.push(message.content));
    guild.owner.sendMessage(guild.channel("general"), "before");
    await expect.poll(() => seen).toEqual(["before"]);
    const resumed = fake.gateway.resumed();
    fake.gateway.drop();
    guild.owner.sendMessage(guild.channel("general"), "while away");
    await resumed;
    guild.owner.sendMessage(guild.channel("general"), "after");
    await expect.poll(() => seen).toEqual(["before", "while away", "after"]);
    expect(fake.gateway).toMatchObject({ identifyCount: 1, resumeCount: 1, shards: ["0/1"] });
  });

  test("a message content intent that is not granted ends the login", async () => {
    const fake = await openFake({ hasMessageContent: false });
    closing.push(() => fake.close());
    await expect(logIn(fake)).rejects.toThrow(/disallowed intents/i);
  });
});
