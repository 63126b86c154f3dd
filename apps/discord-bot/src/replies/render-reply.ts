import type { MatchCard, Preview, PreviewFile, Reply } from "@koma/bot-core";
import { type APIComponentInContainer, type APIMessageTopLevelComponent, ComponentType } from "discord.js";
import { type Row, renderButtons, renderMenu } from "./buttons.ts";
import { colourOf } from "./colours.ts";
import { escapeText, hide, writeLine, writeLink } from "./markdown.ts";
import type { OutgoingFile, OutgoingMessage } from "./message.ts";

/** How a reply is to be drawn. */
export type RenderOptions = {
  /** The largest file that may be sent; 0: none. */
  fileLimitBytes: number;
  /** Rows that the platform adds below. */
  extraRows?: readonly Row[];
};

/** Discord counts all text of a message together. */
const textLimit = 4000;

/** A reply as a card: title, what was found, the scene, then what can be done. Never fails for want of a preview. */
export async function renderReply(reply: Reply, options: RenderOptions): Promise<OutgoingMessage> {
  const hasSpoiler = reply.match?.hasSpoiler ?? reply.preview?.hasSpoiler ?? false;
  const file = await fetchPreview(reply.preview, options.fileLimitBytes);
  const texts = fitTexts(writeTexts(reply, hasSpoiler));
  const gallery = file === undefined ? [] : [drawGallery(file, reply.preview)];
  const rows = [
    ...reply.menus.flatMap((menu) => renderMenu(menu) ?? []),
    ...renderButtons(reply.buttons),
    ...(options.extraRows ?? []),
  ];
  const { head, foot } = texts;
  const parts: APIComponentInContainer[] = [
    ...head.map(drawText),
    ...gallery,
    ...foot.map(drawText),
    ...(rows.length > 0 && head.length + foot.length > 0 ? [drawLine()] : []),
    ...rows,
  ];
  const card: APIMessageTopLevelComponent = {
    type: ComponentType.Container,
    accent_color: colourOf(reply.kind),
    components: parts.length > 0 ? parts : [drawText("…")],
  };
  return { components: [card], files: file === undefined ? [] : [file] };
}

function writeTexts(reply: Reply, isHidden: boolean): { head: string[]; foot: string[] } {
  const { match } = reply;
  const title = match === undefined ? reply.title : undefined;
  const own = reply.lines.map((line) => writeLine(line)).join("\n");
  if (match === undefined) return { head: [joinLines([heading(title, false), own])], foot: [] };
  const isAboutMatch = reply.title !== undefined && reply.title !== match.title;
  return {
    head: [
      joinLines([isAboutMatch ? `-# ${escapeText(reply.title ?? "")}` : "", writeMatch(match, isHidden)]),
    ],
    foot: [joinLines([listLinks(reply, match), own])],
  };
}

/** Those that no button opens. */
function listLinks({ buttons }: Reply, { links }: MatchCard): string {
  const opened = new Set(buttons.flat().map(({ url }) => url));
  return links
    .filter(({ url }) => !opened.has(url))
    .map(writeLink)
    .join(" · ");
}

function writeMatch(match: MatchCard, isHidden: boolean): string {
  const where = [match.episodeLine, match.timeLine].filter((part) => part !== undefined).map(escapeText);
  return joinLines([
    heading(match.title, isHidden),
    match.subtitle === undefined ? "" : `-# ${hide(escapeText(match.subtitle), isHidden)}`,
    hide(`**${where.join(" · ")}**`, isHidden),
    escapeText(match.similarityLine),
    ...match.notes.map((note) => `-# ${escapeText(note)}`),
  ]);
}

function heading(title: string | undefined, isHidden: boolean): string {
  return title === undefined ? "" : `### ${hide(escapeText(title), isHidden)}`;
}

function joinLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}

/** What does not fit is cut at the end of a line, from the last part on. */
function fitTexts({ head, foot }: { head: string[]; foot: string[] }) {
  let left = textLimit;
  const fit = (text: string) => {
    const fitted = text.length <= left ? text : cutAtLine(text, left);
    left -= fitted.length;
    return fitted;
  };
  return {
    head: head.map(fit).filter((text) => text !== ""),
    foot: foot.map(fit).filter((text) => text !== ""),
  };
}

function cutAtLine(text: string, limit: number): string {
  const end = text.lastIndexOf("\n", limit - 2);
  return end <= 0 ? text.slice(0, Math.max(0, limit - 1)) : `${text.slice(0, end)}\n…`;
}

async function fetchPreview(
  preview: Preview | undefined,
  limitBytes: number,
): Promise<OutgoingFile | undefined> {
  if (preview === undefined || limitBytes === 0) return undefined;
  const clip: PreviewFile | undefined =
    preview.wanted === "clip" ? await preview.clip(limitBytes) : undefined;
  const file = clip ?? (await preview.still(limitBytes));
  return file === undefined ? undefined : { ...file, description: preview.description };
}

function drawGallery(file: OutgoingFile, preview: Preview | undefined): APIComponentInContainer {
  const item = { media: { url: `attachment://${file.name}` }, spoiler: preview?.hasSpoiler ?? false };
  const description = file.description === "" ? {} : { description: file.description.slice(0, 1024) };
  return { type: ComponentType.MediaGallery, items: [{ ...item, ...description }] };
}

function drawText(content: string): APIComponentInContainer {
  return { type: ComponentType.TextDisplay, content };
}

function drawLine(): APIComponentInContainer {
  return { type: ComponentType.Separator, divider: true, spacing: 1 };
}
