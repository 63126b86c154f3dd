import type { Json } from "../state/json.ts";
import type { Rejecter } from "./problems.ts";

/** A file of a multipart request. */
export type UploadedFile = { name: string; fileName: string; bytes: Uint8Array };

/** One call of the bot, read. */
export type Call = {
  method: string;
  parameters: Json;
  files: ReadonlyMap<string, UploadedFile>;
  encoding: "json" | "form" | "multipart" | "query" | "webhook";
  reject: Rejecter;
};

/** What a method does; its result is what `result` carries. */
export type Handler = (call: Call) => unknown;
