import type { Reply } from "@koma/bot-core";
import type { InlineQuery, InlineQueryResult } from "grammy/types";
import { writeInlineResult } from "../responses/inline-result.ts";
import { isTooOld } from "../telegram/errors.ts";
import type { HandlerParts } from "./parts.ts";
import { readPerson } from "./requester.ts";

const shownResults = 20;
const titleResults = 10;

/** Inline mode: a user shares saved results, and titles of the library, in any chat. */
export function createInline({ core, api, sender, onError }: HandlerParts) {
  return {
    async serve(query: InlineQuery): Promise<void> {
      const person = readPerson(query.from);
      const { t } = await core.translatorFor({ person });
      const replies = await core.ownResults({ person, limit: shownResults });
      const queryText = query.query.trim().toLowerCase();
      const results = replies
        .filter(({ match, title }) =>
          `${match?.title} ${match?.subtitle} ${title}`.toLowerCase().includes(queryText),
        )
        .map(describe);
      const left = Math.min(titleResults, shownResults - results.length);
      if (queryText !== "" && left > 0) {
        const titles = await core.findTitles({ person, query: query.query.trim(), limit: left });
        results.push(...titles.map(describeTitle));
      }
      const empty = replies.length === 0 ? t("reply.inline.empty") : t("reply.inline.noMatch");
      const text = results.length === 0 ? empty : t("reply.inline.start");
      try {
        await api.answerInlineQuery(query.id, results, {
          cache_time: 0,
          is_personal: true,
          button: { text: text.slice(0, 64), start_parameter: "inline" },
        });
      } catch (error) {
        if (!isTooOld(error)) onError("answering an inline query", error);
      }
    },
  };

  function describeTitle(reply: Reply, index: number): InlineQueryResult {
    return writeInlineResult(reply, {
      id: `title.${index}`,
      file: undefined,
      write: (limit) => sender.write(reply, { limit }),
    });
  }

  function describe(reply: Reply, index: number): InlineQueryResult {
    const { preview } = reply;
    // Only the requester can use the buttons of a result, so a shared result has none.
    const shared: Reply = {
      ...reply,
      lines: [],
      buttons: reply.buttons.map((row) => row.filter(({ url }) => url !== undefined)),
    };
    return writeInlineResult(shared, {
      id: `${reply.resultId ?? ""}.${index}`,
      file: preview && sender.previews.findKnown(preview),
      write: (limit) => sender.write(shared, { limit }),
    });
  }
}
