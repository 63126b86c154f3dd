import {
  type MessageReference,
  needsManager,
  type Person,
  type Place,
  type PressAnswer,
  type Reply,
} from "@koma/bot-core";
import type { CallbackQuery, Message } from "grammy/types";
import { deepLink, ownTargets } from "../replies/keyboard.ts";
import { cut } from "../replies/runs.ts";
import { isTooOld } from "../telegram/errors.ts";
import { readPerson, readPlace } from "./asker.ts";
import { isManager } from "./managers.ts";
import { targetOf, toReference } from "./messages.ts";
import type { Attempt, Parts } from "./parts.ts";

/** Telegram keeps the button busy until it is answered, and forgets about it after a while. */
const answerMs = 4_000;
const noticeLimit = 200;

/** Buttons that were pressed. */
export function createPresses({ core, api, bot, sender, placeNames, onTrouble }: Parts) {
  return {
    /** Serves one press to its end; it is answered in any case. */
    async serve(query: CallbackQuery, attempt: Attempt): Promise<MessageReference | undefined> {
      const tell = createTell(query.id);
      const late = setTimeout(() => void tell({}), answerMs);
      try {
        return await press(query, { attempt, tell });
      } finally {
        clearTimeout(late);
        await tell({});
      }
    },
  };

  type Tell = ReturnType<typeof createTell>;
  type Serving = { attempt: Attempt; tell: Tell };
  type Pressed = { person: Person; place: Place; message: Message | undefined; inlineId: string | undefined };

  async function press(query: CallbackQuery, serving: Serving): Promise<MessageReference | undefined> {
    const { data = ownTargets.nothing } = query;
    if (data === ownTargets.nothing) return undefined;
    const pressed = await readPress(query, data);
    if (data.startsWith("~")) return await showMenu(data, pressed, serving);
    const { person, place } = pressed;
    const answer = await core.press({
      ...{ person, place, target: data, requestId: `c:${query.id}` },
      context: { chatId: Number(person.id) },
    });
    await serving.attempt.sending();
    return toReference(await show(answer, pressed, serving));
  }

  async function readPress(query: CallbackQuery, data: string): Promise<Pressed> {
    const { from, message, inline_message_id: inlineId, chat_instance: instance } = query;
    const person = readPerson(from);
    if (message === undefined) {
      const place: Place = { kind: "group", id: `inline:${instance}`, isAgeRestricted: false };
      return { person, place, message: undefined, inlineId };
    }
    const place = await placeNames.settle(readPlace(message.chat));
    const isManagedByAsker =
      place.kind === "group" &&
      (needsManager(data) || data.startsWith("~")) &&
      (await isManager(api, { chatId: message.chat.id, userId: from.id }));
    return { person, place: { ...place, isManagedByAsker }, message: toMessage(message), inlineId };
  }

  async function show(
    answer: PressAnswer,
    pressed: Pressed,
    { tell }: Serving,
  ): Promise<Message | undefined> {
    const { person, place, message } = pressed;
    switch (answer.kind) {
      case "update": {
        const sent = await update(answer.reply, pressed);
        if (answer.reply.privately !== undefined) await sender.direct(answer.reply.privately, { person });
        return sent;
      }
      case "private":
        return await showAlone(answer.reply, pressed, tell);
      case "new":
        if (message === undefined) return await sender.direct(answer.reply, { person });
        return await sender.answer(answer.reply, { ...targetOf(message), person });
      case "delete":
        await remove(pressed);
        return undefined;
      case "notice":
        await tell({ text: cut(answer.text, noticeLimit), show_alert: answer.isAlert });
        return place.kind === "direct" ? message : undefined;
    }
  }

  async function update(reply: Reply, { message, inlineId, person }: Pressed): Promise<Message | undefined> {
    if (inlineId !== undefined) {
      await sender.updateInline(reply, inlineId);
      return undefined;
    }
    if (message === undefined) return await sender.direct(reply, { person });
    const { replyTo: _, ...to } = targetOf(message);
    // A message that Telegram shows no more of cannot be changed either.
    if (message.date === 0) return await sender.answer(reply, { ...to, person });
    return await sender.update(reply, message, to);
  }

  /** In the private chat; where there is none yet, the button leads to it. */
  async function showAlone(reply: Reply, { message, person, place }: Pressed, tell: Tell) {
    if (place.kind === "direct" && message !== undefined) {
      return await sender.answer(reply, { ...targetOf(message), person });
    }
    const sent = await sender.direct(reply, { person });
    const { say } = await core.speakerFor({ person });
    if (sent !== undefined) {
      await tell({ text: cut(say("reply.sentPrivately"), noticeLimit) });
      return sent;
    }
    const payload = reply.resultId === undefined ? "help" : `r_${reply.resultId}`;
    await tell({ url: deepLink(bot.username, reply.kind === "link" ? "link" : payload) });
    return undefined;
  }

  async function remove({ message, inlineId, person, place }: Pressed): Promise<void> {
    const speaker = await core.speakerFor({ person, place });
    if (message !== undefined) return await sender.remove(message, speaker, person);
    if (inlineId === undefined) return;
    await api.editMessageTextInline(inlineId, speaker.say("reply.deleted")).catch((error: unknown) => {
      onTrouble("emptying an inline message", error);
    });
  }

  /** Opens one of several menus, or closes it again. */
  async function showMenu(
    data: string,
    { person, place, message }: Pressed,
    { attempt, tell }: Serving,
  ): Promise<MessageReference | undefined> {
    const index = /^~m(\d*)$/.exec(data)?.[1];
    if (index === undefined || message === undefined) return undefined;
    const scope = place.kind === "direct" ? "person" : "place";
    const reply = await core.settings({ person, place, scope });
    if (reply.kind !== "settings") {
      await tell({ text: cut(reply.title ?? "", noticeLimit), show_alert: true });
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

  /** Answers the query once; what comes too late does not matter. */
  function createTell(id: string) {
    let answered: Promise<void> | undefined;
    return (answer: { text?: string; show_alert?: boolean; url?: string }): Promise<void> => {
      answered ??= api.answerCallbackQuery(id, answer).then(
        () => {},
        (error: unknown) => {
          if (!isTooOld(error)) onTrouble("answering a press", error);
        },
      );
      return answered;
    };
  }
}

/** One that Telegram tells nothing of any more has the date 0. */
function toMessage(message: NonNullable<CallbackQuery["message"]>): Message {
  return message as Message;
}
