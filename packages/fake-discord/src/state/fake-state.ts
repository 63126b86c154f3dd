import { createChanges, createWebFiles, type Json } from "@koma/fake-chat";
import type { APIApplicationCommand } from "discord.js";
import type { Acknowledgement, RecordedRequest, Violation } from "../types.ts";
import type { Settings } from "./settings.ts";
import { createSnowflakes } from "./snowflakes.ts";

/** A user or the bot in the state. */
export type StoredUser = {
  id: string;
  name: string;
  locale: string;
  isBot: boolean;
  hasInstalled: boolean;
  acceptsDirect: boolean;
};

/** A role of a guild. */
export type StoredRole = {
  id: string;
  name: string;
  permissions: bigint;
  isManaged: boolean;
  botId?: string;
};

/** A guild in the state. */
export type StoredGuild = {
  id: string;
  name: string;
  ownerId: string;
  locale: string;
  roles: Map<string, StoredRole>;
  members: Map<string, { roleIds: Set<string>; joinedAt: number }>;
  hasBot: boolean;
  botPermissions: bigint;
};

/** A channel in the state. */
export type StoredChannel = {
  id: string;
  kind: "guild" | "direct" | "group";
  guildId: string | undefined;
  name: string;
  isAgeRestricted: boolean;
  overwrites: Map<string, { isMember: boolean; deny: bigint }>;
  /** The users of a private conversation without the bot. */
  recipientIds: readonly string[];
  isRemoved: boolean;
  typingCount: number;
};

/** A hosted file. */
export type StoredFile = {
  id: string;
  channelId: string;
  name: string;
  contentType: string;
  bytes: Uint8Array;
  description: string | undefined;
  size: { width: number; height: number } | undefined;
  isEphemeral: boolean;
};

/** A message in the state: components and embeds are stored as sent and resolved when described. */
export type StoredMessage = {
  id: string;
  channelId: string;
  authorId: string;
  type: number;
  content: string;
  embeds: readonly Json[];
  components: readonly Json[];
  flags: number;
  files: readonly StoredFile[];
  createdAt: number;
  editedAt: number | undefined;
  visibleTo: string | undefined;
  isThinking: boolean;
  isDeleted: boolean;
  editCount: number;
  reference: { type: 0 | 1; channelId: string; messageId: string } | undefined;
  /** A snapshot of the forwarded message. */
  snapshot: StoredMessage | undefined;
  interactionId: string | undefined;
  allowedMentions: unknown;
  nonce: string | number | undefined;
  pings: readonly string[];
};

/** One use of a command, button, menu or modal. */
export type StoredInteraction = {
  id: string;
  token: string;
  type: 2 | 3 | 4 | 5;
  userId: string;
  channelId: string;
  owners: Readonly<Record<string, string>>;
  commandName: string | undefined;
  commandType: number | undefined;
  targetId: string | undefined;
  /** The message of the button or menu, or the one that led to the modal. */
  sourceId: string | undefined;
  /** The interaction that showed the modal. */
  causeId: string | undefined;
  createdAt: number;
  acknowledgement: Acknowledgement | undefined;
  acknowledgedAt: number | undefined;
  isFailed: boolean;
  isExpired: boolean;
  originalId: string | undefined;
  /** The source message was changed through this interaction. */
  hasUpdated: boolean;
  followUpIds: string[];
  modal: Json | undefined;
  choices: readonly Json[] | undefined;
  /**
   * True if only the user may see the reply (a user-installed app where the server forbids public replies).
   */
  isForcedPrivate: boolean;
};

/** The complete state of the fake. */
export function createFakeState(settings: Settings) {
  const snowflakes = createSnowflakes();
  const applicationId = snowflakes.create();
  const bot: StoredUser = {
    id: applicationId,
    name: "Koma",
    locale: "en-US",
    isBot: true,
    hasInstalled: false,
    acceptsDirect: true,
  };

  return {
    settings,
    applicationId,
    bot,
    createId: snowflakes.create,
    ...createChanges(settings.patienceMs),
    web: createWebFiles(),
    users: new Map<string, StoredUser>([[bot.id, bot]]),
    guilds: new Map<string, StoredGuild>(),
    channels: new Map<string, StoredChannel>(),
    messages: new Map<string, StoredMessage>(),
    files: new Map<string, StoredFile>(),
    interactions: new Map<string, StoredInteraction>(),
    /** Global commands under the key "global", those of a guild under its id. */
    commands: new Map<string, readonly APIApplicationCommand[]>(),
    /** Attachment addresses signed before this time are rejected. */
    signaturesFrom: 0,
    violations: [] as Violation[],
    warnings: [] as Violation[],
    requests: [] as RecordedRequest[],
    /** The address of the server: `http://127.0.0.1:port`. */
    origin: "",
  };
}

/** See `createFakeState`. */
export type FakeState = ReturnType<typeof createFakeState>;
