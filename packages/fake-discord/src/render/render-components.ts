import {
  asNumber,
  asObject,
  asObjects,
  asText,
  escapeHtml,
  type Json,
  renderFile,
  toDataUrl,
} from "@koma/fake-chat";
import { renderMarkdown } from "./markdown.ts";

/** The data for rendering a message in addition to its components. */
export type RenderContext = {
  /** The bytes and type of a hosted file by its address; undefined for others. */
  find: (url: string) => { contentType: string; bytes: Uint8Array } | undefined;
  /** Names of users by id. */
  names: ReadonlyMap<string, string>;
};

/** Renders the components of a message, in Discord's format, as HTML. */
export function renderComponents(components: readonly Json[], context: RenderContext): string {
  return components.map((component) => renderComponent(component, context)).join("");
}

/** An image or clip with its bytes embedded in the page. */
export function renderMedia(url: string, isSpoiler: boolean, context: RenderContext): string {
  const file = context.find(url);
  const inner = file
    ? renderShown(file)
    : `<div class="missing">${escapeHtml(url.startsWith("http") ? url.replace(/\?.*/, "") : url)}</div>`;
  return `<div class="media${isSpoiler ? " spoiler" : ""}">${inner}</div>`;
}

function renderComponent(component: Json, context: RenderContext): string {
  const children = () => renderComponents(asObjects(component.components), context);
  switch (component.type) {
    case 1:
      return `<div class="row">${children()}</div>`;
    case 2:
      return renderButton(component);
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return renderSelect(component);
    case 9:
      return `<div class="section"><div class="texts">${children()}</div><div>${renderAccessory(component, context)}</div></div>`;
    case 10:
      return `<div class="text">${renderMarkdown(asText(component.content) ?? "", context.names)}</div>`;
    case 12:
      return renderGallery(asObjects(component.items), context);
    case 13:
      return renderFile(asText(component.name) ?? "file", asNumber(component.size) ?? 0);
    case 14:
      return component.divider === false
        ? '<div class="space"></div>'
        : `<hr class="${component.spacing === 2 ? "large" : ""}">`;
    case 17:
      return renderContainer(component, children());
    default:
      return `<div class="missing">component of type ${escapeHtml(String(component.type))}</div>`;
  }
}

function renderContainer(container: Json, children: string): string {
  const color = asNumber(container.accent_color);
  const bar =
    color === undefined
      ? ""
      : `<div class="bar" style="background:#${color.toString(16).padStart(6, "0")}"></div>`;
  const veil = container.spoiler === true ? ' style="filter: blur(12px)"' : "";
  return `<div class="container${color === undefined ? "" : " accent"}"${veil}>${bar}${children}</div>`;
}

function renderButton(button: Json): string {
  const emoji = asText(asObject(button.emoji)?.name);
  const label = [emoji, asText(button.label)].filter((part) => part !== undefined).join(" ");
  const classes = `button style${String(button.style)}${button.disabled === true ? " disabled" : ""}`;
  return `<span class="${classes}">${escapeHtml(label)}</span>`;
}

function renderSelect(select: Json): string {
  const options = asObjects(select.options);
  const chosen = options.find((option) => option.default === true);
  const shown = asText(chosen?.label) ?? asText(select.placeholder) ?? "Make a selection";
  const list = options.map((option) => {
    const description = asText(option.description);
    return `<div>${escapeHtml(asText(option.label) ?? "")}${description ? `<small>${escapeHtml(description)}</small>` : ""}</div>`;
  });
  return `<div class="choice"><div class="select"><span>${escapeHtml(shown)}</span><span>⌄</span></div><div class="options">${list.join("")}</div></div>`;
}

function renderAccessory(section: Json, context: RenderContext): string {
  const accessory = asObject(section.accessory) ?? {};
  if (accessory.type === 2) return renderButton(accessory);
  return renderMedia(asText(asObject(accessory.media)?.url) ?? "", accessory.spoiler === true, context);
}

function renderGallery(items: readonly Json[], context: RenderContext): string {
  const media = items.map((item) =>
    renderMedia(asText(asObject(item.media)?.url) ?? "", item.spoiler === true, context),
  );
  return `<div class="gallery${items.length > 1 ? " many" : ""}">${media.join("")}</div>`;
}

function renderShown(file: { contentType: string; bytes: Uint8Array }): string {
  const source = toDataUrl(file.bytes, file.contentType);
  if (!file.contentType.startsWith("video/")) return `<img alt="" src="${source}">`;
  return `<video muted preload="auto" src="${source}#t=0.1"></video><span class="play">▶ clip</span>`;
}
