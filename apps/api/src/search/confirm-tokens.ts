import { createHmac, timingSafeEqual } from "node:crypto";

export type ConfirmTokens = ReturnType<typeof createConfirmTokens>;

/**
 * The tokens that show who made a search. Each carries the time of its search, signed together with the search's id, so that
 * it tells for ever that it was given out for that search and when, also once the search itself is gone.
 */
export function createConfirmTokens(key: Buffer) {
  function issue({ id, at }: { id: string; at: Date }): string {
    const time = Buffer.alloc(timeBytes);
    time.writeUIntBE(at.getTime(), 0, timeBytes);
    // The id last, because its length is the only one that varies.
    const signature = createHmac("sha256", key).update("token:").update(time).update(id).digest();
    return Buffer.concat([time, signature.subarray(0, signatureBytes)]).toString("base64url");
  }

  return {
    /** The token of a search made at this time. */
    issue,

    /** What is stored of a token. */
    hash: (token: string): string => createHmac("sha256", key).update(token).digest("base64url"),

    /** When the search of this id was made, by a token that was given out for it; undefined for any other text. */
    readTime(token: string, id: string): Date | undefined {
      const bytes = Buffer.from(token, "base64url");
      if (bytes.length !== timeBytes + signatureBytes) return undefined;
      const at = new Date(bytes.readUIntBE(0, timeBytes));
      return timingSafeEqual(bytes, Buffer.from(issue({ id, at }), "base64url")) ? at : undefined;
    },
  };
}

const timeBytes = 6;
const signatureBytes = 16;
