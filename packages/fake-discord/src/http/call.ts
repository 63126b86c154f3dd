import type { Json } from "../state/json.ts";

/** A file of a multipart request. */
export type UploadedFile = { index: number; name: string; contentType: string; bytes: Uint8Array };

/** One request of the bot, read and matched to a route. */
export type Call = {
  method: string;
  /** Decoded, below `/api/v10`. */
  path: string;
  /** The template it matches. */
  route: string;
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  files: readonly UploadedFile[];
};

/** What a handler answers. A body of undefined is 204. */
export type Response = { status: number; body?: unknown };

/** A route: its template as in Discord's description, and what it does. */
export type Route = {
  method: string;
  template: string;
  handle: (call: Call, body: Json) => Response | Promise<Response>;
};

/** A parameter of the path, or an error where the template has none of this name. */
export function parameter(call: Call, name: string): string {
  const value = call.parameters[name];
  if (value === undefined) throw new Error(`${call.route} has no ${name}.`);
  return value;
}
