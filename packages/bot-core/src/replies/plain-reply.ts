import type { Language } from "@koma/messages";
import type { Reply, ReplyKind } from "../model/reply.ts";
import type { Person } from "../model/request.ts";

/** What a platform itself has to say, as a reply; for the asker alone unless told otherwise. */
export function plainReply(said: {
  language: Language;
  person: Pick<Person, "id">;
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
