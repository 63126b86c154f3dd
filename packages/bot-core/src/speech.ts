/** Stands in until packages/messages has it. */
export type Language = "en" | "ja" | "zh-Hans" | "zh-Hant" | "ko" | "es" | "pt-BR";
/** Stands in until packages/messages has it. */
export type Speaker = { language: Language };
