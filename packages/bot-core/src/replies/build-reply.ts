import type { BotTranslator } from "@koma/messages";
import type { Button, ButtonAction, Line, LineStyle, Reply, ReplyKind } from "../model/reply.ts";
import type { Person } from "../model/request.ts";

/** The parts of a reply besides its language and its requester. */
export type ReplyParts = Partial<Omit<Reply, "kind" | "language" | "requesterId">> & { kind: ReplyKind };

/** A reply with these parts; the others are absent. */
export function buildReply(
  translator: Pick<BotTranslator, "language">,
  person: Pick<Person, "id">,
  parts: ReplyParts,
): Reply {
  return {
    language: translator.language,
    requesterId: person.id,
    isPrivate: false,
    resultId: undefined,
    title: undefined,
    lines: [],
    match: undefined,
    preview: undefined,
    buttons: [],
    menus: [],
    retryAt: undefined,
    privately: undefined,
    ...parts,
  };
}

/** A line of one text. */
export function line(text: string, style: LineStyle = "normal"): Line {
  return { spans: [{ text }], style };
}

/** A line of a list: its subject, and what is known of it. */
export function itemLine(subject: string, ...facts: readonly (string | undefined)[]): Line {
  const rest = facts.filter((fact) => fact !== undefined).join(" · ");
  return { style: "item", spans: [{ text: subject, style: "strong" }, { text: ` · ${rest}` }] };
}

/** A button whose target is passed to `runAction`. */
export function actionButton(
  action: ButtonAction,
  label: string,
  target: string,
  state: { isDisabled?: boolean; isActive?: boolean } = {},
): Button {
  const { isDisabled = false, isActive = false } = state;
  return { action, label, target, url: undefined, isDisabled, isActive };
}

/** A button that opens an address. */
export function linkButton(action: ButtonAction, label: string, url: string): Button {
  return { action, label, target: undefined, url, isDisabled: false, isActive: false };
}
