import type { Field } from "./bot-api.ts";

/** The limits of a value that the description of its field states. */
export type Limits = {
  /** The only valid values. */
  values: readonly string[] | undefined;
  characters: { from: number; to: number } | undefined;
  bytes: { from: number; to: number } | undefined;
  /** The range of a number, or of the length of a list. */
  range: { from: number; to: number } | undefined;
  pattern: RegExp | undefined;
};

const known = new WeakMap<Field, Limits>();

/** Parses lengths, ranges, values and allowed characters from the description of a field. */
export function readLimits(field: Field): Limits {
  const read = known.get(field) ?? readNew(field);
  known.set(field, read);
  return read;
}

function readNew({ description, types }: Field): Limits {
  const isText = types.length === 1 && types[0] === "String";
  const isParsed = /after entit/i.test(description);
  return {
    values: isText ? readValues(description) : undefined,
    characters: isText && !isParsed ? readRange(/(\d+)-(\d+) characters/, description) : undefined,
    bytes: isText ? readRange(/(\d+)-(\d+) bytes/i, description) : undefined,
    range: isText
      ? undefined
      : (readRange(/[Vv]alues between (\d+)-(\d+)/, description) ??
        readRange(/must include (\d+)-(\d+) items/, description) ??
        readRange(/delivery, (\d+)-(\d+)\./, description) ??
        readRange(/At most ()(\d+) commands/, description)),
    pattern: /A-Z, a-z, 0-9, _ and - are allowed/.test(description) ? /^[\w-]*$/ : undefined,
  };
}

function readRange(pattern: RegExp, description: string) {
  const found = pattern.exec(description);
  return found ? { from: Number(found[1]), to: Number(found[2]) } : undefined;
}

/** `must be photo`, `always "user"`, `must be one of "a", "b"`, `Currently, can be "bold" (bold text), …`. */
function readValues(description: string): readonly string[] | undefined {
  const alone = /(?:^Type of [^.]*|^Scope type, |^Error source, )must be (\w+)\.?$/.exec(description);
  if (alone?.[1]) return [alone[1]];
  const start =
    /always "|[Mm]ust be one of "|[Cc]urrently(?:, )?(?: it)?(?:,)? ?(?:can be|one of) (?:one of )?(?:either )?"|can be (?:either|one of) "|[Cc]an be either "/.exec(
      description,
    );
  if (!start) return undefined;
  const quoted = [...description.slice(start.index).matchAll(/"([^"]+)"/g)].flatMap((one) => one[1] ?? []);
  return quoted.length > 0 ? quoted : undefined;
}
