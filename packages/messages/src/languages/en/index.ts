import type { botTexts } from "./bot.ts";
import type { pageTexts } from "./page.ts";

/** Every area in English: it defines the keys and what they take. */
export type English = typeof botTexts & typeof pageTexts;
