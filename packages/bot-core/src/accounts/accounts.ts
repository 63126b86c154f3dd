import type { BotStore } from "@koma/database/bots";
import { z } from "zod";
import type { Person } from "../model/request.ts";
import type { Identities } from "../vault/identities.ts";
import { type Vault, VaultError } from "../vault/vault.ts";

/** People's own API keys. */
export type Accounts = ReturnType<typeof createAccounts>;

/** A person's key, as it was read. */
export type OwnKey = {
  key: string;
  title: string | undefined;
  /** The user created the key and pasted it; the others were created by linking, and have a title. */
  isPasted: boolean;
  linkedAt: Date;
  /** Which sealing it came from, so that a refused key takes no newer one along. */
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
  // The row's own name is part of what is sealed: one person's key never opens as another's.
  const associatedDataOf = (personKey: string) => `LinkedAccount ${personKey}`;

  return {
    /** The person's key; undefined where none is linked, or it cannot be read any more. */
    async find(person: Person): Promise<OwnKey | undefined> {
      const id = identities.person(person.id);
      const row = await accounts.find(id);
      if (row === undefined) return undefined;
      try {
        const { key, title } = Content.parse(vault.openJson(associatedDataOf(id.personKey), row));
        return { key, title, isPasted: title === undefined, linkedAt: row.linkedAt, sealed: row.sealed };
      } catch (error) {
        if (!(error instanceof VaultError)) throw error;
        options.onLog("warn", `The key of a linked account cannot be read: ${error.message}`);
        return undefined;
      }
    },

    /** Keeps the person's key, instead of one that was there. */
    async save(person: Person, content: { key: string; title: string | undefined }, at: Date): Promise<void> {
      const id = identities.person(person.id);
      await accounts.put(id, vault.sealJson(associatedDataOf(id.personKey), content), at);
    },

    /** Removes the person's key, unless a newer one has taken its place. */
    async drop(person: Person, { sealed }: OwnKey): Promise<void> {
      await accounts.remove(identities.person(person.id), sealed);
    },

    /** Seals anew what older keys of the vault have sealed. */
    async rotate(): Promise<void> {
      for (let last = ""; ; ) {
        const rows = await accounts.listSealedOtherwise(vault.currentKeyId);
        // One that cannot be read stays, and must not make this endless.
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
