import { expect, test } from "vitest";
import { hideAddressSecrets } from "../src/log-secrets.ts";

test("a log line hides the tokens of addresses, except of a link that the operator opens", () => {
  const link = "http://127.0.0.1:3000/api/auth/verify-email?token=abc&callbackURL=%2F";
  const write = (line: object) => `${JSON.stringify({ level: 30, ...line })}\n`;
  const mail = write({ msg: `Mail: Confirm your address (for rin@site.example): ${link}` });
  expect(hideAddressSecrets(mail)).toBe(mail);
  for (const line of [
    { msg: `request of ${link}` },
    { msg: "an error", err: { message: `"msg":"Mail: ${link}` } },
    { msg: `a name "msg":"Mail: ${link}` },
  ]) {
    expect(hideAddressSecrets(write(line))).toContain("?token=…&callbackURL=");
  }
});
