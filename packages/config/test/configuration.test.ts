import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { expect, test } from "vitest";
import {
  ConfigurationError,
  describeConfiguration,
  inspectConfiguration,
  parseConfiguration,
} from "../src/configuration.ts";
import { secretVariables } from "../src/secret-files.ts";

test("uses defaults for unset and empty variables", () => {
  const config = parseConfiguration({ PORT: "", KOMA_SECRET: " ", HOME: "/root" });
  expect(config.PORT).toBe(3000);
  expect(config.KOMA_SECRET).toBeUndefined();
  expect(config.KOMA_BASE_URL).toBeUndefined();
  expect(isAbsolute(config.KOMA_DATA_DIR)).toBe(true);
});

test("reads secrets from the files that NAME_FILE names", async () => {
  const folder = await mkdtemp(join(tmpdir(), "koma-secrets-"));
  try {
    const [file, empty, missing] = ["secret", "empty", "missing"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const secret = "a secret of more than 32 characters";
    await writeFile(file, `${secret}\n`);
    await writeFile(empty, "\n");
    expect(parseConfiguration({ KOMA_SECRET_FILE: file }).KOMA_SECRET).toBe(secret);
    expect(parseConfiguration({ KOMA_SECRET_FILE: "" }).KOMA_SECRET).toBeUndefined();
    const { configuration, problems } = inspectConfiguration({
      KOMA_SECRET: "x",
      KOMA_SECRET_FILE: file,
      DISCORD_TOKEN_FILE: empty,
      TELEGRAM_TOKEN_FILE: missing,
      KOMA_VAULT_KEY_FILE: file,
    });
    expect(configuration).toEqual(parseConfiguration({}));
    expect(problems.map(({ variable }) => variable)).toEqual([
      "DISCORD_TOKEN_FILE",
      "KOMA_SECRET_FILE",
      "TELEGRAM_TOKEN_FILE",
      "KOMA_SECRET",
      "KOMA_VAULT_KEY",
    ]);
    // The content of a file is a secret, also where it is invalid.
    expect(JSON.stringify(problems)).not.toContain(secret);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("every variable with a secret exists, and the documentation names its file", () => {
  const rows = describeConfiguration();
  for (const name of secretVariables) {
    expect(rows.find(({ variable }) => variable === name)?.description).toContain(`\`${name}_FILE\``);
  }
});

test("parses values to their types", () => {
  const config = parseConfiguration({
    PORT: "0",
    KOMA_BASE_URL: "https://koma.example/find//",
    KOMA_DATA_DIR: "data/here",
    KOMA_TRUSTED_ORIGINS: "https://a.example, http://b.example:8080,",
    KOMA_TRUSTED_PROXIES: "10.0.0.0/8,::1",
    KOMA_SAMPLE_LIBRARY: "false",
    KOMA_TIME_ZONE: "Asia/Tokyo",
    KOMA_INDEX: "hnsw",
    KOMA_STRIPE_PRODUCTS: "price_a=100, price_b=500,",
    KOMA_MAIL_FROM: "Koma <koma@site.example>",
    KOMA_SMTP_URL: "smtps://user:pass%40word@mail.example:465",
  });
  expect(config.KOMA_STRIPE_PRODUCTS).toEqual([
    { productId: "price_a", credits: 100 },
    { productId: "price_b", credits: 500 },
  ]);
  expect(config.KOMA_BASE_URL).toBe("https://koma.example/find");
  expect(config.KOMA_DATA_DIR).toBe(join(parseConfiguration({}).KOMA_DATA_DIR, "..", "data/here"));
  expect(config.KOMA_TRUSTED_ORIGINS).toEqual(["https://a.example", "http://b.example:8080"]);
  expect(config.KOMA_TRUSTED_PROXIES).toEqual(["10.0.0.0/8", "::1"]);
  expect(config.KOMA_SAMPLE_LIBRARY).toBe(false);
  expect(config.KOMA_INDEX).toBe("hnsw");
});

test.each([
  ["PORT", "70000"],
  ["PORT", "3e3"],
  ["KOMA_BASE_URL", "koma.example"],
  ["KOMA_BASE_URL", "https://koma.example/?x=1"],
  ["DATABASE_URL", "mysql://x"],
  ["KOMA_INDEX", "graph"],
  ["DATABASE_REPLICA_URLS", "postgresql://db.example:port/koma"],
  ["DATABASE_REPLICA_URLS", "postgresql://db.example/koma,db.example"],
  ["KOMA_SECRET", "short"],
  ["KOMA_SECRET", `x${" ".repeat(40)}`],
  ["KOMA_TIME_ZONE", "Mars/Phobos"],
  ["KOMA_TRUSTED_ORIGINS", "https://a.example/path"],
  ["KOMA_TRUSTED_ORIGINS", "https://*.example"],
  ["KOMA_TRUSTED_PROXIES", "10.0.0.0/33"],
  ["KOMA_TRUSTED_PROXIES", "proxy"],
  ["KOMA_SAMPLE_LIBRARY", "no"],
  ["KOMA_CONTACT", "the operator"],
  ["LOG_LEVEL", "loud"],
  ["KOMA_HISTORY_DAYS", "0"],
  ["KOMA_SMTP_URL", "https://mail.example"],
  ["KOMA_SMTP_URL", "smtp://"],
  ["KOMA_MAIL_FROM", "Koma"],
  ["KOMA_MAIL_FROM", "a@x.example, b@x.example"],
  ["DISCORD_CLIENT_ID", "koma"],
  ["STRIPE_SECRET_KEY", "pk_test_1"],
  ["STRIPE_WEBHOOK_SECRET", "secret"],
  ["KOMA_STRIPE_PRODUCTS", "price_a"],
  ["KOMA_STRIPE_PRODUCTS", "price_a=0"],
  ["KOMA_STRIPE_PRODUCTS", "price_a=1.5"],
  ["KOMA_STRIPE_PRODUCTS", "price_a=1,price_a=2"],
  ["KOMA_UPSTREAMS", "https://koma.example"],
  ["KOMA_UPSTREAMS", "saucenao+https://saucenao.com"],
  ["KOMA_UPSTREAMS", "koma+ftp://koma.example"],
  ["KOMA_UPSTREAMS", "koma+https://koma.example?key=1"],
  ["KOMA_UPSTREAMS", "koma+https://user:password@koma.example"],
  ["KOMA_UPSTREAMS", "koma+https://koma.example,tracemoe+https://koma.example/"],
])("names the invalid variable of %s=%s", (variable, value) => {
  expect(() => parseConfiguration({ [variable]: value })).toThrow(ConfigurationError);
  expect(() => parseConfiguration({ [variable]: value })).toThrow(new RegExp(`^  ${variable} `, "m"));
});

test.each([
  [{ KOMA_SMTP_URL: "smtp://mail.example" }, "KOMA_MAIL_FROM"],
  [{ DISCORD_CLIENT_ID: "123" }, "DISCORD_CLIENT_SECRET"],
  [{ DATABASE_REPLICA_URLS: "postgresql://koma:x@db-2.example/koma" }, "DATABASE_URL"],
  [{ DISCORD_CLIENT_SECRET: "x" }, "DISCORD_CLIENT_ID"],
  [{ STRIPE_SECRET_KEY: "sk_test_1", KOMA_STRIPE_PRODUCTS: "price_a=1" }, "STRIPE_WEBHOOK_SECRET"],
  [{ STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" }, "KOMA_STRIPE_PRODUCTS"],
])("%j requires %s", (value, missing) => {
  expect(() => parseConfiguration(value)).toThrow(new RegExp(`^  ${missing} is required with `, "m"));
});

test("reads other services in order, with their keys, and never repeats a key in an error", () => {
  const parse = (KOMA_UPSTREAMS: string) => parseConfiguration({ KOMA_UPSTREAMS }).KOMA_UPSTREAMS;
  expect(parse("koma+http://10.0.0.2:3000/find/, tracemoe+https://k3y_@api.trace.moe,")).toEqual([
    { kind: "koma", url: "http://10.0.0.2:3000/find" },
    { kind: "tracemoe", url: "https://api.trace.moe", key: "k3y_" },
  ]);
  const bad = () => parse("tracemoe+https://hunter2@api.trace.moe#x");
  expect(bad).toThrow("KOMA_UPSTREAMS must have addresses");
  expect(bad).not.toThrow("hunter2");
});

test("accepts the index in PostgreSQL only with DATABASE_URL", () => {
  expect(() => parseConfiguration({ KOMA_INDEX: "postgres" })).toThrow(
    /^ {2}KOMA_INDEX can be postgres only with DATABASE_URL/m,
  );
  const DATABASE_URL = "postgresql://koma@db.example/koma";
  expect(parseConfiguration({ KOMA_INDEX: "postgres", DATABASE_URL }).KOMA_INDEX).toBe("postgres");
});

test("inspects an invalid configuration with the defaults of its invalid variables", () => {
  const { configuration, problems } = inspectConfiguration({ PORT: "x", HOST: "::" });
  expect(configuration).toEqual(parseConfiguration({ HOST: "::" }));
  expect(problems).toEqual([{ variable: "PORT", message: "must be a whole number" }]);
  const half = inspectConfiguration({ DISCORD_CLIENT_ID: "123" });
  expect(half.configuration.DISCORD_CLIENT_ID).toBe("123");
  expect(half.problems).toMatchObject([{ variable: "DISCORD_CLIENT_SECRET" }]);
});

test("describes every variable, with its default as it would be set", () => {
  const rows = describeConfiguration();
  expect(rows.filter((row) => row.description === "")).toEqual([]);
  const defaults = Object.fromEntries(rows.map((row) => [row.variable, row.default]));
  expect(defaults).toMatchObject({ PORT: "3000", KOMA_DATA_DIR: ".koma", KOMA_SAMPLE_LIBRARY: "true" });
  expect(defaults.KOMA_TRUSTED_PROXIES).toBeUndefined();
  const written = Object.fromEntries(
    rows.flatMap((row) => (row.default ? [[row.variable, row.default]] : [])),
  );
  expect(parseConfiguration(written)).toEqual(parseConfiguration({}));
});

test("parses the keys of the vault in hex and base64, and never repeats an invalid one", () => {
  const bytes = Buffer.alloc(32, 7);
  const config = parseConfiguration({
    KOMA_VAULT_KEY: `${bytes.toString("hex")}, ${bytes.toString("base64")},${bytes.toString("base64url")}`,
  });
  expect(config.KOMA_VAULT_KEY.map((key) => Buffer.from(key).equals(bytes))).toEqual([true, true, true]);
  expect(parseConfiguration({}).KOMA_VAULT_KEY).toEqual([]);
  const bad = () => parseConfiguration({ KOMA_VAULT_KEY: "hunter2" });
  expect(bad).toThrow("KOMA_VAULT_KEY has an entry that is not a key");
  expect(bad).not.toThrow("hunter2");
});

test("reads the shards", () => {
  const read = (written: string) => parseConfiguration({ KOMA_DISCORD_SHARDS: written }).KOMA_DISCORD_SHARDS;
  expect(read("0-3/8")).toEqual({ first: 0, last: 3, total: 8 });
  expect(read("2/8")).toEqual({ first: 2, last: 2, total: 8 });
});

test.each([
  ["8/8", "must name shards from 0 to 7"],
  ["3-1/8", "must name the lower shard first"],
  ["0/0", "must have a total of at least 1"],
  ["auto", "must look like 0-3/8 or 2/8"],
])("rejects the shards %s", (written, problem) => {
  expect(() => parseConfiguration({ KOMA_DISCORD_SHARDS: written })).toThrow(
    `KOMA_DISCORD_SHARDS ${problem}`,
  );
});
