import {
  Client,
  type ClientOptions,
  Events,
  GatewayIntentBits,
  type Interaction,
  Partials,
} from "discord.js";
import type { Fake } from "./types.ts";

/** What a bot needs to hear: guilds, their messages with content, and direct messages. */
export const usualIntents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
];

/** A discord.js client at the stand-in, ready; what its handlers threw is kept. */
export async function logIn(
  fake: Fake,
  options: Partial<ClientOptions> & { onInteraction?: (interaction: Interaction) => Promise<unknown> } = {},
) {
  const { onInteraction, ...rest } = options;
  const client = new Client({
    intents: usualIntents,
    partials: [Partials.Channel, Partials.Message],
    rest: { api: fake.apiUrl, retries: 2 },
    ...rest,
  });
  const errors: unknown[] = [];
  client.on(Events.Error, (error) => errors.push(error));
  client.on(Events.InteractionCreate, (interaction) => {
    onInteraction?.(interaction).catch((error) => errors.push(error));
  });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(fake.token);
  await ready;
  return { client, errors };
}
