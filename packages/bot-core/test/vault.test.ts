import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createVault, VaultError } from "../src/vault/vault.ts";

const key = () => new Uint8Array(randomBytes(32));

test("decrypts with the same associated data only", () => {
  const vault = createVault([key()]);
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), fc.string(), (content, associatedData, other) => {
      const sealed = vault.seal(associatedData, content);
      expect(new Uint8Array(vault.open(associatedData, sealed))).toEqual(content);
      if (associatedData !== other) expect(() => vault.open(other, sealed)).toThrow(VaultError);
    }),
  );
});

test("detects a change of any bit", () => {
  const vault = createVault([key()]);
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1 }),
      fc.nat(),
      fc.integer({ min: 0, max: 7 }),
      (content, at, bit) => {
        const { keyId, sealed } = vault.seal("row", content);
        const changed = new Uint8Array(sealed);
        const index = at % changed.length;
        changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        expect(() => vault.open("row", { keyId, sealed: changed })).toThrow(VaultError);
        expect(() => vault.open("row", { keyId, sealed: sealed.subarray(0, index) })).toThrow(VaultError);
      },
    ),
  );
});

test("produces a different ciphertext for the same content", () => {
  const vault = createVault([key()]);
  const seal = () => Buffer.from(vault.sealJson("row", "koma_secret").sealed).toString("hex");
  expect(new Set(Array.from({ length: 100 }, seal)).size).toBe(100);
  expect(seal()).not.toContain(Buffer.from("koma_secret").toString("hex"));
});

test("older keys still decrypt, only the first encrypts, and the error names an unknown key", () => {
  const [older, newer] = [key(), key()];
  const before = createVault([older]);
  const sealed = before.sealJson("row", { a: 1 });
  const after = createVault([newer, older]);
  expect(after.openJson("row", sealed)).toEqual({ a: 1 });
  expect(after.sealJson("row", 1).keyId).toBe(after.currentKeyId);
  expect(after.currentKeyId).not.toBe(before.currentKeyId);
  expect(() => createVault([newer]).open("row", sealed)).toThrow(`key ${before.currentKeyId} of the vault`);
  // A forged key id.
  expect(() => after.open("row", { ...sealed, keyId: after.currentKeyId })).toThrow(VaultError);
});

test("rejects keys of another length", () => {
  expect(() => createVault([])).toThrow(VaultError);
  expect(() => createVault([new Uint8Array(16)])).toThrow(VaultError);
});
