import type { Configuration } from "@koma/config";

/** One message to the operators. */
export type Notification = {
  condition: string;
  state: "problem" | "solved";
  message: string;
  /** The public address of this site. */
  site: string;
  at: Date;
};

/**
 * Sends a message to `KOMA_NOTIFY_URL`, without redirects and for at most ten seconds. Throws when the response is
 * no success; the error names no address, which can contain a token.
 */
export async function sendNotification(
  { url, format }: { url: string; format: Configuration["KOMA_NOTIFY_FORMAT"] },
  notification: Notification,
): Promise<void> {
  const { body, ...headers } = write(format, notification);
  const response = await fetch(url, {
    method: "POST",
    body,
    headers,
    redirect: "error",
    signal: AbortSignal.timeout(10_000),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`KOMA_NOTIFY_URL responded with status ${response.status}.`);
}

function write(
  format: Configuration["KOMA_NOTIFY_FORMAT"],
  notification: Notification,
): { body: string; [header: string]: string } {
  const { state, message, site } = notification;
  const text = `${state === "problem" ? "Problem" : "Solved"}: ${message} (${site})`;
  const asJson = (value: object) => ({ body: JSON.stringify(value), "content-type": "application/json" });
  switch (format) {
    case "json":
      return asJson(notification);
    case "ntfy":
      return { body: text, title: "Koma", priority: state === "problem" ? "high" : "default" };
    case "discord":
      return asJson({ content: text.slice(0, 2000), allowed_mentions: { parse: [] } });
    case "slack":
      return asJson({ text });
  }
}
