export { takeImage, takeImages } from "@koma/bot-core/testing/take-image";
export { openFake } from "./open-fake.ts";
export type * from "./types.ts";
