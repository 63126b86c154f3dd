import { asList, asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import type { Rejecter } from "../http/call.ts";
import { checkAddress } from "./address-rules.ts";

const styles = ["text", "icon_custom_emoji_id", "style"];

/** The rows of an inline keyboard; empty without one, or for another kind of keyboard. */
export function readKeyboard(
  reject: Rejecter,
  username: string,
  markup: unknown,
): readonly (readonly Json[])[] {
  const params = asObject(markup);
  if (params?.inline_keyboard === undefined) return [];
  const rows = asList(params.inline_keyboard).map(asObjects);
  const count = rows.flat().length;
  if (count > 100) reject.refuse("keyboard", `has ${count} buttons, 100 are allowed`);
  for (const [index, row] of rows.entries()) {
    if (row.length > 8) reject.blame("keyboard", `row ${index + 1} has ${row.length} buttons, 8 are allowed`);
    if (row.length === 0) reject.blame("keyboard", `row ${index + 1} is empty`);
    for (const button of row) checkButton(reject, username, button);
  }
  return rows.filter((row) => row.length > 0);
}

function checkButton(reject: Rejecter, username: string, button: Json) {
  const text = asText(button.text) ?? "";
  const actions = Object.keys(button).filter((name) => !styles.includes(name));
  if (text.trim() === "") reject.refuse("keyboard", "a button has no text");
  if (actions.length !== 1)
    reject.refuse(
      "keyboard",
      `button "${text}" has ${actions.join(" and ") || "no action"}: exactly one is allowed`,
    );
  const size = Buffer.byteLength(asText(button.callback_data) ?? "");
  if (button.callback_data !== undefined && (size < 1 || size > 64))
    reject.refuse("keyboard", `callback_data of "${text}" has ${size} bytes, 1 to 64 are allowed`);
  if (button.url !== undefined) checkAddress(reject, username, asText(button.url) ?? "", `button "${text}"`);
}
