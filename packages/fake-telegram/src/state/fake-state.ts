import { createChanges, createWebFiles, type Json } from "@koma/fake-chat";
import type { RecordedCall, Violation } from "../types.ts";
import type { Settings } from "./settings.ts";
import type { StoredChat, StoredFile, StoredMessage, StoredQuery, StoredUser } from "./stored.ts";

/** The complete state of the fake. */
export function createFakeState(settings: Settings) {
  const bot: StoredUser = {
    id: Number(settings.token.split(":")[0]),
    name: "Koma",
    username: settings.username,
    language: undefined,
    isBot: true,
    isPremium: false,
    hasStarted: true,
    hasBlocked: false,
  };
  let lastId = 0;

  return {
    settings,
    bot,
    ...createChanges(settings.patienceMs),
    web: createWebFiles(),
    users: new Map<number, StoredUser>([[bot.id, bot]]),
    chats: new Map<number, StoredChat>(),
    files: new Map<string, StoredFile>(),
    queries: new Map<string, StoredQuery>(),
    inlineMessages: new Map<string, StoredMessage>(),
    /** Commands by `scope/language`. */
    commands: new Map<string, readonly Json[]>(),
    /** `name/ja`, `description/` … */
    profile: new Map<string, string>(),
    violations: [] as Violation[],
    warnings: [] as Violation[],
    calls: [] as RecordedCall[],
    /** Calls in progress, except getUpdates. */
    underWay: 0,
    lastCallAt: 0,
    /** The address of the server: `http://127.0.0.1:port`. */
    origin: "",
    /** A new unique number. */
    createNumber: () => {
      lastId += 1;
      return lastId;
    },
  };
}

/** See `createFakeState`. */
export type FakeState = ReturnType<typeof createFakeState>;

/** The time in seconds, as in the Bot API. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
