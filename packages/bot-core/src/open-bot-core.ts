import type { BotStore } from "@koma/database/bots";
import { createAccountReplies } from "./accounts/account-replies.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { findLeakedKeys } from "./accounts/leaked-key.ts";
import { createLeakedKeys } from "./accounts/leaked-keys.ts";
import { createLinkPoller } from "./accounts/link-poller.ts";
import { createActions } from "./actions.ts";
import { createAccountOffer } from "./api/account-offer.ts";
import { createApiClients } from "./api/api-clients.ts";
import { createAnimeReplies } from "./info/anime-replies.ts";
import { createChatTop } from "./info/chat-top.ts";
import { createExplanations } from "./info/explanations.ts";
import { createHistory } from "./info/history.ts";
import { createInfo } from "./info/info.ts";
import { createAlbumLookup } from "./lookup/album-lookup.ts";
import { createAutomaticLookup } from "./lookup/automatic-lookup.ts";
import { createLookup } from "./lookup/lookup.ts";
import { createSearch } from "./lookup/search.ts";
import type { BotCore, BotCoreOptions, OnLog } from "./model/bot-core.ts";
import { createFairQueue } from "./queue.ts";
import { createGuard } from "./replies/guard.ts";
import { createTranslatorFor } from "./replies/translator-for.ts";
import { createRequests } from "./requests/requests.ts";
import { createAlbums } from "./results/albums.ts";
import { createCorrections } from "./results/corrections.ts";
import { createPreviews } from "./results/previews.ts";
import { createReopening } from "./results/reopen.ts";
import { createReportRank } from "./results/report-rank.ts";
import { createResultActions } from "./results/result-actions.ts";
import { createResultReplies } from "./results/result-reply.ts";
import { createSavedResults } from "./results/saved-results.ts";
import { createSettings } from "./settings/settings.ts";
import { createSettingsReplies } from "./settings/settings-replies.ts";
import { openIdentities } from "./vault/identities.ts";
import { createVault } from "./vault/vault.ts";

/** Opens the common part of the bots: resumes pending links, and re-encrypts rows of older vault keys. */
export async function openBotCore(options: BotCoreOptions): Promise<BotCore> {
  const { platform, store } = options;
  const now = options.now ?? (() => new Date());
  const log = options.onLog ?? (() => undefined);
  const measure = options.onMeasure ?? (() => undefined);
  const vault = createVault(options.vaultKeys);
  const identities = await openIdentities(platform, store.memory, vault);
  const storage = { platform, store, vault, identities };
  const settings = createSettings({ platform, store, identities });
  const api = createApiClients({ ...options, onMeasure: measure });
  const accounts = createAccounts({ store, vault, identities, onLog: log });
  const translatorFor = createTranslatorFor(options, { settings, now });
  const tagOf = (personId: string) => identities.person(personId).personKey.slice(0, 8);

  const queue = createFairQueue({ perPerson: 5, concurrent: 6 });
  const hasMoreWithAccount = createAccountOffer({ api, now });
  const guard = createGuard({ translatorFor, accounts, hasMoreWithAccount, now, log });
  const saved = createSavedResults({ ...storage, now, log });
  const albums = createAlbums({ ...storage, now });
  const replies = createResultReplies(
    { platform, translatorFor, settings, tagOf },
    createPreviews({ api, log }, saved),
  );
  const { mediaTools, fetchImage, seesAllMessages } = options;
  const search = createSearch({ api, accounts, identities, settings, mediaTools, now }, saved);
  const albumLookup = createAlbumLookup({ translatorFor, tagOf }, { queue, saved, albums, replies, guard });
  const lookup = createLookup(
    { platform, settings, translatorFor, fetchImage, tagOf, measure, now, log },
    { queue, saved, albums, albumLookup, replies, search, guard },
  );
  const info = createInfo(
    { api, accounts, settings, translatorFor, hasMoreWithAccount, tagOf, measure, log },
    guard,
  );
  const animeReplies = createAnimeReplies({ api, settings, translatorFor, tagOf }, guard);
  const poller = createLinkPoller({
    ...storage,
    api,
    accounts,
    translatorFor,
    onLinkSettled: options.onLinkSettled,
    now,
    log,
  });
  const leakedKeys = createLeakedKeys({ ...storage, api, botKey: options.botKey, log });
  const accountReplies = createAccountReplies(
    { platform, store, identities, api, accounts, translatorFor, hasMoreWithAccount, tagOf, now, log },
    { guard, poller, queue },
  );
  const settingsReplies = createSettingsReplies({ settings, translatorFor, tagOf, seesAllMessages }, guard);
  const chatTop = createChatTop({ store, identities, api, settings, translatorFor, guard, now, log });
  const reportRank = createReportRank({ api, translatorFor, now });
  const results = createResultActions(
    { identities, settings, translatorFor },
    { saved, albums, replies, chatTop, reportRank },
  );
  const corrections = createCorrections(
    { api, identities, settings, translatorFor },
    { saved, guard, reportRank },
  );
  const { runAction } = createActions(
    { settings, translatorFor, tagOf, measure, now, log },
    {
      results,
      corrections,
      lookup,
      albums,
      info,
      anime: animeReplies,
      accounts: accountReplies,
      settings: settingsReplies,
    },
  );
  const requests = createRequests({ ...storage, log });
  const reopening = createReopening(
    { identities, translatorFor, settings, log },
    { saved, albums, replies, guard },
  );
  const { help, welcome, privacy, warnOfLeak } = createExplanations({
    platform,
    seesAllMessages,
    translatorFor,
    api,
  });
  await accounts.rotate();
  await poller.start();
  leakedKeys.start();
  const maintenance = startMaintenance({ store, now, log });
  let closing: Promise<void> | undefined;

  return {
    platform,
    lookup: lookup.lookup,
    lookupAutomatically: createAutomaticLookup({ settings, now }, lookup),
    runAction,
    correct: corrections.correct,
    findAlbumMessage: albums.findMessage,
    requests: {
      handle: requests.handle,
      listOpen: requests.listOpen,
      listExpired: requests.listExpired,
    },
    findAudience: async ({ chat }) => ((await settings.audienceAt(chat)).isPrivate ? "private" : "public"),
    isServedAt: async (chat) => (await settings.audienceAt(chat)).isServed,
    searchesEveryImage: (chat) => settings.searchesEveryImage(chat),
    translatorFor,
    startLink: accountReplies.startLink,
    pasteKey: accountReplies.pasteKey,
    unlink: accountReplies.unlink,
    forget: accountReplies.forget,
    rankings: info.rankings,
    recent: info.recent,
    credits: info.credits,
    anime: animeReplies.find,
    top: chatTop.list,
    history: createHistory({ api, accounts, translatorFor }, { saved, guard }),
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
    status: () => ({ ...queue.status(), isApiReachable: api.isReachable() }),
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

function startMaintenance({
  store,
  now,
  log,
}: {
  store: BotStore;
  now: () => Date;
  log: OnLog;
}): NodeJS.Timeout {
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
