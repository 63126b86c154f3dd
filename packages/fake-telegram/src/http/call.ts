import type { Json, UploadedFile } from "@koma/fake-chat";
import type { Rejecter } from "./problems.ts";

/** One parsed call of the bot. */
export type Call = {
  method: string;
  parameters: Json;
  files: ReadonlyMap<string, UploadedFile>;
  reject: Rejecter;
};

/** The implementation of a method; its return value becomes `result`. */
export type Handler = (call: Call) => unknown;
