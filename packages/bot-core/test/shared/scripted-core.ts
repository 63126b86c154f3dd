import { createTranslator } from "@koma/messages";
import type { ActionRequest, BotCore, LookupRequest, PlatformHooks } from "../../src/index.ts";
import { type FakePlatform, type OpenBot, openHere } from "./open-here.ts";
import { makeReply } from "./replies.ts";

/** The test's implementation of core methods. */
export type Script = Partial<Omit<BotCore, "requests" | "memory">> & {
  /** The unfinished requests of an earlier run. */
  listExpired?: BotCore["requests"]["listExpired"];
};

/** The calls that the core received. */
export type CoreCalls = { lookups: LookupRequest[]; actions: ActionRequest[]; done: string[] };

/** Opens the real bot in this process, on a fake of its platform and a scripted core. */
export async function openOnScriptedCore(
  platform: BotCore["platform"],
  fake: FakePlatform,
  openBot: OpenBot,
  script: Script,
  environment: Record<string, string> = {},
) {
  const { core, calls } = scriptCore(platform, script);
  let hooks: PlatformHooks | undefined;
  const { bot, lines } = await openHere(platform, fake, openBot, {
    apiUrl: "",
    environment,
    async openCore(coreOptions) {
      hooks = coreOptions;
      return core;
    },
  });
  return {
    bot,
    calls,
    lines,
    /** The callbacks that the core would call. */
    hooks: () => hooks,
    async close() {
      await bot.close(5_000);
      await fake.close();
    },
  };
}

/** A core with scripted replies that records its calls; like the real one it runs each request once. */
function scriptCore(
  platform: BotCore["platform"],
  { listExpired = async () => [], ...script }: Script,
): { core: BotCore; calls: CoreCalls } {
  const calls: CoreCalls = { lookups: [], actions: [], done: [] };
  const seen = new Set<string>();
  const stored = new Map<string, string>();
  const write =
    (text: string, isPrivate = false) =>
    async () =>
      makeReply({ text, isPrivate });
  const core: BotCore = {
    platform,
    requests: {
      async handle({ requestId }, work) {
        if (seen.has(requestId)) return false;
        seen.add(requestId);
        await work({ isUncertain: false, sending: async () => {} });
        calls.done.push(requestId);
        return true;
      },
      listOpen: async () => [],
      listExpired,
    },
    findAlbumMessage: async () => undefined,
    lookupAutomatically: async (request) => await core.lookup(request),
    findAudience: async () => "public",
    searchesEveryImage: async () => false,
    isServedAt: async () => true,
    translatorFor: async () => createTranslator("en"),
    startLink: write("link", true),
    pasteKey: write("key taken", true),
    correct: write("corrected", true),
    unlink: write("unlinked", true),
    forget: write("forget", true),
    rankings: write("rankings"),
    recent: write("recent"),
    credits: write("credits", true),
    anime: async ({ title }) => makeReply({ kind: "list", text: `anime ${title}` }),
    top: write("top"),
    history: write("history", true),
    help: write("help"),
    welcome: write("welcome"),
    privacy: write("privacy", true),
    settings: write("settings", true),
    language: write("language", true),
    ownResults: async () => [],
    findTitles: async () => [],
    reopen: write("again", true),
    // The name of Telegram's bot is none.
    hasLeakedKey: (text) => /koma_(?!bot\b)\w+/.test(text),
    revokeLeakedKeys: async () => "revoked",
    warnOfLeak: async ({ wasDeleted }) =>
      makeReply({ kind: "leak", text: `leak, deleted: ${wasDeleted}`, isPrivate: true }),
    memory: {
      get: async (name) => stored.get(name),
      set: async (name, value) => void stored.set(name, value),
      reserveSlot: async () => 0,
    },
    status: () => ({ waiting: 0, running: 0, isApiReachable: true }),
    close: async () => {},
    ...script,
    async lookup(request) {
      calls.lookups.push(request);
      return await (script.lookup?.(request) ?? makeReply({ text: "found" }));
    },
    async runAction(request) {
      calls.actions.push(request);
      return await (script.runAction?.(request) ?? { kind: "update", reply: makeReply({ text: "pressed" }) });
    },
  };
  return { core, calls };
}
