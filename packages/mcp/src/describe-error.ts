import { ApiProblem, NetworkFailure, UnexpectedResponse } from "@koma/client";

/** An input that a tool does not accept. */
export class ToolInputError extends Error {
  override readonly name = "ToolInputError";
}

/** Describes an error for the model: the problem and the remedy. Errors that are defects are thrown again. */
export function describeError(error: unknown): string {
  if (error instanceof ToolInputError || error instanceof NetworkFailure) return error.message;
  if (error instanceof UnexpectedResponse)
    return `This address does not respond like a Koma server. ${error.message}`;
  if (!(error instanceof ApiProblem)) throw error;
  const advice = advices[error.code];
  const when = describeRetry(error);
  return [`${error.detail} (${error.code})`, advice, when].filter((part) => part !== undefined).join(" ");
}

const advices: { [Code in ApiProblem["code"]]?: string } = {
  unauthenticated: "Configure an API key of this Koma server.",
  invalid_api_key: "Create a new API key on the page of this Koma server and configure it.",
  url_fetch_failed: "Send the image itself instead of its address.",
  url_not_allowed: "Send the image itself instead of its address.",
};

function describeRetry({ retryAfterSeconds, quota }: ApiProblem): string | undefined {
  if (retryAfterSeconds !== undefined) return `Try again in ${Math.ceil(retryAfterSeconds)} seconds.`;
  return quota === undefined ? undefined : `Searches are available again at ${quota.resetsAt}.`;
}
