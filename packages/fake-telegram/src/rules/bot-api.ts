import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** A field of a method or a type. */
export type Field = { name: string; types: readonly string[]; required: boolean; description: string };

const file = new URL("../description/telegram-bot-api.json.br", import.meta.url);

/** The machine-readable Bot API. */
export const botApi: {
  methods: Readonly<Record<string, { returns: readonly string[]; fields?: readonly Field[] }>>;
  types: Readonly<Record<string, { fields?: readonly Field[]; subtypes?: readonly string[] }>>;
} = JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
