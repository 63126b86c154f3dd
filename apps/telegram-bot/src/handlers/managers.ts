import type { Api } from "grammy";
import type { UserFromGetMe } from "grammy/types";

/** Checks with Telegram whether a user administers a group. */
export async function isManager(
  api: Api,
  { chatId, userId }: { chatId: number; userId: number | undefined },
): Promise<boolean> {
  if (userId === undefined) return false;
  try {
    const { status } = await api.getChatMember(chatId, userId);
    return status === "creator" || status === "administrator";
  } catch {
    return false;
  }
}

/**
 * True if Telegram hides the group's messages that do not address the bot: Group Privacy is on, and the bot is
 * no administrator.
 */
export async function hidesOtherMessages(api: Api, chatId: number, bot: UserFromGetMe): Promise<boolean> {
  return !bot.can_read_all_group_messages && !(await isManager(api, { chatId, userId: bot.id }));
}
