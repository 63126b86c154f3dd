import { ApiProblem, NetworkFailure } from "@koma/client";
import type { BotTranslator } from "@koma/messages";
import type { Reply, ReplyKind } from "../model/reply.ts";
import type { MessageReference, Person, Requester } from "../model/request.ts";
import type { FairQueue } from "../queue.ts";
import { actionButton, line, linkButton, type ReplyParts } from "../replies/build-reply.ts";
import { isPublicAddress } from "../replies/public-address.ts";
import { writeTarget } from "../replies/targets.ts";
import type { Shared } from "../shared.ts";
import { keyPattern } from "./leaked-key.ts";
import type { LinkPoller } from "./link-poller.ts";
import { isRefusal } from "./refused-key.ts";

/** Replies about linking, unlinking and deletion; all are private. */
export type AccountReplies = ReturnType<typeof createAccountReplies>;

/** A private reply with a title and a text. */
type Inform = (kind: ReplyKind, title: string, text: string) => Reply;
type Build = (parts: ReplyParts) => Reply;

export function createAccountReplies(
  { platform, store, identities, api, accounts, replyPrivately, hasMoreWithAccount, tagOf, now, log }: Shared,
  { poller, queue }: { poller: LinkPoller; queue: FairQueue },
) {
  /** Recently removed pasted keys by the tag of their owner. They are kept in memory only. */
  const revocable = new Map<string, { key: string; expiresAtMs: number }>();

  return {
    startLink: (request: Requester & { context: MessageReference }): Promise<Reply> =>
      alone(request, async ({ t }, inform, build) => {
        const { person } = request;
        if ((await accounts.find(person)) !== undefined)
          return inform("link", t("link.already.title"), t("link.already.text"));
        // A person has one code at a time, whichever message shows it.
        const link = (await poller.findOpen(person, request.context)) ?? (await createLink(request));
        const expiresAt = new Date(link.expiresAt);
        const isPublic = isPublicAddress(link.verificationUrl);
        return build({
          kind: "link",
          title: t("link.title"),
          lines: [
            line(t("link.text")),
            { spans: splitCode(t("link.code", { code: link.userCode }), link.userCode), style: "normal" },
            line(t("link.expires", { at: expiresAt }), "quiet"),
            ...(isPublic ? [] : [line(t("link.noAddress"))]),
          ],
          buttons: isPublic ? [[linkButton("open", t("button.approve"), link.verificationUrl)]] : [],
          retryAt: expiresAt,
        });
      }),

    pasteKey: (request: Requester & { key: string }): Promise<Reply> =>
      alone(request, async ({ t }, inform) => {
        const { person } = request;
        const key = request.key.trim();
        if ((await accounts.find(person)) !== undefined)
          return inform("link", t("link.already.title"), t("link.already.text"));
        if (!keyPattern.test(key)) return inform("link", t("link.paste.title"), t("link.paste.invalid"));
        try {
          const client = api.withKey(key);
          // One operation of each scope that the bot needs.
          await api.measured("getCredits", () => client.getCredits());
          await api.measured("getQuota", () => client.getQuota());
        } catch (error) {
          if (error instanceof ApiProblem && error.code === "forbidden") {
            return inform("link", t("link.paste.title"), t("link.paste.scopes"));
          }
          if (!isRefusal(error)) throw error;
          return inform("link", t("link.paste.title"), t("link.paste.invalid"));
        }
        await accounts.save(person, { key, title: undefined }, now());
        return inform("link", t("link.done.title"), t("link.done.text"));
      }),

    unlink: (request: Requester): Promise<Reply> =>
      alone(request, async ({ t }, inform) => {
        const { person } = request;
        await poller.cancel(person);
        const own = await accounts.find(person);
        // The user created the pasted key and may use it elsewhere, so it is only removed here.
        if (own?.isPasted === true) {
          await accounts.drop(person, own);
          offerRevocation(person, own.key);
          const target = writeTarget("revoke", tagOf(person.id));
          return {
            ...inform("link", t("link.unlinked.title"), t("link.unlinked.textPasted")),
            buttons: [[actionButton("revoke", t("button.revokeKey"), target)]],
          };
        }
        const outcome = await endKey(person);
        if (outcome === "none") {
          await store.accounts.remove(identities.person(person.id));
          return inform(
            "link",
            t("link.notLinked.title"),
            t((await hasMoreWithAccount()) ? "link.notLinked.text" : "link.notLinked.textOther"),
          );
        }
        const text = outcome === "ended" ? t("link.unlinked.text") : t("link.unlinked.textKeyRemains");
        return inform("link", t("link.unlinked.title"), text);
      }),

    /** Revokes the pasted key that `unlink` has removed. */
    revoke: (request: Requester): Promise<Reply> =>
      alone(request, async ({ t }, inform, build) => {
        const { person } = request;
        const tag = tagOf(person.id);
        const removed = revocable.get(tag);
        if (removed === undefined || removed.expiresAtMs < now().getTime())
          return build({ kind: "expired", title: t("reply.gone") });
        try {
          await api.measured("deleteCurrentApiKey", () => api.withKey(removed.key).deleteCurrentApiKey());
        } catch (error) {
          // A rejected key no longer works.
          if (!isRefusal(error)) throw error;
        }
        revocable.delete(tag);
        return inform("link", t("link.revoked.title"), t("link.revoked.text"));
      }),

    forget: (request: Requester & { isConfirmed?: boolean | undefined }): Promise<Reply> =>
      alone(request, async ({ t }, inform, build) => {
        const { person, isConfirmed } = request;
        if (isConfirmed !== true) {
          const target = writeTarget("forget", tagOf(person.id));
          return {
            ...inform("text", t("privacy.forget.title"), t("privacy.forget.text")),
            buttons: [[actionButton("forget", t("button.confirmForget"), target)]],
          };
        }
        // A running search would store its result after the deletion.
        const outcome = await queue.runAfterAll(person.id, async () => {
          await poller.cancel(person);
          const ended = await endKey(person);
          await store.people.forget(identities.person(person.id));
          return ended;
        });
        const done = outcome === "keyRemains" ? t("privacy.forget.doneKeyRemains") : t("privacy.forget.done");
        return build({ kind: "text", title: done });
      }),
  };

  async function createLink({
    person,
    context: messageContext,
  }: {
    person: Person;
    context: MessageReference;
  }) {
    const link = await api.measured("createLink", () =>
      api.bot.createLink({
        chatUser: api.chatUser(person),
        displayName: normalizeName(person.displayName),
        platform,
      }),
    );
    await poller.follow(person, link, messageContext);
    return link;
  }

  function offerRevocation({ id }: Person, key: string): void {
    for (const [tag, { expiresAtMs }] of revocable) if (expiresAtMs < now().getTime()) revocable.delete(tag);
    revocable.set(tagOf(id), { key, expiresAtMs: now().getTime() + revocationOfferMs });
  }

  /** Revokes the key at the API and removes it here: `keyRemains` if the API cannot be reached. */
  async function endKey(person: Person): Promise<"ended" | "keyRemains" | "none"> {
    const own = await accounts.find(person);
    if (own === undefined) return "none";
    let outcome: "ended" | "keyRemains" = "ended";
    try {
      await api.measured("deleteCurrentApiKey", () => api.withKey(own.key).deleteCurrentApiKey());
    } catch (error) {
      // A rejected key is already revoked.
      if (!isRefusal(error)) outcome = "keyRemains";
      if (outcome === "keyRemains" && !(error instanceof NetworkFailure))
        log("warn", "A key could not be revoked at the API.");
    }
    await accounts.drop(person, own);
    return outcome;
  }

  function alone(
    request: Requester,
    work: (translator: BotTranslator, inform: Inform, build: Build) => Promise<Reply>,
  ): Promise<Reply> {
    return replyPrivately(request, (translator, build) =>
      work(translator, (kind, title, text) => build({ kind, title, lines: [line(text)] }), build),
    );
  }
}

/** Discord accepts button clicks for longer, but a removed key must not stay in memory. */
const revocationOfferMs = 15 * 60_000;

/** A valid name for the API: 1 to 100 characters without control characters. */
function normalizeName(name: string): string {
  const tidy = Array.from(name.replace(/\p{Cc}/gu, " ").trim())
    .slice(0, 64)
    .join("")
    .trim();
  // The API counts UTF-16 units.
  return tidy.slice(0, 100) || "?";
}

function splitCode(text: string, code: string) {
  const [before = "", after = ""] = text.split(code);
  return [{ text: before }, { text: code, style: "code" as const }, { text: after }].filter(
    ({ text: part }) => part !== "",
  );
}
