import type { Random } from "../drawing/random.ts";
import { hostileText, mutateText } from "./hostile-text.ts";

/** Returns the text of a JSON body: `valid` with changed values, or text that is no JSON. */
export function generateJsonText(random: Random, valid: object): string {
  const changed = Object.fromEntries(
    Object.entries(valid).flatMap(([name, value]): [string, unknown][] => {
      if (random.chance(0.1)) return [];
      return [[name, random.chance(0.5) ? generateValue(random, 0) : value]];
    }),
  );
  if (random.chance(0.2)) changed[hostileText(random)] = generateValue(random, 0);
  const json = random.chance(0.9) ? JSON.stringify(changed) : JSON.stringify(generateValue(random, 0));
  if (random.chance(0.25)) return mutateText(random, json);
  if (random.chance(0.03)) return random.pick(["[", '{"a":', "[[],"]).repeat(random.whole(1, 6000));
  if (random.chance(0.03))
    return json.replace("{", '{"__proto__":{"isBot":true},"constructor":{"prototype":1},');
  return json;
}

function generateValue(random: Random, depth: number): unknown {
  switch (random.pick(["text", "text", "text", "number", "literal", "array", "object"])) {
    case "text":
      return hostileText(random);
    case "number":
      return random.pick([0, -0, -1, 0.1, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324]);
    case "literal":
      return random.pick<unknown>([true, false, null]);
    case "array":
      return depth > 3
        ? []
        : Array.from({ length: random.whole(0, 4) }, () => generateValue(random, depth + 1));
    default:
      return depth > 3
        ? {}
        : Object.fromEntries(
            Array.from({ length: random.whole(0, 4) }, () => [
              hostileText(random),
              generateValue(random, depth + 1),
            ]),
          );
  }
}
