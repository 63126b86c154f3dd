export type * from "./types/channels.ts";
export type * from "./types/fake.ts";
export type * from "./types/options.ts";
export type * from "./types/seen.ts";
export type * from "./types/users.ts";
