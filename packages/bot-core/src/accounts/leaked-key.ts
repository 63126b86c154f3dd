/** The format of Koma's API keys. */
export const keyPattern = /^koma_[A-Za-z0-9]{52}$/;

/** An API key of Koma in a text; undefined if there is none. */
export function findLeakedKey(text: string): string | undefined {
  return /(?<![A-Za-z0-9_])koma_[A-Za-z0-9]{52}(?![A-Za-z0-9])/.exec(text)?.[0];
}
