import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";

/** Says whether mail is sent; the configuration rejects incomplete variables. */
export async function checkMail({ configuration }: CheckContext): Promise<Finding[]> {
  const { KOMA_SMTP_URL: address, KOMA_MAIL_FROM: sender } = configuration;
  if (address === undefined) return [ok("Not configured: no mail is sent.")];
  return [ok(`Sent as ${sender} by ${new URL(address).host}.`)];
}

/** Checks that the OpenID Connect provider describes itself, as each sign-in needs it. */
export async function checkOidc({ configuration }: CheckContext): Promise<Finding[]> {
  const { KOMA_OIDC_ISSUER: issuer } = configuration;
  if (issuer === undefined)
    return [ok("Not configured: there is no sign-in with an OpenID Connect provider.")];
  const address = `${issuer}/.well-known/openid-configuration`;
  const advice = "sign-in with it fails. Correct KOMA_OIDC_ISSUER, or start the provider.";
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    if (!response.ok) {
      await response.body?.cancel();
      return [problem(`${address} responds with status ${response.status}: ${advice}`)];
    }
    const { issuer: stated } = (await response.json()) as { issuer?: unknown };
    return typeof stated === "string" && stated.replace(/\/+$/, "") === issuer
      ? [ok(`${issuer} responds.`)]
      : [problem(`${address} describes the issuer ${String(stated)}: ${advice}`)];
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message || message : message;
    return [problem(`${address} cannot be read (${reason}): ${advice}`)];
  }
}

/** Says whether credits can be bought; the configuration rejects incomplete variables. */
export async function checkPayments({ configuration }: CheckContext): Promise<Finding[]> {
  const { STRIPE_SECRET_KEY: key } = configuration;
  if (key === undefined) return [ok("Not configured: credits cannot be bought.")];
  if (!key.includes("_test_")) return [ok("Stripe is configured.")];
  return [
    warning("STRIPE_SECRET_KEY is a test key: it makes no payments. Replace it before you sell credits."),
  ];
}
