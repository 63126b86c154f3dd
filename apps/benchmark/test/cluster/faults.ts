import type { Cluster } from "./open-cluster.ts";

type Members = { leader: string; replicas: string[] };

/** A fault, and what ends it. The cluster lacks a host or a connection in between. */
export type Fault = {
  inject: (cluster: Cluster, members: Members) => Promise<unknown>;
  end: (cluster: Cluster, members: Members) => Promise<unknown>;
  /** The APIs that continue during the fault; default: all. */
  serving?: readonly number[];
};

const hosts = [
  "etcd-1",
  "etcd-2",
  "etcd-3",
  "postgres-1",
  "postgres-2",
  "postgres-3",
  "haproxy",
  "koma-1",
  "koma-2",
];
const allBut = (host: string) => hosts.filter((other) => other !== host);

export const faults: Record<string, Fault> = {
  "replica lost with its disk": {
    inject: (cluster, { replicas: [replica = ""] }) => cluster.kill(replica),
    async end(cluster, { replicas: [replica = ""] }) {
      await cluster.removeData(replica);
      await cluster.start(replica);
    },
  },
  "primary killed": {
    inject: (cluster, { leader }) => cluster.kill(leader),
    end: (cluster, { leader }) => cluster.start(leader),
  },
  "planned switchover": {
    inject: (cluster, { leader }) => cluster.switchOver(leader),
    end: async () => undefined,
  },
  "API 1 separated from the primary": {
    inject: (cluster, { leader }) => cluster.cut("koma-1", ["haproxy", leader]),
    end: (cluster, { leader }) => cluster.join("koma-1", ["haproxy", leader]),
    serving: [1],
  },
  "primary separated from all": {
    inject: (cluster, { leader }) => cluster.cut(leader, allBut(leader)),
    end: (cluster, { leader }) => cluster.join(leader, allBut(leader)),
  },
};
