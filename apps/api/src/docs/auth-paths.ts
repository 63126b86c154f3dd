import type { OpenApiObject } from "@koma/contract";

const session = [{ session: [] }];
const guest: OpenApiObject[] = [];
const text = (description: string, example: string) => ({ type: "string", description, examples: [example] });
const email = text("The email address.", "rin@site.example");
const password = text("The password.", "a long password");
const newPassword = "10 to 128 characters, and not one of the most common passwords.";
const tooMany = { 429: "Too many attempts; `Retry-After` says when the next one is possible." };
const codeRequired = {
  403: "`CODE_REQUIRED`: the account has a second factor. Send its code with this session, then repeat the request within five minutes.",
};

type Operation = { description?: string; result: string; errors?: Record<number, string> };
type Post = Operation & { body: Record<string, OpenApiObject>; required?: string[] };

function post(
  operationId: string,
  summary: string,
  security: OpenApiObject[],
  { body, required = Object.keys(body), ...rest }: Post,
): OpenApiObject {
  const schema = { type: "object", properties: body, ...(required.length > 0 && { required }) };
  const requestBody = { required: true, content: { "application/json": { schema } } };
  return { post: { ...operation(operationId, summary, security, rest), requestBody } };
}

function operation(
  operationId: string,
  summary: string,
  security: OpenApiObject[],
  { result, errors = {}, ...rest }: Operation,
): OpenApiObject {
  const content = { "application/json": { schema: { type: "object" } } };
  const failures = Object.entries(errors).map(([status, description]) => [status, { description }] as const);
  const responses = { 200: { description: result, content }, ...Object.fromEntries(failures) };
  return { operationId, summary, ...rest, tags: ["Accounts"], security, responses };
}

/**
 * The operations of better-auth that clients call, as OpenAPI paths. better-auth serves them below
 * `/api/auth/`.
 */
