import { createHmac, timingSafeEqual } from "node:crypto";

export type ConfirmTokens = ReturnType<typeof createConfirmTokens>;

/**
 * Creates the tokens that identify the creator of a search. Each token contains the time of its search,
 * signed together with the search's id, so it proves the id and the time even after the search is deleted.
 */
export function createConfirmTokens(key: Buffer) {
  function issue({ id, at }: { id: string; at: Date }): string {
    const time = Buffer.alloc(timeBytes);
    time.writeUIntBE(at.getTime(), 0, timeBytes);
    // The id is last, because only its length varies.
    const signature = createHmac("sha256", key).update("token:").update(time).update(id).digest();
    return Buffer.concat([time, signature.subarray(0, signatureBytes)]).toString("base64url");
  }

  return {
    /** The token of a search of this time. */
    issue,

    /** The stored hash of a token. */
    hash: (token: string): string => createHmac("sha256", key).update(token).digest("base64url"),

    /**
     * The time of the search with this id, from a token that was issued for it; undefined for any other text.
     */
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
