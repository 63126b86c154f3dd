import type { LookupOptions } from "@koma/bot-core";
import type { Message, MessageEntity, UserFromGetMe } from "grammy/types";

/** The parts of a text that the bot uses. */
export type MessageText = {
  /** The command in lower case, without slash and bot name; undefined if there is none. */
  command: string | undefined;
  /** The text after the command. */
  rest: string;
  /** True for a command of another bot. */
  isForOther: boolean;
  isMention: boolean;
  options: LookupOptions;
  /** The first web address. */
  address: { url: string; hasSpoiler: boolean } | undefined;
};

type Texts = Pick<Message, "text" | "caption" | "entities" | "caption_entities">;

/** Reads the text or caption of a message. */
export function readText(message: Texts, bot: Pick<UserFromGetMe, "id" | "username">): MessageText {
  const text = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities ?? [];
  const written = (entity: MessageEntity) => text.slice(entity.offset, entity.offset + entity.length);
  const own = `@${bot.username}`.toLowerCase();
  const first = entities.find(({ type, offset }) => type === "bot_command" && offset === 0);
  const [name = "", target] = first === undefined ? [] : written(first).slice(1).toLowerCase().split("@");
  const isForOther = target !== undefined && `@${target}` !== own;
  const isOwnName = (entity: MessageEntity) =>
    (entity.type === "mention" && written(entity).toLowerCase() === own) ||
    (entity.type === "text_mention" && entity.user.id === bot.id);
  const isAddress = ({ type }: MessageEntity) => type === "url" || type === "text_link";
  const words = without(text, [
    ...(first === undefined ? [] : [first]),
    ...entities.filter((entity) => isOwnName(entity) || isAddress(entity)),
  ]);
  return {
    command: name === "" || isForOther ? undefined : name,
    rest: first === undefined ? "" : text.slice(first.length).trim(),
    isForOther,
    isMention: entities.some(isOwnName),
    options: readOptions(words),
    address: findAddress(text, entities),
  };
}

/** The options in a text of nothing else, in any case: in a sentence these words are words. */
export function readOptions(text: string): LookupOptions {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((word) => word !== "");
  if (words.some((word) => !Object.hasOwn(options, word))) return {};
  return Object.assign({}, ...words.map((word) => options[word]));
}

const options: { [word: string]: LookupOptions | undefined } = {
  mute: { mute: true },
  nocrop: { crop: false },
  text: { preview: "none" },
};

function findAddress(text: string, entities: readonly MessageEntity[]): MessageText["address"] {
  const spoilers = entities.filter(({ type }) => type === "spoiler");
  for (const entity of entities) {
    const url =
      entity.type === "text_link"
        ? entity.url
        : entity.type === "url"
          ? withScheme(text.slice(entity.offset, entity.offset + entity.length))
          : undefined;
    if (url === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url)) continue;
    const hasSpoiler = spoilers.some(
      ({ offset, length }) => offset <= entity.offset && entity.offset < offset + length,
    );
    return { url, hasSpoiler };
  }
  return undefined;
}

/** Telegram marks `site.example/a.jpg` as an address too. */
function withScheme(written: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(written) ? written : `https://${written}`;
}

function without(text: string, entities: readonly MessageEntity[]): string {
  return entities.reduce(
    (left, { offset, length }) => left.slice(0, offset) + " ".repeat(length) + left.slice(offset + length),
    text,
  );
}
