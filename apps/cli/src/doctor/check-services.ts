import { type CheckContext, type Finding, ok, warning } from "./finding.ts";

/** Says whether mail is sent; the configuration rejects incomplete variables. */
export async function checkMail({ configuration }: CheckContext): Promise<Finding[]> {
  const { KOMA_SMTP_URL: address, KOMA_MAIL_FROM: sender } = configuration;
  if (address === undefined) return [ok("Not configured: no mail is sent.")];
  return [ok(`Sent as ${sender} by ${new URL(address).host}.`)];
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
