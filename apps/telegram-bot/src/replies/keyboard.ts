import { type Button, type ButtonAction, isPublicAddress, type Menu, type Reply } from "@koma/bot-core";
import { createTranslator } from "@koma/messages";
import type { InlineKeyboardButton } from "grammy/types";
import { cut } from "./runs.ts";

/** What only this bot's own buttons say; the core's targets have no such sign. */
export const ownTargets = { nothing: "~n", menu: (index: number | undefined) => `~m${index ?? ""}` } as const;

/** How the keyboard below a message is to look. */
export type KeyboardOptions = {
  /** The bot's name, for addresses that lead to the private chat. */
  username: string;
  /** Others read along: what is for one alone is opened in the private chat. */
  isShared: boolean;
  /** The menu that is open, where there are several. */
  openMenu?: number | undefined;
};

type Keyboard = InlineKeyboardButton[][];

/** About what a phone shows in one row, of which every button gets the same part. */
const rowWidth = 45;
const paddingWidth = 3;
const labelLimit = 60;

/** The address that opens the private chat and starts the bot there. */
export function deepLink(username: string, payload: string): string {
  return `https://t.me/${username}?start=${payload}`;
}

/** The buttons of a reply; undefined where there are none. */
export function writeKeyboard(reply: Reply, options: KeyboardOptions): Keyboard | undefined {
  const rows = [
    ...writeMenus(reply, options.openMenu),
    ...(options.openMenu === undefined ? reply.buttons.flatMap((row) => writeRow(row, reply, options)) : []),
  ];
  return rows.length === 0 ? undefined : rows;
}

function writeRow(row: readonly Button[], reply: Reply, options: KeyboardOptions): Keyboard {
  const isPaging = row.some(({ action }) => action === "previous" || action === "next");
  // What the words link to needs no button.
  const linked = new Set(reply.match?.links.map(({ url }) => url));
  const shown = row.filter(({ url }) => url === undefined || !linked.has(url));
  if (!isPaging) return wrap(shown.flatMap((button) => writeButton(button, options)));
  // Telegram has no buttons that are off, so the place in between says why there is none.
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
  more: "🔎",
  "previous-picture": "⏪",
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
  // The check mark takes the place of the sign: a wider button would move those after it to another row.
  const text = [isActive ? "✓" : signs[action], cut(label, labelLimit), signsBehind[action]]
    .filter((part) => part !== undefined)
    .join(" ");
  // Telegram refuses a button with an address of this machine or its network.
  if (url !== undefined) return isPublicAddress(url) ? [{ text, url }] : [];
  if (target === undefined) return [];
  // A code to approve is nobody else's business.
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

/** One menu shows its options; of several, each shows what is chosen and opens when it is pressed. */
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

/** Buttons in rows, as many in each as a phone shows without cutting their labels. */
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

/** Letters of East Asia, and emoji, take twice the room. */
function widthOf(text: string): number {
  return Array.from(text).reduce(
    (sum, sign) => sum + (/[\u1100-\uffdc\u{1f000}-\u{1ffff}]/u.test(sign) ? 2 : 1),
    0,
  );
}
