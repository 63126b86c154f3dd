export type { ApiKeySummary, ApiKeys, GeneratedKey, NewApiKey } from "./api-keys.ts";
export type { Authentication } from "./authentication.ts";
export { type CallerHashes, createCallerHashes } from "./caller-hashes.ts";
export { EmailTakenError, TooManyKeysError } from "./errors.ts";
export { type Accounts, type AccountsOptions, openAccounts } from "./open-accounts.ts";
export { type Payments, PaymentsUnavailableError, type StripeServer } from "./payments.ts";
export { deriveKey, openSecret } from "./secret.ts";
export { hasSessionCookie } from "./session-cookie.ts";
export type { Users } from "./users.ts";