export const authPaths: OpenApiObject = {
  "/api/auth/sign-up/email": post("signUpEmail", "Create an account", guest, {
    description:
      "Signs in at once, or sends a mail with a link where the instance verifies addresses: then `token` is null.",
    body: {
      name: text("The name that the page shows to its owner.", "Rin"),
      email: text("The email address; the account's identifier.", "rin@site.example"),
      password: text(newPassword, "a long password"),
    },
    result: "The account; the session is in the `Set-Cookie` header.",
    errors: {
      400: "`PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG` or `PASSWORD_TOO_COMMON`.",
      422: "`USER_ALREADY_EXISTS`: an account with this address exists.",
      ...tooMany,
    },
  }),
  "/api/auth/sign-in/email": post("signInEmail", "Sign in with an email address", guest, {
    body: {
      email,
      password,
    },
    result:
      "The account; the session is in the `Set-Cookie` header. For an account with a second factor, `twoFactorRedirect` is true, and a cookie for the second step replaces the session.",
    errors: {
      401: "`INVALID_EMAIL_OR_PASSWORD`.",
      403: "`EMAIL_NOT_VERIFIED` or `USER_DISABLED`.",
      ...tooMany,
    },
  }),
  "/api/auth/two-factor/verify-totp": post("verifyTotp", "Send a code of the authenticator app", guest, {
    description:
      "The second step of a sign-in, with its cookie; with a session the activation of the second factor, or the proof for changes of the account in the next five minutes. Each code is accepted once.",
    body: { code: text("The code of six digits.", "123456") },
    result: "The account; the session is in the `Set-Cookie` header.",
    errors: {
      400: "`TOTP_NOT_ENABLED`, or `TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE`: sign in again.",
      401: "`INVALID_CODE`, or `INVALID_TWO_FACTOR_COOKIE`: sign in again.",
      ...tooMany,
    },
  }),
  "/api/auth/two-factor/verify-backup-code": post("verifyRecoveryCode", "Send a recovery code", guest, {
    description:
      "The second step of a sign-in without the authenticator app. Each recovery code is accepted once.",
    body: { code: text("One of the recovery codes.", "4hTz9-Qm2Lx") },
    result: "The account; the session is in the `Set-Cookie` header.",
    errors: {
      400: "`BACKUP_CODES_NOT_ENABLED`, or `TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE`: sign in again.",
      401: "`INVALID_BACKUP_CODE`, or `INVALID_TWO_FACTOR_COOKIE`: sign in again.",
      ...tooMany,
    },
  }),
  "/api/auth/two-factor/enable": post("enableTwoFactor", "Create a second factor", session, {
    description: "It becomes active with the first code, which also ends all other sessions.",
    body: { password },
    result: "`totpURI` for an authenticator app, and `backupCodes`, the recovery codes.",
    errors: { 400: "`INVALID_PASSWORD` or `TOTP_ALREADY_ENABLED`.", 401: "No session.", ...tooMany },
  }),
  "/api/auth/two-factor/generate-backup-codes": post(
    "createRecoveryCodes",
    "Replace the recovery codes",
    session,
    {
      body: { password },
      result: "`backupCodes`, the new recovery codes; earlier ones are invalid.",
      errors: {
        400: "`INVALID_PASSWORD` or `TWO_FACTOR_NOT_ENABLED`.",
        401: "No session.",
        ...codeRequired,
        ...tooMany,
      },
    },
  ),
  "/api/auth/two-factor/disable": post("disableTwoFactor", "Remove the second factor", session, {
    body: { password },
    result: "The second factor is removed.",
    errors: { 400: "`INVALID_PASSWORD`.", 401: "No session.", ...codeRequired, ...tooMany },
  }),
  "/api/auth/sign-in/social": post("signInSocial", "Sign in with another service", guest, {
    description:
      "`discord` only where `signIn.hasDiscord` of `GET /api/site` is true, `oidc` only where `signIn.oidcName` is not null.",
    body: {
      provider: text("The provider: `discord` or `oidc`.", "discord"),
      callbackURL: text("The page of this instance to open after sign-in.", "/account"),
    },
    result: "`url`: the page of the provider to open.",
  }),
  "/api/auth/sign-out": post("signOut", "End the session", session, {
    body: {},
    result: "The session has ended.",
  }),
  "/api/auth/get-session": {
    get: operation("getSession", "The session of the cookie", session, {
      result: "`session` and `user`; null for a guest.",
    }),
  },
  "/api/auth/request-password-reset": post(
    "requestPasswordReset",
    "Request a link to reset the password",
    guest,
    {
      description:
        "Only where `signIn.sendsMail` of `GET /api/site` is true. The response does not reveal whether an account exists.",
      body: {
        email,
        redirectTo: text("The page that receives the `token`.", "/reset"),
      },
      result: "The request is accepted.",
      errors: tooMany,
    },
  ),
  "/api/auth/reset-password": post("resetPassword", "Set a new password with the link of the mail", guest, {
    body: {
      newPassword: text(newPassword, "a longer password"),
      token: text("The token of the link.", "hPz3s8"),
    },
    result: "The password is set; all sessions have ended.",
    errors: {
      400: "`INVALID_TOKEN`, `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG` or `PASSWORD_TOO_COMMON`.",
    },
  }),
  "/api/auth/change-password": post("changePassword", "Change the password", session, {
    required: ["currentPassword", "newPassword"],
    body: {
      revokeApiKeys: {
        type: "boolean",
        description: "Revokes all API keys of the account as well.",
        default: false,
      },
      currentPassword: text("The current password.", "a long password"),
      newPassword: text(newPassword, "a longer password"),
    },
    result: "The password is set; all other sessions have ended.",
    errors: {
      400: "`INVALID_PASSWORD`, `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG` or `PASSWORD_TOO_COMMON`.",
      401: "No session.",
      ...codeRequired,
    },
  }),
  "/api/auth/list-sessions": {
    get: operation("listSessions", "The sessions of the user", session, {
      description: "`userAgent` has the name of the browser and its system; `ipAddress` is null.",
      result: "The sessions as an array, each with its `token`.",
      errors: { 401: "No session." },
    }),
  },
  "/api/auth/revoke-session": post("revokeSession", "End a session of the user", session, {
    body: { token: text("The `token` of the session in the list.", "hPz3s8") },
    result: "The session has ended.",
    errors: { 401: "No session." },
  }),
  "/api/auth/delete-user": post("deleteUser", "Delete the account", session, {
    description:
      "Deletes the account with its keys, credits and history. An account without a password needs a sign-in in the last five minutes.",
    body: { password: text("The password; required if the account has one.", "a long password") },
    required: [],
    result: "The account is deleted.",
    errors: { 400: "`INVALID_PASSWORD` or `SESSION_EXPIRED`.", 401: "No session.", ...codeRequired },
  }),
};
