export type * from "./types/options.ts";
export type * from "./types/people.ts";
export type * from "./types/places.ts";
export type * from "./types/seen.ts";
export type * from "./types/stand-in.ts";
