export type * from "./types/driver.ts";
export type * from "./types/fake.ts";
export type * from "./types/options.ts";
