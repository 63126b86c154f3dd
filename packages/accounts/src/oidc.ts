import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import { genericOAuth } from "better-auth/plugins/generic-oauth";

/** The id of the OpenID Connect provider in accounts and addresses. */
export const oidcProvider = "oidc";

/** better-auth's plugin for the configured provider. Identity tokens are verified, and bound to the request by PKCE and a nonce. */
export function createOidcPlugins(configuration: Configuration) {
  const {
    KOMA_OIDC_ISSUER: issuer,
    KOMA_OIDC_CLIENT_ID: clientId,
    KOMA_OIDC_CLIENT_SECRET: clientSecret,
    KOMA_OIDC_SCOPES: scopes,
  } = configuration;
  if (issuer === undefined || clientId === undefined) return [];
  const provider = {
    providerId: oidcProvider,
    clientId,
    clientSecret,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    scopes: scopes.split(" "),
    pkce: true,
    requireIdTokenVerification: true,
    // Some providers state a user name only.
    mapProfileToUser: (profile: Record<string, unknown>) => ({
      name: [profile.name, profile.preferred_username, profile.email].find(
        (name) => typeof name === "string" && name !== "",
      ) as string | undefined,
    }),
  };
  return [genericOAuth({ config: [provider] })];
}

/**
 * Sets or removes the role of an operator after a sign-in with the provider, as the identity token that better-auth has
 * just verified and stored states it. Without `KOMA_OIDC_ADMIN_CLAIM` it does nothing.
 */
export async function applyAdminClaim(
  { database, configuration }: { database: Pick<Database, "users">; configuration: Configuration },
  account: { userId: string; idToken?: string | null | undefined },
): Promise<void> {
  const { KOMA_OIDC_ADMIN_CLAIM: expected } = configuration;
  if (expected === undefined || !account.idToken) return;
  const [claim = "", ...rest] = expected.split("=");
  const [, payload = ""] = account.idToken.split(".");
  const stated: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"))[claim];
  const isAdmin = [stated].flat().some((value) => String(value) === rest.join("="));
  const user = await database.users.find(account.userId);
  if (user === undefined || user.isAdmin === isAdmin) return;
  const action = isAdmin ? "user.admin" : "user.admin.remove";
  await database.users.setAdmin(user.id, isAdmin, { actor: "oidc", action, target: `user:${user.id}` });
}
