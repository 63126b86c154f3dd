import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A field of a method or a type. */
export type Field = { name: string; types: readonly string[]; required: boolean; description: string };

/** The machine-readable Bot API. */
export type Description = {
  methods: Readonly<Record<string, { returns: readonly string[]; fields?: readonly Field[] }>>;
  types: Readonly<Record<string, { fields?: readonly Field[]; subtypes?: readonly string[] }>>;
};

const known = new Map<string, Description | undefined>();

/** The description of a folder, read once a process; undefined where the folder has none. */
export function readDescription(folder: string | undefined): Description | undefined {
  if (folder === undefined) return undefined;
  if (!known.has(folder)) known.set(folder, read(join(folder, "telegram-bot-api.json")));
  return known.get(folder);
}

function read(path: string): Description | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Description) : undefined;
}
