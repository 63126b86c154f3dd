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
import type { BotCoreOptions, OnLog } from "./model/bot-core.ts";
import type { Chat, Requester } from "./model/request.ts";
import { withReason } from "./process/with-reason.ts";
import { createFairQueue } from "./queue.ts";
import { createGuard } from "./replies/guard.ts";
import { createReplyWriters } from "./replies/reply-writers.ts";
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
import type { Shared } from "./shared.ts";
import { openIdentities } from "./vault/identities.ts";
import { createVault } from "./vault/vault.ts";

/** The platform-independent part of a bot. Methods return a reply for failures too and do not throw. */
export type BotCore = Awaited<ReturnType<typeof openBotCore>>;

/** Opens the common part of the bots: resumes pending links, and re-encrypts rows of older vault keys. */
export async function openBotCore(options: BotCoreOptions) {
  const { platform, store, botKey, mediaTools, fetchImage, seesAllMessages, onLinkSettled } = options;
  const now = options.now ?? (() => new Date());
  const log = options.onLog ?? (() => undefined);
  const measure = options.onMeasure ?? (() => undefined);
  const vault = createVault(options.vaultKeys);
  const identities = await openIdentities(platform, store.memory, vault);
  const settings = createSettings({ platform, store, identities });
  const api = createApiClients({ ...options, onMeasure: measure });
  const accounts = createAccounts({ store, vault, identities, onLog: log });
  const translatorFor = createTranslatorFor(options, { settings, now });
  const hasMoreWithAccount = createAccountOffer({ api, now });
  const guard = createGuard({ translatorFor, accounts, hasMoreWithAccount, now, log });
  const shared: Shared = {
    ...{ platform, store, vault, identities, settings, api, accounts, translatorFor, hasMoreWithAccount },
    ...{ botKey, mediaTools, fetchImage, seesAllMessages, onLinkSettled, measure, now, log },
    ...createReplyWriters({ settings, translatorFor, guard }),
    guard,
    tagOf: (personId) => identities.person(personId).personKey.slice(0, 8),
  };

  const queue = createFairQueue({ perPerson: 5, concurrent: 6 });
  const saved = createSavedResults(shared);
  const albums = createAlbums(shared);
  const replies = createResultReplies(shared, createPreviews(shared, saved));
  const search = createSearch(shared, saved);
  const albumLookup = createAlbumLookup(shared, { queue, saved, albums, replies });
  const lookup = createLookup(shared, { queue, saved, albums, albumLookup, replies, search });
  const info = createInfo(shared);
  const anime = createAnimeReplies(shared);
  const poller = createLinkPoller(shared);
  const leakedKeys = createLeakedKeys(shared);
  const accountReplies = createAccountReplies(shared, { poller, queue });
  const settingsReplies = createSettingsReplies(shared);
  const chatTop = createChatTop(shared);
  const reportRank = createReportRank(shared);
  const results = createResultActions(shared, { saved, albums, replies, chatTop, reportRank });
  const corrections = createCorrections(shared, { saved, reportRank });
  const { runAction } = createActions(shared, {
    ...{ results, corrections, lookup, albums, info, anime },
    accounts: accountReplies,
    settings: settingsReplies,
  });
  const requests = createRequests(shared);
  const { ownResults, reopen } = createReopening(shared, { saved, albums, replies });
  await accounts.rotate();
  await poller.start();
  leakedKeys.start();
  const maintenance = startMaintenance({ store, now, log });
  let closing: Promise<void> | undefined;

  return {
    platform,
    lookup: lookup.lookup,
    /**
     * Finds the scene of an image that is not addressed to the bot. Returns a reply only for a confident match that
     * everybody may see, and once per UTC day and chat for a limit that the person has reached.
     */
    lookupAutomatically: createAutomaticLookup(shared, lookup),
    /** Runs the action of a button or option. All rules (permission, existence) are checked here. */
    runAction,
    correct: corrections.correct,
    /**
     * The message that shows the images of a request whose search was interrupted; undefined if none was sent.
     * `lookup` of the same request completes it.
     */
    findAlbumMessage: albums.findMessage,
    requests: {
      handle: requests.handle,
      listOpen: requests.listOpen,
      listExpired: requests.listExpired,
    },
    /**
     * The visibility of the reply, needed before a deferred reply: also `private` if searches are not served there.
     */
    findAudience: async ({ chat }: Requester): Promise<"public" | "private"> =>
      (await settings.audienceAt(chat)).isPrivate ? "private" : "public",
    /**
     * True if searches are served there: in allowed channels and their threads, by the chat's settings; in direct
     * messages always. `lookup` applies this itself with a private reply; a handler that prefers to stay silent
     * checks it first.
     */
    isServedAt: async (chat: Chat): Promise<boolean> => (await settings.audienceAt(chat)).isServed,
    /** True if managers chose that every image in this channel is searched. */
    searchesEveryImage: (chat: Chat): Promise<boolean> => settings.searchesEveryImage(chat),
    /** The translator for texts of the platform itself, in the reader's language. */
    translatorFor,
    /** Begins to link the person's account. `onLinkSettled` receives the outcome with `context`. */
    startLink: accountReplies.startLink,
    pasteKey: accountReplies.pasteKey,
    unlink: accountReplies.unlink,
    /** Asks for confirmation ("Forget me" button), then revokes the key and deletes all data of the person. */
    forget: accountReplies.forget,
    rankings: info.rankings,
    recent: info.recent,
    credits: info.credits,
    anime: anime.find,
    top: chatTop.list,
    history: createHistory(shared, saved),
    ...createExplanations(shared),
    /** Whether a text contains an API key of Koma. */
    hasLeakedKey: (text: string): boolean => findLeakedKeys(text).length > 0,
    revokeLeakedKeys: leakedKeys.revoke,
    settings: settingsReplies.show,
    language: settingsReplies.language,
    ownResults,
    findTitles: info.findTitles,
    reopen,
    /** Values that the platform stores between restarts (hash of registered commands, last update), by name. */
    memory: {
      get: (name: string): Promise<string | undefined> => store.memory.get(platform, name),
      set: (name: string, value: string): Promise<void> => store.memory.set(platform, name, value),
      /**
       * Reserves a turn of all processes, at least `gapMs` after the previous one, and returns the milliseconds
       * until then.
       */
      reserveSlot: (name: string, gapMs: number): Promise<number> =>
        store.memory.reserveSlot(platform, name, gapMs),
    },
    /** Current counts, for health and metrics. */
    status: () => ({ ...queue.status(), isApiReachable: api.isReachable() }),
    /** Accepts no new work and completes running work. The caller that opened the store closes it. */
    close(): Promise<void> {
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
    store
      .collectGarbage(now())
      .catch((error: unknown) => log("warn", withReason("Expired rows could not be deleted", error)));
  void collect();
  const timer = setInterval(() => void collect(), 3_600_000);
  timer.unref();
  return timer;
}
