import type { Jobs } from "@koma/bot-core";
import { Composer } from "grammy";
import type { Albums } from "./albums.ts";
import { createCallbackQueries } from "./callback-queries.ts";
import { createGuests } from "./guests.ts";
import { createInline } from "./inline.ts";
import type { Messages } from "./messages.ts";
import type { HandlerParts } from "./parts.ts";
import type { UpdateContext } from "./update-context.ts";

/** The middleware of all updates that the bot serves. */
export function createHandlers(
  parts: HandlerParts & { jobs: Jobs; albums: Albums; messages: Messages },
): Composer<UpdateContext> {
  const { messages, chatNames } = parts;
  const guests = createGuests(parts);
  const inline = createInline(parts);
  const handlers = new Composer<UpdateContext>();

  handlers.use(createCallbackQueries(parts));
  handlers.on("inline_query", (ctx) => inline.serve(ctx.inlineQuery));
  handlers.on("guest_message", async (ctx) => {
    ctx.sent = await guests.serve(ctx.update.guest_message, ctx.attempt);
  });
  handlers.on("message:migrate_to_chat_id", (ctx) =>
    chatNames.move(ctx.chatId, ctx.message.migrate_to_chat_id),
  );
  handlers.on("message:new_chat_members:me", async (ctx) => {
    ctx.sent = await messages.welcome(ctx.message, ctx.attempt);
  });
  handlers.on("message", async (ctx) => {
    ctx.sent = await messages.serve(ctx.message, ctx.attempt);
  });
  handlers.on("edited_message", async (ctx) => {
    ctx.sent = await messages.serveEdit(ctx.editedMessage, ctx.attempt);
  });
  return handlers;
}
