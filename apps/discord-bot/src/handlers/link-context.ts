import type { MessageReference } from "@koma/bot-core";
import type { InteractionKey } from "../discord/discord-api.ts";

/** The stored context of the interaction that started a link, for the message about its outcome. */
export function writeLinkContext(
  { id, application_id, token }: InteractionKey,
  { isButton }: { isButton: boolean },
): MessageReference {
  return { id, application_id, token, isButton };
}

/** Reads the output of `writeLinkContext`. */
export function readLinkContext(context: MessageReference): { key: InteractionKey; isButton: boolean } {
  const { id, application_id, token, isButton } = context;
  const key = { id: String(id), application_id: String(application_id), token: String(token) };
  return { key, isButton: isButton === true };
}
