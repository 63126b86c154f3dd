// A binary range coder with adaptive probabilities, as in LZMA (Martin 1979; Pavlov 2007): probabilities have
// 12 bits and move by a sixteenth, because a strip has few symbols.
const TOP = 2 ** 24;
const EVEN = 1 << 11;
const LIMIT = 1 << 12;
const RATE = 4;

/** Returns the probabilities of `count` kinds of bits; both values are equally likely at first. */
export function createBitModels(count: number): Uint16Array {
  return new Uint16Array(count).fill(EVEN);
}

/** Writes bits. */
export function createRangeEncoder() {
  const bytes: number[] = [];
  let low = 0;
  let range = 2 ** 32 - 1;
  let last: number | undefined;
  let pending = 0;

  /** Emits the highest byte of `low`; bytes that a carry may still change wait. */
  function shift(): void {
    if (low < 0xff000000 || low >= 2 ** 32) {
      const carry = low >= 2 ** 32 ? 1 : 0;
      if (last !== undefined) bytes.push((last + carry) & 255);
      for (; pending > 0; pending--) bytes.push((255 + carry) & 255);
      last = Math.floor(low / TOP) & 255;
    } else {
      pending++;
    }
    low = (low % TOP) * 256;
  }

  function normalise(): void {
    while (range < TOP) {
      range *= 256;
      shift();
    }
  }

  return {
    /** Writes a bit of the kind `at`. */
    bit(models: Uint16Array, at: number, bit: number): void {
      const probability = models[at] ?? EVEN;
      const bound = Math.floor(range / LIMIT) * probability;
      if (bit === 0) {
        range = bound;
        models[at] = probability + ((LIMIT - probability) >> RATE);
      } else {
        low += bound;
        range -= bound;
        models[at] = probability - (probability >> RATE);
      }
      normalise();
    },
    /** Writes a bit whose values are equally likely. */
    plain(bit: number): void {
      range = Math.floor(range / 2);
      if (bit !== 0) low += range;
      normalise();
    },
    /** Returns all bytes; zeros at the end are omitted. */
    finish(): Uint8Array {
      for (let at = 0; at < 5; at++) shift();
      while (bytes.at(-1) === 0) bytes.pop();
      return Uint8Array.from(bytes);
    },
  };
}

/** Reads bits with the same models in the same order. Bytes after the end are zeros. */
export function createRangeDecoder(bytes: Uint8Array) {
  let at = 0;
  let range = 0xffffffff;
  let code = 0;
  for (; at < 4; at++) code = ((code << 8) | (bytes[at] ?? 0)) >>> 0;

  function normalise(): void {
    while (range < TOP) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | (bytes[at++] ?? 0)) >>> 0;
    }
  }

  return {
    bit(models: Uint16Array, kind: number): number {
      const probability = models[kind] ?? EVEN;
      const bound = ((range >>> 12) * probability) >>> 0;
      const bit = Number(code >= bound);
      if (bit === 0) {
        range = bound;
        models[kind] = probability + ((LIMIT - probability) >> RATE);
      } else {
        code = (code - bound) >>> 0;
        range = (range - bound) >>> 0;
        models[kind] = probability - (probability >> RATE);
      }
      normalise();
      return bit;
    },
    plain(): number {
      range >>>= 1;
      const bit = Number(code >= range);
      if (bit !== 0) code = (code - range) >>> 0;
      normalise();
      return bit;
    },
  };
}

export type RangeEncoder = ReturnType<typeof createRangeEncoder>;
export type RangeDecoder = ReturnType<typeof createRangeDecoder>;
