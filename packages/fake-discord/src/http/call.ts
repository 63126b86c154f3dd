import type { Json } from "../state/json.ts";

/** A file of a multipart request. */
export type UploadedFile = { index: number; name: string; contentType: string; bytes: Uint8Array };

/** A parsed request of the bot with its route. */
export type Call = {
  method: string;
  /** The decoded path below `/api/v10`. */
  path: string;
  /** The matching template. */
  route: string;
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  files: readonly UploadedFile[];
};

/** The response of a handler. An undefined body is 204. */
export type Response = { status: number; body?: unknown };

/** A route: its template in Discord's description, and its handler. */
export type Route = {
  method: string;
  template: string;
  handle: (call: Call, body: Json) => Response | Promise<Response>;
};

/** A path parameter, or an error if the template has none of this name. */
export function parameter(call: Call, name: string): string {
  const value = call.parameters[name];
  if (value === undefined) throw new Error(`${call.route} has no ${name}.`);
  return value;
}
