import { PreviewBusyError } from "@koma/library";
import { expect, test } from "vitest";
import { createPreviewSlots } from "../src/previews/preview-slots.ts";

/** The previews that the library runs and queues. */
const libraryLimit = 34;

/** Turns before a library that creates previews only on request, and refuses more than it can queue. */
function openTurns(atOnce = 4) {
  const makeInSlot = createPreviewSlots({ atOnce });
  const making: (() => void)[] = [];
  const order: string[] = [];
  const counts = { created: 0, refused: 0 };
  const settled: Promise<void>[] = [];
  const ask = (network: string, signal?: AbortSignal) => {
    const make = async () => {
      if (making.length >= libraryLimit) throw new PreviewBusyError();
      order.push(network);
      await new Promise<void>((resolve) => making.push(resolve));
      return network;
    };
    const preview = makeInSlot(network, make, signal);
    settled.push(
      preview.then(
        () => {
          counts.created += 1;
        },
        (error) => {
          expect(error).toBeInstanceOf(PreviewBusyError);
          counts.refused += 1;
        },
      ),
    );
  };
  /** Creates previews until none waits. */
  const makeAll = async () => {
    const done = Promise.all(settled).then(() => true);
    while (!(await Promise.race([done, new Promise<false>((resolve) => setImmediate(resolve, false))])))
      making.shift()?.();
  };
  return { ask, makeAll, order, counts };
}

test("twelve networks with many previews do not keep another one from its preview", async () => {
  const { ask, makeAll, order, counts } = openTurns();
  for (let network = 1; network <= 12; network++) {
    for (let preview = 0; preview < 51; preview++) ask(`203.0.113.${network}`);
  }
  for (let preview = 0; preview < 10; preview++) ask("198.51.100.1");
  await makeAll();
  // The other networks have one turn each between two of its previews.
  expect(order.indexOf("198.51.100.1")).toBeLessThan(16 + 13);
  expect(order.filter((network) => network === "198.51.100.1")).toHaveLength(10);
  // Of each network, as many are refused as cannot run and wait.
  expect(counts.created + counts.refused).toBe(12 * 51 + 10);
  expect(counts.created).toBeGreaterThanOrEqual(12 * 40 + 10);
});

test("the networks of a /48 share the turns of one address, and take turns among themselves", async () => {
  const { ask, makeAll, order } = openTurns();
  const v6 = (subnet: number) => `20010db80001${subnet.toString(16).padStart(4, "0")}/64`;
  for (let subnet = 0; subnet < 60; subnet++) {
    for (let preview = 0; preview < 5; preview++) ask(v6(subnet * 256));
  }
  ask("198.51.100.1");
  ask(v6(0xffff));
  await makeAll();
  expect(order.indexOf("198.51.100.1")).toBeLessThan(16 + 2);
  expect(order.filter((network) => network === v6(0xffff))).toHaveLength(1);
});

test("a /56 runs four times and a /48 eight times the previews of a /64", async () => {
  for (const [step, times] of [
    [1, 4],
    [256, 8],
  ] as const) {
    const { ask, makeAll, order } = openTurns(1);
    for (let index = 0; index < 20; index++)
      ask(`20010db80001${(index * step).toString(16).padStart(4, "0")}/64`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toHaveLength(times);
    await makeAll();
    expect(order).toHaveLength(20);
  }
});

test("with too many waiting, the network with most of them is refused", async () => {
  const { ask, makeAll, order, counts } = openTurns();
  for (let network = 1; network <= 30; network++) {
    for (let preview = 0; preview < 44; preview++) ask(`203.0.113.${network}`);
  }
  for (let preview = 0; preview < 5; preview++) ask("198.51.100.1");
  await makeAll();
  expect(order.filter((network) => network === "198.51.100.1")).toHaveLength(5);
  expect(counts.created).toBe(1016);
});

test("previews whose clients have left before their turn are not made", async () => {
  const { ask, makeAll, order, counts } = openTurns();
  const client = new AbortController();
  for (let preview = 0; preview < 40; preview++) ask("203.0.113.1", client.signal);
  ask("203.0.113.1");
  client.abort();
  ask("203.0.113.1", client.signal);
  await makeAll();
  // Four were being made, and one has another client.
  expect(order).toHaveLength(5);
  expect(counts).toEqual({ created: 5, refused: 37 });
});
