import type { Button, ButtonAction, Menu } from "@koma/bot-core";
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIButtonComponentWithSKUId,
  type APIComponentInMessageActionRow,
  ButtonStyle,
  ChannelType,
  ComponentType,
  SelectMenuDefaultValueType,
} from "discord.js";

/** A row of buttons or a menu. */
export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** A button in Discord's format. */
export type RowButton = Exclude<APIButtonComponent, APIButtonComponentWithSKUId>;

const rowLimit = 5;
const optionLimit = 25;

/**
 * Arranges the buttons in as few rows as Discord allows: actions first, then links (`linksFirst`: the other
 * way round).
 */
export function renderButtons(
  buttons: readonly Button[],
  { extra = [], linksFirst = false }: { extra?: readonly RowButton[]; linksFirst?: boolean } = {},
): Row[] {
  const drawn = [...buttons.flatMap(renderButton), ...extra];
  const links = drawn.filter(({ style }) => style === ButtonStyle.Link);
  const others = drawn.filter(({ style }) => style !== ButtonStyle.Link);
  const groups = linksFirst ? [links, others] : [others, links];
  const rows = drawn.length <= rowLimit ? [groups.flat()] : groups.flatMap(inFives);
  return rows.filter((row) => row.length > 0).map(inRow);
}

/** A menu in its own row with its placeholder; undefined without options. */
export function renderMenu(menu: Menu): Row | undefined {
  const common = { custom_id: menu.target, placeholder: menu.label.slice(0, 150) };
  if (menu.kind === "channels") {
    return inRow([
      {
        type: ComponentType.ChannelSelect,
        ...common,
        min_values: 0,
        max_values: optionLimit,
        channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildForum],
        default_values: menu.values
          .slice(0, optionLimit)
          .map((id) => ({ id, type: SelectMenuDefaultValueType.Channel })),
      },
    ]);
  }
  const options = menu.options.slice(0, optionLimit).map((option) => ({
    label: cut(option.label, 100),
    value: option.target,
    default: option.isChosen,
    ...(option.description === undefined ? {} : { description: cut(option.description, 100) }),
  }));
  if (options.length === 0) return undefined;
  return inRow([{ type: ComponentType.StringSelect, ...common, options }]);
}

/** A row with these components. */
function inRow(components: APIComponentInMessageActionRow[]): Row {
  return { type: ComponentType.ActionRow, components };
}

const signs: Partial<Record<ButtonAction, string>> = {
  previous: "◀️",
  next: "▶️",
  "previous-picture": "◀️",
  "next-picture": "▶️",
  right: "✅",
  wrong: "❌",
  more: "🔎",
  show: "👁️",
  delete: "🗑️",
  link: "🔗",
  retry: "🔁",
  forget: "🗑️",
  revoke: "🔑",
};

function inFives(buttons: readonly RowButton[]): RowButton[][] {
  const count = Math.ceil(buttons.length / rowLimit);
  return Array.from({ length: count }, (_, row) => buttons.slice(row * rowLimit, (row + 1) * rowLimit));
}

function renderButton(button: Button): RowButton[] {
  const sign = signs[button.action];
  const common = {
    type: ComponentType.Button as const,
    label: cut(button.label, 80),
    disabled: button.isDisabled,
    ...(sign === undefined ? {} : { emoji: { name: sign } }),
  };
  if (button.url !== undefined) {
    if (button.url.length > 512) return [];
    return [{ ...common, style: ButtonStyle.Link, url: button.url }];
  }
  if (button.target === undefined) return [];
  return [{ ...common, style: styleOf(button), custom_id: button.target }];
}

function styleOf({ action, isActive }: Button) {
  if (isActive) return action === "wrong" ? ButtonStyle.Danger : ButtonStyle.Success;
  if (action === "forget" || action === "revoke") return ButtonStyle.Danger;
  return action === "more" || action === "link" || action === "show"
    ? ButtonStyle.Primary
    : ButtonStyle.Secondary;
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
