import type { Json } from "../state/json.ts";
import type { Rejecter } from "./problems.ts";

/** A file of a multipart request. */
export type UploadedFile = { name: string; fileName: string; bytes: Uint8Array };

/** One parsed call of the bot. */
export type Call = {
  method: string;
  parameters: Json;
  files: ReadonlyMap<string, UploadedFile>;
  encoding: "json" | "form" | "multipart" | "query" | "webhook";
  reject: Rejecter;
};

/** The implementation of a method; its return value becomes `result`. */
export type Handler = (call: Call) => unknown;
