import { readBracketedName } from "./bracketed-name.ts";
import { date, withoutTechnical, withoutTechnicalBrackets, withoutTrailingGroup } from "./clean-name.ts";
import {
  bareRules,
  dashedRules,
  findKind,
  markedRules,
  type Numbering,
  type NumberingRule,
  seasonRules,
} from "./numbering-rules.ts";

/** Finds the number of an episode in a tidy name; undefined when it contains none. */
export function findNumbering(fullName: string): Numbering | undefined {
  const name = withoutTechnical(fullName);
  return (
    withExplicit(apply(seasonRules, fullName)) ??
    readBracketedName(fullName) ??
    withKind(apply(markedRules, name)) ??
    findDated(fullName) ??
    withKind(apply(dashedRules, name)) ??
    // A name may have its tags before the number.
    (name === fullName ? undefined : withKind(apply(markedRules, fullName))) ??
    withKind(apply(bareRules, name)) ??
    findUnnumbered(volume, withoutTrailingGroup(name))
  );
}

function apply(rules: readonly NumberingRule[], name: string): Numbering | undefined {
  for (const rule of rules) {
    const match = rule.pattern.exec(name);
    const found = match === null ? undefined : rule.read(match.groups ?? {});
    if (match === null || found === undefined) continue;
    const isLeading = rule.isLeading === true;
    const before = isLeading ? "" : name.slice(0, match.index);
    const after = name.slice(match.index + match[0].length);
    const isPadded = match.groups?.first?.startsWith("0") === true;
    return { ...found, before, after, isWeak: rule.isWeak === true, isLeading, isPadded };
  }
  return undefined;
}

/** "Title - 05 - S01E05": the second number decides, and the first is no part of the title. */
function withExplicit(numbering: Numbering | undefined): Numbering | undefined {
  if (numbering === undefined) return undefined;
  const before = numbering.before.replace(/(?<=\S) - 0*\d{1,4}(?:-\d{1,4})?\s*(?:-\s*)?$/u, "");
  return { ...numbering, before, isExplicit: true };
}

function withKind(numbering: Numbering | undefined): Numbering | undefined {
  if (numbering?.number == null || !/^\d/.test(numbering.number)) return numbering;
  const found = findKind(numbering.before, numbering.after);
  if (found === undefined) return numbering;
  const { kind, before, after } = found;
  return { ...numbering, number: `${kind} ${numbering.number}`, before, after };
}

/** Before a date, a bare number is the episode: "Title 12 2019-05-03". */
function findDated(fullName: string): Numbering | undefined {
  const dated = findUnnumbered(date, withoutTechnicalBrackets(fullName));
  if (dated === undefined) return undefined;
  const bare = apply([...dashedRules, ...bareRules], withoutTechnical(dated.before));
  return bare === undefined || bare.isLeading === true
    ? dated
    : { ...(withKind(bare) ?? bare), after: dated.after };
}

/** A date or the volume of a disc is no episode, but it ends the title. */
function findUnnumbered(pattern: RegExp, name: string): Numbering | undefined {
  const match = pattern.exec(name);
  if (match === null || match.index === 0) return undefined;
  const after = name.slice(match.index + match[0].length);
  return { number: null, before: name.slice(0, match.index), after: after.trim() || match[0] };
}

const volume = /(?<=\S )(?:- )?Vol(?:ume)?[. ]{1,2}\d{1,2}(?:v\d)?(?![\p{L}\d])/iu;
