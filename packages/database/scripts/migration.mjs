// Compares migrations with their schema (prisma/ and prisma/bots/), with Prisma's schema engine (WASM) on an
// in-memory PGlite.
//   migration.mjs check              exit code 1 and the difference, when a schema differs from its migrations
//   migration.mjs new <name> [bots]  writes the difference as a new migration, to be reviewed before the commit
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";

const main = "prisma";
const bots = "prisma/bots";
const root = fileURLToPath(new URL("../../../", import.meta.url));
const [command, name, which] = process.argv.slice(2);
let loadedGlue;

const prismaFolder = path.join(root, which === "bots" ? bots : main);
if (command === "check") await check();
else if (command === "new" && /^[a-z0-9_]+$/.test(name ?? "")) await writeNew(name);
else fail("Usage: migration.mjs check | new <name_in_snake_case> [bots]");

async function check() {
  for (const folder of [main, bots]) {
    const difference = await diff(path.join(root, folder));
    if (difference !== "")
      fail(`${folder}/schema.prisma differs from ${folder}/migrations. Missing:\n${difference}`);
  }
  console.log("The migrations match the schemas.");
}

async function writeNew(migrationName) {
  const difference = await diff(prismaFolder);
  if (difference === "") fail("No new migration: the migrations match the schema.");
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = path.join(prismaFolder, "migrations", `${stamp}_${migrationName}`);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "migration.sql"), `${difference}\n`);
  console.log(path.join(folder, "migration.sql"));
}

/** Returns the SQL that leads from the migrations to the schema; empty when they match. */
async function diff(folder) {
  const engine = await loadEngine();
  const schemaFile = path.join(folder, "schema.prisma");
  const { exitCode, stdout } = await engine.diff({
    from: { tag: "migrations", ...(await listMigrations(path.join(folder, "migrations"))) },
    to: {
      tag: "schemaDatamodel",
      files: [{ path: schemaFile, content: await readFile(schemaFile, "utf8") }],
    },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  return exitCode === 0 ? "" : (stdout ?? "").trim();
}

async function listMigrations(migrationsFolder) {
  const entries = existsSync(migrationsFolder)
    ? await readdir(migrationsFolder, { withFileTypes: true })
    : [];
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const lockFile = path.join(migrationsFolder, "migration_lock.toml");
  return {
    baseDir: migrationsFolder,
    lockfile: {
      path: "migration_lock.toml",
      content: existsSync(lockFile) ? await readFile(lockFile, "utf8") : null,
    },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      folders.sort().map(async (folder) => ({
        path: folder,
        migrationFile: {
          path: "migration.sql",
          content: {
            tag: "ok",
            value: await readFile(path.join(migrationsFolder, folder, "migration.sql"), "utf8"),
          },
        },
      })),
    ),
  };
}

async function loadEngine() {
  loadedGlue ??= loadGlue();
  const glue = await loadedGlue;
  // Prisma's own adapter contains the wrapper of drivers.
  const requireOfAdapter = createRequire(createRequire(import.meta.url).resolve("@prisma/adapter-pg"));
  const { bindMigrationAwareSqlAdapterFactory } = requireOfAdapter("@prisma/driver-adapter-utils");
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPGlite(new PGlite()));
  return await glue.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
}

// Node 20 cannot import .wasm, so this instantiates the module; once, because its glue supports one instance.
async function loadGlue() {
  const folder = path.dirname(
    createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg"),
  );
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = await readFile(path.join(folder, "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
