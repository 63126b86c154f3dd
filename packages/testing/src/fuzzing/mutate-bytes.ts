import type { Random } from "../drawing/random.ts";

/** Sizes, counts and offsets at which parsers make errors. */
const edgeValues = [
  0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
];

/** Returns this number of random bytes. */
export function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.whole(0, 255)));
}

/**
 * Returns a changed copy of a file: flipped bits, edge values in place of numbers, and parts that are cut
 * off, removed, repeated or taken from `others`. Half of the changes are in the first 256 bytes, where most
 * headers are.
 */
export function mutateBytes(random: Random, file: Buffer, others: readonly Buffer[]): Buffer {
  let bytes: Buffer = Buffer.from(file);
  const changes = random.chance(0.5) ? 1 : random.whole(1, 16);
  for (let change = 0; change < changes && bytes.length > 0; change++) {
    bytes = mutateOnce(random, bytes, others);
  }
  return bytes;
}

function mutateOnce(random: Random, bytes: Buffer, others: readonly Buffer[]): Buffer {
  const end = random.chance(0.5) ? Math.min(bytes.length, 256) : bytes.length;
  const at = random.whole(0, end - 1);
  const length = random.whole(1, Math.min(64, bytes.length - at));
  const [before, part, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ];
  switch (
    random.pick(["bit", "byte", "byte", "number", "number", "number", "cut", "remove", "repeat", "splice"])
  ) {
    case "bit":
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.whole(0, 7));
      return bytes;
    case "byte":
      bytes[at] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.whole(0, 255)]);
      return bytes;
    case "number":
      writeEdgeValue(random, bytes, at);
      return bytes;
    case "cut":
      return random.chance(0.3) ? bytes.subarray(0, at) : bytes;
    case "remove":
      return Buffer.concat([before, after]);
    case "repeat":
      return Buffer.concat([before, part, ...new Array<Buffer>(random.whole(1, 8)).fill(part), after]);
    default: {
      const other = others[random.whole(0, others.length - 1)] ?? bytes;
      const from = random.whole(0, Math.max(0, other.length - 1));
      return Buffer.concat([before, other.subarray(from, from + random.whole(1, 512)), after]);
    }
  }
}

function writeEdgeValue(random: Random, bytes: Buffer, at: number): void {
  const value = edgeValues[random.whole(0, edgeValues.length - 1)] ?? 0;
  const size = Math.min(random.pick([1, 2, 4]), bytes.length - at);
  const limited = value % 2 ** (8 * size);
  if (random.chance(0.5)) bytes.writeUIntBE(limited, at, size);
  else bytes.writeUIntLE(limited, at, size);
}
