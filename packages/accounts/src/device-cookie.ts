import { createHmac, randomBytes } from "node:crypto";
import type { GenericEndpointContext } from "better-auth";

/** Reads and sets the signed cookie of a device that has signed in to an account. */
export type DeviceCookie = ReturnType<typeof createDeviceCookie>;

/**
 * One cookie per account, whose name and value contain keyed HMACs of the mail address and a random id of the
 * device. The id lets the limits count a device by itself.
 */
export function createDeviceCookie(key: Buffer) {
  const hash = (email: string) =>
    createHmac("sha256", key).update(`device:${email}`).digest("base64url").slice(0, 22);

  return {
    /** The id of a device that has signed in to the account; undefined for other devices. */
    async read(context: GenericEndpointContext, email: string): Promise<string | undefined> {
      const account = hash(email);
      const { name } = describe(context, account);
      const value = await context.getSignedCookie(name, context.context.secret);
      // The signature covers the value only, so the value names the account too.
      const [owner, device] = value ? value.split(".") : [];
      return owner === account ? device : undefined;
    },

    /** Marks the device of the request as one that has signed in to the account, and keeps its id. */
    async set(context: GenericEndpointContext, email: string): Promise<void> {
      const account = hash(email);
      const device = (await this.read(context, email)) ?? randomBytes(12).toString("base64url");
      const { name, attributes } = describe(context, account);
      await context.setSignedCookie(name, `${account}.${device}`, context.context.secret, attributes);
    },
  };

  function describe({ context }: GenericEndpointContext, account: string) {
    return context.createAuthCookie(`device_${account}`, { maxAge: maxAgeSeconds });
  }
}

const maxAgeSeconds = 365 * 24 * 3600;
