import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import { supervise } from "../chaos/supervise.ts";

const execute = promisify(execFile);
const script = fileURLToPath(new URL("../../../../deploy/test-cluster.sh", import.meta.url));
const komaFile = fileURLToPath(import.meta.resolve("@koma/cli/koma"));
const apiFile = fileURLToPath(import.meta.resolve("@koma/api/main"));
const nodes = ["postgres-1", "postgres-2", "postgres-3"] as const;
const urlOf = (host: string) => `postgresql://koma:test@${host}/koma`;

/** Patroni's view of one PostgreSQL. */
export type Member = { name: string; role: string; state: string; lag?: number | string };

/** The databases that `deploy/test-cluster.sh` started, and Koma on further hosts. */
export type Cluster = ReturnType<typeof useCluster>;

/** Uses the cluster in a folder of `deploy/test-cluster.sh`, on one of whose hosts this process runs. */
export function useCluster(folder: string) {
  const secret = randomUUID();
  const databaseUrl = urlOf("haproxy");
  const control = async (action: string, ...hosts: string[]) => {
    // The script leaves servers that keep its output open.
    await execute(script, [action, folder, ...hosts], { timeout: 30_000 });
  };

  function environmentOf(host: string): Record<string, string> {
    return {
      KOMA_DATA_DIR: join(folder, "koma", host),
      KOMA_SECRET: secret,
      KOMA_SAMPLE_LIBRARY: "false",
      KOMA_ENGINE_WORKERS: "1",
      KOMA_INDEX: "postgres",
      DATABASE_URL: databaseUrl,
      DATABASE_REPLICA_URLS: nodes.map(urlOf).join(),
      LOG_LEVEL: "warn",
    };
  }

  /** Asks each Patroni until one responds. */
  async function listMembers(): Promise<Member[]> {
    for (const node of nodes) {
      const members = await fetch(`http://${node}:8008/cluster`, { signal: AbortSignal.timeout(2000) })
        .then((response) => response.json() as Promise<{ members: Member[] }>)
        .catch(() => undefined);
      if (members !== undefined) return members.members;
    }
    return [];
  }

  return {
    secret,
    databaseUrl,
    /** Ends all processes of a host at once. */
    kill: (host: string) => control("kill", host),
    start: (host: string) => control("start", host),
    removeData: (host: string) => rm(join(folder, "data", host), { recursive: true }),
    /** Drops all packets between a host and others. */
    cut: (host: string, others: readonly string[]) => control("cut", host, ...others),
    join: (host: string, others: readonly string[]) => control("join", host, ...others),

    /** Makes a replica the primary, as `patronictl switchover` does. */
    async switchOver(leader: string): Promise<void> {
      const body = JSON.stringify({ leader });
      const response = await fetch(`http://${leader}:8008/switchover`, { method: "POST", body });
      if (response.status !== 200) throw new Error(await response.text());
    },

    findLeader: async () => (await listMembers()).find(({ role }) => role === "leader")?.name,

    /** Waits until the cluster has a leader and two replicas, all of which stream; returns their names. */
    async settle(): Promise<{ leader: string; replicas: string[] }> {
      let members: Member[] = [];
      await expect
        .poll(
          async () => {
            members = await listMembers();
            const states = members.map(
              ({ role, state }) => `${role === "leader" ? role : "replica"} ${state}`,
            );
            return states.sort();
          },
          { timeout: 180_000, interval: 500 },
        )
        .toEqual(["leader running", "replica streaming", "replica streaming"]);
      const leader = members.find(({ role }) => role === "leader")?.name ?? "";
      return { leader, replicas: members.map(({ name }) => name).filter((name) => name !== leader) };
    },

    /** Runs `koma` to its end on this host. */
    async koma(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
      const env = { ...process.env, ...environmentOf("load"), ...environment };
      const { stdout } = await execute(process.execPath, [komaFile, ...args], { env, maxBuffer: 1 << 28 });
      return stdout;
    },

    /** Runs an API on a host, which is started again when it ends. */
    openApi: (host: string) =>
      supervise([apiFile], { ...environmentOf(host), ...apiSettings }, /^ready on/m, onHost(host)),

    /** Runs a worker on a host, which is started again when it ends. */
    openWorker: (host: string) =>
      supervise([komaFile, "worker", "--json"], environmentOf(host), /^/, onHost(host)),
  };
}

const onHost = (host: string) => ["ip", "netns", "exec", host, process.execPath];

const apiSettings = {
  HOST: "0.0.0.0",
  PORT: "3000",
  KOMA_TRUSTED_PROXIES: "10.88.0.0/24",
  KOMA_REQUESTS_PER_MINUTE: "1000000",
  KOMA_SEARCHES_PER_HOUR: "1000000",
  KOMA_GUEST_SEARCHES_PER_DAY: "1000000",
  KOMA_FREE_CREDITS_PER_DAY: "0",
};
