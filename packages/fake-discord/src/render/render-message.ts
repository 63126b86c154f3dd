import { asNumber, asObject, asObjects, asText, escapeHtml, type Json, renderFile } from "@koma/fake-chat";
import type { Message } from "../types.ts";
import { renderMarkdown } from "./markdown.ts";
import { type RenderContext, renderComponents, renderMedia } from "./render-components.ts";
import { style } from "./style.ts";

/** A page that shows the message in the style of one of Discord's themes, with embedded images. */
export function renderMessage(
  message: Message,
  { theme = "dark" }: { theme?: "light" | "dark" } = {},
): string {
  const raw = asObject(message.raw) ?? {};
  const context = createContext(message, raw);
  const interaction = asObject(raw.interaction);
  const used = interaction
    ? `<div class="used"><b>${escapeHtml(asText(asObject(interaction.user)?.global_name) ?? "")}</b> used <a>/${escapeHtml(asText(interaction.name) ?? "")}</a></div>`
    : "";
  const body = message.isThinking
    ? '<div class="thinking">● ● ● is thinking…</div>'
    : renderBody(message, raw, context);
  const alert = message.isEphemeral
    ? '<div class="notice">👁 Only you can see this • Dismiss message</div>'
    : "";
  const app = message.author.isBot ? '<span class="app">APP</span>' : "";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>${style}</style></head><body class="${theme}">
<div class="message${message.isEphemeral ? " private" : ""}">${used}
<div class="avatar">${escapeHtml(message.author.name.slice(0, 1))}</div>
<div><span class="name">${escapeHtml(message.author.name)}</span>${app}<span class="when">${escapeHtml(asText(raw.timestamp)?.slice(11, 16) ?? "")}</span>
${body}</div>${alert}</div></body></html>`;
}

function renderBody(message: Message, raw: Json, context: RenderContext): string {
  const content =
    message.content === "" ? "" : `<div class="text">${renderMarkdown(message.content, context.names)}</div>`;
  const attachments = asObjects(raw.attachments).map((one) => {
    const name = asText(one.filename) ?? "";
    const isShown = /^(image|video)\//.test(asText(one.content_type) ?? "");
    const url = asText(one.url) ?? "";
    return isShown
      ? renderMedia(url, name.startsWith("SPOILER_"), context)
      : renderFile(name, asNumber(one.size) ?? 0);
  });
  const embeds = asObjects(raw.embeds).map((embed) => renderEmbed(embed, context));
  // Discord shows files below components V2 only if a component references them.
  const files = message.isComponentsV2 ? [] : attachments;
  return [content, ...embeds, ...files, renderComponents(asObjects(raw.components), context)].join("");
}

function renderEmbed(embed: Json, context: RenderContext): string {
  const title = asText(embed.title);
  const description = asText(embed.description);
  const image = asText(asObject(embed.image)?.url) ?? asText(asObject(embed.thumbnail)?.url);
  return `<div class="embed">${title ? `<h3>${escapeHtml(title)}</h3>` : ""}${description ? renderMarkdown(description, context.names) : ""}${image ? renderMedia(image, false, context) : ""}</div>`;
}

function createContext(message: Message, raw: Json): RenderContext {
  const files = new Map(message.files.map((file) => [file.id, file]));
  const hosted = new Map(message.media.map((one) => [one.url, one.bytes]));
  const names = asObjects(raw.mentions).map(
    (user) => [asText(user.id) ?? "", asText(user.global_name) ?? asText(user.username) ?? ""] as const,
  );
  return {
    names: new Map(names),
    find(url) {
      const file = files.get(/\/attachments\/\d+\/(\d+)\//.exec(url)?.[1] ?? "");
      if (file) return file;
      const bytes = hosted.get(url);
      return bytes && { contentType: "image/*", bytes };
    },
  };
}
