import { asText, type Json } from "@koma/fake-chat";
import { scopeKey } from "../methods/profile.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { StoredChat, StoredUser } from "../state/stored.ts";

/**
 * The commands in the app's menu: the narrowest scope with a list, in the user's language or the default one.
 */
export function seeCommands(
  state: FakeState,
  user: StoredUser,
  chat: StoredChat,
): readonly { command: string; description: string }[] {
  const language = user.language?.split("-")[0] ?? "";
  const commandScopes = scopesOf(user, chat).flatMap((scope) => {
    const own = state.commands.get(scopeKey(scope, language));
    const general = state.commands.get(scopeKey(scope, ""));
    return [own, general].filter((list) => list !== undefined);
  });
  return (commandScopes[0] ?? []).map(({ command, description }) => ({
    command: asText(command) ?? "",
    description: asText(description) ?? "",
  }));
}

function scopesOf(user: StoredUser, chat: StoredChat): readonly Json[] {
  const chat_id = chat.id;
  if (chat.kind === "private")
    return [{ type: "chat", chat_id }, { type: "all_private_chats" }, { type: "default" }];
  const isAdmin = ["creator", "administrator"].includes(chat.members.get(user.id) ?? "left");
  const admin = [{ type: "chat_administrators", chat_id }];
  return [
    { type: "chat_member", chat_id, user_id: user.id },
    ...(isAdmin ? admin : []),
    { type: "chat", chat_id },
    ...(isAdmin ? [{ type: "all_chat_administrators" }] : []),
    { type: "all_group_chats" },
    { type: "default" },
  ];
}
