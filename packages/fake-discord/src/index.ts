import type { openFake } from "./open-fake.ts";

export { openFake } from "./open-fake.ts";
export type * from "./types.ts";

/** The fake server and its controls. */
export type Fake = Awaited<ReturnType<typeof openFake>>;
