import {
  type Button,
  type Line,
  linkButton,
  type MatchCard,
  type Menu,
  type Preview,
  type PreviewFile,
  type Reply,
} from "@koma/bot-core";
import { createTranslator } from "@koma/messages";
import {
  type ButtonBuilder,
  ComponentType,
  ContainerBuilder,
  MediaGalleryBuilder,
  SectionBuilder,
  SeparatorBuilder,
  SeparatorSpacingSize,
  TextDisplayBuilder,
  ThumbnailBuilder,
} from "discord.js";
import { type Row, renderButtons, renderMenu } from "./buttons.ts";
import { colourOf } from "./colours.ts";
import { escapeText, hide, orderLines, writeLine } from "./markdown.ts";
import type { OutgoingFile, OutgoingMessage, SavedFile } from "./message.ts";

/** How a reply is rendered. */
export type RenderOptions = {
  /** Buttons that the platform adds. */
  extraButtons?: readonly ButtonBuilder[];
  /** The file that the edited message already has for this preview. */
  saved?: SavedFile | undefined;
  /** The still or the clip, once it is fetched. */
  file?: PreviewFile | undefined;
};

/** Discord limits the total text of a message. */
const textLimit = 4000;
/** Discord limits the content of a message without Components V2. */
const contentLimit = 2000;

/** Renders a reply as a card: title, match, the preview that is given, buttons. */
export function renderReply(reply: Reply, options: RenderOptions = {}): OutgoingMessage {
  const { saved, extraButtons = [] } = options;
  const { description = "" } = reply.preview ?? {};
  const file =
    saved === undefined && options.file !== undefined ? { ...options.file, description } : undefined;
  return {
    components: [buildCard(reply, saved ?? file, extraButtons)],
    files: file === undefined ? [] : [file],
    saved: saved === undefined ? [] : [saved],
  };
}

/** Builds the card. Throws UnwritableReplyError if a builder rejects a value. */
function buildCard(
  reply: Reply,
  file: Pick<OutgoingFile, "name" | "description"> | undefined,
  extra: readonly ButtonBuilder[],
) {
  try {
    const { header, footer } = fitTexts(writeTexts(reply));
    const card = new ContainerBuilder().setAccentColor(colourOf(reply.kind));
    const [first, ...others] = header;
    const image = findImage(reply);
    if (first !== undefined && image !== undefined) card.addSectionComponents(drawBesideImage(first, image));
    else if (first !== undefined) card.addTextDisplayComponents(drawText(first));
    for (const text of others) card.addTextDisplayComponents(drawText(text));
    if (file !== undefined) card.addMediaGalleryComponents(drawGallery(file, reply.preview));
    for (const text of footer) card.addTextDisplayComponents(drawText(text));
    const menus = reply.menus.flatMap((menu) => drawMenu(menu, reply));
    const rows = renderButtons([...reply.buttons.flat(), ...listLinks(reply)], {
      extra,
      linksFirst: reply.kind === "link",
    });
    if (card.components.length > 0 && menus.length + rows.length > 0) {
      card.addSeparatorComponents(
        new SeparatorBuilder().setDivider(true).setSpacing(SeparatorSpacingSize.Small),
      );
    }
    for (const { label, row } of menus) {
      if (label !== undefined) card.addTextDisplayComponents(drawText(label));
      card.addActionRowComponents(row);
    }
    card.addActionRowComponents(rows);
    if (card.components.length === 0) card.addTextDisplayComponents(drawText("…"));
    return card.toJSON();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnwritableReplyError(`A builder of discord.js rejects the reply: ${reason}`, { cause });
  }
}

/** The builders of discord.js reject a value of a reply, as Discord would. */
export class UnwritableReplyError extends Error {
  override readonly name = "UnwritableReplyError";
}

/**
 * Renders a reply as plain text, for the case that Discord rejects the card. `isEdit`: the message has
 * components, and Discord does not accept content in their place.
 */
export function renderPlainText(reply: Reply, { isEdit }: { isEdit: boolean }): OutgoingMessage {
  const { header, footer } = writeTexts(reply);
  const links = [...reply.buttons.flat(), ...listLinks(reply)].flatMap(({ url }) => url ?? []);
  const text = joinLines([...header, ...footer, ...links.map((url) => `<${url}>`)]) || "…";
  const content = text.length <= contentLimit ? text : cutAtLine(text, contentLimit);
  const empty = { files: [], saved: [] };
  return isEdit
    ? { ...empty, components: [{ type: ComponentType.TextDisplay, content }] }
    : { ...empty, content, components: [] };
}

