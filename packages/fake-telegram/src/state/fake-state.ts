import { randomInt } from "node:crypto";
import { createChanges, type Json, type Violation } from "@koma/fake-chat";
import type { Account, Chat, Message, Query, RecordedCall, StoredFile } from "../types.ts";
import { defaults, type FakeOptions } from "./defaults.ts";

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
  // Fakes that share an API have separate users.
  let lastId = randomInt(1_000_000) * 1000;

  return {
    settings,
    bot,
    ...createChanges(settings.patienceMs),
    users: new Map<number, Account>([[bot.id, bot]]),
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

/** The time in seconds, as in the Bot API. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
