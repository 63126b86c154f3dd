import * as contract from "@koma/contract";
import { findUndocumented, type RawResponse, type ResponseDocument, sendRawRequest } from "@koma/testing";
import { createRandom } from "@koma/testing/drawing";
import { type FuzzKind, type FuzzRequest, type openFuzzRequests, writeRequest } from "@koma/testing/fuzzing";

/** A request whose response violates the contract; `request` contains its bytes. */
type Violation = { kind: FuzzKind; index: number; request: Buffer; reasons: string[] };

/** The responses to all requests of one kind. */
export type KindResult = {
  kind: FuzzKind;
  requests: number;
  seconds: number;
  statuses: Map<number, number>;
  slowestMs: number;
  violations: Violation[];
};

/**
 * Sends requests number `first` to `first + count - 1` of a kind with `clients` at once, and stops early at
 * `endMs` of the monotonic clock, when the signal aborts, or when `hasEnded`.
 */
export async function fuzzKind(options: {
  url: string;
  document: ResponseDocument;
  generator: Awaited<ReturnType<typeof openFuzzRequests>>;
  kind: FuzzKind;
  seed: number;
  first: number;
  count: number;
  clients: number;
  endMs: number;
  signal: AbortSignal;
  hasEnded: () => boolean;
  onProgress: (done: number) => void;
}): Promise<KindResult> {
  const { kind, first, count, signal } = options;
  const startedMs = performance.now();
  const statuses = new Map<number, number>();
  const violations: Violation[] = [];
  let next = first;
  let slowestMs = 0;

  async function check(index: number): Promise<void> {
    const request = options.generator.create(kind, index);
    const bytes = writeRequest(request, clientNetwork(options.seed, kind, index));
    const sentMs = performance.now();
    const reasons: string[] = [];
    try {
      const response = await sendRawRequest(options.url, bytes);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      reasons.push(...findViolations(options.document, request, response));
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
    slowestMs = Math.max(slowestMs, performance.now() - sentMs);
    if (reasons.length > 0) violations.push({ kind, index, request: bytes, reasons });
  }
  const isOver = () => signal.aborted || options.hasEnded() || performance.now() > options.endMs;
  async function client(): Promise<void> {
    while (next < first + count && !isOver()) {
      await check(next++);
      options.onProgress(next - first);
    }
  }
  await Promise.all(Array.from({ length: options.clients }, client));
  const seconds = (performance.now() - startedMs) / 1000;
  return { kind, requests: next - first, seconds, statuses, slowestMs, violations };
}

function findViolations(document: ResponseDocument, request: FuzzRequest, response: RawResponse): string[] {
  const found = findUndocumented(document, request.method, request.path, response, findInvalid);
  const { code } = (response.body ?? {}) as { code?: string };
  // Both are documented, but no input may cause them.
  if (response.status === 500 || code === "not_ready") found.push(`${response.status} ${code ?? ""}`);
  return found;
}

/** Compares a body with the schema that the contract exports under this name. */
function findInvalid({ $ref }: { $ref?: string }, body: unknown): string | undefined {
  const name = $ref?.split("/").at(-1);
  const [, schema] = Object.entries(contract).find(([exported]) => exported === name) ?? [];
  if (typeof schema !== "object" || !("safeParse" in schema)) return undefined;
  const { error } = schema.safeParse(body);
  return error === undefined ? undefined : `the body is no ${name}: ${error.message}`;
}

/** A client network of its own for every request, so that no limit of networks ends the run. */
function clientNetwork(seed: number, kind: FuzzKind, index: number): string {
  const random = createRandom(`${seed}/network/${kind}/${index}`);
  const group = () => random.whole(0, 0xffff).toString(16);
  return `2a00:${group()}:${group()}:${group()}::1`;
}
