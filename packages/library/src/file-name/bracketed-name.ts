import { trimTitle } from "./clean-name.ts";
import { findSeason } from "./find-season.ts";
import { type Numbering, toKind } from "./numbering-rules.ts";
import { isCjkTag, isReleaseGroup, isTechnicalBracket } from "./tags.ts";
import { toEpisodeNumber } from "./written-numbers.ts";

const numberPart =
  /^(?:第|EP?|#)?\s?(?<first>\d{1,4}(?:\.5)?)(?:v\d)?(?:[-~～&](?<last>\d{1,4}))?(?:v\d)?\s?(?:[话話集]|[(（]?(?:END|FIN|完[结結]?|終)[)）]?)?$/iu;
const kindPart = /^(?<kind>OVA|OAD|SP|NCOP|NCED|PV|CM|Menu)\s?(?<first>\d{1,3})?(?:v\d)?$/iu;
const yearPart = /^(?:(?:19|20)\d\d|480|540|576|720|1080|1440|2160)$/;
const banner = /[★☆◆●][^★☆◆●[【]*[月新番]+[^★☆◆●[【]*[★☆◆●]?|[★☆◆●]/gu;

/**
 * Reads a name whose parts are all in brackets: "[Group][Title][Other title][08][1080p]". Undefined for
 * other names.
 */
export function readBracketedName(name: string): Numbering | undefined {
  const plain = name
    .replace(banner, "")
    .replace(/[】》]/g, "]")
    .replace(/[【《]/g, "[");
  const parts = [...plain.matchAll(/\[(?<inside>[^\]]*)\]|(?<outside>[^[\]\s][^[\]]*)/g)].map(
    ({ groups }) => ({
      text: (groups?.inside ?? groups?.outside?.replace(/^[\s.-]+|[\s.-]+$/g, "") ?? "").trim(),
      isOutside: groups?.inside === undefined,
    }),
  );
  const at = parts.findIndex(({ text }, index) => index > 0 && isNumberPart(text));
  if (at < 0 || parts.length < 2) return undefined;
  if (parts.some(({ text, isOutside }) => isOutside && text !== "" && !isNumberPart(text))) return undefined;
  const texts = parts
    .slice(0, at)
    .map(({ text }) => text)
    .filter((text) => !isTag(text) && !yearPart.test(text));
  const title = selectTitle(texts);
  return title === undefined
    ? undefined
    : { ...readNumberPart(parts[at]?.text ?? ""), title, before: title, after: "" };
}

/** The first part is the release group, unless it is the only one or a season shows that it is a title. */
function selectTitle(texts: readonly string[]): string | undefined {
  const [first, ...others] = texts;
  if (first === undefined) return undefined;
  const isTitle = others.length === 0 || (!isReleaseGroup(first) && findSeason(first) !== undefined);
  const title = trimTitle((isTitle ? first : others[0]) ?? "");
  return /\p{L}|\d/u.test(title) ? title : undefined;
}

function isNumberPart(text: string): boolean {
  return (numberPart.test(text) && !yearPart.test(text)) || kindPart.test(text);
}

function readNumberPart(text: string): { number: string } {
  const { kind, first = "" } = kindPart.exec(text)?.groups ?? {};
  if (kind !== undefined) {
    return { number: first === "" ? toKind(kind) : `${toKind(kind)} ${toEpisodeNumber(first)}` };
  }
  const groups = numberPart.exec(text)?.groups;
  return { number: toEpisodeNumber(groups?.first ?? "", groups?.last) };
}

function isTag(text: string): boolean {
  return isTechnicalBracket(`[${text}]`) || isCjkTag(text);
}
