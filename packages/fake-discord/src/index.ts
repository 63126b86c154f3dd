import type { User } from "./driver/create-user.ts";
import type { openFake } from "./open-fake.ts";
import type { Guild as GuildOf } from "./state/channels.ts";

export type { User } from "./driver/create-user.ts";
export { openFake } from "./open-fake.ts";
export type { Channel, Message } from "./state/channels.ts";
export type { FakeOptions } from "./state/defaults.ts";
export type { Interaction } from "./state/interaction.ts";

/** The fake server and its controls. */
export type Fake = Awaited<ReturnType<typeof openFake>>;

/** A server whose owner is a user of the fake. */
export type Guild = GuildOf<User>;
