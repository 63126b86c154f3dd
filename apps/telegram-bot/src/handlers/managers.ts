import type { Api } from "grammy";

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
