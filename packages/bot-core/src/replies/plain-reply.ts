import { type BotTranslator, chooseLanguage, createTranslator, type Language } from "@koma/messages";
import type { Reply, ReplyKind } from "../model/reply.ts";
import type { Person, Requester } from "../model/request.ts";
import { buildReply, line } from "./build-reply.ts";

/** A message of the platform itself as a reply; private by default. */
export function plainReply({
  person,
  texts = [],
  ...options
}: {
  language: Language;
  person: Pick<Person, "id">;
  kind?: ReplyKind;
  title?: string;
  texts?: readonly string[];
  isPrivate?: boolean;
}): Reply {
  const lines = texts.map((text) => line(text));
  return buildReply(options, person, { kind: "text", isPrivate: true, ...options, lines });
}

/** States that a request waited too long for its reply. */
export function expiredReply({ t, language }: BotTranslator, person: Pick<Person, "id">): Reply {
  const words = { title: t("reply.expired.title"), texts: [t("reply.expired.text")] };
  return plainReply({ language, person, kind: "expired", isPrivate: false, ...words });
}

/** States that a request failed, without a look at the person's settings, which may be what failed. */
export function failureReply({ person, chat }: Requester): Reply {
  const { t, language } = createTranslator(chooseLanguage([person.locale, chat.locale]));
  return plainReply({ language, person, kind: "failure", texts: [t("reply.oops")], isPrivate: false });
}
