import { NetworkFailure } from "@koma/client";
import { basePath, toAddress } from "../routing/router.ts";

/** The user of the session. */
export type SignedIn = {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  isTwoFactorEnabled: boolean;
  createdAt: Date;
};

/** A second factor that a first code activates. */
export type TwoFactorSetup = {
  /** The `otpauth:` address for an authenticator app. */
  uri: string;
  recoveryCodes: string[];
};

/** A session of the user, on this or another device. */
export type DeviceSession = {
  token: string;
  /** The browser and the system; null where they are unknown. */
  device: string | null;
  createdAt: Date;
  isCurrent: boolean;
};

/** An error response of better-auth; `code` is the code of better-auth. */
export class AuthProblem extends Error {
  override readonly name = "AuthProblem";
  readonly code: string;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, status: number, retryAfterSeconds: number | undefined) {
    super(code);
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The operations of better-auth. They throw AuthProblem and NetworkFailure. */
export const auth = {
  /** The user of this browser's session; null for a guest. */
  async getSession(): Promise<SignedIn | null> {
    return readUser(await ask("GET", "get-session"));
  },

  /** Creates an account; null if its address must be confirmed by mail first. */
  async signUp(fields: { name: string; email: string; password: string }): Promise<SignedIn | null> {
    const payload = await ask("POST", "sign-up/email", { ...fields, callbackURL: toAddress("/account") });
    return hasToken(payload) ? readUser(payload) : null;
  },

  /** Signs in; "code" if the account has a second factor, whose code is needed next. */
  async signIn(fields: { email: string; password: string }): Promise<SignedIn | "code" | null> {
    const payload = await ask("POST", "sign-in/email", fields);
    return isRecord(payload) && payload.twoFactorRedirect === true ? "code" : readUser(payload);
  },

  /**
   * Sends a code of the authenticator app: the second step of a sign-in, or the activation of the second
   * factor.
   */
  verifyCode: async (code: string) =>
    readUser(await ask("POST", "two-factor/verify-totp", { code: code.replace(/\s/g, "") })),

  /** Sends a recovery code as the second step of a sign-in. */
  verifyRecoveryCode: async (code: string) =>
    readUser(await ask("POST", "two-factor/verify-backup-code", { code: code.trim() })),

  /**
   * Sends a code of the authenticator app, or a recovery code, which permits changes of the account for five
   * minutes; undefined where the account has no second factor.
   */
  async proveWithCode(code: string | undefined): Promise<void> {
    if (code === undefined) return;
    await (/^[\d\s]{6,}$/.test(code) ? auth.verifyCode(code) : auth.verifyRecoveryCode(code));
  },

  /** Creates the secret and the recovery codes of a second factor, which `verifyCode` activates. */
  async beginTwoFactor(password: string): Promise<TwoFactorSetup> {
    const payload = await ask("POST", "two-factor/enable", { password });
    if (!isRecord(payload) || typeof payload.totpURI !== "string")
      throw new AuthProblem("other", 500, undefined);
    return { uri: payload.totpURI, recoveryCodes: readCodes(payload) };
  },

  /** Replaces the recovery codes. */
  createRecoveryCodes: async (password: string) =>
    readCodes(await ask("POST", "two-factor/generate-backup-codes", { password })),

  disableTwoFactor: async (password: string) => void (await ask("POST", "two-factor/disable", { password })),

  signOut: async () => void (await ask("POST", "sign-out", {})),

  /** The page of Discord that starts the sign-in. */
  async startProvider(provider: "discord" | "oidc", returnPath: string): Promise<string> {
    const payload = await ask("POST", "sign-in/social", {
      provider,
      callbackURL: toAddress(returnPath),
      errorCallbackURL: toAddress("/sign-in"),
    });
    if (isRecord(payload) && typeof payload.url === "string") return payload.url;
    throw new AuthProblem("other", 500, undefined);
  },

  askForReset: async (email: string) =>
    void (await ask("POST", "request-password-reset", { email, redirectTo: toAddress("/reset") })),

  resetPassword: async (fields: { newPassword: string; token: string }) =>
    void (await ask("POST", "reset-password", fields)),

  /** Changes the password and ends all other sessions. */
  changePassword: async (fields: { currentPassword: string; newPassword: string; revokeApiKeys: boolean }) =>
    void (await ask("POST", "change-password", fields)),

  /** Deletes the account; `password` is required if the account has one. */
  deleteAccount: async (password: string | undefined) =>
    void (await ask("POST", "delete-user", password === undefined ? {} : { password })),

  /** The sessions of the user, the one of this device first, then newest first. */
  async listSessions(): Promise<DeviceSession[]> {
    const [listed, current] = await Promise.all([ask("GET", "list-sessions"), ask("GET", "get-session")]);
    const session = isRecord(current) ? current.session : undefined;
    const currentToken = isRecord(session) ? session.token : undefined;
    return (Array.isArray(listed) ? listed.filter(isRecord) : [])
      .map(({ token, userAgent, createdAt }) => ({
        token: String(token),
        device: typeof userAgent === "string" ? userAgent : null,
        createdAt: new Date(String(createdAt)),
        isCurrent: token === currentToken,
      }))
      .sort(
        (one, other) =>
          Number(other.isCurrent) - Number(one.isCurrent) ||
          other.createdAt.getTime() - one.createdAt.getTime(),
      );
  },

  /** Ends a session of the user. */
  revokeSession: async (token: string) => void (await ask("POST", "revoke-session", { token })),

  /** Whether the account has a password beside other ways to sign in. */
  async hasPassword(): Promise<boolean> {
    const payload = await ask("GET", "list-accounts");
    return Array.isArray(payload) && payload.some((one) => isRecord(one) && one.providerId === "credential");
  },
};

async function ask(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${basePath}api/auth/${path}`, {
    method,
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  }).catch((cause: unknown) => {
    throw new NetworkFailure("unreachable", { cause });
  });
  const payload: unknown = await response.json().catch(() => null);
  if (response.ok) return payload;
  const code = isRecord(payload) && typeof payload.code === "string" ? payload.code : "other";
  const wait = Number(response.headers.get("retry-after"));
  throw new AuthProblem(code, response.status, wait > 0 ? wait : undefined);
}

function readUser(payload: unknown): SignedIn | null {
  const user = isRecord(payload) ? payload.user : undefined;
  if (!isRecord(user)) return null;
  const { id, name, email, isAdmin, twoFactorEnabled, createdAt } = user;
  const flags = { isAdmin: isAdmin === true, isTwoFactorEnabled: twoFactorEnabled === true };
  const texts = { id: String(id), name: String(name), email: String(email) };
  return { ...texts, ...flags, createdAt: new Date(String(createdAt)) };
}

function readCodes(payload: unknown): string[] {
  return isRecord(payload) && Array.isArray(payload.backupCodes) ? payload.backupCodes.map(String) : [];
}

function hasToken(payload: unknown): boolean {
  return isRecord(payload) && typeof payload.token === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
