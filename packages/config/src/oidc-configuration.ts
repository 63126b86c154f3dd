import { z } from "zod";
import { webAddress, writtenBoolean } from "./values.ts";

/** The settings of sign-in with an OpenID Connect provider, by the names of their environment variables. */
export const oidcConfiguration = {
  KOMA_OIDC_ISSUER: webAddress().describe(
    "Issuer of an OpenID Connect provider for sign-in, such as Keycloak, Authentik or Authelia. Its redirect address is the public address with `/api/auth/callback/oidc`. Unset: none.",
  ),
  KOMA_OIDC_CLIENT_ID: z.string().optional().describe("Client of this site at the provider."),
  KOMA_OIDC_CLIENT_SECRET: z.string().optional().describe("Secret of that client."),
  KOMA_OIDC_SCOPES: z
    .string()
    .regex(/^openid( [\w:./-]+)*$/, "must be scopes with single spaces, the first one openid")
    .default("openid email profile")
    .describe("Scopes of the sign-in; the provider must state the mail address."),
  KOMA_OIDC_NAME: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(40, "must have at most 40 characters")
    .optional()
    .describe("Name of the provider on the button of the sign-in page. Default: the host of the issuer."),
  KOMA_OIDC_ADMIN_CLAIM: z
    .string()
    .regex(/^[^\s=]+=.+$/, "must be a claim and its value like groups=koma-admins")
    .optional()
    .describe(
      "Claim of the identity token and the value, alone or in a list, that makes its user an operator; each sign-in with the provider sets or removes the role. Unset: the provider changes no roles.",
    ),
  KOMA_OIDC_SIGN_UPS_ONLY: writtenBoolean()
    .default(false)
    .describe("`true` allows sign-ups with the provider only; existing accounts sign in as before."),
};
