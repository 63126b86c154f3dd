import type { Message } from "../types.ts";

/** A page that shows the message in Discord's dark look, with its pictures inside. */
export function renderMessage(_message: Message): string {
  throw new Error("The renderer is being built.");
}
