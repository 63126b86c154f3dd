import type { BotStore } from "@koma/database/bots";
import { z } from "zod";
import type { Person } from "../model/request.ts";
import type { Identities } from "../vault/identities.ts";
import { type Vault, VaultError } from "../vault/vault.ts";

/** Stores people's own API keys. */
export type Accounts = ReturnType<typeof createAccounts>;

/** A person's key and its stored form. */
export type OwnKey = {
  key: string;
  title: string | undefined;
  /** True if the user created and pasted the key. Keys created by linking have a title. */
  isPasted: boolean;
  linkedAt: Date;
  /** The ciphertext of the key, so that the removal of a rejected key does not remove a newer one. */
  sealed: Uint8Array;
};

export function createAccounts(options: {
  store: BotStore;
  vault: Vault;
  identities: Identities;
  onLog: (level: "warn", message: string) => void;
}) {
  const { vault, identities } = options;
  const { accounts } = options.store;
  // The row's name is part of the associated data: one person's key cannot be decrypted as another's.
  const associatedDataOf = (personKey: string) => `LinkedAccount ${personKey}`;

  return {
    /** The person's key; undefined if none is linked or it can no longer be decrypted. */
    async find(person: Person): Promise<OwnKey | undefined> {
      const id = identities.person(person.id);
      const row = await accounts.find(id);
      if (row === undefined) return undefined;
      try {
        const { key, title } = Content.parse(vault.openJson(associatedDataOf(id.personKey), row));
        return { key, title, isPasted: title === undefined, linkedAt: row.linkedAt, sealed: row.sealed };
      } catch (error) {
        if (!(error instanceof VaultError)) throw error;
        options.onLog("warn", `The key of a linked account cannot be decrypted: ${error.message}`);
        return undefined;
      }
    },

    /** Stores the person's key and replaces an earlier one. */
    async save(person: Person, content: { key: string; title: string | undefined }, at: Date): Promise<void> {
      const id = identities.person(person.id);
      await accounts.put(id, vault.sealJson(associatedDataOf(id.personKey), content), at);
    },

    /** Removes the person's key, unless a newer one has replaced it. */
    async drop(person: Person, { sealed }: OwnKey): Promise<void> {
      await accounts.remove(identities.person(person.id), sealed);
    },

    /** Re-encrypts the rows that older vault keys encrypted. */
    async rotate(): Promise<void> {
      for (let last = ""; ; ) {
        const rows = await accounts.listSealedOtherwise(vault.currentKeyId);
        // A row that cannot be decrypted stays, and must not repeat the loop endlessly.
        const [first] = rows;
        if (first === undefined || first.personKey === last) return;
        last = first.personKey;
        for (const row of rows) {
          const associatedData = associatedDataOf(row.personKey);
          try {
            await accounts.reseal(row, row, vault.seal(associatedData, vault.open(associatedData, row)));
          } catch (error) {
            if (!(error instanceof VaultError)) throw error;
          }
        }
      }
    },
  };
}

const Content = z.object({ key: z.string(), title: z.string().optional() });
