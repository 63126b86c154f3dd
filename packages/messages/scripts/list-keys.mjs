import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const english = fileURLToPath(new URL("../src/locales/en/", import.meta.url));

/** The dotted keys of all English texts, area first. A plural has one key. */
export function listKeys() {
  return readdirSync(english)
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => keysOf(JSON.parse(readFileSync(english + file, "utf8")), file.replace(/json$/, "")));
}

function keysOf(texts, prefix) {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string"
      ? [prefix + key.replace(/_(?:zero|one|two|few|many|other)$/, "")]
      : keysOf(text, `${prefix}${key}.`),
  );
}
