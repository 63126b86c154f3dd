import type { Accounts, ApiKeySummary } from "@koma/accounts";
import {
  createApiKey,
  deleteApiKey,
  deleteCurrentApiKey,
  listApiKeys,
  revokeLeakedApiKey,
} from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import type { LeakedKeys } from "../device-links/leaked-keys.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/**
 * `/api/apikeys`: a session creates and revokes keys, each key can revoke itself, and a bot revokes keys that were published.
 */
export function registerApiKeys(
  app: FastifyInstance,
  {
    accounts: { keys, reportChange },
    leakedKeys,
  }: { accounts: Pick<Accounts, "keys" | "reportChange">; leakedKeys: LeakedKeys },
): void {
  registerEndpoint(app, listApiKeys, async ({ caller, query }) => {
    const { total, items } = await keys.list({ userId: caller.userId, ...query });
    return { ...query, total, items: items.map(present) };
  });

  registerEndpoint(app, createApiKey, async ({ caller, json }) => {
    const created = await keys.create({ userId: caller.userId, ...json });
    reportChange(caller.userId, "apiKey");
    return { ...presentFacts(created), key: created.key };
  });

  registerEndpoint(app, deleteApiKey, async ({ caller, params }) => {
    const isEnded = await keys.remove({ userId: caller.userId, id: params.id });
    if (!isEnded) throw new ApiError("not_found", "You have no API key with this id.");
    return undefined;
  });

  registerEndpoint(app, deleteCurrentApiKey, async ({ caller }) => {
    if (caller.keyId === undefined) throw new TypeError("A caller with an API key must have a key id.");
    await keys.removeCurrent({ userId: caller.userId, keyId: caller.keyId });
    return undefined;
  });

  registerEndpoint(app, revokeLeakedApiKey, async ({ caller, json, raw }) => {
    await leakedKeys.revoke({ ...json, botUserId: caller.userId });
    return { isOwnKey: raw.headers.authorization?.trimEnd().endsWith(json.key) === true };
  });
}

function present(key: ApiKeySummary) {
  return {
    ...presentFacts(key),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}

function presentFacts({
  id,
  title,
  start,
  createdAt,
  expiresAt,
  scopes,
}: Omit<ApiKeySummary, "lastUsedAt" | "revokedAt">) {
  return {
    id,
    title,
    start,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    scopes: [...scopes],
  };
}
