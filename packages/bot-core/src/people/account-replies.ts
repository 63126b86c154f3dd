import { NetworkFailure } from "@koma/client";
import type { BotSpeaker } from "@koma/messages";
import type { Context } from "../context.ts";
import type { Reply, ReplyKind } from "../model/reply.ts";
import type { MessageReference, Person, Place } from "../model/request.ts";
import type { FairQueue } from "../queue.ts";
import { buildReply, line, linkButton, pressButton } from "../replies/build-reply.ts";
import type { Guard } from "../replies/guard.ts";
import { writeTarget } from "../replies/targets.ts";
import { keyPattern } from "./leaked-key.ts";
import type { LinkPoller } from "./link-poller.ts";
import { isRefusal } from "./refused-key.ts";

/** Linking, unlinking, forgetting: always for the person alone. */
export type AccountReplies = ReturnType<typeof createAccountReplies>;

type Asked = { person: Person; place: Place };

export function createAccountReplies(
  context: Context,
  parts: { guard: Guard; poller: LinkPoller; queue: FairQueue },
) {
  const { api, accounts, identities, store, speak, now, tagOf, notice } = context;
  const { guard, poller, queue } = parts;

  return {
    startLink: (request: Asked & { context: MessageReference }): Promise<Reply> =>
      alone(request, async (speaker) => {
        const { person } = request;
        const { say } = speaker;
        if ((await accounts.find(person)) !== undefined) return sayAlready(speaker, person);
        // One code at a time: whichever message is approved from, it is this one.
        const link = (await poller.findOpen(person, request.context)) ?? (await createLink(request));
        const expiresAt = new Date(link.expiresAt);
        return buildReply(speaker, person, {
          ...{ kind: "link", isPrivate: true, title: say("link.title") },
          lines: [
            line(say("link.text")),
            { spans: splitCode(say("link.code", { code: link.userCode }), link.userCode), style: "normal" },
            line(say("link.expires", { at: expiresAt }), "quiet"),
          ],
          buttons: [[linkButton("open", say("button.approve"), link.verificationUrl)]],
          retryAt: expiresAt,
        });
      }),

    pasteKey: (request: Asked & { key: string }): Promise<Reply> =>
      alone(request, async (speaker) => {
        const { person } = request;
        const key = request.key.trim();
        const { say } = speaker;
        if ((await accounts.find(person)) !== undefined) return sayAlready(speaker, person);
        if (!keyPattern.test(key))
          return sayText(speaker, person, "link", say("link.paste.title"), say("link.paste.invalid"));
        try {
          await api.measured("getCredits", () => api.withKey(key).getCredits());
        } catch (error) {
          if (!isRefusal(error)) throw error;
          return sayText(speaker, person, "link", say("link.paste.title"), say("link.paste.invalid"));
        }
        await accounts.keep(person, { key, title: undefined }, now());
        return sayText(speaker, person, "link", say("link.done.title"), say("link.done.text"));
      }),

    unlink: (request: Asked): Promise<Reply> =>
      alone(request, async (speaker) => {
        const { person } = request;
        const { say } = speaker;
        await poller.callOff(person);
        const outcome = await endKey(person);
        if (outcome === "none") {
          await store.accounts.remove(identities.person(person.id));
          return sayText(speaker, person, "link", say("link.notLinked.title"), say("link.notLinked.text"));
        }
        const text = outcome === "ended" ? say("link.unlinked.text") : say("link.unlinked.textKeyRemains");
        return sayText(speaker, person, "link", say("link.unlinked.title"), text);
      }),

    forget: (request: Asked & { isConfirmed?: boolean | undefined }): Promise<Reply> =>
      alone(request, async (speaker) => {
        const { person, isConfirmed } = request;
        const { say } = speaker;
        if (isConfirmed !== true) {
          const target = writeTarget("forget", tagOf(person.id));
          return {
            ...sayText(speaker, person, "text", say("privacy.forget.title"), say("privacy.forget.text")),
            buttons: [[pressButton("forget", say("button.confirmForget"), target)]],
          };
        }
        // A search that runs would write after the deletion.
        const outcome = await queue.runAfterAll(person.id, async () => {
          await poller.callOff(person);
          const ended = await endKey(person);
          await store.people.forget(identities.person(person.id));
          return ended;
        });
        const done = outcome === "kept" ? say("privacy.forget.doneKeyRemains") : say("privacy.forget.done");
        return buildReply(speaker, person, { kind: "text", isPrivate: true, title: done });
      }),
  };

  async function createLink({ person, context: told }: { person: Person; context: MessageReference }) {
    const link = await api.measured("createLink", () =>
      api.bot.createLink({
        chatUser: api.chatUser(person),
        displayName: tidyName(person.displayName),
        platform: context.platform,
      }),
    );
    await poller.follow(person, link, told);
    return link;
  }

  /** Ends the key at the API and removes it here, in any case: `kept` where the API could not be told. */
  async function endKey(person: Person): Promise<"ended" | "kept" | "none"> {
    const own = await accounts.find(person);
    if (own === undefined) return "none";
    let outcome: "ended" | "kept" = "ended";
    try {
      await api.measured("deleteCurrentApiKey", () => api.withKey(own.key).deleteCurrentApiKey());
    } catch (error) {
      // One that is refused has ended before.
      if (!isRefusal(error)) outcome = "kept";
      if (outcome === "kept" && !(error instanceof NetworkFailure))
        notice("warn", "A key could not be ended at the API.");
    }
    await accounts.drop(person, own);
    return outcome;
  }

  async function alone(
    { person, place }: Asked,
    work: (speaker: BotSpeaker) => Promise<Reply>,
  ): Promise<Reply> {
    const reader = { person, place, isPrivate: true };
    return await guard(reader, async () => await work(await speak(reader)));
  }

  function sayAlready(speaker: BotSpeaker, person: Person): Reply {
    return sayText(
      speaker,
      person,
      "link",
      speaker.say("link.already.title"),
      speaker.say("link.already.text"),
    );
  }
}

function sayText(speaker: BotSpeaker, person: Person, kind: ReplyKind, title: string, text: string): Reply {
  return buildReply(speaker, person, { kind, isPrivate: true, title, lines: [line(text)] });
}

/** What the API takes as a name: 1 to 100 characters, none of them a control character. */
function tidyName(name: string): string {
  const tidy = Array.from(name.replace(/\p{Cc}/gu, " ").trim())
    .slice(0, 64)
    .join("")
    .trim();
  // What is counted there are UTF-16 units.
  return tidy.slice(0, 100) || "?";
}

function splitCode(text: string, code: string) {
  const [before = "", after = ""] = text.split(code);
  return [{ text: before }, { text: code, style: "code" as const }, { text: after }].filter(
    ({ text: part }) => part !== "",
  );
}
