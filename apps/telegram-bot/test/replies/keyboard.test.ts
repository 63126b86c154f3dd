import { makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import { languages } from "@koma/messages";
import { expect, test } from "vitest";
import { writeKeyboard } from "../../src/replies/keyboard.ts";
import { makeButtons } from "../fixtures/replies.ts";

const options = { username: "koma_bot", isShared: false };

test.each(languages)("in %s a confirmed match keeps every button in its row", (language) => {
  const match = makeMatch();
  const write = (isActive: boolean) => {
    const buttons = makeButtons(language, match).map((row) =>
      row.map((button) => (button.action === "right" ? { ...button, isActive } : button)),
    );
    return writeKeyboard(makeReply({ language, match, buttons }), options)?.map((row) => row.length);
  };
  expect(write(true)).toEqual(write(false));
});

test("the button between the arrows shows the position among the candidates", () => {
  const match = makeMatch({ rank: 2, count: 5 });
  const keyboard = writeKeyboard(makeReply({ match, buttons: makeButtons("en", match) }), options);
  expect(keyboard?.[0]?.map(({ text }) => text)).toEqual(["◀️ Previous", "2 of 5", "Next ▶️"]);
});
