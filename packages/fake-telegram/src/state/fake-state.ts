import type { RecordedCall, Violation } from "../types.ts";
import { createChanges } from "./changes.ts";
import type { Json } from "./json.ts";
import type { Settings } from "./settings.ts";
import type { StoredChat, StoredFile, StoredMessage, StoredQuery, StoredUser } from "./stored.ts";

/** The complete state of the fake. */
export function createFakeState(settings: Settings) {
  const changes = createChanges(settings.patienceMs);
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
    announce: changes.announce,
    waitFor: changes.waitFor,
    users: new Map<number, StoredUser>([[bot.id, bot]]),
    chats: new Map<number, StoredChat>(),
    files: new Map<string, StoredFile>(),
    webFiles: new Map<string, { contentType: string; bytes: Uint8Array; name: string }>(),
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

/** Returns the value of a key, or throws. */
export function getFrom<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, what: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There is no ${what} ${String(key)} in the fake.`);
  return value;
}

/** The time in seconds, as in the Bot API. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
