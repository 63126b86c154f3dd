import {
  AttachmentBuilder,
  type Interaction as BotInteraction,
  type ChatInputCommandInteraction,
  Client,
  Events,
  GatewayIntentBits,
  MessageFlags,
  Partials,
} from "discord.js";
import { afterEach, expect, test } from "vitest";
import { openStandIn, type StandIn, type StandInOptions } from "./stand-in/index.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(options: StandInOptions = {}) {
  const standIn = await openStandIn(options);
  open.push(() => standIn.close());
  return standIn;
}

async function login(standIn: StandIn, onInteraction?: (interaction: BotInteraction) => Promise<unknown>) {
  const client = new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
      GatewayIntentBits.MessageContent,
    ],
    partials: [Partials.Channel, Partials.Message],
    rest: { api: standIn.apiUrl, retries: 2 },
  });
  open.push(() => client.destroy());
  const errors: unknown[] = [];
  client.on("error", (error) => errors.push(error));
  if (onInteraction)
    client.on(
      Events.InteractionCreate,
      (one) => void onInteraction(one).catch((error) => errors.push(error)),
    );
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(standIn.token);
  await ready;
  return { client, errors };
}

const commands = [
  {
    name: "find",
    description: "Find the scene",
    contexts: [0, 1, 2],
    integration_types: [0, 1],
    options: [{ type: 11, name: "image", description: "A picture" }],
  },
  { type: 3, name: "Find anime scene", contexts: [0, 1, 2], integration_types: [0, 1] },
];

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("login, registered commands, slash with a picture, deferred answer of components with a file", async () => {
  const standIn = await start();
  const guild = standIn.createGuild();
  const { client, errors } = await login(standIn, async (interaction) => {
    const command = interaction as ChatInputCommandInteraction;
    await command.deferReply();
    const image = command.options.getAttachment("image", true);
    const bytes = Buffer.from(await (await fetch(image.url)).arrayBuffer());
    await command.editReply({
      flags: MessageFlags.IsComponentsV2,
      files: [new AttachmentBuilder(bytes, { name: "still.png" })],
      components: [
        {
          type: 17,
          components: [
            { type: 10, content: "# Found" },
            { type: 12, items: [{ media: { url: "attachment://still.png" } }] },
            { type: 1, components: [{ type: 2, style: 1, label: "Next", custom_id: "next" }] },
          ],
        },
      ],
      allowedMentions: { parse: [] },
    });
  });
  await client.application?.commands.set(commands);
  const interaction = guild.owner.slash(
    "find",
    { image: { name: "a.png", bytes: png } },
    { channel: guild.channel("general") },
  );
  expect(await interaction.acknowledged()).toBe("deferred-reply");
  const reply = await interaction.reply();
  expect(errors).toEqual([]);
  expect(reply.text).toBe("# Found");
  expect(Buffer.from(reply.media[0]?.bytes ?? [])).toEqual(png);
  expect(reply.button("Next").customId).toBe("next");
  expect(standIn.violations).toEqual([]);
});
