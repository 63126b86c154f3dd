import {
  type ActionResult,
  type Chat,
  type Jobs,
  type MessageReference,
  mayTakeLong,
  needsManager,
  type Person,
  type Reply,
  readCorrectionTarget,
} from "@koma/bot-core";
import { Composer, type Filter } from "grammy";
import type { CallbackQuery, Message } from "grammy/types";
import { deepLink, ownTargets } from "../replies/keyboard.ts";
import { cut } from "../replies/runs.ts";
import { isTooOld } from "../telegram/errors.ts";
import { askCorrection } from "./ask-correction.ts";
import { hidesOtherMessages, isManager } from "./managers.ts";
import type { HandlerParts } from "./parts.ts";
import { targetOf, toReference } from "./reply-target.ts";
import { readChat, readPerson } from "./requester.ts";
import { showTypingLater } from "./show-work.ts";
import type { UpdateContext } from "./update-context.ts";

/** Telegram shows a button as busy until its query is answered, and discards the query after a while. */
const callbackWaitMs = 4_000;
const alertLimit = 200;

/** The buttons: menus that the bot opens itself, and the actions of the core. */
export function createCallbackQueries(parts: HandlerParts & { jobs: Jobs }): Composer<UpdateContext> {
  const { core, api, bot, sender, chatNames, onError, jobs } = parts;
  const queries = new Composer<UpdateContext>();

  queries.callbackQuery(ownTargets.nothing, (ctx) => serve(ctx, async () => undefined));
  queries.callbackQuery(/^~m(\d*)$/, (ctx) => serve(ctx, (notify) => showMenu(ctx, notify)));
  queries.on("callback_query:data", (ctx) => serve(ctx, (notify) => runAction(ctx, notify)));
  queries.on("callback_query", (ctx) => serve(ctx, async () => undefined));
  return queries;

  type Notify = ReturnType<typeof createNotify>;
  type ButtonUse = { person: Person; chat: Chat; message: Message | undefined; inlineId: string | undefined };

  /** Serves one callback query, which is answered in every case. */
  async function serve(
    ctx: Filter<UpdateContext, "callback_query">,
    work: (notify: Notify) => Promise<MessageReference | undefined>,
  ): Promise<void> {
    const notify = createNotify(ctx.callbackQuery.id);
    const late = setTimeout(() => void notify({}), callbackWaitMs);
    const { message } = ctx.callbackQuery;
    const typing = message && showTypingLater(api, toMessage(message));
    try {
      ctx.sent = await work(notify);
    } finally {
      clearTimeout(late);
      typing?.end();
      await notify({});
    }
  }

  async function runAction(
    { callbackQuery: query, attempt }: Filter<UpdateContext, "callback_query:data">,
    notify: Notify,
  ): Promise<MessageReference | undefined> {
    const { data } = query;
    const clicked = await readQuery(query, data);
    const { person, chat } = clicked;
    const resultId = readCorrectionTarget(data);
    if (resultId !== undefined) {
      await attempt.sending();
      return toReference(await askCorrection(parts, resultId, clicked));
    }
    // A search takes seconds, so the query is answered before it.
    if (mayTakeLong(data)) void notify({});
    const result = await core.runAction({
      person,
      chat,
      target: data,
      requestId: `c:${query.id}`,
      context: { chatId: Number(person.id) },
    });
    await attempt.sending();
    return toReference(await show(result, clicked, notify));
  }

  async function readQuery(query: CallbackQuery, data: string): Promise<ButtonUse> {
    const { from, message, inline_message_id: inlineId, chat_instance: instance } = query;
    const person = readPerson(from);
    if (message === undefined) {
      const chat: Chat = { kind: "group", id: `inline:${instance}`, isAgeRestricted: false };
      return { person, chat, message: undefined, inlineId };
    }
    const chat = await chatNames.settle(readChat(toMessage(message)));
    const isManagedByRequester =
      chat.kind === "group" &&
      (needsManager(data) || data.startsWith("~")) &&
      (await isManager(api, { chatId: message.chat.id, userId: from.id }));
    const isHidden = isManagedByRequester && (await hidesOtherMessages(api, message.chat.id, bot));
    return {
      person,
      chat: { ...chat, isManagedByRequester, hidesOtherMessages: isHidden },
      message: toMessage(message),
      inlineId,
    };
  }

  async function show(
    result: ActionResult,
    clicked: ButtonUse,
    notify: Notify,
  ): Promise<Message | undefined> {
    const { person, chat, message } = clicked;
    switch (result.kind) {
      case "update": {
        void notify({});
        const sent = await update(result.reply, clicked);
        const { privately } = result.reply;
        // Its preview takes seconds, and the person's next press would wait for it until Telegram drops that
        // press.
        if (privately !== undefined)
          void jobs.start("private copy", () => sender.direct(privately, { person }));
        return sent;
      }
      case "private":
        return await showAlone(result.reply, clicked, notify);
      case "publish":
        void notify({});
        if (message === undefined) return await sender.direct(result.reply, { person });
        return await sender.sendReply(result.reply, { ...targetOf(message), person });
      case "delete":
        await remove(clicked);
        return undefined;
      case "notice":
        await notify({ text: cut(result.text, alertLimit), show_alert: result.isAlert });
        return chat.kind === "direct" ? message : undefined;
    }
  }

  async function update(
    reply: Reply,
    { message, inlineId, person }: ButtonUse,
  ): Promise<Message | undefined> {
    if (inlineId !== undefined) {
      await sender.updateInline(reply, inlineId);
      return undefined;
    }
    if (message === undefined) return await sender.direct(reply, { person });
    const { replyTo: _, ...to } = targetOf(message);
    // A message that is inaccessible to the bot cannot be edited either.
    if (message.date === 0) return await sender.sendReply(reply, { ...to, person });
    return await sender.update(reply, message, to);
  }

  /** Sends the reply to the private chat; if there is none, the button opens it. */
  async function showAlone(reply: Reply, { message, person, chat }: ButtonUse, notify: Notify) {
    if (chat.kind === "direct" && message !== undefined) {
      return await sender.sendReply(reply, { ...targetOf(message), person });
    }
    const sent = await sender.direct(reply, { person });
    const { t } = await core.translatorFor({ person });
    if (sent !== undefined) {
      await notify({ text: cut(t("reply.sentPrivately"), alertLimit) });
      return sent;
    }
    const payload = reply.resultId === undefined ? "help" : `r_${reply.resultId}`;
    await notify({ url: deepLink(bot.username, reply.kind === "link" ? "link" : payload) });
    return undefined;
  }

  async function remove({ message, inlineId, person, chat }: ButtonUse): Promise<void> {
    const translator = await core.translatorFor({ person, chat });
    if (message !== undefined) return await sender.remove(message, translator, person);
    if (inlineId === undefined) return;
    await api.editMessageTextInline(inlineId, translator.t("reply.deleted")).catch((error: unknown) => {
      onError("emptying an inline message", error);
    });
  }

  /** Opens one of several menus, or closes it again. */
  async function showMenu(
    { callbackQuery: query, attempt }: Filter<UpdateContext, "callback_query:data">,
    notify: Notify,
  ): Promise<MessageReference | undefined> {
    const index = query.data.slice(ownTargets.menu(undefined).length);
    const { person, chat, message } = await readQuery(query, query.data);
    if (message === undefined) return undefined;
    const scope = chat.kind === "direct" ? "person" : "place";
    const reply = await core.settings({ person, chat, scope });
    if (reply.kind !== "settings") {
      await notify({ text: cut(reply.title ?? "", alertLimit), show_alert: true });
      return undefined;
    }
    await attempt.sending();
    const { replyTo: _, ...to } = targetOf(message);
    const openMenu = index === "" ? undefined : Number(index);
    const label = openMenu === undefined ? undefined : reply.menus[openMenu]?.label;
    const title = [reply.title, label].filter((part) => part !== undefined).join(" · ");
    const sent = await sender.update({ ...reply, title, isPrivate: false }, message, { ...to, openMenu });
    return toReference(sent);
  }

  /** Answers the query once. An expired query is ignored. */
  function createNotify(id: string) {
    let settled: Promise<void> | undefined;
    return (result: { text?: string; show_alert?: boolean; url?: string }): Promise<void> => {
      settled ??= api.answerCallbackQuery(id, result).then(
        () => {},
        (error: unknown) => {
          if (!isTooOld(error)) onError("answering a press", error);
        },
      );
      return settled;
    };
  }
}

/** An inaccessible message has the date 0. */
function toMessage(message: NonNullable<CallbackQuery["message"]>): Message {
  return message as Message;
}
