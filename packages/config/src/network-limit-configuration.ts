import { decimalInteger } from "./values.ts";

/** Variables of what one network, address or caller may use of the API at a time. */
export const networkLimitConfiguration = {
  KOMA_REQUESTS_PER_MINUTE: decimalInteger({ minimum: 1, maximum: 1_000_000_000 })
    .default(300)
    .describe(
      "Requests per minute of one IP address (IPv6: one /64); requests of bots are counted by chat user.",
    ),
  KOMA_SITE_REQUESTS_PER_MINUTE: decimalInteger({ minimum: 1, maximum: 1_000_000_000 })
    .default(2400)
    .describe("Requests per minute of all networks in one IPv6 /48."),
  KOMA_CONNECTIONS_PER_ADDRESS: decimalInteger({ minimum: 1, maximum: 1_000_000 })
    .default(128)
    .describe("Open connections of one IP address (IPv6: one /64). Loopback and trusted proxies are exempt."),
  KOMA_CONNECTION_IDLE_SECONDS: decimalInteger({ minimum: 1, maximum: 86_400 })
    .default(120)
    .describe("Seconds without any transfer after which a connection is closed."),
  KOMA_UPLOAD_POOL_MIB: decimalInteger({ minimum: 32, maximum: 65_536 })
    .optional()
    .describe(
      "MiB of memory for the images of all searches. Default: 256, but at most an eighth of the memory of the machine or container.",
    ),
  KOMA_UPLOAD_NETWORK_MIB: decimalInteger({ minimum: 32, maximum: 65_536 })
    .optional()
    .describe("MiB of that memory for one network. Default: 128, but at most half of it."),
  KOMA_UPLOAD_CALLER_MIB: decimalInteger({ minimum: 32, maximum: 65_536 })
    .optional()
    .describe("MiB of that memory for one caller. Default: 96, but at most half of it."),
  KOMA_UPLOAD_IDLE_SECONDS: decimalInteger({ minimum: 1, maximum: 120 })
    .default(10)
    .describe("Seconds without data after which an upload ends."),
  KOMA_UPLOAD_KIB_PER_SECOND: decimalInteger({ minimum: 0, maximum: 1_048_576 })
    .default(64)
    .describe(
      "KiB per second that an upload needs after 5 seconds while more than half of that memory is in use.",
    ),
  KOMA_GUEST_QUEUED_IMAGES: decimalInteger({ minimum: 1, maximum: 10_000 })
    .default(2)
    .describe("Images of the guests of one network that may wait for a search worker."),
  KOMA_FAILED_SEARCH_SECONDS: decimalInteger({ minimum: 1, maximum: 1_000_000 })
    .default(30)
    .describe("Worker seconds that failed and aborted searches of one network may take in 5 minutes."),
  KOMA_PREVIEWS_PER_NETWORK: decimalInteger({ minimum: 1, maximum: 1000 })
    .default(4)
    .describe("Stills and clips that are created for one network at the same time."),
};
