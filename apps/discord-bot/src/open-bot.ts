import type { BotConfig, BotCore, LinkSettled, Measures, Picture, Place, Reply } from "@koma/bot-core";
import { createSpeaker } from "@koma/messages";
import { ApplicationFlags, REST } from "discord.js";
import { registerCommands } from "./commands/register-commands.ts";
import { createSender, usualFileLimitBytes } from "./delivery/send-reply.ts";
import { connectGateway, readRefusal } from "./discord/connect-gateway.ts";
import { createDiscordApi, type DiscordApi } from "./discord/discord-api.ts";
import { describeError } from "./discord/error-codes.ts";
import { inviteLink } from "./discord/invite-link.ts";
import { createInteractions } from "./intake/interactions.ts";
import { readLinkContext } from "./intake/link-context.ts";
import { createMessages } from "./intake/messages.ts";
import { rememberLocales } from "./intake/remember-locales.ts";
import { resumeOpenRequests } from "./intake/resume-open-requests.ts";
import { createJobs } from "./jobs.ts";
import type { Log } from "./log.ts";
import { createDownload } from "./pictures/download.ts";
import { reopenPicture } from "./pictures/open-picture.ts";

/** The address of Discord's REST API, without the version. */
export const discordApiUrl = "https://discord.com/api";

/** For so long the core keeps a request for who began it. */
const heldMs = 12_000;

/** What the core asks of the platform; given to it before the bot is there. */
export type PlatformHooks = {
  fetchPicture: (reference: string) => Promise<Picture | undefined>;
  onLinkSettled: (event: LinkSettled) => Promise<void>;
};

/** A bot that is connected. */
export type Bot = {
  applicationId: string;
  /** Where people invite it. */
  inviteLink: string;
  /** Resolves when Discord does not take the bot any more. */
  refused: Promise<Error>;
  look(): { isHealthy: boolean; details: { [name: string]: string | number | boolean | null } };
  /** Takes no more, and finishes what runs within `ms`. */
  close(ms: number): Promise<void>;
};

/**
 * Connects to Discord, registers the commands where they changed, and serves from then on. Tries until Discord is there;
 * throws GatewayRefusedError where Discord does not take the bot, and the signal's reason.
 */
export async function openBot(options: {
  config: BotConfig;
  openCore: (hooks: PlatformHooks) => Promise<BotCore>;
  measures: Measures;
  log: Log;
  signal: AbortSignal;
}): Promise<Bot> {
  const { config, measures, log } = options;
  const apiUrl = config.platformUrl ?? discordApiUrl;
  // Its own: the client's forgets the token when the gateway closes, and answers still go out then.
  const rest = new REST({ version: "10", api: apiUrl }).setToken(config.token);
  const api = createDiscordApi(rest);
  const download = createDownload({ apiUrl });
  const outOfTime = new AbortController();
  const locales = rememberLocales();
  const onTrouble = (what: string, error: unknown) => {
    measures.count("trouble");
    log.warn(`trouble: ${what}`, describeError(error));
  };
  const jobs = createJobs((name, error) => {
    measures.count("failure");
    log.error(`${name} failed`, describeError(error));
  });
  rest.on("rateLimited", ({ timeToReset, global: isGlobal }) => {
    measures.count("rate-limited");
    log.debug("waiting for a limit of Discord's", { ms: timeToReset, isGlobal });
  });

  const sender = createSender({
    ...{ api, onTrouble, signal: outOfTime.signal },
    extraButtons: async (reply) => (isLinkOffer(reply) ? [await interactions.keyButton(reply)] : []),
  });
  const core = await options.openCore({
    fetchPicture: async (reference) => reopenPicture(reference, download),
    onLinkSettled: async ({ person, context, reply }) => {
      const { key, isButton } = readLinkContext(context);
      const stage = {
        asker: { person, place: elsewhere, writableChannelId: undefined },
        ...{ key, isPrivate: true, isOver: false, fileLimitBytes: usualFileLimitBytes },
      };
      // The message with the code becomes this; one that holds the pressed button stays as it is.
      await (isButton ? sender.add(reply, stage, { isPrivate: true }) : sender.update(reply, stage));
    },
  });
  const interactions = createInteractions({
    ...{ core, api, sender, download, onTrouble },
    onSeen: ({ id, locale }) => locale !== undefined && locales.see(id, locale),
  });
  const messages = createMessages({ core, api, sender, download, onTrouble, localeOf: locales.of });

  const application = await readApplication(api, onTrouble);
  let isClosing = false;
  const serve = (name: string, work: () => Promise<void>) => {
    if (!isClosing) jobs.start(name, work);
  };
  const gateway = await connectGateway({
    ...{ token: config.token, apiUrl, api, log, signal: options.signal },
    hasMessageContent: application?.hasMessageContent ?? true,
    presence: createSpeaker("en").say("help.title"),
    onInteraction: (interaction, around) =>
      serve("interaction", () => interactions.serve(interaction, around)),
    onMessage: (message, around) => serve("message", () => messages.serve(message, around)),
    onMessageEdit: (message, around) => serve("message", () => messages.serveEdit(message, around)),
    onCount: (name) => measures.count(name),
  });

  // Where Discord does not say which application it is, the gateway has.
  const applicationId = application?.id ?? gateway.applicationId() ?? gateway.surroundings().botId;
  serve("registering the commands", async () => {
    const isRegistered = await registerCommands({ api, applicationId, memory: core.memory });
    log.info(isRegistered ? "commands registered" : "commands are as they were");
  });
  const goOn = () =>
    serve("going on after a restart", () =>
      resumeOpenRequests({
        ...{ core, onTrouble, getMessage: api.getMessage },
        serveInteraction: (interaction, resume) =>
          interactions.serve(interaction, gateway.surroundings(), resume),
        serveMessage: (message) => messages.serve(message, gateway.surroundings()),
      }),
    );
  goOn();
  // A run that was killed a moment ago still holds what it worked on.
  const again = setTimeout(goOn, heldMs);

  return {
    ...{ applicationId, inviteLink: inviteLink(applicationId), refused: gateway.refused },
    look() {
      const { isConnected, ...details } = gateway.look();
      return { isHealthy: isConnected, details: { ...details, ...core.look(), jobs: jobs.count() } };
    },
    async close(ms) {
      isClosing = true;
      clearTimeout(again);
      await gateway.close();
      await jobs.settle(ms);
      outOfTime.abort();
      await core.close();
    },
  };
}

/** Which application it is, and whether its portal grants the content of messages; undefined where Discord does not say. */
async function readApplication(
  api: DiscordApi,
  onTrouble: (what: string, error: unknown) => void,
): Promise<{ id: string; hasMessageContent: boolean } | undefined> {
  try {
    const { id, flags = 0 } = await api.getApplication();
    const granted = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;
    return { id, hasMessageContent: (flags & granted) !== 0 };
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal !== undefined) throw refusal;
    onTrouble("reading the application", error);
    return undefined;
  }
}

/** Where the reply comes by another way when the interaction is over: as a direct message. */
const elsewhere: Place = { kind: "direct", id: "", isAgeRestricted: false };

/** A code to approve: there a key of one's own may be pasted as well. */
function isLinkOffer({ kind, buttons }: Reply): boolean {
  return kind === "link" && buttons.flat().some(({ url }) => url !== undefined);
}
