import { type Accounts, type CallerHashes, deriveKey } from "@koma/accounts";
import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import type { ImageNetwork } from "@koma/image-fetch";
import type { Library, LibrarySearch, Previews, Upstreams } from "@koma/library";
import type { FastifyBaseLogger } from "fastify";
import { createDeviceLinks } from "./device-links/device-links.ts";
import { createLeakedKeys } from "./device-links/leaked-keys.ts";
import { createLinkCodes } from "./device-links/link-codes.ts";
import type { IndexQueue } from "./indexing/index-queue.ts";
import type { ApiMetrics } from "./metrics/api-metrics.ts";
import { createPreviewAddresses } from "./previews/preview-addresses.ts";
import { createPreviewSlots } from "./previews/preview-slots.ts";
import { createSearchServices } from "./search/search-services.ts";

/** The dependencies and settings that the caller of the API chooses for its services. */
export type ServiceOptions = {
  config: Configuration;
  database: Database;
  accounts: Accounts;
  /** The search library; undefined while it loads and after its threads have failed. */
  getSearch: () => LibrarySearch | undefined;
  previews: Previews;
  /** The library, from which operators remove episodes. */
  library: Pick<Library, "hasFfmpeg" | "remove" | "renameFolder">;
  /** Indexes videos in the background. Without it neither events nor operators start indexing. */
  indexQueue?: Pick<IndexQueue, "add" | "status">;
  /** The other services that are searched; by default those of the configuration. */
  upstreams?: Upstreams;
  /** The key that signs preview addresses and hashes callers. */
  secret: string;
  version: string;
  /** The network that image addresses are fetched from; the internet by default. */
  network?: ImageNetwork;
  /** The seconds for which an unfinished search holds its reservation. */
  leaseSeconds?: number;
};

/** What the services are built on. */
export type ServiceParts = ServiceOptions & {
  metrics: ApiMetrics;
  hashes: CallerHashes;
  getBaseUrl: () => string;
  now: () => Date;
  log: FastifyBaseLogger;
};

/** The services behind the routes, and what they are built on. */
export type Services = ReturnType<typeof createServices>;

/** Creates the services behind the routes, area by area. */
export function createServices(parts: ServiceParts) {
  const previews = createPreviewServices(parts);
  const deviceLinks = createLinkServices(parts);
  const searches = createSearchServices({ ...parts, addresses: previews.addresses });
  return { ...parts, ...previews, ...deviceLinks, ...searches };
}

function createPreviewServices({ config, secret, getBaseUrl, now }: ServiceParts) {
  const previewKey = deriveKey(secret, "preview");
  return {
    previewKey,
    addresses: createPreviewAddresses({ key: previewKey, getBaseUrl, now }),
    previewSlots: createPreviewSlots({ atOnce: config.KOMA_PREVIEWS_PER_NETWORK }),
  };
}

function createLinkServices({ database, accounts, hashes, secret, getBaseUrl, now }: ServiceParts) {
  const codes = createLinkCodes(deriveKey(secret, "link"));
  return {
    deviceLinks: createDeviceLinks({ database, accounts, codes, hashes, getBaseUrl, now }),
    leakedKeys: createLeakedKeys({ database, accounts, hashes, now }),
  };
}
