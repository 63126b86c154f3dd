import { createHmac, randomBytes, randomInt } from "node:crypto";

/** Only consonants, so that no code is a word and no letter looks like a digit (RFC 8628, 6.1). */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ";
const userCodeLength = 8;

export type LinkCodes = ReturnType<typeof createLinkCodes>;

/** Generates and hashes the two codes of a link. */
export function createLinkCodes(key: Buffer) {
  return {
    /** Generates new codes: 256 bits for the bot, 34 bits for the user to type. */
    generate(): { deviceCode: string; userCode: string } {
      const letters = Array.from({ length: userCodeLength }, () =>
        alphabet.charAt(randomInt(alphabet.length)),
      );
      const half = userCodeLength / 2;
      const userCode = `${letters.slice(0, half).join("")}-${letters.slice(half).join("")}`;
      return { deviceCode: randomBytes(32).toString("base64url"), userCode };
    },

    /** A keyed hash for one purpose. */
    hash(purpose: "device" | "user" | "asking" | "guessing", text: string): string {
      return createHmac("sha256", key).update(`${purpose}:${text}`).digest("base64url");
    },
  };
}
