import { type Button, type ButtonAction, isPublicAddress, type Menu, type Reply } from "@koma/bot-core";
import { createTranslator } from "@koma/messages";
import type { InlineKeyboardButton } from "grammy/types";
import { cut } from "./runs.ts";

/** Targets of this bot's own buttons; the core's targets never contain "~". */
export const ownTargets = { nothing: "~n", menu: (index: number | undefined) => `~m${index ?? ""}` } as const;

/** The options of a message's keyboard. */
export type KeyboardOptions = {
  /** The bot's name, for deep links to the private chat. */
  username: string;
  /** Others can see the message, so private actions open in the private chat. */
  isShared: boolean;
  /** The open menu of several. */
  openMenu?: number | undefined;
};

type Keyboard = InlineKeyboardButton[][];

/** The approximate characters in one row on a phone; the buttons of a row have equal widths. */
const rowWidth = 45;
const paddingWidth = 3;
const labelLimit = 60;

/** The deep link that opens the private chat and starts the bot there. */
export function deepLink(username: string, payload: string): string {
  return `https://t.me/${username}?start=${payload}`;
}

/** The buttons of a reply; undefined if there are none. */
export function writeKeyboard(reply: Reply, options: KeyboardOptions): Keyboard | undefined {
  const rows = [
    ...writeMenus(reply, options.openMenu),
    ...(options.openMenu === undefined ? reply.buttons.flatMap((row) => writeRow(row, reply, options)) : []),
  ];
  return rows.length === 0 ? undefined : rows;
}

function writeRow(row: readonly Button[], reply: Reply, options: KeyboardOptions): Keyboard {
  const isPaging = row.some(({ action }) => action === "previous" || action === "next");
  // A link in the text needs no button.
  const linked = new Set(reply.match?.links.map(({ url }) => url));
  const shown = row.filter(({ url }) => url === undefined || !linked.has(url));
  if (!isPaging) return wrap(shown.flatMap((button) => writeButton(button, options)));
  // Telegram has no disabled buttons, so the button between the arrows shows the position.
  const of = (action: ButtonAction) =>
    row
      .filter((button) => button.action === action && !button.isDisabled)
      .flatMap((button) => writeButton(button, options));
  const { match } = reply;
  const counter =
    match === undefined
      ? []
      : [
          {
            text: createTranslator(reply.language).t("reply.position", {
              number: match.rank,
              total: match.count,
            }),
            callback_data: ownTargets.nothing,
          },
        ];
  return [[...of("previous"), ...counter, ...of("next")]];
}

const signs: Partial<Record<ButtonAction, string>> = {
  previous: "◀️",
  right: "✅",
  wrong: "❌",
  correct: "✏️",
  more: "🔎",
  occurrences: "🎞",
  "previous-picture": "⏪",
  images: "🖼",
  show: "👁",
  delete: "🗑",
  link: "🔗",
  retry: "🔁",
  forget: "🗑",
  open: "🌐",
};
const signsBehind: Partial<Record<ButtonAction, string>> = { next: "▶️", "next-picture": "⏩" };

function writeButton(button: Button, { username, isShared }: KeyboardOptions): InlineKeyboardButton[] {
  const { action, label, target, url, isDisabled, isActive } = button;
  // The check mark replaces the icon: a wider button would move the following ones to another row.
  const text = [isActive ? "✓" : signs[action], cut(label, labelLimit), signsBehind[action]]
    .filter((part) => part !== undefined)
    .join(" ");
  // Telegram rejects a button with a local address.
  if (url !== undefined) return isPublicAddress(url) ? [{ text, url }] : [];
  if (target === undefined) return [];
  // A link code is shown in the private chat only.
  if (action === "link" && isShared) return [{ text, url: deepLink(username, "link") }];
  const style = styleOf(button);
  return [
    {
      text,
      callback_data: isDisabled ? ownTargets.nothing : target,
      ...(style === undefined ? {} : { style }),
    },
  ];
}

function styleOf({ action, isActive }: Button): "danger" | "success" | "primary" | undefined {
  if (isActive) return action === "wrong" ? "danger" : "success";
  if (action === "forget") return "danger";
  return action === "more" || action === "link" || action === "show" ? "primary" : undefined;
}

/** A single menu shows its options. Each of several menus shows its selection and opens on a press. */
function writeMenus({ menus, language }: Reply, open: number | undefined): Keyboard {
  const shown = menus.filter(({ kind }) => kind === "one");
  const [only] = shown;
  if (only !== undefined && shown.length === 1) return writeOptions(only);
  const opened = open === undefined ? undefined : shown[open];
  if (opened !== undefined) {
    const back = {
      text: `‹ ${createTranslator(language).t("button.back")}`,
      callback_data: ownTargets.menu(undefined),
    };
    return [...writeOptions(opened), [back]];
  }
  return shown.map((menu, index) => {
    const chosen = menu.options.find(({ isChosen }) => isChosen);
    const text = chosen === undefined ? menu.label : `${menu.label}: ${chosen.label}`;
    return [{ text: cut(text, labelLimit), callback_data: ownTargets.menu(index) }];
  });
}

function writeOptions({ options }: Menu): Keyboard {
  return wrap(
    options.map(({ target, label, isChosen }) => ({
      text: `${isChosen ? "✓ " : ""}${cut(label, labelLimit)}`,
      callback_data: target,
      ...(isChosen ? { style: "primary" as const } : {}),
    })),
  );
}

/** Rows of buttons, as many in each as fit without truncated labels. */
function wrap(buttons: readonly InlineKeyboardButton[]): Keyboard {
  const rows: Keyboard = [];
  for (const button of buttons) {
    const row = rows.at(-1);
    if (row !== undefined && fits([...row, button])) row.push(button);
    else rows.push([button]);
  }
  return rows;
}

function fits(row: readonly InlineKeyboardButton[]): boolean {
  const widest = Math.max(...row.map(({ text }) => widthOf(text)));
  return row.length * (widest + paddingWidth) <= rowWidth;
}

/** East Asian letters and emoji have double width. */
function widthOf(text: string): number {
  return Array.from(text).reduce(
    (sum, sign) => sum + (/[\u1100-\uffdc\u{1f000}-\u{1ffff}]/u.test(sign) ? 2 : 1),
    0,
  );
}
