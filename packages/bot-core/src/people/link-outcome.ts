import type { BotSpeaker } from "@koma/messages";
import type { LinkSettled } from "../model/bot-core.ts";
import type { Reply } from "../model/reply.ts";
import type { Person } from "../model/request.ts";
import { buildReply, line } from "../replies/build-reply.ts";

/** `ended`: approved though nobody wanted it any more; `kept`: the API could not be told to end that key. */
export type LinkOutcome = LinkSettled["outcome"] | "ended" | "kept";

/** What became of a link, as it is told to who began it. */
export function describeOutcome(
  outcome: LinkOutcome,
  speaker: BotSpeaker,
  person: Person,
): Pick<LinkSettled, "outcome" | "reply"> {
  const { say } = speaker;
  const word = words[outcome];
  const text = outcome === "kept" ? say("link.unlinked.textKeyRemains") : say(`link.${word}.text`);
  const reply: Reply = buildReply(speaker, person, {
    ...{ kind: "link", isPrivate: true, title: say(`link.${word}.title`) },
    lines: [line(text)],
  });
  return { outcome: outcome === "ended" || outcome === "kept" ? "denied" : outcome, reply };
}

const words = {
  linked: "done",
  denied: "denied",
  expired: "expired",
  ended: "calledOff",
  kept: "calledOff",
} as const;
