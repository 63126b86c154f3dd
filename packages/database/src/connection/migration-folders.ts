import { fileURLToPath } from "node:url";

/** The schemas of Koma, with the folders of their migrations. */
export const migrationFolders = {
  public: fileURLToPath(new URL("../../../../prisma/migrations", import.meta.url)),
  bots: fileURLToPath(new URL("../../../../prisma/bots/migrations", import.meta.url)),
} as const;

/** The migrations of the schema `vectors`, which needs pgvector and which backups omit. */
export const vectorMigrationsFolder: string = fileURLToPath(
  new URL("../../../../prisma/vectors/migrations", import.meta.url),
);

/** A schema of Koma. */
export type SchemaName = keyof typeof migrationFolders;
