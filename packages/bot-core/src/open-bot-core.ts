import { chooseLanguage, createSpeaker, type Language } from "@koma/messages";
import { createApiClients } from "./api/api-clients.ts";
import type { Context } from "./context.ts";
import { createExplanations } from "./lists/explanations.ts";
import { createLists } from "./lists/lists.ts";
import { createLookup } from "./lookup/lookup.ts";
import { createSearch } from "./lookup/search.ts";
import type { BotCore, BotCoreOptions } from "./model/bot-core.ts";
import { createAccountReplies } from "./people/account-replies.ts";
import { createAccounts } from "./people/accounts.ts";
import { findLeakedKey } from "./people/leaked-key.ts";
import { createLinkPoller } from "./people/link-poller.ts";
import { createSettings } from "./people/settings.ts";
import { createSettingsReplies } from "./people/settings-replies.ts";
import { createPresses } from "./press.ts";
import { createFairQueue } from "./queue.ts";
import { createGuard } from "./replies/guard.ts";
import { createRequests } from "./requests/requests.ts";
import { createAlbums } from "./results/albums.ts";
import { createKeptResults } from "./results/kept-results.ts";
import { createResultPresses } from "./results/press-result.ts";
import { createPreviews } from "./results/previews.ts";
import { createReopening } from "./results/reopen.ts";
import { createResultReplies } from "./results/result-reply.ts";
import { openIdentities } from "./vault/identities.ts";
import { createVault } from "./vault/vault.ts";

/** Opens the part that the bots share: takes up links that wait for approval, and seals anew what old keys have sealed. */
export async function openBotCore(options: BotCoreOptions): Promise<BotCore> {
  const context = await createContext(options);
  const { platform, store, settings, accounts, notice } = context;
  const queue = createFairQueue({ perPerson: 5, concurrent: 6 });
  const guard = createGuard(context);
  const kept = createKeptResults(context);
  const albums = createAlbums(context);
  const replies = createResultReplies(context, createPreviews(context, kept));
  const search = createSearch(context, kept);
  const lookup = createLookup(context, { queue, kept, albums, replies, search, guard });
  const lists = createLists(context, guard);
  const poller = createLinkPoller(context);
  const accountReplies = createAccountReplies(context, { guard, poller, queue });
  const settingsReplies = createSettingsReplies(context, guard);
  const results = createResultPresses(context, { kept, albums, replies });
  const { press } = createPresses(context, {
    ...{ results, lookup, albums, lists, accounts: accountReplies, settings: settingsReplies },
  });
  const requests = createRequests(context);
  const reopening = createReopening(context, { kept, albums, replies, guard });
  const { help, privacy, warnOfLeak } = createExplanations(context);
  await accounts.rotate();
  await poller.start();
  const upkeep = startUpkeep(context);
  let closing: Promise<void> | undefined;

  return {
    platform,
    lookup: lookup.lookup,
    press,
    requests: { handle: requests.handle, listOpen: requests.listOpen },
    findAudience: async ({ place }) => ((await settings.audienceAt(place)).isPrivate ? "private" : "public"),
    isServedAt: async (place) => (await settings.audienceAt(place)).isServed,
    speakerFor: context.speak,
    startLink: accountReplies.startLink,
    pasteKey: accountReplies.pasteKey,
    unlink: accountReplies.unlink,
    forget: accountReplies.forget,
    rankings: lists.rankings,
    recent: lists.recent,
    credits: lists.credits,
    ...{ help, privacy, warnOfLeak, findLeakedKey },
    settings: settingsReplies.show,
    language: settingsReplies.language,
    ownResults: reopening.ownResults,
    reopen: reopening.reopen,
    memory: {
      get: (name) => store.memory.get(platform, name),
      set: (name, value) => store.memory.set(platform, name, value),
    },
    look: () => ({ ...queue.look(), isApiReachable: context.api.isReachable() }),
    close() {
      closing ??= (async () => {
        await queue.close();
        await poller.close();
        requests.close();
        clearInterval(upkeep);
        notice("info", "The bot's core is closed.");
      })();
      return closing;
    },
  };
}

async function createContext(options: BotCoreOptions): Promise<Context> {
  const { platform, store } = options;
  const now = options.now ?? (() => new Date());
  const notice = options.onNotice ?? (() => undefined);
  const measure = options.onMeasure ?? (() => undefined);
  const vault = createVault(options.vaultKeys);
  const identities = await openIdentities(platform, store.memory, vault);
  const settings = createSettings({ platform, store, identities });
  const speakerOf = createSpeakers(options, now);
  return {
    ...{ platform, options, store, vault, identities, settings, now, notice, measure },
    api: createApiClients({ ...options, onMeasure: measure }),
    accounts: createAccounts({ store, vault, identities, onNotice: notice }),
    tagOf: (personId) => identities.person(personId).personKey.slice(0, 8),
    async speak({ person, place, isPrivate }) {
      // Without its database the bot still speaks, as the platform says.
      const own = person && (await settings.ofPerson(person).catch(() => undefined));
      const there = place && (await settings.ofPlace(place).catch(() => undefined));
      const tags = [person?.locale, place?.locale];
      const chosen = own?.language ?? (isPrivate ? undefined : (there?.language ?? undefined));
      return speakerOf(chosen ?? chooseLanguage(tags.filter((tag) => tag !== undefined)));
    },
  };
}

function createSpeakers({ nameCommand, timeZone = "UTC" }: BotCoreOptions, now: () => Date) {
  const speakers = new Map<Language, ReturnType<typeof createSpeaker>>();
  return (language: Language) => {
    const known = speakers.get(language);
    if (known !== undefined) return known;
    const named = nameCommand && {
      nameCommand: (name: Parameters<typeof nameCommand>[0]) => nameCommand(name, language),
    };
    const speaker = createSpeaker(language, { timeZone, now, ...named });
    speakers.set(language, speaker);
    return speaker;
  };
}

function startUpkeep({ store, now, notice }: Context): NodeJS.Timeout {
  const collect = () =>
    store.collectGarbage(now()).catch((error: unknown) => {
      notice(
        "warn",
        `What has expired could not be deleted: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  void collect();
  const timer = setInterval(() => void collect(), 3_600_000);
  timer.unref();
  return timer;
}
