import type { BotTranslator, Language } from "@koma/messages";
import type { Reply, ReplyKind } from "../model/reply.ts";
import type { Person } from "../model/request.ts";

/** A message of the platform itself as a reply; private by default. */
export function plainReply(options: {
  language: Language;
  person: Pick<Person, "id">;
  kind?: ReplyKind;
  title?: string;
  texts?: readonly string[];
  isPrivate?: boolean;
}): Reply {
  return {
    kind: options.kind ?? "text",
    isPrivate: options.isPrivate ?? true,
    language: options.language,
    requesterId: options.person.id,
    resultId: undefined,
    title: options.title,
    lines: (options.texts ?? []).map((text) => ({ spans: [{ text }], style: "normal" as const })),
    match: undefined,
    preview: undefined,
    buttons: [],
    menus: [],
    retryAt: undefined,
    privately: undefined,
  };
}

/** States that a request waited too long for its reply. */
export function expiredReply({ t, language }: BotTranslator, person: Pick<Person, "id">): Reply {
  const words = { title: t("reply.expired.title"), texts: [t("reply.expired.text")] };
  return plainReply({ language, person, kind: "expired", isPrivate: false, ...words });
}
