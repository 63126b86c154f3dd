// Writes the configuration with which an OCI runtime runs an image: no network, a read-only root and no
// capabilities. Standard input is the configuration of the image. deploy/test-image.sh uses it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bundle: { type: "string" },
    root: { type: "string" },
    data: { type: "string" },
    user: { type: "string" },
  },
});
const image = JSON.parse(readFileSync(0, "utf8"));
const [uid, gid] = values.user.split(":").map(Number);
const noCapabilities = { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] };

const configuration = {
  ociVersion: "1.0.0",
  process: {
    user: { uid, gid },
    args: positionals.length > 0 ? positionals : image.Cmd,
    env: image.Env,
    cwd: image.WorkingDir,
    capabilities: noCapabilities,
    noNewPrivileges: true,
  },
  root: { path: values.root, readonly: true },
  mounts: [
    { destination: "/proc", type: "proc", source: "proc" },
    { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755", "size=64k"] },
    { destination: "/dev/shm", type: "tmpfs", source: "shm", options: ["nosuid", "nodev", "noexec"] },
    { destination: "/tmp", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "size=256m"] },
    ...Object.keys(image.Volumes).map((destination) => ({
      destination,
      type: "bind",
      source: values.data,
      options: ["rbind", "rw", "nosuid", "nodev"],
    })),
  ],
  linux: { namespaces: ["pid", "network", "ipc", "uts", "mount"].map((type) => ({ type })) },
};

writeFileSync(join(values.bundle, "config.json"), JSON.stringify(configuration));
