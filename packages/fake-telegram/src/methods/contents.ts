import { asObject, asText, type Json } from "@koma/fake-chat";
import type { Call } from "../http/call.ts";
import { readKeyboard } from "../rules/keyboard-rules.ts";
import { caption, inlineText, messageText, readText } from "../rules/text-rules.ts";
import type { FakeState } from "../state/fake-state.ts";
import { createContent } from "../state/messages.ts";
import type { Content, FileKind } from "../types.ts";
import type { MediaReader } from "./media.ts";

/** Parses the content of a message from the parameters of a call. */
export function createContents(state: FakeState, media: MediaReader) {
  const { username } = state.settings;

  const keyboardOf = (call: Call, markup: unknown) => readKeyboard(call.reject, username, markup);

  const captionOf = (call: Call, params: Json): Partial<Content> => ({
    ...readText(call.reject, username, caption, params),
    hasSpoiler: params.has_spoiler === true,
  });

  return {
    keyboardOf,
    captionOf,

    /** A text message. */
    readText(call: Call, params: Json): Content {
      return createContent({
        ...readText(call.reject, username, messageText, params),
        keyboard: keyboardOf(call, params.reply_markup),
        linkPreview: asObject(params.link_preview_options),
      });
    },

    /**
     * A file with its caption: `params` are the parameters, or one InputMedia; `value` references the file.
     */
    async readMedia(
      call: Call,
      params: Json,
      options: { kind: FileKind; value: string; isInline?: boolean },
    ): Promise<Content> {
      return createContent({
        ...captionOf(call, params),
        media: await media.read(call, options),
        keyboard: keyboardOf(call, params.reply_markup),
      });
    },

    /** The message content of an inline result or a guest reply. */
    async readResult(call: Call, result: Json): Promise<Content> {
      const content = asObject(result.input_message_content);
      const keyboard = keyboardOf(call, result.reply_markup);
      if (content) {
        if (content.message_text === undefined)
          return call.reject.refuse("inline", "the fake supports only texts and files");
        return {
          ...createContent(readText(call.reject, username, inlineText, content)),
          keyboard,
          linkPreview: asObject(content.link_preview_options),
        };
      }
      const source = sources.find(({ field }) => typeof result[field] === "string");
      if (!source)
        return call.reject.refuse(
          "inline",
          `a result of type ${String(result.type)} has no content that the fake supports`,
        );
      const value = asText(result[source.field]) ?? "";
      const file = await media.read(call, { kind: source.kind, value, isInline: true });
      return createContent({ ...captionOf(call, result), media: file, keyboard });
    },
  };
}

/** See `createContents`. */
export type Contents = ReturnType<typeof createContents>;

const sources: readonly { field: string; kind: FileKind }[] = [
  ["photo", "photo"],
  ["video", "video"],
  ["mpeg4", "animation"],
  ["gif", "animation"],
].flatMap(([name, kind]) =>
  ["file_id", "url"].map((ending) => ({ field: `${name}_${ending}`, kind: kind as FileKind })),
);
