export * from "./types/content.ts";
export * from "./types/options.ts";
export * from "./types/people.ts";
export * from "./types/places.ts";
export * from "./types/seen.ts";
export * from "./types/stand-in.ts";
