import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** A field of a method or a type. */
export type Field = { name: string; types: readonly string[]; required: boolean; description: string };

/** The machine-readable Bot API. */
export type Description = {
  methods: Readonly<Record<string, { returns: readonly string[]; fields?: readonly Field[] }>>;
  types: Readonly<Record<string, { fields?: readonly Field[]; subtypes?: readonly string[] }>>;
};

const file = new URL("../description/telegram-bot-api.json.br", import.meta.url);
let description: Description | undefined;

/** The description of the Bot API, read once per process. */
export function readDescription(): Description {
  description ??= JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as Description;
  return description;
}
