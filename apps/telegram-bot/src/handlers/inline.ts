import type { Reply } from "@koma/bot-core";
import type { InlineQuery, InlineQueryResult } from "grammy/types";
import { isTooOld } from "../telegram/errors.ts";
import type { Parts } from "./parts.ts";
import { readPerson } from "./requester.ts";

const shownResults = 20;

/** Inline mode: somebody shares in any chat what they found lately. */
export function createInline({ core, api, sender, onError }: Parts) {
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
      const text = results.length === 0 ? t("reply.inline.empty") : t("reply.inline.start");
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

  function describe(reply: Reply, index: number): InlineQueryResult {
    const { match, preview } = reply;
    const file = preview && sender.previews.findKnown(preview);
    // Nobody but its asker could use the buttons of an answer that was passed on.
    const shared: Reply = {
      ...reply,
      lines: [],
      buttons: reply.buttons.map((row) => row.filter(({ url }) => url !== undefined)),
    };
    const { html, keyboard } = sender.write(shared, {
      limit: file === undefined || match?.hasSpoiler === true ? "text" : "caption",
    });
    const id = `${reply.resultId ?? ""}.${index}`;
    const title = match?.title ?? reply.title ?? "…";
    const description = [match?.episodeLine, match?.timeLine].filter(Boolean).join(" · ");
    const caption = { caption: html, parse_mode: "HTML" as const, ...keyboard };
    if (file === undefined || match?.hasSpoiler === true) {
      const content = {
        message_text: html,
        parse_mode: "HTML" as const,
        link_preview_options: { is_disabled: true },
      };
      return { type: "article", id, title, description, input_message_content: content, ...keyboard };
    }
    if (file.kind === "photo") {
      return { type: "photo", id, photo_file_id: file.media, title, description, ...caption };
    }
    if (file.kind === "animation") {
      return { type: "mpeg4_gif", id, mpeg4_file_id: file.media, title, ...caption };
    }
    return { type: "video", id, video_file_id: file.media, title, description, ...caption };
  }
}
