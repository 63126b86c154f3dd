import { listLimitedNetworks } from "@koma/accounts";
import type { FastifyInstance } from "fastify";
import { readClientNetwork } from "../client-network.ts";
import { isShared } from "./static-document.ts";

/** The bytes of responses that clients have not received yet. */
export type ResponseLimits = {
  /** Of one client network. */
  networkBytes: number;
  allBytes: number;
};

const MIB = 1024 ** 2;

/** At most 128 MiB and an eighth of the memory limit of the process; a quarter of that for one network. */
export function chooseResponseBytes(limitBytes: number): ResponseLimits {
  const allBytes = Math.max(32 * MIB, Math.min(128 * MIB, limitBytes / 8));
  return { allBytes, networkBytes: allBytes / 4 };
}

/** Counts every response from its creation until the client has received it or its connection is closed. */
export function registerResponseBudget(app: FastifyInstance, limits: ResponseLimits): void {
  const budget = createResponseBudget(limits);
  app.addHook("onSend", async (request, reply, payload) => {
    const bytes = countBytes(payload);
    if (bytes === 0 || reply.raw.destroyed) return payload;
    const network = readClientNetwork(request);
    const release = budget.hold({ network, bytes, end: () => reply.raw.destroy() });
    reply.raw.once("close", release);
    return payload;
  });
}

/**
 * Limits the memory of responses that clients do not read. Above the limit of a network its oldest response
 * ends, which its client reads most slowly; above the limit of all networks, that of the network that holds
 * most. The newest response never ends, so other clients are always served.
 */
export function createResponseBudget(limits: ResponseLimits) {
  const holders = new Map<string, Holder>();
  let allBytes = 0;

  function find(network: string): Holder {
    const holder = holders.get(network) ?? { bytes: 0, responses: new Set() };
    holders.set(network, holder);
    return holder;
  }

  function release(response: Held): void {
    if (!find(response.networks[0] as string).responses.has(response)) return;
    allBytes -= response.bytes;
    for (const network of response.networks) {
      const holder = find(network);
      holder.bytes -= response.bytes;
      holder.responses.delete(response);
      if (holder.responses.size === 0) holders.delete(network);
    }
  }

  /** Ends the oldest response except `newest`. False where there is none. */
  function endOldest({ responses }: Holder, newest: Held): boolean {
    for (const response of responses) {
      if (response === newest) continue;
      release(response);
      response.end();
      return true;
    }
    return false;
  }

  /** The network that holds most bytes, apart from `newest`. */
  function findLargest(newest: Held): Holder | undefined {
    let largest: Holder | undefined;
    let largestBytes = 0;
    for (const holder of holders.values()) {
      const bytes = holder.responses.has(newest) ? holder.bytes - newest.bytes : holder.bytes;
      if (bytes > largestBytes) [largest, largestBytes] = [holder, bytes];
    }
    return largest;
  }

  return {
    /** Counts a response until the returned function is called. `end` closes its connection. */
    hold({ network, bytes, end }: { network: string; bytes: number; end: () => void }): () => void {
      const limited = listLimitedNetworks(network);
      const response: Held = { bytes, end, networks: limited.map((one) => one.network) };
      allBytes += bytes;
      for (const name of response.networks) {
        const holder = find(name);
        holder.bytes += bytes;
        holder.responses.add(response);
      }
      for (const one of limited) {
        const limitBytes = Math.min(one.times * limits.networkBytes, limits.allBytes);
        const holder = find(one.network);
        while (holder.bytes > limitBytes && endOldest(holder, response));
      }
      for (let isOver = allBytes > limits.allBytes; isOver; ) {
        const largest = findLargest(response);
        isOver = largest !== undefined && endOldest(largest, response) && allBytes > limits.allBytes;
      }
      return () => release(response);
    },
  };
}

type Held = { bytes: number; networks: readonly string[]; end: () => void };
/** The responses are in the order of their creation. */
type Holder = { bytes: number; responses: Set<Held> };

/** What a response holds in memory. A stream waits for its client with a chunk read and another one written. */
function countBytes(payload: unknown): number {
  if (typeof payload === "string") return Buffer.byteLength(payload);
  if (payload instanceof Uint8Array) return isShared(payload) ? 0 : payload.byteLength;
  return payload === null || payload === undefined ? 0 : streamBytes;
}

const streamBytes = 128 * 1024;
