import type { Accounts, ApiKeySummary } from "@koma/accounts";
import { createApiKey, deleteApiKey, deleteCurrentApiKey, listApiKeys } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/** `/api/apikeys`: a session creates and revokes keys, and each key can revoke itself. */
export function registerApiKeys(app: FastifyInstance, { keys }: { keys: Accounts["keys"] }): void {
  registerEndpoint(app, listApiKeys, async ({ caller, query }) => {
    const { total, items } = await keys.list({ userId: caller.userId, ...query });
    return { ...query, total, items: items.map(present) };
  });

  registerEndpoint(app, createApiKey, async ({ caller, json }) => {
    const created = await keys.create({ userId: caller.userId, title: json.title });
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
}

function present(key: ApiKeySummary) {
  return { ...presentFacts(key), lastUsedAt: key.lastUsedAt?.toISOString() ?? null };
}

function presentFacts({ id, title, start, createdAt, expiresAt }: Omit<ApiKeySummary, "lastUsedAt">) {
  return {
    id,
    title,
    start,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
