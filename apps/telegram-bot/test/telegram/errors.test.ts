import { GrammyError, HttpError } from "grammy";
import { expect, test } from "vitest";
import { describeError, withoutSecrets } from "../../src/telegram/errors.ts";

const token = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

test("the log contains no token, key or path", () => {
  const cause = new Error(
    `request to https://api.telegram.org/bot${token}/sendMessage failed, koma_${"a".repeat(52)}`,
  );
  for (const error of [cause, new HttpError(`x ${token}`, cause)]) {
    const written = JSON.stringify(describeError(error));
    expect(written).not.toContain(token.split(":")[1]);
    expect(written).not.toContain("koma_a");
    expect(written).not.toContain("sendMessage failed");
  }
  expect(withoutSecrets(`https://api.telegram.org/file/bot${token}/photos/a.jpg`)).toBe(
    "https://api.telegram.org/…",
  );
});

test("the log contains Telegram's error code and description, without the request", () => {
  const response = {
    ok: false as const,
    error_code: 403,
    description: "Forbidden: bot was blocked by the user",
  };
  const error = new GrammyError("failed", response, "sendMessage", { text: "private words" });
  expect(describeError(error)).toEqual({
    error: "sendMessage: Forbidden: bot was blocked by the user",
    code: 403,
  });
});
