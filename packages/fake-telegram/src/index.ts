import type { openFake } from "./open-fake.ts";

export { openFake } from "./open-fake.ts";
export type * from "./types.ts";

/** A fake Telegram. */
export type Fake = Awaited<ReturnType<typeof openFake>>;
