import { APIError } from "better-auth/api";

type Fields = Record<string, unknown>;

/** The fields of a request that name the page to open afterwards. */
const fieldNames = ["callbackURL", "redirectTo", "newUserCallbackURL", "errorCallbackURL"];
/** Requests whose mail leads to the root of the host unless they name a page. */
const pathsWithDefault = ["/sign-up/email", "/send-verification-email"];

/**
 * Keeps the pages that a request names inside of Koma's address, because a link with a token must not lead to
 * another program of the host. better-auth compares origins alone, and before it normalises the path, so that
 * `/.//host` becomes another host. Returns the fields to replace. Throws APIError.
 */
export function createReturnPages(baseUrl: string) {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/$/, "");
  const home = `${base.origin}${prefix}/`;

  return function replaceOutside(fields: unknown, path = ""): Fields {
    const sent = typeof fields === "object" && fields !== null ? (fields as Fields) : {};
    const replaced: Fields = {};
    for (const name of fieldNames) {
      const value = sent[name];
      if (typeof value !== "string") continue;
      const page = URL.parse(value, home);
      if (page === null || page.pathname.startsWith("//")) {
        throw new APIError("FORBIDDEN", { code: "INVALID_CALLBACK_URL", message: `Invalid ${name}` });
      }
      // better-auth refuses origins that are not trusted.
      if (page.origin === base.origin && !`${page.pathname}/`.startsWith(`${prefix}/`)) replaced[name] = home;
    }
    if (prefix !== "" && pathsWithDefault.includes(path) && sent.callbackURL === undefined) {
      replaced.callbackURL = home;
    }
    return replaced;
  };
}
