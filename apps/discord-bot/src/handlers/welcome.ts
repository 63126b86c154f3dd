import type { BotCore, Chat, Person } from "@koma/bot-core";
import type { Joined } from "../discord/gateway.ts";
import type { Sender } from "../responses/send-reply.ts";
import { toReference } from "./resume.ts";

/** The gateway does not name the user who added the bot. */
const unknownPerson: Person = { id: "", displayName: "" };

/** Introduces the bot once in a server that it was added to. */
export async function welcome(
  { guildId, joinedAtMs, locale, channelId }: Joined,
  { core, sender }: { core: BotCore; sender: Sender },
): Promise<void> {
  const chat: Chat = { kind: "server", id: guildId, channelId, isAgeRestricted: false, locale };
  await core.requests.handle({ requestId: `welcome:${guildId}:${joinedAtMs}` }, async ({ sending }) => {
    const reply = await core.welcome({ person: unknownPerson, chat });
    await sending();
    // Discord limits a nonce to 25 characters.
    return toReference(await sender.post(reply, { channelId, nonce: `hi${guildId}` }));
  });
}
