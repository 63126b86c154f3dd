import {
  type BotConfig,
  type BotParts,
  type Chat,
  type ConnectedBot,
  createJobs,
  type OpenRequest,
  type Reply,
} from "@koma/bot-core";
import { createTranslator } from "@koma/messages";
import { ApplicationFlags, REST } from "discord.js";
import { LRUCache } from "lru-cache";
import { nameCommand } from "./commands/localize.ts";
import { registerCommands } from "./commands/register-commands.ts";
import { connectGateway, readRefusal } from "./discord/connect-gateway.ts";
import { createDiscordApi, type DiscordApi } from "./discord/discord-api.ts";
import { describeError } from "./discord/error-codes.ts";
import { inviteLink } from "./discord/invite-link.ts";
import { runsFirstShard } from "./discord/shards.ts";
import { createInteractions } from "./handlers/interactions.ts";
import { readLinkContext } from "./handlers/link-context.ts";
import { createMessages } from "./handlers/messages.ts";
import { createReactions } from "./handlers/reactions.ts";
import { resumeOpenRequests } from "./handlers/resume-open-requests.ts";
import { welcome } from "./handlers/welcome.ts";
import { createDownload } from "./images/download.ts";
import { reopenImage } from "./images/open-image.ts";
import { usualFileLimitBytes } from "./responses/routes.ts";
import { createSender } from "./responses/send-reply.ts";

/** The address of Discord's REST API, without the version. */
const discordApiUrl = "https://discord.com/api";

/** The time between two looks for requests of other processes that ended. */
const resumeIntervalMs = 5_000;

/**
 * Connects to Discord, registers changed commands, and serves events. Retries until Discord is reachable.
 * Throws BotRefusedError if Discord rejects the bot, and the signal's reason.
 */
