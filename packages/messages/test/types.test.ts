import { expect, test } from "vitest";
import { createSpeaker } from "../src/index.ts";
import { time } from "../src/languages/ja/time.ts";
import { translate } from "../src/translate.ts";

// What matters here is checked by the compiler (`npm run typecheck:test`): each marked line has to be an error.

test("the compiler refuses translations that do not fit English", () => {
  const good = translate("ja", "time", { moment: "{{clock}} {{day}}" });
  expect(Object.keys(good)).toEqual(Object.keys(time));
  // @ts-expect-error A key is missing.
  translate("ja", "time", {});
  // @ts-expect-error There is no such key.
  translate("ja", "time", { moment: "{{day}} {{clock}}", hour: "" });
  // @ts-expect-error A placeholder is missing.
  translate("ja", "time", { moment: "{{day}}" });
  // @ts-expect-error There is no such placeholder.
  translate("ja", "time", { moment: "{{day}} {{clock}} {{name}}" });
  // @ts-expect-error The placeholder has another format.
  translate("ja", "time", { moment: "{{day, date}} {{clock}}" });
});

test("the compiler knows the plurals of each language", () => {
  const { title, none, ...rest } = {
    title: "",
    none: "",
    cost: "",
    linkForMore: "{{command.link}}",
  } as const;
  const parts = "{{remaining, number}}{{limit, number}}";
  const plain = { guest: parts, free: parts, hourly: parts, purchased: "{{count, number}}" } as const;
  const resets = "{{at, relative}}{{at, moment}}" as const;
  const same = { ...{ title, none, resets }, ...rest, ...plain } as const;
  const remaining_one = "una" as const;
  const remaining_other = "{{count, number}}" as const;
  const korean = translate("ko", "credits", { ...same, remaining_other });
  expect(korean.credits).toHaveProperty("remaining_other");
  translate("es", "credits", { ...same, remaining_one, remaining_many: remaining_other, remaining_other });
  // @ts-expect-error Spanish has a form for millions.
  translate("es", "credits", { ...same, remaining_one, remaining_other });
  // @ts-expect-error Korean has one form only.
  translate("ko", "credits", { ...same, remaining_one, remaining_other });
  // @ts-expect-error Only the singular may do without its number.
  translate("ko", "credits", { ...same, remaining_other: "many" });
});

test("the compiler refuses what a text does not take", () => {
  const { say } = createSpeaker("en");
  expect(say("button.next")).toBe("Next");
  // @ts-expect-error There is no such text.
  say("button.nothing");
  // @ts-expect-error A parameter is missing.
  say("reply.askedBy");
  // @ts-expect-error It takes no parameters.
  say("button.next", { name: "A" });
  // @ts-expect-error A moment is a Date.
  say("error.again", { at: "tomorrow" });
  // @ts-expect-error A plural takes a number.
  say("credits.remaining", { count: "3" });
});
