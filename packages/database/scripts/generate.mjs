// Generates src/generated and src/bots/generated from the Prisma schemas.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const prismaCommand = createRequire(import.meta.url).resolve("prisma/build/index.js");

// The starter compares its time with those of the schemas.
const marker = path.join(root, "packages/database/src/generated/.built");
rmSync(marker, { force: true });
for (const schema of ["prisma/schema.prisma", "prisma/bots/schema.prisma"]) generate(schema);
writeFileSync(marker, "");

function generate(schema) {
  const result = spawnSync(process.execPath, [prismaCommand, "generate", "--schema", schema], {
    cwd: root,
    encoding: "utf8",
    env: {
      ...process.env,
      // Generating needs no schema engine, but Prisma downloads one unless a path is set. Any existing file
      // is accepted.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    },
  });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}${result.error ?? ""}\n`);
    process.exit(1);
  }
}
