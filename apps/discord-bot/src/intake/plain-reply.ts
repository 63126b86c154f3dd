import type { Person, Reply, ReplyKind } from "@koma/bot-core";
import type { Language } from "@koma/messages";

/** What the platform itself has to say, as a reply. */
export function plainReply(said: {
  language: Language;
  person: Person;
  kind?: ReplyKind;
  title?: string;
  texts?: readonly string[];
  isPrivate?: boolean;
}): Reply {
  return {
    ...{ kind: said.kind ?? "text", isPrivate: said.isPrivate ?? true, language: said.language },
    ...{ askedBy: said.person.id, resultId: undefined, title: said.title },
    lines: (said.texts ?? []).map((text) => ({ spans: [{ text }], style: "normal" as const })),
    ...{ match: undefined, preview: undefined, buttons: [], menus: [] },
    ...{ retryAt: undefined, privately: undefined },
  };
}
