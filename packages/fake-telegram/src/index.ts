import type { openFake } from "./open-fake.ts";

export type { GroupOptions } from "./driver/create-chat.ts";
export type { User } from "./driver/create-user.ts";
export type { Written } from "./driver/write.ts";
export { openFake } from "./open-fake.ts";
export type { Chat, Message } from "./state/chat.ts";
export type { FakeOptions } from "./state/defaults.ts";

/** A fake Telegram. */
export type Fake = Awaited<ReturnType<typeof openFake>>;
