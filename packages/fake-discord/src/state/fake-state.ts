import { createHash, randomInt } from "node:crypto";
import { createChanges, type Violation } from "@koma/fake-chat";
import type { APIApplicationCommand } from "discord.js";
import type { Account, Shard, StoredFile } from "../types.ts";
import type { Channel, Guild, Message } from "./channels.ts";
import { defaults, type FakeOptions } from "./defaults.ts";
import type { Interaction } from "./interaction.ts";

/** One request of the bot with its response. */
export type RecordedRequest = {
  method: string;
  /** The template of Discord's description, `/channels/{channel_id}/messages`. */
  route: string;
  /** The names of its files. */
  files: readonly string[];
};

const discordEpoch = 1_420_070_400_000;

/** The complete state of the fake. */
export function createFakeState(options: FakeOptions) {
  const settings = { ...defaults, ...options };
  const createId = createSnowflakes();
  const bot: Account = {
    id: createId(),
    name: "Koma",
    locale: "en-US",
    isBot: true,
    hasInstalled: false,
    acceptsDirect: true,
  };

  return {
    settings,
    bot,
    createId,
    ...createChanges(settings.patienceMs),
    /** Files on the web, outside of Discord; the index is part of the address. */
    webFiles: [] as { contentType: string; bytes: Uint8Array }[],
    /** The users with their direct messages with the bot. */
    users: new Map<string, Account & { readonly direct: Channel }>(),
    guilds: new Map<string, Guild>(),
    channels: new Map<string, Channel>(),
    messages: new Map<string, Message>(),
    files: new Map<string, StoredFile>(),
    interactions: new Map<string, Interaction>(),
    commands: [] as readonly APIApplicationCommand[],
    violations: [] as Violation[],
    warnings: [] as Violation[],
    requests: [] as RecordedRequest[],
    /** The address of the server: `http://127.0.0.1:port`. */
    origin: "",
  };
}

/** See `createFakeState`. */
export type FakeState = ReturnType<typeof createFakeState>;

/** The signed address of a file. */
export function signAddress(state: FakeState, file: StoredFile): string {
  const path = `/attachments/${file.channelId}/${file.id}/${encodeURIComponent(file.name)}`;
  return `${state.origin}${path}?hm=${sign(file)}&`;
}

/** The signature in the address of a file, without which Discord serves no file. */
export function sign({ id }: StoredFile): string {
  return createHash("sha256").update(id).digest("hex");
}

/**
 * Creates ids in Discord's format: 42 bits of time and 22 distinguishing bits, in ascending order. `shard`: the id
 * of a guild whose events this shard receives.
 */
function createSnowflakes() {
  let latest = 0n;
  return ([index, count]: Shard = [0, 1]): string => {
    // Fakes that share an API have separate users.
    const byTime = (BigInt(Date.now() - discordEpoch) << 22n) + BigInt(randomInt(2 ** 21));
    latest = byTime > latest ? byTime : latest + 1n;
    while (Number((latest >> 22n) % BigInt(count)) !== index) latest = ((latest >> 22n) + 1n) << 22n;
    return latest.toString();
  };
}
