import { isIP } from "node:net";
import { z } from "zod";

/** An integer in decimal digits. */
export function decimalInteger({ minimum, maximum }: { minimum: number; maximum: number }) {
  return z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= minimum, `must be at least ${minimum}`)
    .refine((value) => value <= maximum, `must be at most ${maximum}`);
}

/** `true` or `false`. */
export function writtenBoolean() {
  return z.stringbool({
    truthy: ["true"],
    falsy: ["false"],
    case: "sensitive",
    error: "must be true or false",
  });
}

/** A comma-separated list of valid items; empty by default. */
export function list(isValid: (item: string) => boolean) {
  return z
    .string()
    .default("")
    .transform(splitList)
    .superRefine((items, context) => {
      for (const item of items) {
        if (!isValid(item)) context.addIssue({ code: "custom", message: `has an invalid entry: ${item}` });
      }
    });
}

/** A comma-separated list of addresses that contain passwords, so the error names none; empty by default. */
export function secretAddresses(pattern: RegExp, message: string) {
  return z
    .string()
    .default("")
    .transform(splitList)
    .refine((items) => items.every((item) => pattern.test(item) && URL.canParse(item)), message);
}

/** An http or https address without query, and without slashes at its end; undefined by default. */
export function webAddress() {
  return z
    .string()
    .refine(isWebAddress, "must be an http or https address without query")
    .transform((address) => address.replace(/\/+$/, ""))
    .optional();
}

/** True for an http or https address without query, fragment and user. */
export function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" && url.username === "";
}

/**
 * True for an origin in the form of browsers (scheme, host and port, in lower case). Wildcards are not
 * supported.
 */
export function isOrigin(written: string): boolean {
  return isWebAddress(written) && new URL(written).origin === written && !written.includes("*");
}

/** True for the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** True for an IP address, or a network in CIDR form. */
export function isNetwork(written: string): boolean {
  const [address = "", bits, ...rest] = written.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** True for a mail address, alone or in angle brackets after a name. */
export function isMailbox(written: string): boolean {
  const address = /^[^<>"\p{Cc}]*<([^<>]*)>$/u.exec(written)?.[1] ?? written;
  return /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(address);
}

/** Products and their credits, as `price_abc=100,price_def=500`. */
export function productList() {
  return z
    .string()
    .default("")
    .transform((written, context) => {
      const products = splitList(written).map((item) => {
        const [, productId = "", credits = ""] = /^([\w-]{1,255})=([1-9]\d{0,8})$/.exec(item) ?? [];
        if (productId === "") context.addIssue({ code: "custom", message: `has an invalid entry: ${item}` });
        return { productId, credits: Number(credits) };
      });
      const twice = products.find(
        ({ productId }, index) => products.findIndex((p) => p.productId === productId) < index,
      );
      if (twice !== undefined)
        context.addIssue({ code: "custom", message: `names ${twice.productId} twice` });
      return products;
    });
}

/** The entries of a comma-separated list, without empty ones. */
export function splitList(written: string): string[] {
  return written
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
