import type { BotTranslator } from "@koma/messages";
import type { LinkSettled } from "../model/bot-core.ts";
import type { Reply } from "../model/reply.ts";
import type { Person } from "../model/request.ts";
import { buildReply, line } from "../replies/build-reply.ts";

/** `ended`: approved after the person cancelled it; `keyRemains`: the API could not revoke that key. */
export type LinkOutcome = LinkSettled["outcome"] | "ended" | "keyRemains";

/** The reply that reports the outcome of a link to its requester. */
export function describeOutcome(
  outcome: LinkOutcome,
  translator: BotTranslator,
  person: Person,
): Pick<LinkSettled, "outcome" | "reply"> {
  const { t } = translator;
  const word = words[outcome];
  const text = outcome === "keyRemains" ? t("link.unlinked.textKeyRemains") : t(`link.${word}.text`);
  const reply: Reply = buildReply(translator, person, {
    kind: "link",
    isPrivate: true,
    title: t(`link.${word}.title`),
    lines: [line(text)],
  });
  return { outcome: outcome === "ended" || outcome === "keyRemains" ? "denied" : outcome, reply };
}

const words = {
  linked: "done",
  denied: "denied",
  expired: "expired",
  ended: "calledOff",
  keyRemains: "calledOff",
} as const;
