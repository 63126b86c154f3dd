import type { Json } from "@koma/fake-chat";

/** The n-th file of a multipart request. */
type UploadedFile = { index: number; name: string; bytes: Uint8Array };

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
export type Response = { status: number; body?: unknown; headers?: Record<string, string> };

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

/** The method and path, without the interaction's token. */
export function describeCall(call: Call): string {
  const token = call.parameters.interaction_token ?? call.parameters.webhook_token;
  const path = token === undefined || token === "" ? call.path : call.path.replace(token, "{token}");
  return `${call.method} ${path}`;
}
