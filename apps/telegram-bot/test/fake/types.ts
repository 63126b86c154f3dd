export * from "./types/chats.ts";
export * from "./types/content.ts";
export * from "./types/fake.ts";
export * from "./types/options.ts";
export * from "./types/seen.ts";
export * from "./types/users.ts";
