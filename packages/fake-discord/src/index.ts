export { openFake } from "./open-fake.ts";
export { renderMessage } from "./render/render-message.ts";
export type * from "./types.ts";
