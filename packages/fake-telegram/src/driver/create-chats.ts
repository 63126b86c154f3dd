import { getFrom, mimeTypeOf } from "@koma/fake-chat";
import type { FakeState } from "../state/fake-state.ts";
import type { MemberStatus } from "../state/stored.ts";
import type { Channel, Chat, GroupOptions, OwnFile, User } from "../types.ts";
import { type ChatEvents, createChat } from "./chats.ts";

/** Creates groups, private chats of two users, channels and files of the web. */
export function createChatsFactory(
  state: FakeState,
  parts: {
    events: ChatEvents;
    view: (id: number) => Chat;
    createUser: (options?: { name?: string }) => User;
  },
) {
  const { events, view, createUser } = parts;
  const supergroupId = () => -1_000_000_000_000 - 1000 - state.createNumber();

  return {
    createGroup(options: GroupOptions = {}): Chat {
      const kind = options.kind ?? "supergroup";
      const [owner = createUser({ name: "Owner" }), ...others] = options.members ?? [];
      const members = new Map<number, MemberStatus>([
        [owner.id, "creator"],
        ...others.map(({ id }) => [id, "member"] as const),
        ...(options.admins ?? []).map(({ id }) => [id, "administrator"] as const),
      ]);
      const id = kind === "group" ? -1000 - state.createNumber() : supergroupId();
      const chat = createChat({
        id,
        kind,
        title: options.title ?? "Anime group",
        username: options.username,
        isForum: options.isForum ?? false,
        members,
      });
      state.chats.set(id, chat);
      if (options.hasBot ?? true)
        events.setMember(chat, state.bot.id, "member", getFrom(state.users, owner.id, "user"));
      if (options.isBotAdmin) view(id).promoteBot();
      return view(id);
    },

    /** For the bot, such a chat has the id of the other user, and is not the bot's chat with that user. */
    createPrivate(one: User, other: User): Chat {
      const id = 900_000_000 + state.createNumber();
      const members = new Map<number, MemberStatus>([one, other].map((user) => [user.id, "member"]));
      state.chats.set(id, createChat({ id, kind: "private", title: other.name, members }));
      return view(id);
    },

    createChannel(options: { title?: string; username?: string } = {}): Channel {
      const id = supergroupId();
      const title = options.title ?? "Anime channel";
      state.chats.set(id, createChat({ id, kind: "channel", title, username: options.username }));
      return { id, title, username: options.username };
    },

    hostFile: ({ name, bytes, mimeType = mimeTypeOf(name) }: OwnFile & { name: string }): string =>
      `${state.origin}${state.web.host({ name, bytes, contentType: mimeType })}`,
  };
}
