import type { MessageReference } from "@koma/bot-core";
import type { InteractionKey } from "../discord/discord-api.ts";

/** What the core keeps of the interaction that began to link an account, to tell its end there. */
export function writeLinkContext(
  { id, application_id, token }: InteractionKey,
  { isButton }: { isButton: boolean },
): MessageReference {
  return { id, application_id, token, isButton };
}

/** What `writeLinkContext` wrote. */
export function readLinkContext(context: MessageReference): { key: InteractionKey; isButton: boolean } {
  const { id, application_id, token, isButton } = context;
  const key = { id: String(id), application_id: String(application_id), token: String(token) };
  return { key, isButton: isButton === true };
}
