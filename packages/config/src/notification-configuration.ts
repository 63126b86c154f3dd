import { z } from "zod";

/** The settings of messages to operators, by the names of their environment variables. */
export const notificationConfiguration = {
  KOMA_NOTIFY_URL: z
    .string()
    .refine(
      (address) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol),
      "must be an http or https address",
    )
    .optional()
    .describe(
      "Address that gets a POST request when videos cannot be indexed, the disk is nearly full, a scheduled backup is missing or searches at another service have failed for an hour, and when that ends. Unset: none.",
    ),
  KOMA_NOTIFY_FORMAT: z
    .enum(["json", "ntfy", "discord", "slack"], "must be json, ntfy, discord or slack")
    .default("json")
    .describe(
      "Form of these requests: JSON, or the messages of ntfy and of incoming webhooks of Discord or Slack.",
    ),
};
