import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../public/_locales/", import.meta.url));
const source = fileURLToPath(new URL("../src/", import.meta.url));
const english = readTexts("en");

test.each(readdirSync(folder))("%s has the texts and placeholders of English", (language) => {
  const texts = readTexts(language);
  expect(Object.keys(texts)).toEqual(Object.keys(english));
  for (const [key, text] of Object.entries(texts)) {
    expect(text.trim(), key).not.toBe("");
    expect(listPlaceholders(text), key).toEqual(listPlaceholders(english[key] ?? ""));
  }
});

test("every text is used", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const code = files.map((name) => readFileSync(`${source}/${name}`, "utf8")).join("\n");
  const reasons = /type LocalReason =([^;]+);/.exec(code)?.[1]?.match(/\w+/g) ?? [];
  const composed = new Set(reasons.flatMap((reason) => [`${reason}Title`, `${reason}Text`]));
  const manifest = ["extensionName", "extensionDescription"];
  const unused = Object.keys(english).filter(
    (key) => !code.includes(`"${key}"`) && !composed.has(key) && !manifest.includes(key),
  );
  expect(unused).toEqual([]);
});

function readTexts(language: string): Record<string, string> {
  const entries: Record<string, { message: string }> = JSON.parse(
    readFileSync(`${folder}/${language}/messages.json`, "utf8"),
  );
  return Object.fromEntries(Object.entries(entries).map(([key, { message }]) => [key, message]));
}

function listPlaceholders(text: string): string[] {
  return (text.match(/\$\d/g) ?? []).sort();
}
