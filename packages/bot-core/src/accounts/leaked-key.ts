/** The format of Koma's API keys. */
export const keyPattern = /^koma_[A-Za-z0-9]{52}$/;

const leakPattern = /(?<![A-Za-z0-9_])koma_[A-Za-z0-9]{52}(?![A-Za-z0-9])/g;

/** The API keys of Koma in a text, each once. */
export function findLeakedKeys(text: string): string[] {
  return [...new Set(text.match(leakPattern))];
}
