export { openFake } from "./open-fake.ts";
export type * from "./types.ts";
