// Compares prisma/migrations with prisma/schema.prisma, using Prisma's schema engine (WASM) on an in-memory PGlite.
//   migration.mjs check       exit code 1 and the difference, when the schema says what no migration does
//   migration.mjs new <name>  writes the difference as a new migration, to be read before it is committed
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";

const prismaFolder = fileURLToPath(new URL("../../../prisma", import.meta.url));
const migrationsFolder = path.join(prismaFolder, "migrations");
const [command, name] = process.argv.slice(2);

if (command === "check") await check();
else if (command === "new" && /^[a-z0-9_]+$/.test(name ?? "")) await writeNew(name);
else fail("Usage: migration.mjs check | new <name_in_snake_case>");

async function check() {
  const difference = await diff();
  if (difference !== "") fail(`prisma/schema.prisma differs from prisma/migrations. Missing:\n${difference}`);
  console.log("The migrations match the schema.");
}

async function writeNew(migrationName) {
  const difference = await diff();
  if (difference === "") fail("Nothing to do: the migrations match the schema.");
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = path.join(migrationsFolder, `${stamp}_${migrationName}`);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "migration.sql"), `${difference}\n`);
  console.log(path.join(folder, "migration.sql"));
}

/** The SQL that leads from the migrations to the schema; empty when they match. */
async function diff() {
  const engine = await loadEngine();
  const schemaFile = path.join(prismaFolder, "schema.prisma");
  const { exitCode, stdout } = await engine.diff({
    from: { tag: "migrations", ...(await listMigrations()) },
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

async function listMigrations() {
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

// Node 20 cannot import .wasm, so the module is put together by hand.
async function loadEngine() {
  const require = createRequire(import.meta.url);
  const folder = path.dirname(require.resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = await readFile(path.join(folder, "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();

  // What drivers are wrapped in comes with Prisma's own adapter.
  const requireOfAdapter = createRequire(require.resolve("@prisma/adapter-pg"));
  const { bindMigrationAwareSqlAdapterFactory } = requireOfAdapter("@prisma/driver-adapter-utils");
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPGlite(new PGlite()));
  return await glue.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
