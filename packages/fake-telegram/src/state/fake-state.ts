import { randomInt } from "node:crypto";
import { createChanges, type Json, type Violation } from "@koma/fake-chat";
import type { Account } from "./account.ts";
import type { Chat, Message } from "./chat.ts";
import type { StoredFile } from "./content.ts";
import { defaults, type FakeOptions } from "./defaults.ts";

/** A pending callback, inline or guest query. */
export type Query = {
  id: string;
  kind: "callback" | "inline" | "guest";
  userId: number;
  at: number;
  ttlMs: number;
  isExpired: boolean;
  reply: Json | undefined;
  message: Message | undefined;
};

/** One call of the bot with its response. */
export type RecordedCall = {
  method: string;
  /** The parameters; JSON inside of form fields is parsed. */
  parameters: Json;
  files: readonly { name: string; size: number }[];
  /** The HTTP status; 0 if the connection was dropped. */
  status: number;
  at: number;
};

/** The complete state of the fake. */
export function createFakeState(options: FakeOptions) {
  const settings = { ...defaults, ...options };
  const bot: Account = {
    id: Number(settings.token.split(":")[0]),
    name: "Koma",
    username: settings.username,
    language: undefined,
    isBot: true,
    hasStarted: true,
    hasBlocked: false,
  };
  const users = new Map<number, Account>([[bot.id, bot]]);
  // Fakes that share an API have separate users.
  let lastId = randomInt(1_000_000) * 1000;

  return {
    settings,
    bot,
    ...createChanges(settings.patienceMs),
    users,
    getUser(id: number): Account {
      const user = users.get(id);
      if (user === undefined) throw new Error(`There is no user ${id} in the fake.`);
      return user;
    },
    chats: new Map<number, Chat>(),
    files: new Map<string, StoredFile>(),
    queries: new Map<string, Query>(),
    inlineMessages: new Map<string, Message>(),
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
