import { expect, it } from "vitest";
import { fingerprintSecret, sealSecret, unsealSecret } from "../src/sealed-secret.ts";

const secret = "k".repeat(43);

it("decrypts a secret only with its passphrase", () => {
  const sealed = sealSecret(secret, "correct horse battery");
  expect(JSON.stringify(sealed)).not.toContain(secret);
  expect(unsealSecret(sealed, "correct horse battery")).toBe(secret);
  expect(unsealSecret(sealed, "another passphrase")).toBeUndefined();
  expect(
    unsealSecret({ ...sealed, tag: sealSecret(secret, "x").tag }, "correct horse battery"),
  ).toBeUndefined();
});

it("identifies a secret by its fingerprint", () => {
  expect(fingerprintSecret(secret)).toBe(fingerprintSecret(secret));
  expect(fingerprintSecret(secret)).not.toBe(fingerprintSecret(`${secret}2`));
});