/** The texts above and below the preview. */
function writeTexts(reply: Reply): { header: string[]; footer: string[] } {
  const { header, footer } = writeSectionsOf(reply);
  const order = (text: string) => orderLines(text, reply.language);
  return { header: header.map(order), footer: footer.map(order) };
}

function writeSectionsOf(reply: Reply): { header: string[]; footer: string[] } {
  const { match, title } = reply;
  const sections = writeSections(reply.lines);
  if (match === undefined) {
    const [first = "", ...rest] = sections;
    return { header: [joinLines([heading(title, false), first]), ...rest], footer: [] };
  }
  // The title of a scene is the anime's, unless the reply has another one.
  const above = title === undefined || title === match.title ? "" : `-# ${escapeText(title)}`;
  return { header: [joinLines([above, writeMatch(match, reply)])], footer: sections };
}

/** Each heading starts a new section, because Discord adds space between sections. */
function writeSections(lines: readonly Line[]): string[] {
  const sections: string[][] = [[]];
  for (const line of lines) {
    if (line.style === "heading") sections.push([]);
    sections.at(-1)?.push(writeLine(line));
  }
  return sections.map(joinLines);
}

/** A menu below its label, because selected options hide its placeholder. */
function drawMenu(menu: Menu, { kind, language }: Reply): { label: string | undefined; row: Row }[] {
  const row = renderMenu(menu);
  if (row === undefined) return [];
  const label = kind === "settings" ? orderLines(`**${escapeText(menu.label)}**`, language) : undefined;
  return [{ label, row }];
}

/** Links to the anime that no button opens. */
function listLinks({ buttons, match }: Reply): Button[] {
  const opened = new Set(buttons.flat().map(({ url }) => url));
  const links = match?.links.filter(({ url }) => !opened.has(url)) ?? [];
  return links.map(({ label, url }) => linkButton("open", label, url));
}

function writeMatch(match: MatchCard, { language }: Reply): string {
  const { rank: number, count: total, hasSpoiler: isHidden } = match;
  const position = createTranslator(language).t("reply.position", { number, total });
  const where = [match.episodeLine, match.timeLine].filter((part) => part !== undefined).map(escapeText);
  return joinLines([
    heading(match.title, isHidden),
    match.subtitle === undefined ? "" : `-# ${hide(escapeText(match.subtitle), isHidden)}`,
    match.workLine === undefined ? "" : `-# ${hide(escapeText(match.workLine), isHidden)}`,
    hide(`**${where.join(" · ")}**`, isHidden),
    escapeText(match.similarityLine),
    total > 1 ? `-# ${escapeText(position)}` : "",
    ...match.notes.map((note) => `-# ${escapeText(note)}`),
  ]);
}

function heading(title: string | undefined, isHidden: boolean): string {
  return title === undefined ? "" : `### ${hide(escapeText(title), isHidden)}`;
}

function joinLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}

/** Long text is truncated at the end of a line, starting with the last section. */
function fitTexts({ header, footer }: { header: string[]; footer: string[] }) {
  let left = textLimit;
  const fit = (text: string) => {
    const fitted = text.length <= left ? text : cutAtLine(text, left);
    left -= fitted.length;
    return fitted;
  };
  return {
    header: header.map(fit).filter((text) => text !== ""),
    footer: footer.map(fit).filter((text) => text !== ""),
  };
}

function cutAtLine(text: string, limit: number): string {
  const end = text.lastIndexOf("\n", limit - 2);
  return end <= 0 ? text.slice(0, Math.max(0, limit - 1)) : `${text.slice(0, end)}\n…`;
}

function drawGallery(
  { name, description }: Pick<OutgoingFile, "name" | "description">,
  preview: Preview | undefined,
): MediaGalleryBuilder {
  return new MediaGalleryBuilder().addItems((item) => {
    item.setURL(`attachment://${name}`).setSpoiler(preview?.hasSpoiler ?? false);
    return description === "" ? item : item.setDescription(description.slice(0, 1024));
  });
}

/** The image beside the title: the searched one, or else the cover of the anime. */
function findImage({ searchedImageUrl, match, language }: Reply) {
  if (searchedImageUrl !== undefined)
    return { url: searchedImageUrl, description: createTranslator(language).t("reply.askedPicture") };
  return match?.coverUrl === undefined ? undefined : { url: match.coverUrl, description: match.title };
}

/** The text with an image as a thumbnail, which Discord loads from its address. */
function drawBesideImage(
  text: string,
  { url, description }: { url: string; description: string },
): SectionBuilder {
  return new SectionBuilder()
    .addTextDisplayComponents(drawText(text))
    .setThumbnailAccessory(new ThumbnailBuilder().setURL(url).setDescription(description.slice(0, 1024)));
}

function drawText(content: string): TextDisplayBuilder {
  return new TextDisplayBuilder().setContent(content);
}
