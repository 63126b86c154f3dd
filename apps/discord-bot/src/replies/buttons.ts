import type { Button, ButtonAction, Menu } from "@koma/bot-core";
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ChannelSelectMenuBuilder,
  ChannelType,
  type MessageActionRowComponentBuilder,
  RoleSelectMenuBuilder,
  StringSelectMenuBuilder,
} from "discord.js";

/** A row of buttons or a menu. */
export type Row = ActionRowBuilder<MessageActionRowComponentBuilder>;

const rowLimit = 5;
const optionLimit = 25;

/**
 * Arranges the buttons in as few rows as Discord allows: actions first, then links (`linksFirst`: the other
 * way round).
 */
export function renderButtons(
  buttons: readonly Button[],
  { extra = [], linksFirst = false }: { extra?: readonly ButtonBuilder[]; linksFirst?: boolean } = {},
): Row[] {
  const drawn = [...buttons.flatMap(renderButton), ...extra];
  const links = drawn.filter(isLink);
  const others = drawn.filter((button) => !isLink(button));
  const groups = linksFirst ? [links, others] : [others, links];
  const rows = drawn.length <= rowLimit ? [groups.flat()] : groups.flatMap(inFives);
  return rows.filter((row) => row.length > 0).map(inRow);
}

/** A menu in its own row with its placeholder; undefined without options. */
export function renderMenu(menu: Menu): Row | undefined {
  const placeholder = menu.label.slice(0, 150);
  if (menu.kind === "channels") {
    return inRow([
      new ChannelSelectMenuBuilder()
        .setCustomId(menu.target)
        .setPlaceholder(placeholder)
        .setMinValues(0)
        .setMaxValues(optionLimit)
        .setChannelTypes(ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildForum)
        .setDefaultChannels(menu.values.slice(0, optionLimit)),
    ]);
  }
  if (menu.kind === "roles") {
    return inRow([
      new RoleSelectMenuBuilder()
        .setCustomId(menu.target)
        .setPlaceholder(placeholder)
        .setMinValues(0)
        .setMaxValues(optionLimit)
        .setDefaultRoles(menu.values.slice(0, optionLimit)),
    ]);
  }
  const options = menu.options.slice(0, optionLimit).map((option) => ({
    label: cut(option.label, 100),
    value: option.target,
    default: option.isChosen,
    ...(option.description === undefined ? {} : { description: cut(option.description, 100) }),
  }));
  if (options.length === 0) return undefined;
  return inRow([
    new StringSelectMenuBuilder().setCustomId(menu.target).setPlaceholder(placeholder).setOptions(options),
  ]);
}

/** A row with these components. */
function inRow(components: readonly MessageActionRowComponentBuilder[]): Row {
  return new ActionRowBuilder<MessageActionRowComponentBuilder>().setComponents(...components);
}

const signs: Partial<Record<ButtonAction, string>> = {
  previous: "◀️",
  next: "▶️",
  "previous-picture": "◀️",
  "next-picture": "▶️",
  images: "🖼️",
  right: "✅",
  wrong: "❌",
  correct: "✏️",
  more: "🔎",
  occurrences: "🎞️",
  show: "👁️",
  delete: "🗑️",
  link: "🔗",
  retry: "🔁",
  share: "📣",
  forget: "🗑️",
  revoke: "🔑",
};

function inFives(buttons: readonly ButtonBuilder[]): ButtonBuilder[][] {
  const count = Math.ceil(buttons.length / rowLimit);
  return Array.from({ length: count }, (_, row) => buttons.slice(row * rowLimit, (row + 1) * rowLimit));
}

function renderButton({ url, target, ...button }: Button): ButtonBuilder[] {
  const built = new ButtonBuilder().setLabel(cut(button.label, 80)).setDisabled(button.isDisabled);
  const sign = signs[button.action];
  if (sign !== undefined) built.setEmoji({ name: sign });
  if (url !== undefined) return url.length > 512 ? [] : [built.setStyle(ButtonStyle.Link).setURL(url)];
  return target === undefined ? [] : [built.setStyle(styleOf(button)).setCustomId(target)];
}

function isLink({ data }: ButtonBuilder): boolean {
  return data.style === ButtonStyle.Link;
}

function styleOf({ action, isActive }: Pick<Button, "action" | "isActive">) {
  if (isActive) return action === "wrong" ? ButtonStyle.Danger : ButtonStyle.Success;
  if (action === "forget" || action === "revoke") return ButtonStyle.Danger;
  return action === "more" || action === "link" || action === "show"
    ? ButtonStyle.Primary
    : ButtonStyle.Secondary;
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
