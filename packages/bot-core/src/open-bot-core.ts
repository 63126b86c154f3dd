import { chooseLanguage, createTranslator, type Language } from "@koma/messages";
import { createAccountReplies } from "./accounts/account-replies.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { findLeakedKeys } from "./accounts/leaked-key.ts";
import { createLeakedKeys } from "./accounts/leaked-keys.ts";
import { createLinkPoller } from "./accounts/link-poller.ts";
import { createActions } from "./actions.ts";
import { createApiClients } from "./api/api-clients.ts";
import type { Context } from "./context.ts";
import { createExplanations } from "./info/explanations.ts";
import { createInfo } from "./info/info.ts";
import { createAutomaticLookup } from "./lookup/automatic-lookup.ts";
import { createLookup } from "./lookup/lookup.ts";
import { createSearch } from "./lookup/search.ts";
import type { BotCore, BotCoreOptions } from "./model/bot-core.ts";
import { createFairQueue } from "./queue.ts";
import { createGuard } from "./replies/guard.ts";
import { createRequests } from "./requests/requests.ts";
import { createAlbums } from "./results/albums.ts";
import { createPreviews } from "./results/previews.ts";
import { createReopening } from "./results/reopen.ts";
import { createResultActions } from "./results/result-actions.ts";
import { createResultReplies } from "./results/result-reply.ts";
import { createSavedResults } from "./results/saved-results.ts";
import { createSettings } from "./settings/settings.ts";
import { createSettingsReplies } from "./settings/settings-replies.ts";
import { openIdentities } from "./vault/identities.ts";
import { createVault } from "./vault/vault.ts";

/** Opens the common part of the bots: resumes pending links, and re-encrypts rows of older vault keys. */
export async function openBotCore(options: BotCoreOptions): Promise<BotCore> {
  const context = await createContext(options);
  const { platform, store, settings, accounts, log } = context;
  const queue = createFairQueue({ perPerson: 5, concurrent: 6 });
  const guard = createGuard(context);
  const saved = createSavedResults(context);
  const albums = createAlbums(context);
  const replies = createResultReplies(context, createPreviews(context, saved));
  const search = createSearch(context, saved);
  const lookup = createLookup(context, { queue, saved, albums, replies, search, guard });
  const info = createInfo(context, guard);
  const poller = createLinkPoller(context);
  const leakedKeys = createLeakedKeys(context);
  const accountReplies = createAccountReplies(context, { guard, poller, queue });
  const settingsReplies = createSettingsReplies(context, guard);
  const results = createResultActions(context, { saved, albums, replies });
  const { runAction } = createActions(context, {
    results,
    lookup,
    albums,
    info,
    accounts: accountReplies,
    settings: settingsReplies,
  });
  const requests = createRequests(context);
  const reopening = createReopening(context, { saved, albums, replies, guard });
  const { help, welcome, privacy, warnOfLeak } = createExplanations(context);
  await accounts.rotate();
  await poller.start();
  leakedKeys.start();
  const maintenance = startMaintenance(context);
  let closing: Promise<void> | undefined;

  return {
    platform,
    lookup: lookup.lookup,
    lookupAutomatically: createAutomaticLookup(context, lookup),
    runAction,
    requests: {
      handle: requests.handle,
      listOpen: requests.listOpen,
      listExpired: requests.listExpired,
    },
    findAudience: async ({ chat }) => ((await settings.audienceAt(chat)).isPrivate ? "private" : "public"),
    isServedAt: async (chat) => (await settings.audienceAt(chat)).isServed,
    searchesEveryImage: (chat) => settings.searchesEveryImage(chat),
    translatorFor: context.translatorFor,
    startLink: accountReplies.startLink,
    pasteKey: accountReplies.pasteKey,
    unlink: accountReplies.unlink,
    forget: accountReplies.forget,
    rankings: info.rankings,
    recent: info.recent,
    credits: info.credits,
    help,
    welcome,
    privacy,
    warnOfLeak,
    hasLeakedKey: (text) => findLeakedKeys(text).length > 0,
    revokeLeakedKeys: leakedKeys.revoke,
    settings: settingsReplies.show,
    language: settingsReplies.language,
    ownResults: reopening.ownResults,
    findTitles: info.findTitles,
    reopen: reopening.reopen,
    memory: {
      get: (name) => store.memory.get(platform, name),
      set: (name, value) => store.memory.set(platform, name, value),
      reserveSlot: (name, gapMs) => store.memory.reserveSlot(platform, name, gapMs),
    },
    status: () => ({ ...queue.status(), isApiReachable: context.api.isReachable() }),
    close() {
      closing ??= (async () => {
        await queue.close();
        await poller.close();
        await leakedKeys.close();
        requests.close();
        clearInterval(maintenance);
        log("info", "The bot's core is closed.");
      })();
      return closing;
    },
  };
}

async function createContext(options: BotCoreOptions): Promise<Context> {
  const { platform, store } = options;
  const now = options.now ?? (() => new Date());
  const log = options.onLog ?? (() => undefined);
  const measure = options.onMeasure ?? (() => undefined);
  const vault = createVault(options.vaultKeys);
  const identities = await openIdentities(platform, store.memory, vault);
  const settings = createSettings({ platform, store, identities });
  const translatorOf = createTranslators(options, now);
  return {
    platform,
    options,
    store,
    vault,
    identities,
    settings,
    now,
    log,
    measure,
    api: createApiClients({ ...options, onMeasure: measure }),
    accounts: createAccounts({ store, vault, identities, onLog: log }),
    tagOf: (personId) => identities.person(personId).personKey.slice(0, 8),
    async translatorFor({ person, chat, isPrivate }) {
      // Without its database the bot still replies, in the language that the platform reports.
      const own = person && (await settings.ofPerson(person).catch(() => undefined));
      const there = chat && (await settings.ofChat(chat).catch(() => undefined));
      const tags = [person?.locale, chat?.locale];
      const chosen = own?.language ?? (isPrivate ? undefined : (there?.language ?? undefined));
      return translatorOf(chosen ?? chooseLanguage(tags.filter((tag) => tag !== undefined)));
    },
  };
}

function createTranslators(
  { nameCommand, formatInstant, timeZone = "UTC" }: BotCoreOptions,
  now: () => Date,
) {
  const translators = new Map<Language, ReturnType<typeof createTranslator>>();
  return (language: Language) => {
    const known = translators.get(language);
    if (known !== undefined) return known;
    const named = nameCommand && {
      nameCommand: (name: Parameters<typeof nameCommand>[0]) => nameCommand(name, language),
    };
    const translator = createTranslator(language, {
      timeZone,
      now,
      ...named,
      ...(formatInstant && { formatInstant }),
    });
    translators.set(language, translator);
    return translator;
  };
}

function startMaintenance({ store, now, log }: Context): NodeJS.Timeout {
  const collect = () =>
    store.collectGarbage(now()).catch((error: unknown) => {
      log(
        "warn",
        `Expired rows could not be deleted: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  void collect();
  const timer = setInterval(() => void collect(), 3_600_000);
  timer.unref();
  return timer;
}
