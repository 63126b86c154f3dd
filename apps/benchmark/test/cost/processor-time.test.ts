import { expect, test } from "vitest";
import { readProcessorTimes } from "../../src/cost/processor-time.ts";

test("the processor time of a process grows with its work", async () => {
  // No database server runs in the folder of this file.
  const total = async () =>
    [...(await readProcessorTimes(process.pid, import.meta.dirname)).values()].reduce((a, b) => a + b);
  const before = await total();
  const { user, system } = process.cpuUsage();
  let value = 1;
  while (process.cpuUsage().user - user < 100_000) value = Math.sin(value) + 1;
  const spent = process.cpuUsage({ user, system });
  const counted = (await total()) - before;
  // The clock of cpuUsage has ticks of up to 10 ms.
  expect(counted).toBeGreaterThan((spent.user + spent.system) / 1000 - 20);
  expect(counted).toBeLessThan((process.cpuUsage().user + process.cpuUsage().system) / 1000);
});
