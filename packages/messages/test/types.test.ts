import { expect, test } from "vitest";
import { createTranslator } from "../src/index.ts";

// The compiler checks these lines (`npm run typecheck:test`): each marked line must be an error.

test("the compiler rejects unknown keys and wrong parameters", () => {
  const { t } = createTranslator("en");
  expect(t("button.next")).toBe("Next");
  // @ts-expect-error There is no such text.
  t("button.nothing");
  // @ts-expect-error A parameter is missing.
  t("help.hello");
  // @ts-expect-error A moment is a Date.
  t("error.again", { at: "tomorrow" });
  // @ts-expect-error A plural takes a number.
  t("credits.remaining", { count: "3" });
});
