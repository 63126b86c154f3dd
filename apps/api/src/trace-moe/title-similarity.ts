/**
 * The share of common trigrams of two titles, 0 to 1, as `similarity` of PostgreSQL's pg_trgm computes it: of each word,
 * with two spaces before and one behind it.
 */
export function titleSimilarity(title: string, other: string): number {
  const [a, b] = [trigramsOf(title), trigramsOf(other)];
  const common = [...a].filter((trigram) => b.has(trigram)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    const letters = [..."  ", ...word, " "];
    for (let at = 0; at + 3 <= letters.length; at++) trigrams.add(letters.slice(at, at + 3).join(""));
  }
  return trigrams;
}
