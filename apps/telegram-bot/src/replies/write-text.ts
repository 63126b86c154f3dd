import type { MatchCard, Reply } from "@koma/bot-core";
import { cut, hide, type RunLine, toRun, toRunLine } from "./runs.ts";

/** The maximum length of a title, so that it leaves space for the rest. */
const titleLimit = 200;
const empty: RunLine = [];

/** The text of a reply, line by line. */
export function writeText(reply: Reply): RunLine[] {
  const { match, title, lines } = reply;
  if (match !== undefined) {
    const isAboutMatch = title !== undefined && title !== match.title;
    return joinParts([
      isAboutMatch ? [toRun(cut(title, titleLimit), "quiet")] : [],
      ...writeMatch(match),
      listLinks(match),
      lines.map(toRunLine),
    ]);
  }
  return joinParts([
    title === undefined ? [] : [toRun(cut(title, titleLimit), "strong")],
    ...groupLines(reply),
  ]);
}

function writeMatch(match: MatchCard): RunLine[][] {
  const { title, subtitle, workLine, episodeLine, timeLine, similarityLine, notes, isConfident, hasSpoiler } =
    match;
  const where = [
    ...(episodeLine === undefined ? [] : [toRun(`📺 ${cut(episodeLine, titleLimit)}`)]),
    toRun(`🕒 ${timeLine}`),
  ];
  return [
    [
      hide(toRun(cut(title, titleLimit), "strong"), hasSpoiler),
      ...(subtitle === undefined ? [] : [hide(toRun(cut(subtitle, titleLimit), "quiet"), hasSpoiler)]),
      ...(workLine === undefined ? [] : [hide(toRun(workLine, "quiet"), hasSpoiler)]),
    ],
    [
      ...where.map((line) => hide(line, hasSpoiler)),
      toRun(`${isConfident ? "🟢" : "🟡"} ${similarityLine}`),
      ...notes.map((note) => toRun(`▫️ ${note}`)),
    ],
  ];
}

function listLinks({ links }: MatchCard): RunLine[] {
  if (links.length === 0) return [];
  return [
    links.flatMap(({ label, url }, index) => [
      ...(index === 0 ? [] : [{ text: " · ", styles: [] }]),
      { text: label, styles: [{ url }] },
    ]),
  ];
}

/** A heading starts a new section; quiet lines are separate. */
function groupLines({ lines }: Reply): RunLine[][] {
  const groups: RunLine[][] = [];
  let before: string | undefined;
  for (const line of lines) {
    const isApart = line.style === "heading" || before === undefined || before !== line.style;
    const followsHeading = before === "heading" && line.style !== "heading";
    if (groups.length === 0 || (isApart && !followsHeading)) groups.push([]);
    groups.at(-1)?.push(toRunLine(line));
    before = line.style;
  }
  return groups;
}

function joinParts(parts: readonly (readonly RunLine[])[]): RunLine[] {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [empty, ...part]));
}