export async function openBot(parts: BotParts): Promise<ConnectedBot> {
  const { config, measures, log, signal } = parts;
  const apiUrl = addressOf(config);
  const shards = config.configuration.KOMA_DISCORD_SHARDS;
  // A separate REST client: the client's own forgets the token when the gateway closes, while replies are
  // still sent.
  const rest = createRest(config);
  const api = createDiscordApi(rest);
  const download = createDownload({ apiUrl });
  const outOfTime = new AbortController();
  /** The Discord language of users. Only interactions contain it, not messages. */
  const locales = new LRUCache<string, string>({ max: 10_000 });
  const onError = (what: string, error: unknown) => {
    measures.count("trouble");
    log.warn(`trouble: ${what}`, describeError(error));
  };
  const jobs = createJobs((name, error) => {
    measures.count("failure");
    log.error(`${name} failed`, describeError(error));
  });
  rest.on("rateLimited", ({ timeToReset, global: isGlobal }) => {
    measures.count("rate-limited");
    log.debug("waiting for a rate limit of Discord", { ms: timeToReset, isGlobal });
  });

  const sender = createSender({
    api,
    onError,
    startJob: (name, work) => void jobs.start(name, work),
    signal: outOfTime.signal,
    extraButtons: async (reply) => (isLinkOffer(reply) ? [await interactions.keyButton(reply)] : []),
  });
  const application = await readApplication(api, onError);
  const hasMessageContent = application?.hasMessageContent ?? true;
  const core = await parts.openCore({
    seesAllMessages: hasMessageContent,
    nameCommand,
    formatInstant,
    fetchImage: async (reference) => reopenImage(reference, download),
    onLinkSettled: async ({ person, context, reply }) => {
      const { key, isButton } = readLinkContext(context);
      const stage = {
        requester: { person, chat: elsewhere, writableChannelId: undefined },
        key,
        isPrivate: true,
        isOver: false,
        fileLimitBytes: usualFileLimitBytes,
      };
      // The message with the code is replaced by the outcome; a message that contains the button stays.
      await (isButton ? sender.add(reply, stage, { isPrivate: true }) : sender.update(reply, stage));
    },
  });
  const interactions = createInteractions({
    core,
    api,
    sender,
    download,
    onError,
    onSeen: ({ id, locale }) => locale !== undefined && locales.set(id, locale),
  });
  const messageParts = { core, api, sender, download, onError, localeOf: (id: string) => locales.peek(id) };
  const messages = createMessages(messageParts);
  const reactions = createReactions(messageParts);

  let isClosing = false;
  const serve = (name: string, work: () => Promise<void>) => {
    if (!isClosing) void jobs.start(name, work);
  };
  const gateway = await connectGateway({
    token: config.token,
    shards,
    apiUrl,
    api,
    reserveSlot: core.memory.reserveSlot,
    log,
    signal,
    hasMessageContent,
    presence: createTranslator("en").t("help.title"),
    onInteraction: (interaction, around) =>
      serve("interaction", () => interactions.serve(interaction, around)),
    onMessage: (message, around) => serve("message", () => messages.serve(message, around)),
    onMessageEdit: (message, around) => serve("message", () => messages.serveEdit(message, around)),
    onReaction: (reaction, around) => serve("reaction", () => reactions.serve(reaction, around)),
    onJoin: (joined) => serve("welcome", () => welcome(joined, { core, sender })),
    onCount: (name) => measures.count(name),
  });

  log.info("gateway connected", { shards: gateway.shardRange() });

  // The gateway has the application id if the REST request fails.
  const applicationId = application?.id ?? gateway.applicationId() ?? gateway.surroundings().botId;
  const register = async () => {
    const isRegistered = await registerCommands({ api, applicationId, memory: core.memory });
    log.info(isRegistered ? "commands registered" : "commands are unchanged");
  };
  if (runsFirstShard(shards)) serve("registering the commands", register);
  const resumeRequests = (list: () => Promise<OpenRequest[]>) =>
    serve("resuming requests", async () =>
      resumeOpenRequests({
        core,
        open: await list(),
        onError,
        getMessage: api.getMessage,
        serveInteraction: (interaction, resume) =>
          interactions.serve(interaction, gateway.surroundings(), resume),
        expireInteraction: (interaction, resume) =>
          interactions.expire(interaction, gateway.surroundings(), resume),
        serveMessage: (message, request) => messages.resume(message, request, gateway.surroundings()),
      }),
    );
  resumeRequests(core.requests.listOpen);
  const again = setInterval(() => resumeRequests(core.requests.listExpired), resumeIntervalMs);

  return {
    greeting: ["ready on Discord", `Invite the bot: ${inviteLink(applicationId)}`],
    refused: gateway.refused,
    status() {
      const { isConnected, reason = "The gateway is not connected.", ...details } = gateway.status();
      return {
        isHealthy: isConnected,
        details: {
          ...(isConnected ? {} : { reason }),
          ...details,
          ...core.status(),
          jobs: jobs.count(),
        },
      };
    },
    async close(ms) {
      isClosing = true;
      clearInterval(again);
      await gateway.close();
      await jobs.settle(ms);
      outOfTime.abort();
      await core.close();
    },
  };
}

/** Creates the bot's client of Discord's REST API. */
export function createRest(config: BotConfig): REST {
  return new REST({ version: "10", api: addressOf(config) }).setToken(config.token);
}

function addressOf({ platformUrl }: BotConfig): string {
  return platformUrl ?? discordApiUrl;
}

/** The application id, and whether the portal grants the message content; undefined if the request fails. */
async function readApplication(
  api: DiscordApi,
  onError: (what: string, error: unknown) => void,
): Promise<{ id: string; hasMessageContent: boolean } | undefined> {
  try {
    const { id, flags = 0 } = await api.getApplication();
    const granted = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;
    return { id, hasMessageContent: (flags & granted) !== 0 };
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal !== undefined) throw refusal;
    onError("reading the application", error);
    return undefined;
  }
}

/** The reply is a direct message if the interaction has expired. */
const elsewhere: Chat = { kind: "direct", id: "", isAgeRestricted: false };

/** Writes a time as Discord's timestamp, which Discord shows in each reader's time zone. */
function formatInstant(instant: Date, style: "date" | "moment" | "relative"): string {
  const seconds = Math.floor(instant.getTime() / 1000);
  return `<t:${seconds}:${{ date: "D", moment: "f", relative: "R" }[style]}>`;
}

/**
 * True if the reply offers a code; there a personal key can be pasted instead. Only an offer expires. It has
 * no link if the site has no public address.
 */
function isLinkOffer({ kind, buttons, retryAt }: Reply): boolean {
  return kind === "link" && (retryAt !== undefined || buttons.flat().some(({ url }) => url !== undefined));
}
